"""The first difference of two recipes: by hand for each reason, then against zipped lists and brute force."""

import itertools
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpeviz import RECIPES, Recipe
from bpeviz.analysis.divergence import Divergence, aligned_merges, find_divergence, same_merges
from bpeviz.analysis.pair_places import places
from bpeviz.errors import SplitPatternError, TrainingSettingsError
from bpeviz.training.in_worker import train_in_worker
from bpeviz.training.result import TrainingResult
from bpeviz.training.text_training import TrainingProgress
from tests.support.brute_force import BruteForceTrainer
from tests.support.texts import END_OF_WORD_TEXT, TIGHT_TEXT
from tests.support.trained import each_trained

CAT = "the cat in the hat"
A_T, H_E, T_H = (b"a", b"t"), (b"h", b"e"), (b"t", b"h")


def trained(
    text: str, *recipes: str | Recipe, num_merges: int = 9, split: str | None = None
) -> list[TrainingResult]:
    return each_trained(text, *recipes, num_merges=num_merges, split=split)


def divergence(text: str, a: str | Recipe, b: str | Recipe, **settings) -> Divergence:
    found = find_divergence(*trained(text, a, b, **settings))
    assert found is not None
    return found


def test_the_cat_in_the_hat_differs_at_once_because_three_pairs_tie():
    a, b = trained(CAT, "huggingface", "minbpe")
    assert a.merged_bytes[:3] == (A_T, H_E, (b"t", b"he"))
    assert b.merged_bytes[:3] == (T_H, (b"th", b"e"), A_T)
    found = find_divergence(a, b)
    assert found is not None
    assert (found.rank, found.reason, found.behind) == (0, "tie", "rules")
    # a is huggingface's: the space has id 220 there, after 188 printable characters and 32 others
    told = [
        (c.halves, c.a.count, c.a.place, c.a.ids, c.b.count, c.b.place, c.b.ids) for c in found.candidates
    ]
    assert told[:3] == [
        (A_T, 2, 0, (64, 83), 2, 2, (97, 116)),
        (T_H, 2, 2, (83, 71), 2, 0, (116, 104)),
        (H_E, 2, 1, (71, 68), 2, 1, (104, 101)),
    ]
    assert (found.a, found.b) == found.candidates[:2]
    assert found.difference is None


def test_the_same_rule_with_other_ids_is_not_another_rule():
    """Both take the smallest ids, but a space comes after the letters in one and before them in the other."""
    found = divergence(CAT, "huggingface", "rustbpe", split="gpt2")
    assert (found.rank, found.reason, found.behind) == (3, "tie", "ids")
    assert found.a is not None
    assert found.b is not None
    assert (found.a.halves, found.b.halves) == ((b"c", b"at"), (b" ", b"c"))
    assert found.a.a.ids == (66, 256)
    assert found.b.b.ids == (32, 99)


def test_the_same_rule_in_another_order_is_explained_by_the_pre_tokens():
    """Two dots are one pre-token, so the first .x is not a pair, and ,q is seen first."""
    found = divergence("..x,q,q.x.x,,q", "minbpe-basic", "minbpe")
    assert (found.rank, found.reason, found.behind, found.difference) == (0, "tie", "split", "split")
    told = [(c.halves, c.a.count, c.b.count) for c in found.candidates[:2]]
    assert told == [((b".", b"x"), 3, 2), ((b",", b"q"), 3, 2)]
    assert found.cut is not None
    assert found.cut.b[:2] == (b"..", b"x")


def test_other_pre_tokens_are_a_reason_with_the_first_example():
    found = divergence(CAT, "course", "minbpe-basic")
    assert (found.rank, found.reason, found.behind) == (2, "split", None)
    assert found.b is not None
    assert (found.b.halves, found.b.a.count, found.b.b.count) == ((b"the", b" "), 0, 2)
    cut = found.cut
    assert cut is not None
    assert (cut.start, cut.end) == (0, 7)
    assert (cut.a, cut.open_a) == ((b"the", b" cat"), (False, False))
    assert (cut.b, cut.open_b) == ((b"the cat",), (False, True))


def test_an_example_shows_whole_characters():
    cut = divergence("灯台 灯台 灯台へ灯台へ灯台", "course", "minbpe-basic").cut
    assert cut is not None
    for pieces in (cut.a, cut.b):
        assert "灯台" in b"".join(pieces).decode()


@pytest.mark.parametrize(
    ("text", "a", "b", "spelled", "cut"),
    [
        (
            "灯灯灯",
            "minbpe-basic",
            "llms-from-scratch-simple",
            "characters",
            ([b"\xe7", b"\x81", b"\xaf"], ["灯"]),
        ),
        ("at at", "huggingface", "subword-nmt", "end-of-word", ([b"a", b"t"], ["a", "t</w>"])),
        (" a ab", "minbpe-basic", "llms-from-scratch-simple", "dropped", ([b" ", b"a"], ["a"])),
    ],
    ids=["characters", "end of word", "a space that is dropped"],
)
def test_other_base_symbols_are_a_reason_and_shown(text, a, b, spelled, cut):
    found = divergence(text, a, b)
    assert (found.reason, found.spelled) == ("base", spelled)
    assert found.cut is not None
    assert list(found.cut.a[: len(cut[0])]) == cut[0]
    assert [symbol.decode() for symbol in found.cut.b[: len(cut[1])]] == cut[1]


