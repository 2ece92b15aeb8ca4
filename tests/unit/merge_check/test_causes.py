"""Causes: wrong trainers written by hand, each with one mistake, and mistakes planted from the table."""

import random
import re
import unicodedata
from collections.abc import Callable, Iterable
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpeviz import RECIPES, Corpus, MergeCheck, compare_merges, split
from bpeviz.app_folder import APP_FOLDER
from bpeviz.core.base_vocabulary import GPT2_BYTE_CHARACTERS
from bpeviz.errors import BpevizError
from bpeviz.merge_check.check import check_merges
from bpeviz.merge_check.reference import Halves, Rules
from bpeviz.merge_check.result import NO_CAUSE
from bpeviz.merge_check.texts import Texts
from bpeviz.merge_check.variation import Variation
from bpeviz.merge_check.variations import tie_variations, variations
from bpeviz.text.split_patterns import get_split_pattern
from tests.support import wrong_trainers as wrong
from tests.support.texts import TIGHT_TEXT

PROSE, GERMAN, CODE = (
    (APP_FOLDER / "sample_texts" / f"{name}.txt").read_text("utf-8")
    for name in ("english-prose", "german-prose", "python-code.py")
)
#: Recipes whose rule a wrong trainer follows otherwise.
RULES = {"minbpe": wrong.first_of, "cs336": wrong.greatest_of}
both_recipes = pytest.mark.parametrize("recipe", RULES)


def named(check: MergeCheck) -> set[tuple[str, str]]:
    return {(cause.kind, name) for cause in check.causes for name in cause.names[0]}


# --- by hand: this code shares nothing with the reference trainer ----------------------------------------


@both_recipes
@pytest.mark.parametrize("text", [PROSE, GERMAN], ids=["prose", "german"])
def test_no_mistake_is_equal(recipe, text):
    pre_tokens = RECIPES[recipe].split_pattern().split(text)
    assert compare_merges(wrong.right(pre_tokens, 60, RULES[recipe]), text, recipe).equal


BY_HAND = [
    ("overlaps", "replaced", CODE, {"count": wrong.replaced_pairs}),
    ("set", "pairs", CODE, {"count": wrong.set_of_pairs}),
    ("loop", "count", PROSE, {"count": wrong.all_but_the_last}),
    ("first-place", "first", CODE, {"merge": wrong.merge_first}),
    ("str-replace", "joined", CODE, {"merge": wrong.merge_joined}),
    ("loop", "merge", PROSE, {"merge": lambda word, pair: [*wrong.merged(word[:-1], pair), *word[-1:]]}),
]


@both_recipes
@pytest.mark.parametrize(("kind", "name", "text", "how"), BY_HAND, ids=[f"{k}-{n}" for k, n, *_ in BY_HAND])
def test_a_trainer_that_counts_or_merges_wrongly(recipe, kind, name, text, how):
    pre_tokens = RECIPES[recipe].split_pattern().split(text)
    check = compare_merges(wrong.train(pre_tokens, 60, RULES[recipe], **how), text, recipe)
    assert named(check) == {(kind, name)}, check.cause
    assert check.causes[0].complete


@both_recipes
@pytest.mark.parametrize(("losses", "name"), [(True, "places-twice"), (False, "only-adds-old")])
def test_a_delta_update_with_the_neighbours_of_the_old_word(recipe, losses, name):
    text = "aaaa baaab aaab ab " * 3 + CODE
    pre_tokens = RECIPES[recipe].split_pattern().split(text)
    theirs = wrong.kept_counts(pre_tokens, 60, RULES[recipe], losses=losses)
    check = compare_merges(theirs, text, recipe)
    assert ("stale", name) in named(check), check.cause


@both_recipes
@pytest.mark.parametrize(("size", "name"), [(10, ("round", "10")), (99, ("stale", "since-0"))])
def test_several_merges_a_round_and_counts_that_are_made_once(recipe, size, name):
    pre_tokens = RECIPES[recipe].split_pattern().split(PROSE)
    check = compare_merges(wrong.in_rounds(pre_tokens, 60, RULES[recipe], size), PROSE, recipe)
    assert name in named(check), check.cause


CUTS: list[tuple[str, str, Callable[[str], Iterable[str]]]] = [
    ("text", "lower-case", lambda text: [text.lower()]),
    ("text", "nfkc", lambda text: [unicodedata.normalize("NFKC", text)]),
    ("text", "text-mode", lambda text: [text.replace("\r\n", "\n")]),
    ("text", "lines-stripped", lambda text: map(str.strip, text.split("\n"))),
    ("text", "without-line-ends", str.splitlines),
    ("part", "first-1000", lambda text: [text[:1000]]),
    ("blocks", "1024", lambda text: [text[i : i + 1024] for i in range(0, len(text), 1024)]),
]
DOS = ("  ½ ﬁsh cafe\u0301 " * 30 + PROSE).replace("\n", "\r\n  ")


