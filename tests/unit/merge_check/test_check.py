"""compare_merges: by hand, the right trainer of every recipe, and the first difference."""

from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpeviz import RECIPES, Corpus, Trainer, compare_merges, train_tokenizer
from bpeviz.errors import BpevizError, TrainingSettingsError
from bpeviz.merge_check.reference import Rules
from bpeviz.merge_check.texts import Texts
from tests.support.texts import TIGHT_TEXT

CAT = "the cat in the hat"


def trained(text: str, recipe: str, merges: int) -> list[tuple[bytes, bytes]]:
    trainer = Trainer(Corpus.from_text(text), recipe, num_merges=merges)
    return [
        (trainer.token_bytes(left), trainer.token_bytes(right))
        for (left, right) in (step.pair for step in trainer.steps())
    ]


# --- by hand -------------------------------------------------------------------------------------------


def test_two_merges_of_the_cat_are_equal():
    check = compare_merges([(b"t", b"h"), (b"th", b"e")], CAT, "minbpe")
    assert check.equal
    assert (check.same, check.merges, check.cause) == (2, 2, "")
    assert check.sentence == "Equal to minbpe: all 2 merges are the same."


def test_another_pair_of_a_tie_is_named_with_the_rules_that_take_it():
    # (t,h) 2, (h,e) 2, (a,t) 2: minbpe takes the first seen, (t,h); huggingface the smallest ids, (a,t)
    check = compare_merges([(b"a", b"t"), (b"h", b"e")], CAT, "minbpe")
    assert check.sentence == (
        "The merges differ from the start. At merge 1 you merged a + t (2 times); the rule takes t + h "
        "(2 times): a tie."
    )
    assert (check.tied, check.is_tie, check.impossible) == (3, True, "")
    assert check.causes[0].kinds == ("tie",)
    assert check.causes[0].names[0][:2] == check.ties[:2] == ("smallest-ids", "shortest-token")


@pytest.mark.parametrize(
    ("same", "says"),
    [(1, "The first merge is equal. At merge 2 you"), (2, "The first 2 merges are equal. At merge 3 you")],
)
def test_the_first_difference_is_counted_from_1(same, says):
    theirs = [*trained(CAT, "minbpe", same), (b"z", b"z")]
    assert compare_merges(theirs, CAT, "minbpe").sentence.startswith(says)


def test_a_half_that_is_no_token_yet_and_a_pair_that_is_nowhere_are_impossible():
    no_token = compare_merges([(b"th", b"e")], CAT, "minbpe")
    assert no_token.impossible == "no token"
    assert no_token.sentence.endswith("Yours can't be made: one of its halves is no token before merge 1.")
    nowhere = compare_merges([(b"z", b"z")], CAT, "minbpe")
    assert nowhere.impossible == "nowhere"
    assert nowhere.theirs.count == 0
    assert nowhere.cause == "No single known mistake explains it."


def test_the_rule_that_stops_earlier_is_a_difference():
    # subword-nmt stops below 2
    merges = [(b"a", b"t</w>"), (b"a", b"t</w>")]
    check = compare_merges(trained(CAT, "subword-nmt", 99) + merges[:1], CAT, "subword-nmt")
    assert check.rule is None
    assert "the rule stops" in check.sentence


def test_their_trainer_that_stops_earlier_than_asked_is_a_difference():
    theirs = trained("aaab aaab ab", "minbpe", 2)
    assert compare_merges(theirs, "aaab aaab ab", "minbpe").equal
    check = compare_merges(theirs, "aaab aaab ab", "minbpe", num_merges=9)
    assert check.status == "different"
    assert check.theirs is None
    assert "yours stops" in check.sentence


def test_more_merges_than_asked_for_are_a_difference():
    theirs = trained("aaab aaab ab", "minbpe", 4)
    check = compare_merges(theirs, "aaab aaab ab", "minbpe", num_merges=3)
    assert (check.status, check.same, check.rule) == ("different", 3, None)
    assert check.sentence.endswith("the rule stops. You gave 4 merges, and asked for 3.")
    assert check.cause.startswith("Yours makes 4 merges, and 3 were asked for.")
    wrong = compare_merges([(b"z", b"z"), *theirs], "aaab aaab ab", "minbpe", num_merges=3)
    assert wrong.sentence.endswith("You gave 5 merges, and asked for 3.")


