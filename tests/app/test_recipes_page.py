"""The page "Recipes" without a browser: its trainings, sentences, chart, choices and state."""

import json
from typing import Any

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from bpeviz.analysis.divergence import same_merges
from bpeviz.charts.agreement import Agreement
from bpeviz.runs.recipe_comparison import RecipeComparison, compare_recipes
from bpeviz.runs.run import NamedText
from bpeviz.runs.samples import read_sample
from bpeviz.sessions.page_fields import Text
from bpeviz.training.recipes import RECIPES
from bpeviz.training.settings import RECIPE_SPLIT, TrainingSettings
from bpeviz.ui.recipes.page import MOST_BYTES, recipes_page
from bpeviz.ui.recipes.state import RecipesState
from bpeviz.ui.recipes.words import cut_lines, how_far_apart, pair_text, rules, sentence
from bpeviz.ui.session.session import Session
from bpeviz.ui.session.training import TrainingState
from tests.support import app_test
from tests.support.app_test import drawn, labelled, press, with_run
from tests.support.checked_charts import agreement_chart
from tests.support.trained import each_trained

CAT = NamedText("cat", "the cat in the hat")
TWO = ("huggingface", "minbpe")
FIRST = ("minbpe", "tiktoken-educational", "huggingface", "rustbpe", "subword-nmt")


def opened(state: Session) -> AppTest:
    return drawn(recipes_page, state)


def of(state: Session) -> RecipesState:
    return state.pages.of(RecipesState)


def typed(text: str, *recipes: str, **fields: Any) -> Session:
    state = Session()
    saved = of(state).saved
    saved.text.source, saved.text.typed = "Type", Text(text)
    saved.recipes = recipes or TWO
    for name, value in fields.items():
        setattr(saved, name, value)
    return state


def recipe_comparison(
    text: str, *recipes: str, num_merges: int = 9, split: str | None = None
) -> RecipeComparison:
    settings = tuple(
        TrainingSettings(
            name, split or RECIPE_SPLIT, num_merges=num_merges, min_frequency=RECIPES[name].min_frequency
        )
        for name in recipes
    )
    return compare_recipes(NamedText("text", text), settings, lambda share, phase: None)


def said(text: str, a: str, b: str, **settings: Any) -> str:
    """The sentence, without its markup."""
    done = recipe_comparison(text, a, b, **settings)
    words = sentence(done.divergences[a, b], done.results[a], done.results[b])
    return plain(words)


def plain(markdown: str) -> str:
    letters = markdown.replace(":blue-badge[L]", "L").replace(":orange-badge[R]", "R")
    return app_test.plain(letters.replace("**", "").replace("\u00a0", " "))


def sentences(app: AppTest) -> list[str]:
    return [plain(m.value) for m in app.markdown]


def numbers_in_cells(app: AppTest) -> list[str]:
    (chart,) = app.get("plotly_chart")
    return json.loads(chart.proto.spec)["data"][0]["text"]  # type: ignore[no-any-return]


def test_a_tie_is_told_with_both_rules() -> None:
    assert said(CAT.text, "huggingface", "minbpe") == (
        "They differ from the start. At merge 1, L huggingface takes a + t, and R minbpe takes t + h. It is "
        "a tie: both pairs occur twice. L huggingface takes the one with the smallest ids, left before "
        "right. R minbpe takes the one seen first in the text."
    )


def test_one_rule_over_other_numbers_is_told_with_the_numbers() -> None:
    assert said(CAT.text, "rustbpe", "huggingface") == (
        "Both make the same 3 merges. At merge 4, L rustbpe takes ␣ + c, and R huggingface takes c + at. It "
        "is a tie: both pairs occur once. Both recipes take the one with the smallest ids, left before "
        "right. But their base vocabularies have different ids. In L rustbpe, ␣ + c has ids 32 + 99 and "
        "c + at 99 + 256. In R huggingface, they have 220 + 66 and 66 + 256."
    )