@pytest.mark.parametrize(("kind", "name", "read"), CUTS, ids=[name for _, name, _ in CUTS])
def test_a_trainer_that_reads_another_text(kind, name, read):
    pre_tokens = [p for text in read(DOS) for p in split(text, "cl100k")]
    check = compare_merges(wrong.right(pre_tokens, 80), DOS, "minbpe")
    assert (kind, name) in named(check) or {k for k, _ in named(check)} == {"tie"}, check.cause


def test_single_digits():
    text = PROSE + " 12345 67890 1234567" * 40
    theirs = wrong.right(split(text, "qwen2"), 60)
    assert {("walls", "qwen2"), ("digits", "alone")} <= named(compare_merges(theirs, text, "minbpe"))


@both_recipes
@pytest.mark.parametrize("pattern", ["none", "gpt2", "qwen2"])
def test_other_walls(recipe, pattern):
    text = CODE + " 12345 67890 and 1234567" * 40
    check = compare_merges(wrong.right(split(text, pattern), 60, RULES[recipe]), text, recipe)
    assert check.equal if RECIPES[recipe].split == pattern else ("walls", pattern) in named(check), (
        check.cause
    )


END = "<|endoftext|>"
SPECIAL = END.join([PROSE[:2000], PROSE[2000:4000], *["a tale", "an end"] * 12]) + " <a> and <b> and <a>" * 30


@pytest.mark.parametrize(
    ("name", "cut"),
    [
        ("not-cut", lambda text: split(text, "gpt2")),
        ("joined", lambda text: split(text.replace(END, ""), "gpt2")),
        ("whole", get_split_pattern("gpt2").cut_at([END]).split),
        ("unescaped", lambda text: [p for part in re.split(END, text) for p in split(part, "gpt2")]),
    ],
)
def test_special_tokens(name, cut):
    check = compare_merges(wrong.right(cut(SPECIAL), 60, wrong.greatest_of), SPECIAL, "cs336")
    assert ("special-tokens", name) in named(check), check.cause


@both_recipes
def test_a_minimum_frequency_that_the_rule_lacks(recipe):
    text = "low low low lower newest newest wider"
    theirs = wrong.train(RECIPES[recipe].split_pattern().split(text), 99, RULES[recipe], least=3)
    check = compare_merges(theirs, text, recipe, num_merges=99)
    assert [cause.kind for cause in check.causes] == ["minimum-frequency"]
    assert "fewer than 3 times" in check.cause


WRITTEN: dict[tuple[str, str], Callable[[list[Halves]], Iterable[object]]] = {
    ("ids", "values"): wrong.ids,
    ("gpt2-text", "merges"): lambda merges: [tuple(map(in_gpt2_characters, pair)) for pair in merges],
    ("spelling", "latin-1"): lambda merges: [
        tuple(half.decode("latin-1") for half in pair) for pair in merges
    ],
    ("order", "alphabet"): sorted,
    ("order", "reversed"): lambda merges: merges[::-1],
}


def in_gpt2_characters(half: bytes) -> str:
    return "".join(map(GPT2_BYTE_CHARACTERS.__getitem__, half))


@both_recipes
@pytest.mark.parametrize("name", WRITTEN, ids="-".join)
def test_the_right_merges_written_in_another_way(recipe, name):
    theirs = wrong.right(RECIPES[recipe].split_pattern().split(GERMAN), 60, RULES[recipe])
    assert name in named(compare_merges(WRITTEN[name](theirs), GERMAN, recipe))


# --- only ties -------------------------------------------------------------------------------------------

TIE_KEYS: dict[str, Callable[[Halves], object]] = {
    "negated-bytes": lambda pair: [[-byte for byte in half] for half in pair],
    "smallest-right-token": lambda pair: pair[::-1],
    "smallest-str-tokens": str,
    "shortest-smallest-tokens": lambda pair: (len(pair[0] + pair[1]), pair),
    "unknown": lambda pair: hash((pair[0][-1] * 7919, pair[1][0] * 104_729, len(pair[0]))) % 1009,
}


@pytest.mark.parametrize("name", TIE_KEYS)
def test_a_trainer_whose_every_merge_has_the_highest_count_differs_only_in_ties(name):
    def best(counts):
        return min(counts, key=lambda pair: (-counts[pair], TIE_KEYS[name](pair), pair))

    check = compare_merges(wrong.right(split(PROSE, "gpt2"), 120, best), PROSE, "cs336")
    assert ("tie", name) in named(check)
    assert check.cause.startswith("Only ties differ:")
    assert (name in check.ties) == (name != "unknown")