def test_nothing_to_compare_is_unchecked():
    assert compare_merges([], CAT, "minbpe").status == "unchecked"
    assert compare_merges([(b"a", b"b")], "a", "minbpe").status == "unchecked"
    assert "Give" in compare_merges([(b"a", b"b")], "", "minbpe").sentence


@pytest.mark.parametrize("setting", ["num_merges", "min_frequency"])
@pytest.mark.parametrize("number", ["3", 1.5, -1])
def test_settings_that_are_no_numbers_are_refused(setting, number):
    with pytest.raises(TrainingSettingsError, match=f"{setting} must be a whole number"):
        compare_merges([(b"a", b"t")], CAT, "minbpe", **{setting: number})


@pytest.mark.parametrize("merges", [7, "ab", [b"ab"], [(b"a",)], [(b"a", 1.5)], [(True, False)], [None]])
def test_merges_that_are_no_pairs_are_refused(merges):
    with pytest.raises(TrainingSettingsError, match="bytes"):
        compare_merges(merges, CAT, "minbpe")


def test_two_tokenizers_are_compared_as_before():
    tokenizer = train_tokenizer(CAT, "minbpe", num_merges=2)
    assert list(compare_merges(tokenizer, b=tokenizer)["rank_b"]) == [0, 1]


def test_a_corpus_that_is_cut_keeps_its_pattern():
    theirs = trained(CAT, "minbpe", 5)
    cut = Corpus.from_text(CAT, "none")
    assert not compare_merges(theirs, cut, "minbpe").equal
    assert compare_merges(theirs, Corpus.from_text(CAT, "cl100k"), "minbpe").equal


def test_progress_grows_and_what_it_raises_ends_the_check():
    told: list[float] = []
    compare_merges([(b"a", b"t")], CAT, "minbpe", on_progress=told.append)
    assert told == sorted(told)
    assert 0 <= told[0] <= told[-1] <= 1

    def stop(share: float) -> None:
        raise BpevizError("stopped")

    with pytest.raises(BpevizError, match="stopped"):
        compare_merges([(b"a", b"t")], CAT, "minbpe", on_progress=stop)


# --- the right trainer -----------------------------------------------------------------------------------


@given(recipe=st.sampled_from(list(RECIPES.values())), text=TIGHT_TEXT)
@settings(max_examples=3 * settings().max_examples)
def test_the_right_trainer_is_equal(recipe, text):
    theirs = trained(text, recipe.name, 25)
    check = compare_merges(theirs, text, recipe.name)
    assert check.status == ("equal" if theirs else "unchecked"), check.sentence


@given(recipe=st.sampled_from(list(RECIPES.values())), text=TIGHT_TEXT)
@settings(max_examples=3 * settings().max_examples)
def test_the_reference_trains_as_the_trainer(recipe, text):
    rules = Rules(recipe, recipe.split_pattern(), recipe.special_tokens, recipe.min_frequency)
    made = [*islice(Texts(Corpus.from_text(text)).trainer(rules).merges(), 25)]
    assert made == trained(text, recipe.name, 25)


@given(st.sampled_from(list(RECIPES.values())), TIGHT_TEXT, st.integers(0, 24), st.data())
def test_the_first_difference_is_where_a_merge_was_changed(recipe, text, place, data):
    theirs = trained(text, recipe.name, 25)
    if place >= len(theirs):
        return
    trainer = Trainer(Corpus.from_text(text), recipe, num_merges=25)
    for _ in range(place):
        trainer.step()
    others = {
        (trainer.token_bytes(left), trainer.token_bytes(right)): count
        for (left, right), count in trainer.top_pairs(9)
    }
    other = data.draw(st.sampled_from(sorted(others)))
    if other == theirs[place]:
        return
    check = compare_merges([*theirs[:place], other], text, recipe.name)
    assert (check.status, check.same) == ("different", place)
    assert check.rule.halves == theirs[place]
    assert check.theirs.halves == other
    assert check.is_tie == (check.rule.count == others[other])


def test_ids_that_would_make_endless_tokens_are_not_followed():
    doubled = [(97, 97), *((256 + step, 256 + step) for step in range(60))]
    check = compare_merges(doubled, CAT, "minbpe")
    assert not check.equal
    assert not check.causes
