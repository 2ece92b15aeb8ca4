"""Flows through the app without a browser. tests/browser clicks in the player."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from bpeviz.limits import limits
from bpeviz.runs.run import NamedText
from bpeviz.runs.samples import SAMPLES, STANDARD_LIBRARY, first_run, read_sample
from bpeviz.training.choice import Action, Choice
from bpeviz.ui import help_menu
from bpeviz.ui.compare.page import compare_page
from bpeviz.ui.encode.page import encode_page
from bpeviz.ui.learn.page import learn_page
from bpeviz.ui.recipes.page import recipes_page
from bpeviz.ui.vocabulary.page import vocabulary_page
from bpeviz.ui.watch.state import PANELS
from tests.support.app_test import (
    CAT,
    captions,
    drawn,
    first_error,
    given,
    labelled,
    menus,
    opened,
    pasted,
    plain,
    press,
    shown_run,
    state_of,
    watch_of,
    with_run,
)
from tests.support.inline_workers import work_with
from tests.support.paths import ROOT
from tests.support.worker_tasks import FailingWorkers


def test_the_menu_for_the_text_says_how_much_it_takes() -> None:
    assert "Files up to 200 MB in UTF-8. The page shows a part of files over 8 MB." in captions(opened())


def test_a_pasted_text_is_trained_on_and_the_panels_are_about_its_first_merge() -> None:
    said = {}
    for panel in PANELS:
        app = pasted(CAT, panel)
        assert not app.exception
        assert not app.error
        said[panel] = plain(app.caption[-1].value)
    assert said["What changes"].startswith("Merge 1 joins a + t. Raised: ")
    assert "starts with the first merge" in said["Race"]
    assert "None yet" in said["Tables"]
    app = pasted(CAT, "Word")
    (word,) = [c.proto.json for c in app.get("bidi_component") if '"growths"' in c.proto.json]
    assert '"word":""' in word.replace(" ", "")  # the panel's script asks for one, and hears of clicked words


def test_a_text_that_is_too_long_leaves_the_run_and_the_reason_is_said() -> None:
    app = pasted("word " * (limits().max_text_bytes // 5 + 1))
    assert not app.exception
    assert "takes up to 8 MB" in first_error(app)
    assert state_of(app).run is first_run()


@pytest.mark.parametrize("text", ["a", "abc", " ", "日本", "cat dog"])
def test_a_text_without_a_merge_is_shown_with_all_panels_and_says_why(text: str) -> None:
    for panel in ("What changes", "Race", "Tables"):
        app = pasted(text, panel)
        assert not app.exception
        assert not app.error
        run = shown_run(state_of(app))
        assert (run.corpus.text, len(run.steps)) == (text, 0)
        # the line above the player, and the panel
        assert captions(app).count("No pair occurs 2 times, so nothing is merged.") == 2
        assert "press →" not in captions(app)


def test_the_rules_of_a_run_without_a_merge_can_stop_at_a_vocabulary_size_and_at_merges_again() -> None:
    app = pasted("abc")
    for stop_at in ("vocabulary size", "number of merges"):
        labelled(app.radio, "Stop at").set_value(stop_at)
        app.run()
        assert not app.exception
        assert not app.error
    assert shown_run(state_of(app)).corpus.text == "abc"


@pytest.mark.parametrize("page", [compare_page, encode_page, vocabulary_page, recipes_page, learn_page])
def test_a_run_without_a_merge_is_on_every_page(page: Callable[[], None]) -> None:
    app = drawn(page, with_run("abc"))
    assert not app.exception
    assert not app.error


@pytest.mark.parametrize("title", [title for title in SAMPLES if title != STANDARD_LIBRARY.title])
def test_a_sample_is_one_click_away(title: str) -> None:
    app = opened()
    app.button(key=f"sample-{title}-1").click().run()
    assert not app.exception
    corpus = shown_run(state_of(app)).corpus
    assert corpus == NamedText(title, read_sample(title))
    assert f"Text **{title}** · {corpus.byte_total:,} bytes" in menus(app)


def test_the_standard_library_comes_in_sizes() -> None:
    app = opened()
    app.button(key=f"sample-{STANDARD_LIBRARY.title}-2").click()
    app.run()
    state = state_of(app)
    # It trains in the background, and may have ended by now.
    corpus = (state.training.wanted or shown_run(state)).corpus
    assert 1_990_000 < corpus.byte_total <= 2_000_000


def upload(*files: tuple[str, bytes]) -> AppTest:
    app = opened()
    return give(app, *files)


def give(app: AppTest, *files: tuple[str, bytes]) -> AppTest:
    """Drop files on the page, or choose them."""
    key = f"dropped-{state_of(app).form.chosen}"
    app.file_uploader(key=key).set_value([(name, data, "text/plain") for name, data in files]).run()
    assert not app.exception
    return app


def test_an_uploaded_file_is_trained_on() -> None:
    assert "Text **cat.txt** · 129 bytes" in menus(upload(("cat.txt", CAT.encode())))


def with_a_fork() -> AppTest:
    """The page with two runs, where “Show the first difference” reruns a fragment alone."""
    return fork(opened(), "merge", place=5)


def test_a_file_is_not_lost_if_it_comes_together_with_a_click_that_reruns_fragments_alone() -> None:
    app = with_a_fork()
    app.file_uploader(key="dropped-0").set_value([("cat.txt", CAT.encode(), "text/plain")])
    press(app, "Show the first difference")
    assert "Text **cat.txt** · 129 bytes" in menus(app)


def test_several_files_are_one_text() -> None:
    assert "Text **2 files** · 16 bytes" in menus(upload(("a.txt", b"the cat"), ("b.txt", b"the cat\n")))


def test_a_file_that_is_not_utf8_is_named_with_the_offset_and_can_be_read_with_replacement() -> None:
    bad = "bad_[x](y).txt", b"the cat \xff the cat"
    app = upload(bad)
    (said,) = [plain(box.value) for box in (*app.error, *app.warning, *app.info)]
    assert said == (
        "bad_[x](y).txt is not UTF-8: the byte at offset 8 cannot be decoded. "
        "Convert the file to UTF-8, or choose to replace invalid bytes."
    )
    assert state_of(app).run is first_run()
    labelled(app.checkbox, "Replace invalid bytes").check().run()
    give(app, bad)
    corpus = shown_run(state_of(app)).corpus
    assert (corpus.name, corpus.text) == ("bad_[x](y).txt", "the cat \ufffd the cat")


def recipe(app: AppTest) -> Any:
    return labelled(app.selectbox, "Recipe")


def split(app: AppTest) -> Any:
    return labelled(app.selectbox, "Split pattern")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda app: recipe(app).set_value("minbpe-basic"), "Rules **minbpe-basic**"),
        (lambda app: split(app).set_value("none"), "none split"),
        (lambda app: labelled(app.number_input, "Merges").set_value(7), "7 merges"),
        (lambda app: labelled(app.radio, "Stop at").set_value("vocabulary size"), "tokens"),
    ],
    ids=["recipe", "split pattern", "merges", "what it stops at"],
)
def test_a_rule_is_not_lost_if_it_changes_together_with_a_click_that_reruns_fragments_alone(
    change: Callable[[AppTest], Any], says: str
) -> None:
    app = with_a_fork()
    assert says not in menus(app)
    change(app)
    press(app, "Show the first difference")
    assert says in menus(app)


def test_a_changed_rule_is_followed_at_once() -> None:
    app = recipe(pasted(CAT)).set_value("minbpe-basic").run()
    assert not app.exception
    assert "Rules **minbpe-basic** · none split" in menus(app)


def custom_pattern(app: AppTest) -> Any:
    return labelled(app.text_input, "Custom pattern")


def test_a_custom_pattern_is_waited_for() -> None:
    app = split(pasted(CAT)).set_value("custom").run()
    assert not app.error
    assert not app.info
    assert "gpt2 split" in menus(app)


def test_a_rule_that_is_refused_leaves_the_run_and_can_be_undone() -> None:
    app = split(pasted(CAT)).set_value("custom").run()
    app = custom_pattern(app).set_value("(").run()
    assert "does not compile" in app.error[0].value
    assert shown_run(state_of(app)).settings.split == "the recipe's own"
    app.run()
    assert "Settings changed" in app.info[0].value
    app = press(app, "Keep the previous settings")
    assert not app.info
    assert split(app).value == "the recipe's own"


def test_more_merges_keep_the_step_and_another_recipe_keeps_it_beside_the_former_run() -> None:
    app = pasted(CAT)
    state = state_of(app)
    state.step = 5
    app = labelled(app.number_input, "Merges").set_value(600).run()
    assert (state.step, state.run.settings.num_merges) == (5, 600)
    former = shown_run(state)
    recipe(app).set_value("minbpe").run()
    assert shown_run(state).recipe.name == "minbpe"
    assert (state.step, state.run_beside) == (5, former)


def test_training_stops_at_a_vocabulary_size_that_begins_with_the_one_that_there_is() -> None:
    app = pasted(CAT)
    state = state_of(app)
    made = shown_run(state).steps
    app = labelled(app.radio, "Stop at").set_value("vocabulary size").run()
    size = labelled(app.number_input, "Vocabulary size")
    assert (size.value, shown_run(state).steps) == (256 + len(made), made)
    app = size.set_value(260).run()
    assert shown_run(state).steps == made[:4]
    assert "260 tokens" in menus(app)
    app = labelled(app.radio, "Stop at").set_value("number of merges").run()
    assert labelled(app.number_input, "Merges").value == 4
    assert shown_run(state).steps == made[:4]
    assert "4 merges" in menus(app)


def test_the_longest_token_and_special_tokens_are_rules() -> None:
    app = pasted(CAT)
    state = state_of(app)
    app = labelled(app.number_input, "Longest token").set_value(3).run()
    assert max(len(step.token) for step in shown_run(state).steps) == 2  # as in tokenizers: below 3
    special = labelled(app.multiselect, "Special tokens")
    app = special.set_value(["<s>", "<|x|>"]).run()
    assert shown_run(state).tokenizer.special_tokens == {"<s>": 0, "<|x|>": 1}
    app = recipe(app).set_value("cs336").run()
    assert shown_run(state).tokenizer.special_tokens == {"<s>": 256, "<|x|>": 257}
    app = labelled(app.multiselect, "Special tokens").set_value(["<|endoftext|>"]).run()
    assert state.form.settings.special_tokens is None
    assert shown_run(state).tokenizer.special_tokens == {"<|endoftext|>": 256}


def test_far_too_long_a_special_token_is_said() -> None:
    app = pasted(CAT)
    app = labelled(app.multiselect, "Special tokens").set_value(["x" * 201]).run()
    assert first_error(app).startswith("A special token has 201 characters, 1 more than the 200")
    assert shown_run(state_of(app)).tokenizer.special_tokens == {}


def test_far_too_long_a_custom_pattern_is_said_and_trained_on_by_nobody() -> None:
    app = opened()
    app = split(app).set_value("custom").run()
    app = custom_pattern(app).set_value("a" * 2_000_000).run()
    assert first_error(app) == (
        "The custom pattern has 2,000,000 characters, 1,999,500 more than the 500 that this field takes. "
        "Shorten it."
    )
    assert len(custom_pattern(app).value) == 2_000_000
    state = state_of(app)
    assert (state.form.settings.custom_pattern, state.form.settings.complete) == ("", False)


def test_a_custom_pattern_cuts_the_text() -> None:
    app = split(pasted(CAT)).set_value("custom").run()
    app = custom_pattern(app).set_value(r"\w+|\W").run()
    assert not app.error
    assert "custom split" in menus(app)


def test_a_person_s_own_markup_is_not_markup_on_the_page() -> None:
    app = upload(("![x](http://a)<b>.txt", CAT.encode()))
    labels = [block.proto.popover.label for block in app.get("popover")]
    assert any("\\!\\[x\\]\\(http\u2060\\:\\/\\/a\\)\\<b\\>\\.txt" in label for label in labels)


def fork(app: AppTest, action: Action, place: int = 1) -> AppTest:
    """Merge one of the most frequent pairs next, or never, as a button of its card does."""
    state = state_of(app)
    at_step = state.run_at_step()
    left, right = (int(at_step.pairs[side].iloc[place]) for side in ("left", "right"))
    watch_of(state).fork = Choice(at_step.step, (left, right), action)
    app.run()
    assert not app.exception
    return app


def headings(app: AppTest) -> str:
    return " ".join(m.value for m in app.markdown)


def test_a_fork_is_shown_beside_the_run_it_parts_from() -> None:
    app = fork(pasted(CAT), "merge")
    state = state_of(app)
    assert [r.name for r in state.runs] == ["pasted text", "h + e at 1"]
    assert (state.run, state.run_beside) == (state.runs[1], state.runs[0])
    app.session_state["fork_details"] = True
    app.run()
    told = captions(app)
    assert "Merge 1 is the first that differs." in told
    assert ":blue-badge[L]\u00a0h + e at 1 h + e at merge 1" in told
    assert [(c.rank, c.action) for c in state.run.choices] == [(0, "merge")]
    assert "After 0 merges both cut the text the same way." in told
    assert "Same number of tokens at every step: the tie didn't matter here." in headings(app)


def test_a_veto_makes_a_run_that_never_merges_the_pair() -> None:
    app = fork(pasted(CAT), "veto", place=0)
    state = state_of(app)
    vetoed = state.runs[0].steps[0].pair
    assert vetoed not in [s.pair for s in state.run.steps]
    assert (state.run.name, state.run.about) == ("without a + t from 1", "without a + t from merge 1 on")


def test_the_chosen_run_is_deleted_and_the_other_stays() -> None:
    app = fork(pasted(CAT), "merge")
    state = state_of(app)
    parent = state.runs[0]
    (drop,) = [b for b in app.button if b.label.startswith("Delete")]
    app = drop.click().run()
    assert not app.exception
    assert state.runs == [parent]
    assert not [box for box in app.selectbox if box.label == "Run beside it"]


def test_changed_rules_keep_the_former_run_in_the_list() -> None:
    app = recipe(pasted(CAT)).set_value("minbpe").run()
    state = state_of(app)
    assert [r.name for r in state.runs] == ["pasted text", "pasted text · 2"]
    app.session_state["fork_details"] = True
    app = labelled(app.selectbox, "Run beside it").set_value(state.runs[0].number).run()
    assert state.run_beside is state.runs[0]
    assert "Same number of tokens at every step: the tie didn't matter here." in headings(app)
    assert ":blue-badge[L]\u00a0pasted text · 2 pasted text, minbpe" in captions(app)
    assert ":orange-badge[R]\u00a0pasted text pasted text, huggingface" in captions(app)


@pytest.fixture
def own_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Train on short texts in a worker, as on long ones; not the sample, which another thread trains."""
    first_run()
    monkeypatch.setattr("bpeviz.runs.run_training.OWN_PROCESS_BYTES", 10)