@pytest.mark.parametrize(
    ("trainer", "recipe", "name"),
    [(wrong.greatest_ids, "cs336", "greatest-ids"), (wrong.last_seen, "minbpe", "last-seen")],
)
def test_ties_of_students(trainer, recipe, name):
    check = compare_merges(trainer(RECIPES[recipe].split_pattern().split(PROSE), 60), PROSE, recipe)
    assert named(check) == {("tie", name)}


def test_short_texts_give_no_cause_that_is_false():
    text = "caba a caaabcbab "  # an earlier version said that counts become stale here
    best = lambda counts: min(counts, key=lambda p: (-counts[p], len(p[0] + p[1]), p))  # noqa: E731
    check = compare_merges(wrong.right(split(text, "gpt2"), 11, best), text, "cs336")
    assert {cause.kind for cause in check.causes} == {"tie"}


def test_two_mistakes_are_not_explained_and_both_candidates_are_shown():
    theirs = wrong.train(split(PROSE.lower(), "gpt2"), 60, count=wrong.all_but_the_last)
    check = compare_merges(theirs, PROSE, "cs336")
    assert (check.causes, check.cause) == ((), NO_CAUSE)
    assert "you merged" in check.sentence
    assert "the rule takes" in check.sentence


# --- planted from the table ------------------------------------------------------------------------------

PLANTED = DOS[:4000] + SPECIAL[:3000] + " 12345 678 aaaa baaab" * 9
MERGES = 60


def rules_of(recipe: str) -> Rules:
    rule = RECIPES[recipe]
    return Rules(rule, rule.split_pattern(), rule.special_tokens, rule.min_frequency)


def table(recipe: str, texts: Texts) -> list[Variation]:
    rules = rules_of(recipe)
    return [*tie_variations(rules), *variations(rules, texts)]


def merges_of(texts: Texts, rules: Rules, merges: int = MERGES) -> list[Halves]:
    made = list(islice(texts.trainer(rules).merges(), merges))
    return rules.order(made) if rules.order else made


def plant(recipe: str, seed: int, mistakes: int) -> None:
    """Train with random mistakes of the table. Check that each named cause gives all merges, and that one
    mistake alone is named unless only ties show it."""
    texts = Texts(Corpus.from_text(PLANTED))
    rows = table(recipe, texts)
    planted = random.Random(f"{recipe} {seed}").sample(rows, mistakes)
    rules = rules_of(recipe)
    for variation in planted:
        rules = variation.of(rules)
    try:
        theirs = merges_of(texts, rules)
    except BpevizError:
        return  # two mistakes that exclude each other
    check = compare_merges(theirs, PLANTED, recipe)
    if check.status != "different":
        return
    by_name = {}
    for row in rows:
        by_name.setdefault((row.kind, row.name), []).append(row)
    for name in named(check) - {("tie", "unknown")}:
        made = [merges_of(texts, row.of(rules_of(recipe)), len(theirs)) for row in by_name[name]]
        assert theirs in made, (planted, name)
    assert all(cause.complete and cause.merges == len(theirs) for cause in check.causes)
    if mistakes == 1:
        only_ties = {cause.kind for cause in check.causes} <= {"tie", "numbering"}
        assert check.causes
        assert only_ties or (planted[0].kind, planted[0].name) in named(check), planted


@pytest.mark.parametrize("recipe", ["minbpe", "cs336", "huggingface", "subword-nmt"])
@pytest.mark.parametrize("mistakes", [1, 2])
def test_a_named_cause_gives_all_merges(recipe, mistakes):
    plant(recipe, 0, mistakes)


@pytest.mark.full
@pytest.mark.parametrize("recipe", RECIPES)
def test_a_named_cause_gives_all_merges_of_many_planted_trainers(recipe):
    for seed in range(1, 21):
        plant(recipe, seed, 1)
    for seed in range(1, 11):
        plant(recipe, seed, 2)


@given(st.sampled_from(sorted(RECIPES)), TIGHT_TEXT, st.integers(0, 10**6))
def test_a_mistake_on_any_text_is_named_or_only_ties_differ(recipe, text, number):
    texts, rules = Texts(Corpus.from_text(text)), rules_of(recipe)
    rows = table(recipe, texts)
    variation = rows[number % len(rows)]
    theirs = merges_of(texts, variation.of(rules))
    check = compare_merges(theirs, text, recipe)
    if check.status == "different":
        only_ties = {cause.kind for cause in check.causes} <= {"tie", "numbering"}
        assert only_ties or (variation.kind, variation.name) in named(check), check.cause


# --- time ------------------------------------------------------------------------------------------------


def test_what_there_is_no_time_for_is_said():
    theirs = wrong.train(split(PROSE, "gpt2"), 60, wrong.greatest_of, count=wrong.set_of_pairs)
    check = check_merges(theirs, PROSE, "cs336", seconds=0)
    assert check.causes == ()
    assert check.cause.startswith(
        "No mistake that was tried explains it. There was no time to try: everything."
    )
