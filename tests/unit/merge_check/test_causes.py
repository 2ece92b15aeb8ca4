"""Causes: wrong trainers written by hand, each with one mistake, and mistakes planted from the table."""

import random
import re
import unicodedata
from collections.abc import Callable, Iterable
from itertools import islice, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpeviz import RECIPES, Corpus, MergeCheck, compare_merges, split
from bpeviz.app_folder import APP_FOLDER
from bpeviz.errors import BpevizError
from bpeviz.formats.byte_level import in_byte_characters
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


def named(check: MergeCheck) -> set[str]:
    return {f"{cause.kind} {name}" for cause in check.causes for name in cause.names[0]}


# --- by hand: this code shares nothing with the reference trainer ----------------------------------------

#: Their merges of a text, where they follow a recipe.
Wrong = Callable[[str, str], Iterable[object]]


def cut(text: str, recipe: str) -> list[str]:
    return RECIPES[recipe].split_pattern().split(text)


def training(**how: object) -> Wrong:
    return lambda text, recipe: wrong.train(cut(text, recipe), 60, RULES[recipe], **how)  # type: ignore[arg-type]


def choosing(best: Callable[[str], wrong.Best]) -> Wrong:
    return lambda text, recipe: wrong.train(cut(text, recipe), 60, best(recipe))


def by_key(key: Callable[[Halves], object]) -> Wrong:
    """Take the pair with the smallest key among those with the highest count."""
    return choosing(lambda _: lambda counts: min(counts, key=lambda pair: (-counts[pair], key(pair), pair)))


def keeping(*, losses: bool) -> Wrong:
    return lambda text, recipe: wrong.kept_counts(cut(text, recipe), 60, RULES[recipe], losses=losses)


def reading(read: Callable[[str], Iterable[str]]) -> Wrong:
    return lambda text, recipe: wrong.train(
        [pre_token for part in read(text) for pre_token in cut(part, recipe)], 60, RULES[recipe]
    )


def cutting(into: Callable[[str], Iterable[str]]) -> Wrong:
    return lambda text, recipe: wrong.train(into(text), 60, RULES[recipe])


def writing(write: Callable[[list[Halves]], Iterable[object]]) -> Wrong:
    return lambda text, recipe: write(wrong.train(cut(text, recipe), 60, RULES[recipe]))


DOS = ("  ½ ﬁsh cafe\u0301 " * 30 + PROSE).replace("\n", "\r\n  ")
DIGITS = CODE + " 12345 67890 and 1234567" * 40
OVERLAPS = "aaaa baaab aaab ab " * 3 + CODE
END = "<|endoftext|>"
SPECIAL = END.join([PROSE[:2000], PROSE[2000:4000], *["a tale", "an end"] * 12]) + " <a> and <b> and <a>" * 30
GPT2 = get_split_pattern("gpt2")

#: The mistake, the text that shows it, and the trainer that makes it.
BY_HAND: list[tuple[str, str, Wrong]] = [
    ("overlaps replaced", CODE, training(count=wrong.replaced_pairs)),
    ("set pairs", CODE, training(count=lambda word: dict.fromkeys(pairwise(word)))),
    ("loop count", PROSE, training(count=lambda word: pairwise(word[:-1]))),
    ("loop merge", PROSE, training(merge=lambda word, p: [*wrong.merged(word[:-1], p), *word[-1:]])),
    ("first-place first", CODE, training(merge=wrong.merge_first)),
    (
        "str-replace joined",
        CODE,
        training(
            merge=lambda word, p: b"\xff".join(word).replace(b"\xff".join(p), b"".join(p)).split(b"\xff")
        ),
    ),
    ("stale places-twice", OVERLAPS, keeping(losses=True)),
    ("stale only-adds-old", OVERLAPS, keeping(losses=False)),
    ("stale since-0", PROSE, choosing(lambda recipe: wrong.in_rounds(RULES[recipe], 99))),
    ("round 10", PROSE, choosing(lambda recipe: wrong.in_rounds(RULES[recipe], 10))),
    ("tie greatest-ids", PROSE, choosing(lambda _: wrong.greatest_ids())),
    ("tie last-seen", PROSE, choosing(lambda _: wrong.last_of)),
    ("tie negated-bytes", PROSE, by_key(lambda pair: [[-byte for byte in half] for half in pair])),
    ("tie smallest-right-token", PROSE, by_key(lambda pair: pair[::-1])),
    ("tie smallest-str-tokens", PROSE, by_key(str)),
    ("tie shortest-smallest-tokens", PROSE, by_key(lambda pair: (len(pair[0] + pair[1]), pair))),
    ("walls none", DIGITS, cutting(lambda text: [text])),
    ("walls qwen2", DIGITS, cutting(lambda text: split(text, "qwen2"))),
]
ONLY_CS336: list[tuple[str, str, Wrong]] = [
    ("text lower-case", DOS, reading(lambda text: [text.lower()])),
    ("text nfkc", DOS, reading(lambda text: [unicodedata.normalize("NFKC", text)])),
    ("text text-mode", DOS, reading(lambda text: [text.replace("\r\n", "\n")])),
    ("text lines-stripped", DOS, reading(lambda text: map(str.strip, text.split("\n")))),
    ("text without-line-ends", DOS, reading(str.splitlines)),
    ("part first-1000", DOS, reading(lambda text: [text[:1000]])),
    ("blocks 1024", DOS, reading(lambda text: [text[i : i + 1024] for i in range(0, len(text), 1024)])),
    ("ids values", GERMAN, writing(wrong.ids)),
    ("gpt2-text merges", GERMAN, writing(lambda m: [tuple(map(in_byte_characters, pair)) for pair in m])),
    ("spelling latin-1", GERMAN, writing(lambda m: [tuple(h.decode("latin-1") for h in p) for p in m])),
    ("order alphabet", GERMAN, writing(sorted)),
    ("order reversed", GERMAN, writing(lambda merges: merges[::-1])),
    ("special-tokens not-cut", SPECIAL, cutting(GPT2.split)),
    ("special-tokens joined", SPECIAL, cutting(lambda text: GPT2.split(text.replace(END, "")))),
    ("special-tokens whole", SPECIAL, cutting(GPT2.cut_at([END]).split)),
    (
        "special-tokens unescaped",
        SPECIAL,
        cutting(lambda text: [p for part in re.split(END, text) for p in GPT2.split(part)]),
    ),
]
CASES = [(recipe, *row) for row in BY_HAND for recipe in RULES] + [("cs336", *row) for row in ONLY_CS336]


