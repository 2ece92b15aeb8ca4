"""compare_merges: by hand, the right trainer of every recipe, and the first difference."""

import pytest
from bpeviz.merge_check.rules import Rules, Texts, made_by, walk
from hypothesis import given, settings
from hypothesis import strategies as st

from bpeviz import RECIPES, Corpus, Trainer, compare_merges, train_tokenizer
from bpeviz.errors import BpevizError, TrainingSettingsError
from bpeviz.merge_check.ties import TIES
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


def test_another_pair_of_a_tie_is_named_with_the_rule_that_takes_it():
    # (t,h) 2, (h,e) 2, (a,t) 2: minbpe takes the first seen, cs336 the last in the alphabet, both (t,h);
    # huggingface the smallest ids, (a,t)
    check = compare_merges([(b"a", b"t"), (b"h", b"e")], CAT, "minbpe")
    assert check.sentence == (
        "Different from minbpe from the first merge on. There you merged a + t (2 times); the rule takes "
        "t + h (2 times): a tie, and yours takes the one with the smallest ids, left before right or the one "
        "that makes the shortest token, of these the first in the alphabet."
    )
    assert (check.tied, check.is_tie, check.impossible) == (3, True, "")
    assert check.causes[0].kinds == ("tie",)
    assert "smallest-ids" in check.causes[0].names[0]


def test_a_half_that_is_no_token_yet_and_a_pair_that_is_nowhere_are_impossible():
    no_token = compare_merges([(b"th", b"e")], CAT, "minbpe")
    assert no_token.impossible == "no token"
    assert no_token.sentence.endswith("Yours can't be made: one of its halves is no token before merge 1.")
    nowhere = compare_merges([(b"z", b"z")], CAT, "minbpe")
    assert nowhere.impossible == "nowhere"
    assert nowhere.theirs.count == 0
    assert nowhere.cause == "None of the mistakes that bpeviz knows explains your merges on this text."


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


def test_nothing_to_compare_is_unchecked():
    assert compare_merges([], CAT, "minbpe").status == "unchecked"
    assert compare_merges([(b"a", b"b")], "a", "minbpe").status == "unchecked"
    assert "Give" in compare_merges([(b"a", b"b")], "", "minbpe").sentence


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
def test_the_tally_trains_as_the_trainer(recipe, text):
    rules = Rules(recipe, recipe.split_pattern(), recipe.special_tokens, recipe.min_frequency)
    made = made_by(Texts(Corpus.from_text(text)), rules, recipe.tie, 25)
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


@given(text=TIGHT_TEXT)
def test_every_tie_rule_explains_its_own_merges(text):
    recipe = RECIPES["minbpe"]
    texts, rules = Texts(Corpus.from_text(text)), Rules(recipe, recipe.split_pattern())
    for tie in TIES:
        made = made_by(texts, rules, tie, 20)
        assert walk(texts.tally(rules), made, TIES)[tie] == len(made)


def test_ids_that_would_make_endless_tokens_are_not_followed():
    doubled = [(97, 97), *((256 + step, 256 + step) for step in range(60))]
    check = compare_merges(doubled, CAT, "minbpe")
    assert not check.equal
    assert not check.causes
