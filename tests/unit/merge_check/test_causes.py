"""Causes: wrong trainers of fifteen lines, each with one mistake, and what is found of it."""

import re
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpeviz import RECIPES, MergeCheck, compare_merges, split
from bpeviz.app_folder import APP_FOLDER
from bpeviz.text.split_patterns import get_split_pattern
from tests.support import wrong_trainers as wrong
from tests.support.texts import TIGHT_TEXT

PROSE, GERMAN, CODE = (
    (APP_FOLDER / "sample_texts" / f"{name}.txt").read_text("utf-8")
    for name in ("english-prose", "german-prose", "python-code.py")
)
#: Recipes whose rule a wrong trainer follows otherwise.
RULES = {"minbpe": wrong.first_of, "cs336": wrong.greatest_of}
Trainer = Callable[..., list]


def check_of(trainer: Trainer, text: str, recipe: str, merges: int = 60, **how: object) -> MergeCheck:
    pre_tokens = RECIPES[recipe].split_pattern().split(text)
    return compare_merges(trainer(pre_tokens, merges, best=RULES[recipe], **how), text, recipe)


def kinds(check: MergeCheck) -> list[tuple[str, ...]]:
    return [cause.kinds for cause in check.causes]


@pytest.mark.parametrize("recipe", RULES)
@pytest.mark.parametrize("text", [PROSE, GERMAN], ids=["prose", "german"])
def test_no_mistake_is_equal(recipe, text):
    assert check_of(wrong.right, text, recipe).equal


# --- ties ------------------------------------------------------------------------------------------------


def test_ids_compared_where_the_rule_compares_bytes():
    pre_tokens = RECIPES["cs336"].split_pattern().split(PROSE)
    check = compare_merges(wrong.greatest_ids(pre_tokens, 60), PROSE, "cs336")
    assert kinds(check) == [("tie",)]
    assert check.causes[0].names == (("greatest-ids",),)
    assert check.is_tie
    assert check.ties == ("greatest-ids",)


def test_the_last_of_equals_as_a_loop_with_at_least_takes_it():
    pre_tokens = RECIPES["minbpe"].split_pattern().split(PROSE)
    check = compare_merges(wrong.last_seen(pre_tokens, 60), PROSE, "minbpe")
    assert kinds(check) == [("tie",)]
    assert check.causes[0].names == (("last-seen",),)


@pytest.mark.parametrize("mine", RULES)
@pytest.mark.parametrize("other", RULES)
def test_the_rule_of_another_recipe(mine, other):
    pre_tokens = RECIPES[mine].split_pattern().split(PROSE)
    check = compare_merges(wrong.right(pre_tokens, 60, RULES[other]), PROSE, mine)
    if mine == other:
        assert check.equal
    else:
        assert RECIPES[other].tie in check.causes[0].names[0]
        assert kinds(check) == [("tie",)]


# --- counts ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("recipe", RULES)
def test_overlaps_counted_as_they_are_replaced(recipe):
    check = check_of(wrong.replaced_overlaps, CODE, recipe)
    assert ("overlaps",) in kinds(check), check.cause


@pytest.mark.parametrize("recipe", RULES)
@pytest.mark.parametrize("text", [PROSE, CODE], ids=["prose", "code"])
def test_counts_that_never_fall(recipe, text):
    check = check_of(wrong.deaf_to_losses, text, recipe)
    assert kinds(check) == [("stale",)]
    assert check.causes[0].names == (("losses",),)
    assert "which was right before merge" in check.cause


@pytest.mark.parametrize("recipe", RULES)
@pytest.mark.parametrize("since", [5, 40])
def test_counts_that_are_stale_since_a_merge(recipe, since):
    check = check_of(wrong.frozen, PROSE, recipe, since=since)
    assert kinds(check) == [("stale",)], check.cause
    assert f"since-{since}" in check.causes[0].names[0], check.cause


@pytest.mark.parametrize("recipe", RULES)
def test_losses_forgotten_at_one_merge(recipe):
    check = check_of(wrong.deaf_once, PROSE, recipe, 80, at=20)
    assert kinds(check) == [("stale",)]
    assert "losses-at-20" in check.causes[0].names[0]
    assert "since merge 20" in check.cause
    assert "which was right before merge 20" in check.cause


@pytest.mark.parametrize("recipe", RULES)
def test_each_distinct_word_counted_once(recipe):
    assert ("words-once",) in kinds(check_of(wrong.words_once, PROSE, recipe))