def test_other_pre_tokens_are_told_with_the_counts_and_shown() -> None:
    assert said(CAT.text, "course", "minbpe-basic") == (
        "Both make the same 2 merges. At merge 3, L course takes a + t, and R minbpe-basic takes the + ␣. "
        "L course counts a + t twice and the + ␣ never. R minbpe-basic counts them both twice. They split "
        "the text into different pre-tokens: L course by the pattern gpt2, R minbpe-basic not at all. No "
        "merge crosses from one pre-token into the next."
    )
    done = recipe_comparison(CAT.text, "course", "minbpe-basic")
    divergence = done.divergences["course", "minbpe-basic"]
    assert divergence is not None
    assert divergence.cut is not None
    assert cut_lines(divergence.cut, *done.results.values()).splitlines() == [
        "course        the │ ␣cat",
        "minbpe-basic  the␣cat…",
    ]


@pytest.mark.parametrize(
    ("text", "a", "b", "ending"),
    [
        (
            "灯灯灯",
            "minbpe-basic",
            "llms-from-scratch-simple",
            "Before any merge, L minbpe-basic has bytes and R llms-from-scratch-simple has whole characters.",
        ),
        (
            "<|endoftext|><|endoftext|>xy",
            "minbpe-basic",
            "cs336",
            "R cs336 takes each special token whole, so it is in no pair; L minbpe-basic doesn't.",
        ),
        (
            "at at",
            "huggingface",
            "subword-nmt",
            "R subword-nmt adds </w> to the last character of a word, so that it is another symbol there. "
            "L huggingface doesn't.",
        ),
        (
            " a ab",
            "minbpe-basic",
            "llms-from-scratch-simple",
            "R llms-from-scratch-simple leaves white space out; L minbpe-basic keeps it.",
        ),
    ],
    ids=["characters", "a special token", "end of word", "a space that is dropped"],
)
def test_other_symbols_are_told(text: str, a: str, b: str, ending: str) -> None:
    assert said(text, a, b).endswith(ending)


def test_one_that_stops_is_told_in_its_own_words() -> None:
    assert said("ab ba", "subword-nmt", "minbpe") == (
        "They differ from the start. L subword-nmt stops: the most frequent pair occurs once, fewer than the "
        "minimum frequency of 2. R minbpe makes a + b, which it counts once. L subword-nmt counts it never. "
        "L subword-nmt adds </w> to the last character of a word, so that it is another symbol there. "
        "R minbpe doesn't."
    )
    assert said("abc", "minbpe", "subword-nmt").startswith(
        "They differ from the start. R subword-nmt stops: the most frequent pair occurs once, fewer than the "
        "minimum frequency of 2. L minbpe makes a + b, which occurs once in both."
    )


def test_too_long_a_token_is_told_with_the_longest_there_may_be() -> None:
    assert said("-" * 64 + " a", "sentencepiece", "minbpe").endswith(
        "L sentencepiece makes no token longer than 16 characters; R minbpe does."
    )


def test_two_that_come_to_the_same_are_told_so() -> None:
    assert said(CAT.text, "course", "tiktoken-educational", num_merges=5) == (
        "Both make the same 5 merges. On this text the two recipes give the same result."
    )
    assert said("a", *TWO) == "Neither recipe finds a pair to merge in this text. Use a longer text."


def test_how_far_apart_two_are_counts_every_merge_once() -> None:
    from bpeviz.analysis.divergence import aligned_merges

    runs = list(recipe_comparison(CAT.text, *TWO, num_merges=3).results.values())
    assert plain(how_far_apart(aligned_merges(*runs), *runs)) == (
        "Both make 1 merge, 0 of them at the same place. Only L huggingface: 2 merges. Only R minbpe: "
        "2 merges."
    )


def test_every_recipe_has_its_rules_in_words() -> None:
    done = recipe_comparison(CAT.text, *RECIPES, num_merges=1)
    for run in done.results.values():
        for name, mine, other in rules(run, run):
            assert name
            assert mine == other != ""


