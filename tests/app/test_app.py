"""Flows through the app without a browser. tests/browser clicks in the player."""

import sys
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from bpeviz.limits import limits
from tests.support.app_test import (
    CAT,
    captions,
    first_error,
    labelled,
    opened,
    pasted,
    plain,
    press,
    run_on_show,
    state_of,
)


def test_the_first_page_asks_for_a_text_and_says_how_much_it_takes() -> None:
    app = opened()
    assert not app.exception
    assert app.title[0].value == "Watch byte-pair encoding learn"
    assert "Up to 8 MB" in app.caption[0].value


def test_a_pasted_text_is_trained_on_and_the_panels_are_about_its_first_merge() -> None:
    app = pasted(CAT)
    assert not app.exception
    assert not app.error
    changes, race, none_yet = (plain(caption.value) for caption in app.caption[-3:])
    assert changes.startswith("Merge 1 joins a + t. Raised: ")
    assert "starts with the first merge" in race
    assert "None yet" in none_yet
    (word,) = [c.proto.json for c in app.get("bidi_component") if '"growths"' in c.proto.json]
    assert '"word":""' in word.replace(" ", "")  # the panel's script asks for one, and hears of clicked words


def test_the_text_field_leaves_the_page_once_the_corpus_is_trained_on() -> None:
    assert not [area for area in pasted(CAT).text_area if area.key == "pasted"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "There is no text yet"),
        ("a", "one character"),
        ("abcdef", "Nothing can be merged"),
        ("word " * (limits().max_text_bytes // 5 + 1), "takes up to 8 MB"),
    ],
    ids=["empty", "one character", "nothing to merge", "too long"],
)
def test_a_text_that_cannot_be_used_is_kept_and_the_reason_said(text: str, says: str) -> None:
    app = pasted(text)
    assert not app.exception
    assert says in first_error(app)
    assert app.text_area(key="pasted").value == text


def test_what_was_pasted_is_there_when_the_corpus_is_changed() -> None:
    app = press(pasted(CAT), "New text")
    assert app.text_area(key="pasted").value == CAT
    app = press(app, "Back to the run")
    assert app.get("plotly_chart")


def test_a_sample_is_one_click_away() -> None:
    app = opened()
    app.get("button_group")[0].set_value("Sample").run()
    app = press(app, "Train and watch")
    assert not app.exception
    assert "**English prose**, 6,344 bytes" in plain(app.caption[0].value)


def upload(*files: tuple[str, bytes]) -> AppTest:
    app = opened()
    app.get("button_group")[0].set_value("Upload").run()
    app.file_uploader[0].set_value([(name, data, "text/plain") for name, data in files]).run()
    return app


def test_an_uploaded_file_is_trained_on() -> None:
    app = press(upload(("cat.txt", CAT.encode())), "Train and watch")
    assert "**cat.txt**, 129 bytes" in plain(app.caption[0].value)


def test_a_file_taken_away_again_is_not_trained_on() -> None:
    app = upload(("cat.txt", CAT.encode()))
    app.file_uploader[0].set_value([]).run()
    app = press(app, "Train and watch")
    assert "There is no text yet" in app.error[0].value


def test_several_files_are_one_text() -> None:
    app = upload(("a.txt", b"the cat"), ("b.txt", b"the cat\n"))
    assert "2 files: 16 bytes" in app.caption[0].value


@pytest.mark.parametrize("ticked", [True, False])
def test_a_file_dropped_on_the_form_for_files_follows_its_choice_for_invalid_bytes(ticked: bool) -> None:
    app = opened()
    app.get("button_group")[0].set_value("Upload").run()
    if ticked:
        app.checkbox(key="replaces").check().run()
    latin = [("latin-1.txt", "the café and the café ".encode("latin-1"), "text/plain")]
    app.file_uploader(key="dropped-0").set_value(latin).run()
    assert not app.exception
    run = state_of(app).run
    assert run is not None
    if ticked:
        assert (run.corpus.name, run.corpus.text) == ("latin-1.txt", "the caf\ufffd and the caf\ufffd ")
    else:
        assert run.corpus.name == "English prose"
        assert "is not UTF" in " ".join(box.value for box in (*app.error, *app.warning, *app.info))


def test_a_ticked_box_is_not_followed_where_the_form_shows_none() -> None:
    app = opened()
    app.get("button_group")[0].set_value("Upload").run()
    app.checkbox(key="replaces").check().run()
    app.get("button_group")[0].set_value("Paste").run()
    app.file_uploader(key="dropped-0").set_value([("bad.txt", b"the cat \xff the cat", "text/plain")]).run()
    assert "is not UTF" in " ".join(box.value for box in (*app.error, *app.warning, *app.info))