# --- walls and symbols -----------------------------------------------------------------------------------


@pytest.mark.parametrize("recipe", RULES)
@pytest.mark.parametrize("pattern", ["none", "gpt2", "qwen2"])
def test_other_walls_are_named(recipe, pattern):
    text = CODE + " 12345 67890 and 1234567" * 40
    theirs = wrong.right(split(text, pattern), 60, RULES[recipe])
    check = compare_merges(theirs, text, recipe)
    if RECIPES[recipe].split == pattern:
        assert check.equal
    else:
        found = {name for cause in check.causes for name in cause.names[0] if cause.kinds == ("walls",)}
        assert pattern in found, check.cause


@pytest.mark.parametrize("recipe", RULES)
def test_words_without_white_space(recipe):
    check = compare_merges(wrong.right(PROSE.split(), 60, RULES[recipe]), PROSE, recipe)
    assert check.causes[0].kinds == ("walls",), check.cause
    assert "words-alone" in check.causes[0].names[0], check.cause


SPECIAL = "<|endoftext|>".join([PROSE[:2000], PROSE[2000:4000], *["a tale", "an end"] * 12])


def test_special_tokens_that_are_not_cut_out():
    theirs = wrong.right(split(SPECIAL, "gpt2"), 60, wrong.greatest_of)
    assert ("special-tokens",) in kinds(compare_merges(theirs, SPECIAL, "cs336"))


def test_special_tokens_deleted_from_the_text():
    joined = SPECIAL.replace("<|endoftext|>", "")
    check = compare_merges(wrong.right(split(joined, "gpt2"), 60, wrong.greatest_of), SPECIAL, "cs336")
    assert ("special-tokens",) in kinds(check), check.cause


def test_special_tokens_cut_out_where_the_recipe_keeps_them():
    pre_tokens = [p for part in SPECIAL.split("<|endoftext|>") for p in split(part, "cl100k")]
    check = compare_merges(wrong.right(pre_tokens, 60), SPECIAL, "minbpe")
    assert ("special-tokens",) in kinds(check), check.cause


@pytest.mark.parametrize("recipe", RULES)
def test_characters_where_the_rule_has_bytes(recipe):
    check = check_of(wrong.characters, GERMAN, recipe, 120)
    assert ("characters",) in kinds(check), check.cause


# --- how merges are written, how many, in which order ------------------------------------------------------


@pytest.mark.parametrize("recipe", RULES)
def test_ids_instead_of_bytes(recipe):
    check = check_of(wrong.ids, PROSE, recipe)
    assert ("ids",) in kinds(check), check.cause
    assert not check.equal


@pytest.mark.parametrize("recipe", RULES)
def test_gpt2_characters_not_undone(recipe):
    check = check_of(wrong.in_gpt2_characters, GERMAN, recipe)
    assert kinds(check)[0] == ("gpt2-text",), check.cause


@pytest.mark.parametrize("recipe", RULES)
def test_a_minimum_frequency_that_the_rule_lacks(recipe):
    pre_tokens = RECIPES[recipe].split_pattern().split("low low low lower newest newest wider")
    theirs = wrong.stops_early(pre_tokens, 99, least=3, best=RULES[recipe])
    check = compare_merges(theirs, "low low low lower newest newest wider", recipe, num_merges=99)
    assert kinds(check) == [("minimum-frequency",)]
    assert "fewer than 3 times" in check.cause


def test_pairs_below_the_minimum_frequency_of_the_rule():
    theirs = wrong.right(split(PROSE, "cl100k"), 300)
    check = compare_merges(theirs, PROSE, "minbpe", min_frequency=9)
    assert check.rule is None
    assert kinds(check) == [("minimum-frequency",)], check.cause


@pytest.mark.parametrize("recipe", RULES)
def test_merges_in_another_order(recipe):
    assert kinds(check_of(wrong.sorted_merges, PROSE, recipe)) == [("order",)]


@pytest.mark.parametrize("recipe", RULES)
def test_merges_in_no_order_that_has_a_name(recipe):
    pre_tokens = RECIPES[recipe].split_pattern().split(PROSE)
    theirs = wrong.right(pre_tokens, 40, RULES[recipe])
    shuffled = theirs[1::2] + theirs[::2]
    assert kinds(compare_merges(shuffled, PROSE, recipe)) == [("order",)]