def test_pairs_written_from_right_to_left_keep_their_order() -> None:
    assert pair_text((b"t", b"he")) == "t + he"
    assert pair_text(("ا".encode(), "ل".encode())) == "\u2068ا\u2069 + \u2068ل\u2069"


def test_parts_of_a_character_are_shown_with_what_they_make() -> None:
    assert pair_text((b"\xe3\x81", b"\xab")) == "E3 81 + AB → に"
    assert pair_text((b"\xe3", b"\x81")) == "E3 + 81"


def test_a_chart_has_a_cell_for_each_two_and_tells_who_is_meant() -> None:
    cells = [Agreement(0, 1, 41, "tie", "a tie", picked=True), Agreement(0, 2, 1200, "same", "the same")]
    figure = agreement_chart(["one", "two", "a-name-of-very-many-letters"], cells, text_color="#000")
    (marks,) = figure.data
    assert (list(marks.x), list(marks.y), list(marks.text)) == ([0, 0], [1, 2], ["41 =", "1,200 ✓"])
    assert [list(c[:2]) for c in marks.customdata] == [
        ["one", "two"],
        ["one", "a-name-of-very-many-letters"],
    ]
    assert [shape.line.width for shape in figure.layout.shapes] == [3, 1]
    assert max(len(name.text) for name in figure.layout.annotations) <= 20
    assert figure.layout.xaxis.range[1] > 2.5


def test_at_first_a_sample_is_trained_and_two_that_a_tie_parts_are_shown() -> None:
    app = opened(Session())
    assert not app.error
    assert any(
        s.startswith(
            "Both make the same 4 merges. At merge 5, L minbpe takes ␣ + s, and R huggingface takes i + n. "
            "It is a tie: both pairs occur 105 times. L minbpe takes the one seen first in the text. "
            "R huggingface takes the one with the smallest ids, left before right."
        )
        for s in sentences(app)
    )
    runs = each_trained(read_sample("English prose"), *FIRST, num_merges=300)
    expected = [f"{same_merges(a, b)}" for i, a in enumerate(runs) for b in runs[i + 1 :]]
    assert [cell.split()[0] for cell in numbers_in_cells(app)] == expected
    caption = next(c.value for c in app.caption if "merges" in c.value and "bytes" in c.value)
    assert plain(caption) == (
        "English prose, 6,344 bytes, up to 300 merges, each recipe with its own split pattern."
    )


def test_the_corpus_of_the_shown_run_is_the_first_text() -> None:
    app = opened(with_run(CAT.text * 3))
    assert any(plain(c.value).startswith("cats, 54 bytes, up to 300 merges") for c in app.caption)


def test_the_pairs_to_choose_from_stand_in_the_order_of_either() -> None:
    app = opened(typed(CAT.text, num_merges=9))
    candidates: pd.DataFrame = app.dataframe[0].value
    assert candidates["pair"].tolist()[:3] == ["t + h", "a + t", "h + e"]
    assert candidates["count"].tolist()[:3] == [2, 2, 2]
    assert candidates["L: order"].tolist()[:3] == [1, 3, 2]
    assert candidates["R: order"].tolist()[:3] == [3, 1, 2]
    assert candidates["R: ids"].tolist()[:3] == ["83 + 71", "64 + 83", "71 + 68"]


def test_merges_stand_side_by_side_around_the_place_or_all_of_them() -> None:
    app = opened(typed(f"{CAT.text} and the dog on the log of the fog", num_merges=40))
    part: pd.DataFrame = app.dataframe[1].value
    app.toggle(key="recipes_all").set_value(True).run()
    everything: pd.DataFrame = app.dataframe[1].value
    assert len(part) < len(everything)
    assert part["merge"].tolist() == everything["merge"].tolist()[: len(part)]
    assert everything["merge"].tolist() == list(range(1, len(everything) + 1))