def test_a_file_that_is_not_utf8_is_named_with_the_offset_and_can_be_read_with_replacement() -> None:
    app = upload(("bad_[x](y).txt", b"the cat \xff the cat"))
    assert app.error[0].value == (
        r"bad\_\[x\]\(y\)\.txt is not UTF\-8\: the byte at offset 8 cannot be decoded\. "
        r"Convert the file to UTF\-8\, or choose to replace invalid bytes\."
    )
    app.checkbox[0].check().run()
    assert not app.error
    assert not press(app, "Train and watch").error


def recipe(app: AppTest) -> Any:
    return labelled(app.selectbox, "Recipe")


def split(app: AppTest) -> Any:
    return labelled(app.selectbox, "Split pattern")


def test_a_changed_rule_is_followed_at_once() -> None:
    app = recipe(pasted(CAT)).set_value("minbpe-basic").run()
    assert not app.exception
    assert "minbpe-basic" in captions(app)
    assert "split pattern **none**" in captions(app)


def custom_pattern(app: AppTest) -> Any:
    return labelled(app.text_input, "Custom pattern")


def test_a_custom_pattern_is_waited_for() -> None:
    app = split(pasted(CAT)).set_value("custom").run()
    assert not app.error
    assert not app.info
    assert "split pattern **gpt2**" in app.caption[0].value


def test_a_rule_that_is_refused_leaves_the_run_and_can_be_undone() -> None:
    app = split(pasted(CAT)).set_value("custom").run()
    app = custom_pattern(app).set_value("(").run()
    assert "does not compile" in app.error[0].value
    assert app.get("plotly_chart")
    app.run()
    assert "Settings changed" in app.info[0].value
    app = press(app, "Keep the previous settings")
    assert not app.info
    assert split(app).value == "the recipe's own"


def test_back_to_the_run_keeps_its_step_and_its_rules() -> None:
    app = pasted(CAT)
    state = state_of(app)
    run, state.merges.step = state.run, 5
    app = press(app, "New text")
    app = recipe(app).set_value("minbpe-basic").run()
    app = press(app, "Back to the run")
    assert state.run is run
    assert (state.merges.step, state.merges.start) == (5, 5)
    assert recipe(app).value == "huggingface"


def test_more_merges_keep_the_step_and_another_recipe_keeps_it_beside_the_former_run() -> None:
    app = pasted(CAT)
    state = state_of(app)
    state.merges.step = 5
    app = labelled(app.number_input, "Merges").set_value(600).run()
    assert (state.merges.step, state.run.settings.num_merges) == (5, 600)
    former = run_on_show(state)
    recipe(app).set_value("minbpe").run()
    assert run_on_show(state).recipe.name == "minbpe"
    assert (state.merges.step, state.run_beside) == (5, former)


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
    assert "split pattern **custom**" in captions(app)


def test_a_person_s_own_markup_is_not_markup_on_the_page() -> None:
    app = press(upload(("![x](http://a)<b>.txt", CAT.encode())), "Train and watch")
    assert "\\!\\[x\\]\\(http\u2060\\:\\/\\/a\\)\\<b\\>\\.txt" in app.caption[0].value


def fork(app: AppTest, action: str, place: int = 1) -> AppTest:
    """Pick one of the listed pairs, and merge it next or never merge it."""
    pairs = labelled(app.selectbox, "Look at a pair")
    app = pairs.set_value(pairs.options[place]).run()
    return press(app, action)


def headings(app: AppTest) -> str:
    return " ".join(m.value for m in app.markdown)


def test_a_fork_is_shown_beside_the_run_it_parts_from() -> None:
    app = fork(pasted(CAT), "Merge it next instead")
    assert not app.exception
    state = state_of(app)
    assert [r.name for r in state.runs] == ["Run A", "Fork A"]
    assert (state.run, state.run_beside) == (state.runs[1], state.runs[0])
    told = captions(app)
    assert "Merge 1 is the first that differs." in told
    assert "h + e at merge 1" in told
    assert [(c.rank, c.action) for c in state.run.choices] == [(0, "merge")]
    assert "After 0 merges both cut the text the same way." in told
    assert "Same number of tokens at every step: the tie didn't matter here." in headings(app)


def test_a_veto_makes_a_run_that_never_merges_the_pair() -> None:
    app = fork(pasted(CAT), "Never merge it", place=0)
    state = state_of(app)
    vetoed = state.runs[0].steps[0].pair
    assert vetoed not in [s.pair for s in state.run.steps]
    assert (state.run.name, state.run.about) == ("Fork A", "without a + t from merge 1 on")