# --- two mistakes, none that is known ----------------------------------------------------------------------


def test_two_mistakes_together():
    check = compare_merges(wrong.right(split(PROSE, "none"), 60), PROSE, "cs336")
    assert any(set(kind) == {"walls", "tie"} for kind in kinds(check)), check.cause
    pre_tokens = RECIPES["cs336"].split_pattern().split(GERMAN)
    check = compare_merges(wrong.in_gpt2_characters(pre_tokens, 60), GERMAN, "cs336")
    assert set(kinds(check)[0]) == {"gpt2-text", "tie"}


def test_a_mistake_that_is_not_known_is_not_explained():
    def rarest(counts):
        return min(counts, key=lambda pair: (counts[pair], pair))

    theirs = wrong.right(split(PROSE, "cl100k"), 40, rarest)
    check = compare_merges(theirs, PROSE, "minbpe")
    assert not check.causes
    assert "None of the mistakes" in check.cause


# --- any text --------------------------------------------------------------------------------------------

MISTAKES: Sequence[tuple[str, Trainer]] = [
    ("overlaps", wrong.replaced_overlaps),
    ("stale", wrong.deaf_to_losses),
    ("words-once", wrong.words_once),
    ("characters", wrong.characters),
    ("ids", wrong.ids),
]


@pytest.mark.parametrize(("kind", "trainer"), MISTAKES, ids=[kind for kind, _ in MISTAKES])
@given(recipe=st.sampled_from(sorted(RULES)), text=TIGHT_TEXT)
def test_each_mistake_is_among_those_that_fit_any_text(kind, trainer, recipe, text):
    check = check_of(trainer, text, recipe, 20)
    if check.status == "different":
        assert any(kind in cause.kinds and cause.complete for cause in check.causes), check.cause


@given(recipe=st.sampled_from(sorted(RULES)), text=TIGHT_TEXT, since=st.integers(0, 10))
def test_stale_counts_are_found_on_any_text(recipe, text, since):
    check = check_of(wrong.frozen, text, recipe, 20, since=since)
    if check.status == "different":
        assert any("stale" in cause.kinds and cause.complete for cause in check.causes), check.cause


# --- more mistakes of courses ------------------------------------------------------------------------------


@pytest.mark.parametrize("recipe", RULES)
def test_pairs_of_a_changed_word_added_again(recipe):
    check = check_of(wrong.adds_words, PROSE, recipe)
    assert kinds(check) == [("stale",)], check.cause
    assert check.causes[0].names == (("adds-words",),)


MARKUP = SPECIAL + " <a> and <b> and <a>" * 30


def test_special_tokens_in_a_pattern_without_escapes():
    pre_tokens = [p for part in re.split("<|endoftext|>", MARKUP) for p in split(part, "gpt2")]
    check = compare_merges(wrong.right(pre_tokens, 60, wrong.greatest_of), MARKUP, "cs336")
    assert ("special-tokens",) in kinds(check), check.cause
    assert "unescaped" in {name for cause in check.causes for name in cause.names[0]}


def test_special_tokens_merged_as_words():
    pre_tokens = get_split_pattern("gpt2").cut_at(["<|endoftext|>"]).split(SPECIAL)
    check = compare_merges(wrong.right(pre_tokens, 60, wrong.greatest_of), SPECIAL, "cs336")
    assert ("special-tokens",) in kinds(check), check.cause
    assert "whole" in {cause.names[0][0] for cause in check.causes}


@pytest.mark.parametrize("recipe", RULES)
def test_a_text_in_lower_case(recipe):
    pre_tokens = RECIPES[recipe].split_pattern().split(GERMAN.lower())
    check = compare_merges(wrong.right(pre_tokens, 60, RULES[recipe]), GERMAN, recipe)
    assert kinds(check) == [("text",)], check.cause


@pytest.mark.parametrize("recipe", RULES)
@pytest.mark.parametrize("early", [False, True])
def test_a_g_for_each_space_that_is_merged_as_two_bytes(recipe, early):
    pattern = RECIPES[recipe].split_pattern()
    pre_tokens = (
        pattern.split(PROSE.replace(" ", "Ġ"))
        if early
        else [pre_token.replace(" ", "Ġ") for pre_token in pattern.split(PROSE)]
    )
    check = compare_merges(wrong.right(pre_tokens, 60, RULES[recipe]), PROSE, recipe)
    assert ("gpt2-text",) in kinds(check), check.cause