def test_with_one_split_pattern_the_pre_tokens_are_no_reason_any_more() -> None:
    state = typed(CAT.text, "course", "minbpe-basic")
    app = opened(state)
    assert any("pre-tokens" in s for s in sentences(app))
    app.toggle(key="recipes_one_split").set_value(True).run()
    assert not app.exception
    assert any("give the same result" in s for s in sentences(app))
    app.selectbox(key="recipes_split").set_value("none").run()
    assert any("all split by none" in plain(c.value) for c in app.caption)


def test_two_that_are_picked_stay_picked_after_a_visit_elsewhere() -> None:
    state = typed(CAT.text, "minbpe", "huggingface", "rustbpe")
    app = opened(state)
    field = labelled(app.selectbox, "Two recipes")
    assert field.options == ["minbpe and huggingface", "minbpe and rustbpe", "huggingface and rustbpe"]
    field.set_value(("huggingface", "rustbpe")).run()
    assert of(state).saved.pair == ("huggingface", "rustbpe")
    assert any("have different ids" in s for s in sentences(app))
    again = opened(state)
    assert "L huggingface and R rustbpe" in sentences(again)


def test_a_cell_that_is_clicked_picks_its_two() -> None:
    def click() -> None:
        from bpeviz.ui.recipes.panels import _pick_cell
        from bpeviz.ui.recipes.state import RecipesState
        from bpeviz.ui.session.session import session

        _pick_cell({"customdata": ["minbpe", "rustbpe", "words"]})
        import streamlit as st

        page = session().pages.of(RecipesState)
        st.text(f"{page.saved.pair} {page.picks}")

    app = AppTest.from_function(click, default_timeout=60).run()
    assert app.text[0].value == "('minbpe', 'rustbpe') 1"


def test_what_was_trained_is_kept_until_something_else_is_asked_for() -> None:
    state = typed(CAT.text)
    app = opened(state)
    first = of(state).comparison
    assert first is not None
    app.run()
    assert of(state).comparison is first
    app.number_input(key="recipes_merges_wanted").set_value(2).run()
    assert of(state).comparison is not first
    assert len(first.results["minbpe"].steps) > 2


def test_what_was_cancelled_waits_for_a_click() -> None:
    state = typed(CAT.text, "minbpe", "huggingface")
    of(state).declined = NamedText("typed text", CAT.text), of(state).saved.settings
    app = opened(state)
    assert of(state).comparison is None
    assert not app.get("plotly_chart")
    press(app, "Train")
    assert of(state).comparison is not None
    assert of(state).declined is None
    assert app.get("plotly_chart")


def test_one_recipe_alone_and_no_text_are_met_with_a_way_on() -> None:
    assert "Pick at least two recipes" in opened(typed(CAT.text, "minbpe")).info[0].value
    assert "Type or paste a text" in opened(typed("")).info[0].value
    app = opened(typed("a"))
    assert any("Neither recipe finds a pair" in s for s in sentences(app))


def test_a_text_too_long_is_said_with_the_limit() -> None:
    app = opened(typed("word " * (MOST_BYTES // 5 + 1)))
    assert "up to 1,000,000 can be compared. Shorten it." in plain(app.error[0].value)


def test_text_that_looks_like_markup_is_shown_letter_by_letter() -> None:
    app = opened(typed("**b** <i>:red[x] $y$ `z` <i>**b** :red[x]" * 3, "minbpe-basic", "subword-nmt"))
    for markdown in app.markdown:
        bare = markdown.value.replace("**", "")
        assert "<i" not in bare.replace("\\<", "")
        assert ":red[" not in bare
    # every two, on a text that spells the end of a word
    done = recipe_comparison("a</w>a</w>a <b>**|~~ " * 3, *RECIPES, num_merges=40)
    for (a, b), divergence in done.divergences.items():
        words = sentence(divergence, done.results[a], done.results[b]).replace("**", "")
        assert "<" not in words.replace("\\<", "")
        assert "|" not in words.replace("\\|", "")


def test_a_training_that_goes_on_is_pointed_to_where_its_bar_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TrainingState, "busy", True)
    (info,) = opened(Session()).info
    assert (
        info.value
        == "Another training is running. This one is next. The bar at the bottom shows the progress."
    )