@pytest.mark.usefixtures("own_process")
def test_a_training_in_a_worker_is_shown_like_any_other() -> None:
    app = pasted(CAT)
    assert not app.exception
    assert state_of(app).run.steps[0].count == 12
    app = fork(app, "merge")
    assert not app.exception
    assert [r.name for r in state_of(app).runs] == ["pasted text", "h + e at 1"]


@pytest.mark.usefixtures("own_process")
def test_a_worker_that_ends_early_is_an_error_and_nothing_else_is_lost() -> None:
    with work_with(FailingWorkers("memory")):
        app = pasted(CAT)
        assert not app.exception
        assert "probably because it needed too much memory" in app.error[0].value
        assert state_of(app).run is first_run()
    app = given(app, NamedText("pasted text", CAT))
    state = state_of(app)
    run, state.step = state.run, 4
    with work_with(FailingWorkers("memory")):
        app = fork(app.run(), "merge")
        assert "probably because it needed too much memory" in app.error[0].value
        assert (state.runs, state.step) == ([run], 4)
        app = recipe(app).set_value("minbpe").run()
        assert "probably because it needed too much memory" in app.error[0].value
        assert (state.runs, state.step, state.form.settings.recipe) == ([run], 4, "minbpe")
    assert not press(app.run(), "Train with the new settings").error
    assert state.run.settings.recipe == "minbpe"


def test_help_says_where_the_documentation_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert help_menu._documentation() == f"the folder {ROOT / 'docs'}"
    monkeypatch.setattr(help_menu, "APP_FOLDER", tmp_path)  # an installed package has no such folder
    assert "folder" not in help_menu._documentation()
    assert "bpeviz --help" in help_menu._documentation()