@pytest.mark.parametrize(
    ("recipe", "name", "text", "wrong_trainer"), CASES, ids=[f"{r}-{n}" for r, n, *_ in CASES]
)
def test_a_mistake_written_by_hand_is_named(recipe, name, text, wrong_trainer):
    check = compare_merges(wrong_trainer(text, recipe), text, recipe)
    assert name in named(check), check.cause
    ties = {f"tie {tie}" for tie in check.ties}
    assert ties == {each for each in named(check) if each.startswith("tie ")}


@pytest.mark.parametrize("recipe", RULES)
@pytest.mark.parametrize("text", [PROSE, GERMAN], ids=["prose", "german"])
def test_no_mistake_is_equal(recipe, text):
    assert compare_merges(training()(text, recipe), text, recipe).equal


@pytest.mark.parametrize("recipe", RULES)
def test_a_minimum_frequency_that_the_rule_lacks(recipe):
    text = "low low low lower newest newest wider"
    theirs = wrong.train(cut(text, recipe), 99, RULES[recipe], least=3)
    check = compare_merges(theirs, text, recipe, num_merges=99)
    assert [cause.kind for cause in check.causes] == ["minimum-frequency"]
    assert "fewer than 3 times" in check.cause


def test_a_tie_rule_that_nobody_knows_is_still_only_a_tie():
    theirs = by_key(lambda pair: hash((pair[0][-1] * 7919, pair[1][0] * 104_729, len(pair[0]))) % 1009)
    check = compare_merges(theirs(PROSE, "cs336"), PROSE, "cs336")
    assert (named(check), check.ties) == ({"tie unknown"}, ())
    assert check.cause.startswith("Only ties differ:")


def test_short_texts_give_no_cause_that_is_false():
    text = "caba a caaabcbab "  # an earlier version said that counts become stale here
    theirs = by_key(lambda pair: (len(pair[0] + pair[1]), pair))(text, "cs336")
    check = compare_merges(theirs[:11], text, "cs336")
    assert {cause.kind for cause in check.causes} == {"tie"}


def test_two_mistakes_are_not_explained_and_both_candidates_are_shown():
    theirs = wrong.train(split(PROSE.lower(), "gpt2"), 60, count=lambda word: pairwise(word[:-1]))
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


def label(variation: Variation) -> str:
    return f"{variation.kind} {variation.name}"


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
    for name in named(check) - {"tie unknown"}:
        those = [row for row in rows if label(row) == name]
        made = [merges_of(texts, row.of(rules_of(recipe)), len(theirs)) for row in those]
        assert theirs in made, (planted, name)
    assert all(cause.complete and cause.merges == len(theirs) for cause in check.causes)
    if mistakes == 1:
        only_ties = {cause.kind for cause in check.causes} <= {"tie", "numbering"}
        assert check.causes
        assert only_ties or label(planted[0]) in named(check), planted


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
        assert only_ties or label(variation) in named(check), check.cause


# --- time ------------------------------------------------------------------------------------------------


def test_what_there_is_no_time_for_is_said():
    theirs = wrong.train(
        split(PROSE, "gpt2"), 60, wrong.greatest_of, count=lambda word: dict.fromkeys(pairwise(word))
    )
    check = check_merges(theirs, PROSE, "cs336", seconds=0)
    assert check.causes == ()
    assert check.cause.startswith(
        "No mistake that was tried explains it. There was no time to try: everything."
    )