def test_a_special_token_that_only_one_cuts_out_is_a_reason_and_shown():
    found = divergence("<|endoftext|><|endoftext|>xy", "cs336", "minbpe-basic")
    assert (found.rank, found.reason, found.spelled) == (0, "base", "special-token")
    assert found.cut is not None
    assert found.cut.a == (b"<|endoftext|>",)
    assert b"".join(found.cut.b) == b"<|endoftext|>"
    assert len(found.cut.b) == len("<|endoftext|>")


def test_stopping_at_pairs_seen_once_is_explained_by_the_count():
    patient = replace(RECIPES["minbpe"], name="patient", min_frequency=2)
    found = divergence(CAT, patient, "minbpe")
    assert (found.rank, found.reason, found.behind) == (3, "stop", "frequency")
    assert found.a is None
    assert found.b is not None
    assert found.b.a.count == found.b.b.count == 1


def test_having_no_pair_left_is_explained_by_what_leaves_the_other_one_a_pair():
    a, b = trained("ab ab", "minbpe", "minbpe-basic")
    assert [s.token for s in a.steps] == [b"ab", b" ab"]
    spaceless = replace(RECIPES["minbpe"], name="spaceless", split="whitespace")
    a, b = trained("ab ab", spaceless, "minbpe")
    found = find_divergence(a, b)
    assert found is not None
    assert (found.rank, found.reason, found.behind) == (1, "stop", "split")
    assert found.a is None
    assert a.stop_reason.startswith("No pair is left")
    assert found.cut is not None
    assert (found.cut.a, found.cut.b) == ((b" ", b"ab"), (b" ab",))


def test_whether_tokens_with_the_same_bytes_are_one_is_a_reason():
    """A text may hold the end-of-word mark itself, so two merges can make the same bytes."""
    one = replace(RECIPES["subword-nmt"], min_frequency=1)
    two = replace(one, name="two", merges_alike=False)
    found = divergence("a</w>a</w>a", one, two, num_merges=12)
    assert (found.rank, found.reason, found.cut) == (5, "same-bytes", None)
    assert found.a is not None
    assert (found.a.a.count, found.a.b.count) == (1, 0)


def test_a_token_that_is_too_long_for_one_is_a_reason():
    short = replace(RECIPES["minbpe"], name="short", max_token_length=3)
    found = divergence("abcd abcd", short, "minbpe")
    assert (found.rank, found.reason, found.behind, found.cut) == (2, "stop", "length", None)
    assert found.b is not None
    assert (found.b.halves, found.b.a.count, found.b.b.count) == ((b"abc", b"d"), 0, 2)
    found = divergence("abcd abcd ef", short, "minbpe")
    assert (found.rank, found.reason, found.difference) == (2, "length", "length")


def test_recipes_that_come_to_the_same_do_not_part():
    assert find_divergence(*trained(CAT, "course", "tiktoken-educational")) is None
    assert find_divergence(*trained("", "huggingface", "minbpe")) is None


def test_with_one_split_pattern_only_ties_and_symbols_are_left():
    byte_recipes = [
        name for name, r in RECIPES.items() if r.base not in ("latin1-characters", "word-characters")
    ]
    runs = trained(CAT * 5, *byte_recipes, num_merges=40, split="gpt2")
    assert {run.split.name for run in runs} == {"gpt2"}
    found = [find_divergence(a, b) for a, b in itertools.combinations(runs, 2)]
    assert {p.reason for p in found if p} == {"tie"}


