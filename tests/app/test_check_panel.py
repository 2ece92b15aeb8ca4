"""The tab "Check your trainer" without a browser."""

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from bpeviz import compare_merges
from bpeviz.limits import Limits
from bpeviz.merge_check.reading import PICKLE_LINES
from bpeviz.runs.both_futures import both_futures
from bpeviz.runs.run import NamedText
from bpeviz.sessions.page_fields import Text, read_page, write_page
from bpeviz.training.recipes import RECIPES
from bpeviz.training.settings import RECIPE_SPLIT, TrainingSettings
from bpeviz.ui.kit.compared_text import TextFields
from bpeviz.ui.recipes.check_panel import MERGES_ENDINGS, example_merges
from bpeviz.ui.recipes.page import recipes_page
from bpeviz.ui.recipes.state import CheckFields, RecipesFields, RecipesState
from bpeviz.ui.session.session import Session
from tests.support import wrong_trainers as wrong
from tests.support.app_test import drawn, labelled, plain, press

CAT = "the cat in the hat"
HOSTILE = "<b>*x*</b> [a](http://b.c) $x$ :smile: `y` " * 3


def of(state: Session) -> RecipesState:
    return state.pages.of(RecipesState)


def checking(merges: str, text: str = CAT, recipe: str = "minbpe", **fields: Any) -> Session:
    state = Session()
    of(state).checks = True
    typed = TextFields(source="Type", typed=Text(text))
    of(state).saved.check = CheckFields(merges=Text(merges), text=typed, recipe=recipe, **fields)
    return state


def opened(state: Session | None = None) -> AppTest:
    if state is None:
        state = Session()
        of(state).checks = True
    return drawn(recipes_page, state)


def said(app: AppTest) -> str:
    return "\n".join(plain(each.value) for each in app.markdown)


def test_equal_merges_say_so() -> None:
    app = opened(checking("t h\nth e\n"))
    assert "Equal to minbpe: all 2 merges are the same." in said(app)
    assert not [each for each in app.button if each.key == "check_futures"]


def test_the_first_difference_and_its_cause_are_said() -> None:
    app = opened(checking("a t\nh e\nt he\n"))
    assert "At merge 1 you merged a + t (2 times); the rule takes t + h (2 times): a tie." in said(app)
    assert (
        "Only ties differ: of pairs that occur equally often, yours takes the one with the smallest ids"
        in said(app)
    )


def test_a_trainer_with_a_mistake_to_try_explains_itself_and_opens_both_futures() -> None:
    app = opened()
    assert "Paste your merges above" in app.info[0].value
    assert not app.text_area[0].value
    press(app, "Try a trainer with a mistake")
    assert app.text_area[0].value == example_merges()
    assert "yours takes the one with the greatest ids, left before right" in said(app)
    assert "This explains all your merges." in said(app)
    state: Session = app.session_state["session"]
    check = of(state).checked[1].check  # type: ignore[index]
    press(app, "Show both futures in the player")
    assert state.run is not None
    assert state.run_beside is not None
    assert state.step == check.same + 1
    assert state.leads_home == {}
    rule, fork = state.run_beside, state.run
    assert rule.result.merged_bytes[: check.same] == fork.result.merged_bytes[: check.same]
    assert rule.result.merged_bytes[check.same] == check.rule.halves  # type: ignore[union-attr]
    assert fork.result.merged_bytes[check.same] == check.theirs.halves  # type: ignore[union-attr]


def test_a_merge_that_cannot_be_made_opens_only_the_rules_run() -> None:
    app = opened(checking("t h\nz z\n"))
    assert "Yours can't be made" in said(app)
    press(app, "Show this step in the player")
    state: Session = app.session_state["session"]
    assert state.run is not None
    assert state.run_beside is None
    assert state.step == 1


@pytest.mark.parametrize("recipe", RECIPES)
def test_both_futures_of_every_recipe(recipe: str) -> None:
    text = NamedText("cat", "the cat in the hat and the cat on the mat, " * 2)
    settings = TrainingSettings(recipe, num_merges=5, min_frequency=RECIPES[recipe].min_frequency)
    rule, none = both_futures(text, settings, compare_merges([], text.text, recipe), lambda *_: None)
    assert none is None
    left, right = map(int, rule.history.pair_counts(0).iloc[1][["left", "right"]])
    second = rule.result.tokens[left], rule.result.tokens[right]
    check = compare_merges([second], text.text, recipe)
    _, fork = both_futures(text, settings, check, lambda *_: None)
    assert fork is not None
    assert fork.result.merged_bytes[0] == second