def test_the_chosen_run_is_deleted_and_the_other_stays() -> None:
    app = fork(pasted(CAT), "Merge it next instead")
    state = state_of(app)
    parent = state.runs[0]
    (drop,) = [b for b in app.button if b.label.startswith("Delete")]
    app = drop.click().run()
    assert not app.exception
    assert state.runs == [parent]
    assert not [box for box in app.selectbox if box.label == "Run beside it"]


def test_a_pair_that_still_occurs_after_the_last_merge_says_where_to_fork() -> None:
    app = pasted(CAT)
    app = labelled(app.number_input, "Merges").set_value(3).run()
    state = state_of(app)
    assert state.run.settings.num_merges == 3
    state.merges.step = 3
    app = app.run()
    pairs = labelled(app.selectbox, "Look at a pair")
    app = pairs.set_value(pairs.options[0]).run()
    assert "All merges are done. Go to an earlier step, then fork." in captions(app)
    assert "doesn't occur" not in captions(app)


def test_a_picked_pair_can_be_cleared() -> None:
    app = pasted(CAT)
    pairs = labelled(app.selectbox, "Look at a pair")
    app = pairs.set_value(pairs.options[2]).run()
    assert "Occurs 12 times after 0 merges." in captions(app)
    app = press(app, "Clear selection")
    assert state_of(app).merges.pair is None
    assert len(app.get("plotly_chart")) == 1  # changes


def test_of_a_pair_that_overlaps_it_is_told_what_is_counted_and_what_can_be_replaced() -> None:
    app = pasted("aaaa baaa " * 3)
    app = labelled(app.selectbox, "Look at a pair").select("a + a").run()
    told = " ".join(plain(markdown.value) for markdown in app.markdown)
    assert "Counted 15 times, but one merge can replace 9 times" in told
    assert app.code[0].value.splitlines() == [
        "[a a] a  counted 2, replaced 1; occurs in 3 places",
        "[a a] [a a]  counted 3, replaced 2; occurs in 3 places",
    ]


def test_changed_rules_keep_the_former_run_in_the_list() -> None:
    app = recipe(pasted(CAT)).set_value("minbpe").run()
    state = state_of(app)
    assert [r.name for r in state.runs] == ["Run A", "Run B"]
    app = labelled(app.selectbox, "Run beside it").set_value(state.runs[0].number).run()
    assert state.run_beside is state.runs[0]
    assert "Same number of tokens at every step: the tie didn't matter here." in headings(app)
    assert ":blue-badge[Run B] pasted text, minbpe" in captions(app)
    assert ":orange-badge[Run A] pasted text, huggingface" in captions(app)


@pytest.fixture
def own_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Train on short texts in another process, as on long ones."""
    monkeypatch.setattr("bpeviz.runs.run_training.OWN_PROCESS_BYTES", 10)


@pytest.mark.usefixtures("own_process")
@pytest.mark.full
def test_a_training_in_another_process_is_shown_like_any_other() -> None:
    app = pasted(CAT)
    assert not app.exception
    assert state_of(app).run.steps[0].count == 12
    app = fork(app, "Merge it next instead")
    assert not app.exception
    assert [r.name for r in state_of(app).runs] == ["Run A", "Fork A"]


@pytest.mark.usefixtures("own_process")
@pytest.mark.full
def test_a_process_that_ends_before_its_time_is_said_and_nothing_else_is_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with monkeypatch.context() as broken:
        dying = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"
        broken.setattr("bpeviz.jobs.training_process._COMMAND", (sys.executable, "-c", dying))
        app = pasted(CAT)
        assert not app.exception
        assert "killed by SIGKILL" in app.error[0].value
        assert app.text_area(key="pasted").value == CAT
    app = press(app, "Train and watch")
    state = state_of(app)
    run, state.merges.step = state.run, 4
    with monkeypatch.context() as broken:
        broken.setattr("bpeviz.jobs.training_process._COMMAND", (sys.executable, "-c", dying))
        app = fork(app.run(), "Merge it next instead")
        assert "killed by SIGKILL" in app.error[0].value
        assert (state.runs, state.merges.step) == ([run], 4)
        app = recipe(app).set_value("minbpe").run()
        assert "killed by SIGKILL" in app.error[0].value
        assert (state.runs, state.merges.step, state.form.settings.recipe) == ([run], 4, "minbpe")
    assert not press(app.run(), "Train with the new settings").error
    assert state.run.settings.recipe == "minbpe"


def test_the_first_page_says_which_texts_train_in_another_process() -> None:
    assert "Texts over 0.2 MB train in the background" in opened().caption[0].value