def test_training_reports_progress_and_can_be_stopped():
    reported: list[tuple[int, str]] = []

    def report(place: int, now: TrainingProgress) -> None:
        reported.append((place, now.phase))

    each_trained(CAT, *["minbpe", "tiktoken-educational"], num_merges=2, split="gpt2", on_progress=report)
    # the second recipe uses the counts of the first, because it has the same split pattern
    assert reported == [(0, "splitting"), (0, "counting"), (1, "counting")]
    with pytest.raises(ZeroDivisionError):
        each_trained(CAT, *["minbpe"], num_merges=2, on_progress=lambda *_: 1 // 0)
    with pytest.raises(TrainingSettingsError, match="no recipe named"):
        each_trained(CAT, *["minbpe", "nonesuch"], num_merges=1)
    with pytest.raises(SplitPatternError):
        each_trained(CAT, *["minbpe"], num_merges=1, split="nonesuch")


def test_training_in_another_process_gives_the_same():
    names = ["minbpe", "huggingface", "subword-nmt", "sentencepiece"]
    here = each_trained(CAT * 5, *names, num_merges=30, split="gpt2")
    there = each_trained(CAT * 5, *names, num_merges=30, split="gpt2", train=train_in_worker)
    assert [run.steps for run in here] == [run.steps for run in there]
    assert [run.gap_ranks.tolist() for run in here] == [run.gap_ranks.tolist() for run in there]
    assert [run.stop_reason for run in here] == [run.stop_reason for run in there]


def test_merges_are_aligned_with_their_rank_in_the_other():
    table = aligned_merges(*trained(CAT, "huggingface", "subword-nmt", num_merges=4))
    assert table["a"].tolist() == [A_T, H_E, (b"t", b"he"), (b"c", b"at")]
    assert table["b"].tolist() == [T_H, (b"th", b"e</w>"), (b"a", b"t</w>"), None]
    assert table["count_b"].isna().tolist() == [False, False, False, True]
    a, b = trained(CAT, "huggingface", "minbpe", num_merges=3)
    table = aligned_merges(a, b)
    assert table["a_in_b"].fillna(-1).tolist() == [2, -1, -1]
    assert table["b_in_a"].fillna(-1).tolist() == [-1, -1, 0]
    assert table["count_a"].tolist() == [2, 2, 2]


PAIRS = st.tuples(*[st.sampled_from(list(RECIPES.values()))] * 2)
TEXTS = TIGHT_TEXT | END_OF_WORD_TEXT


@given(text=TEXTS, recipes=PAIRS, one_split=st.sampled_from([None, "gpt2", "none", "whitespace"]))
def test_the_first_difference_is_that_of_both_lists_zipped(text, recipes, one_split):
    a, b = trained(text, *recipes, num_merges=12, split=one_split)
    zipped = itertools.zip_longest(a.merged_bytes, b.merged_bytes)
    expected = next((rank for rank, (mine, other) in enumerate(zipped) if mine != other), None)
    found = find_divergence(a, b)
    assert (found and found.rank) == expected
    assert same_merges(a, b) == (len(a.merged_bytes) if expected is None else expected)
    if found:
        for result, taken in ((a, found.a), (b, found.b)):
            merge = result.merged_bytes[found.rank] if found.rank < len(result.merged_bytes) else None
            assert (taken and taken.halves) == merge


@given(text=TEXTS, recipes=PAIRS, one_split=st.sampled_from([None, "gpt2", "none", "whitespace"]))
def test_a_tie_is_one_in_both_and_any_other_reason_is_a_difference_in_counts(text, recipes, one_split):
    runs = trained(text, *recipes, num_merges=12, split=one_split)
    found = find_divergence(*runs)
    if found is None:
        return
    counts = [_counted_from_scratch(run, found.rank) for run in runs]
    for candidate in found.candidates:
        told = candidate.a.count, candidate.b.count
        assert told == tuple(max(c.get(candidate.halves, [0])) for c in counts)
    taken = [c for c in (found.a, found.b) if c]
    tied = all(len({max(c.get(t.halves, [0])) for t in taken}) == 1 for c in counts)
    if found.reason == "stop":
        assert len(taken) == 1
        (more,) = taken
        assert (found.behind == "frequency") == (more.a.count == more.b.count)
    else:
        assert (found.reason == "tie") == tied
    if found.reason == "tie" and found.behind not in ("rules", "ids"):
        assert runs[0].recipe.tie == runs[1].recipe.tie


def _counted_from_scratch(run: TrainingResult, rank: int) -> dict[tuple[bytes, bytes], list[int]]:
    """The counts of every pair, by its bytes, from a brute-force trainer."""
    brute = BruteForceTrainer(run.history.corpus, run.recipe)
    brute.steps(rank)
    counts: dict[tuple[bytes, bytes], list[int]] = {}
    for (left, right), count in brute.pairs():
        counts.setdefault((brute.tokens[left], brute.tokens[right]), []).append(count)
    return counts


@given(text=TEXTS, recipes=PAIRS, one_split=st.sampled_from([None, "gpt2", "none", "whitespace"]))
def test_a_pair_has_as_many_places_as_its_count(text, recipes, one_split):
    """A pair has as many places as its count says, whatever the recipe drops."""
    for run in trained(text, *recipes, num_merges=6, split=one_split):
        counts = _counted_from_scratch(run, len(run.steps))
        for halves, counted in counts.items():
            assert len(places(run, halves, len(run.steps))) == sum(counted)


@given(text=TEXTS, recipes=PAIRS, one_split=st.sampled_from([None, "gpt2", "none", "whitespace"]))
def test_a_reason_of_the_text_is_one_that_the_two_differ_in(text, recipes, one_split):
    a, b = trained(text, *recipes, num_merges=12, split=one_split)
    found = find_divergence(a, b)
    match found and found.difference:
        case "split":
            assert a.split != b.split
            assert found.cut.a != found.cut.b
            assert (
                b"".join(found.cut.a)
                == b"".join(found.cut.b)
                == text.encode()[found.cut.start : found.cut.end]
            )
        case "base":
            assert a.recipe.base != b.recipe.base
            assert found.cut.a != found.cut.b
        case "same-bytes":
            assert a.recipe.merges_alike != b.recipe.merges_alike
        case "length":
            assert a.recipe.max_token_length != b.recipe.max_token_length