def test_fields_choose_the_rule() -> None:
    app = opened(checking("t h\nth e\n"))
    labelled(app.selectbox, "Recipe").select("huggingface").run()
    assert "The merges differ from the start. At merge 1" in said(app)
    labelled(app.selectbox, "Split pattern").select("none").run()
    state: Session = app.session_state["session"]
    assert (of(state).check.recipe, of(state).check.split) == ("huggingface", "none")


def test_what_a_person_wrote_is_never_markup() -> None:
    pre_tokens = RECIPES["minbpe"].split_pattern().split(HOSTILE)
    merges = wrong.train(pre_tokens, 30, wrong.last_of)
    app = opened(checking("".join(f"{left!r} {right!r}\n" for left, right in merges), HOSTILE))
    for shown in (each.value.replace("\\<", "") for each in app.markdown):
        assert not any(mark in shown for mark in ("<b", "](", "$x")), shown
    bad = opened(checking("<b>x</b> [a](b) c\n", HOSTILE))
    assert "<b" not in bad.error[0].value.replace("\\<", "")


@pytest.mark.parametrize(
    ("merges", "says"), [("word", "not two tokens"), ("[[1]]", "no pair of tokens"), ("[(b'a',)]", "pair")]
)
def test_what_is_no_merges_is_an_error_with_the_remedy(merges: str, says: str) -> None:
    app = opened(checking(merges))
    assert says in plain(app.error[0].value)
    assert "Give two tokens a line" in plain(app.error[0].value) or "as Python prints" in app.error[0].value


def test_a_pickle_gets_the_three_lines() -> None:
    app = opened()
    for place in range(2):  # dropped, and chosen
        app.file_uploader[place].set_value(("merges.pkl", b"\x80\x04]\x94.", "")).run()
        shown = [app.session_state["session"].problem, *(plain(each.value) for each in app.error)]
        assert "pickle of Python" in "".join(shown)
        assert not any("pathlib" in each.value for each in app.error)
        assert app.code[0].value == PICKLE_LINES
        app = opened()


def test_a_file_of_merges_fills_the_field() -> None:
    app = opened(checking("", CAT))
    labelled(app.file_uploader, "File with your merges").set_value(
        ("own.csv", b"left,right\nt,h\nth,e\n", "text/csv")
    ).run()
    assert app.text_area[0].value == "left,right\nt,h\nth,e\n"
    assert "all 2 merges are the same" in said(app)
    state: Session = app.session_state["session"]
    assert of(state).check.name == "own.csv"
    app.text_area[0].set_value("t h").run()
    assert of(state).check.name == ""
    assert "the one merge is the same" in said(app)


def test_too_many_merges_are_refused_on_a_hosted_server(hosted: Limits) -> None:
    merges = "a b\n" * (hosted.max_merges + 1)
    app = opened(checking(merges))
    assert "at most 5,000 are checked here" in plain(app.error[0].value)


def test_too_long_a_list_is_refused_before_it_is_read(hosted: Limits) -> None:
    app = opened(checking("a b\n" * (hosted.max_checked_bytes // 4 + 1)))
    assert "1,000,000 that this field takes" in plain(app.error[0].value)


def test_a_session_keeps_the_merges() -> None:
    app = opened()
    state: Session = app.session_state["session"]
    assert of(state).saved == RecipesFields()
    full = checking("t h\n", recipe="rustbpe", split="none", name="own.txt")
    saved = of(full).saved
    page = write_page(saved, lambda text: str(hash(text)))
    texts = {str(hash(text)): text for text in ("t h\n", CAT)}
    assert read_page(page, RecipesFields, texts) == saved
    assert CheckFields(recipe="gone", split="gone").split == RECIPE_SPLIT


def test_dropped_files_are_merges_or_a_text_by_their_names() -> None:
    assert ".pkl" in MERGES_ENDINGS
    state = checking("", CAT)
    app = opened(state)
    drop = next(each for each in app.file_uploader if each.key and each.key.startswith("dropped_on_check"))
    drop.set_value([("merges.txt", b"t h\n", "text/plain"), ("corpus.txt", CAT.encode(), "text/plain")]).run()
    state = app.session_state["session"]
    assert of(state).check.merges == Text("t h\n")
    assert of(state).check.text.uploaded is not None
    assert "the one merge is the same" in said(app)


def test_a_cancelled_check_waits_for_a_click() -> None:
    state = checking("t h\n")
    fields = of(state).check
    of(state).check_declined = fields.request("t h\n", NamedText("typed text", CAT))
    app = opened(state)
    assert "The check was stopped" in app.info[0].value
    press(app, "Check")
    assert "the one merge is the same" in said(app)
