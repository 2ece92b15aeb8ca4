"""The table of variations: each mistake of which the reference trainer knows how it is made."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from bpeviz.formats.byte_level import in_byte_characters
from bpeviz.merge_check import hooks
from bpeviz.merge_check.cut_variations import by_value, cut_variations
from bpeviz.merge_check.reference import Halves, ReferenceTrainer, Rules, recount
from bpeviz.merge_check.texts import Texts
from bpeviz.merge_check.ties import TIES, Pair
from bpeviz.merge_check.variation import Variation
from bpeviz.training.recipes import RECIPES

__all__ = ["tie_variations", "variations"]

#: How many merges some trainers make before they count again.
ROUNDS = (*range(2, 21), 25, 32, 50, 64, 100)
#: More than anybody makes: these trainers count once.
NEVER = 2**40


def variations(rules: Rules, texts: Texts) -> Iterator[Variation]:
    """Yield the mistakes that are no tie rules, those that take least time first."""
    yield from _writings(rules)
    yield from _orders()
    yield from _counts()
    yield from _kept_counts(rules)
    yield from _merges(rules)
    yield from cut_variations(rules, texts)
    if not texts.cut:
        yield from _recipes(rules)


# --- choose ----------------------------------------------------------------------------------------------


def tie_variations(rules: Rules) -> Iterator[Variation]:
    """Yield the tie rules but the recipe's own, and what else decides only ties."""
    lead = "Only ties differ: of pairs that occur equally often, yours takes the one "
    for name, tie in TIES.items():
        if name != rules.recipe.tie:
            yield Variation("tie", name, lead, tie.which, {"tie": tie})
    recipe, lead = rules.recipe, "Only ties differ: yours numbers the bytes by "
    if recipe.base == "bytes-by-value":
        other = replace(recipe, base="bytes-by-gpt2-character", cuts_at_special_tokens=False)
        yield Variation("numbering", "gpt2", lead, "GPT-2's characters", {"recipe": other})
    elif "bytes" in recipe.base:
        other = replace(recipe, base="bytes-by-value", special_tokens_at="after-base")
        yield Variation("numbering", "value", lead, "their values", {"recipe": other})


# --- count -----------------------------------------------------------------------------------------------


def _counts() -> Iterator[Variation]:
    def row(kind: str, name: str, what: str, **changed: object) -> Variation:
        return Variation(kind, name, f"Yours {what}", hooks={"update": recount, **changed})

    count, merge = hooks.all_but_the_last, hooks.merge_all_but_the_last
    what = "counts “aaa” as one a + a, as it replaces it; the rule counts both overlapping pairs"
    yield row("overlaps", "replaced", what, count=hooks.without_overlaps)
    what = "makes a set of the pairs of a word, so each counts once a word however often it is there"
    yield row("set", "pairs", what, count=hooks.each_pair_once)
    what = "counts in a loop to len - 2, so it leaves out the last pair of each word"
    yield row("loop", "count", what, count=count)
    what = "merges in a loop to len - 2, so it leaves the last pair of each word"
    yield row("loop", "merge", what, merge=merge)
    what = "counts and merges in loops to len - 2, so it never sees the last pair of a word"
    yield row("loop", "both", what, count=count, merge=merge)


def _kept_counts(rules: Rules) -> Iterator[Variation]:
    """Yield mistakes of trainers that keep their counts."""
    for name, (update, what) in hooks.UPDATES.items():
        yield from _kept(rules, "stale", name, f"Counts are wrong: {what}", update=update)
    what = "Counts are stale from the start: yours counts once, before merge 1"
    yield from _kept(rules, "stale", "since-0", what, round=NEVER)
    lead = "Yours makes several merges a round: it counts again only after every "
    for size in ROUNDS:
        yield from _kept(rules, "round", f"{size}", lead, f"{size} merges", round=size)


def _kept(
    rules: Rules, kind: str, name: str, lead: str, rest: str = "", **changed: Any
) -> Iterator[Variation]:
    yield Variation(kind, name, lead, rest, changed)
    if rules.recipe.tie == "first-seen":  # who takes the first of right counts takes the first seen
        yield Variation(kind, name, lead, rest, {**changed, "tie": TIES["first-counted"]})


# --- merge -----------------------------------------------------------------------------------------------


def _merges(rules: Rules) -> Iterator[Variation]:
    recipe = rules.recipe
    # these trainers write tokens as bytes, so several with the same bytes are one
    slow = {"update": recount, "recipe": replace(recipe, merges_alike=True)}
    what = "Yours merges only the first place of a pair in a word"
    yield Variation("first-place", "first", what, hooks={"merge": hooks.merge_first_place, **slow})
    what = "Yours merges with str.replace on joined symbols, which finds the end of a longer symbol too"
    yield Variation("str-replace", "joined", what, hooks={"merge": hooks.merge_joined, **slow})
    if rules.minimum > 1:
        what = f"Yours merges pairs that occur fewer than {rules.minimum:,} times, and the rule doesn't"
        yield Variation("minimum-frequency", "1", what, hooks={"minimum": 1})
    name, what = "one", "all tokens with the same bytes for one token"
    if recipe.merges_alike:
        name, what = "several", "tokens with the same bytes for different tokens"
    other = replace(recipe, merges_alike=not recipe.merges_alike)
    yield Variation("same-bytes", name, f"Yours takes {what}", hooks={"recipe": other})
    if recipe.max_token_length is not None:
        what = f"Yours makes tokens longer than {recipe.length_limit}, and the rule doesn't"
        endless = replace(recipe, max_token_length=None)
        yield Variation("longest-token", "none", what, hooks={"recipe": endless})
    if "bytes" in recipe.base:
        what = "Yours begins with characters, the rule with bytes"
        yield Variation("characters", "characters", what, hooks={"characters": True})
    else:
        what = "Yours begins with bytes, the rule with characters"
        yield Variation("characters", "bytes", what, hooks={"recipe": by_value(recipe)})


def _recipes(rules: Rules) -> Iterator[Variation]:
    for name, recipe in RECIPES.items():
        if name != rules.recipe.name:
            whole: dict[str, object] = {
                "recipe": recipe,
                "split": recipe.split_pattern(),
                "special_tokens": recipe.special_tokens,
                "minimum": recipe.min_frequency,
            }
            yield Variation("recipe", name, "Yours makes the merges of another recipe: ", name, whole)


# --- write -----------------------------------------------------------------------------------------------


def _in_ids(_: ReferenceTrainer, pair: Pair) -> Halves:
    return str(ord(pair[0])).encode(), str(ord(pair[1])).encode()


def _in_values(trainer: ReferenceTrainer, pair: Pair) -> Halves:
    """Write ids as minbpe does: a byte has its value, and merges follow from 256 on."""
    first = trainer.num_first
    left, right = (
        256 + token - first if token >= first else trainer.tokens[token][0] for token in map(ord, pair)
    )
    return str(left).encode(), str(right).encode()


def _with_spaces(space: bytes, half: bytes) -> bytes:
    return half.replace(b" ", space)


def _writings(rules: Rules) -> Iterator[Variation]:
    def spelled(kind: str, name: str, what: str, spell: Callable[[bytes], bytes]) -> Variation:
        def write(trainer: ReferenceTrainer, pair: Pair) -> Halves:
            left, right = trainer.halves(pair)
            return spell(left), spell(right)

        return Variation(kind, name, f"Your merges {what}", hooks={"write": write})

    what = "are in GPT-2's characters, such as Ġ for a space: turn them back into bytes"
    yield spelled("gpt2-text", "merges", what, lambda half: in_byte_characters(half).encode())
    for kind, name, space in (("gpt2-text", "space", "Ġ"), ("spelling", "sentencepiece", "▁")):
        what = f"have {space} for a space: turn it back"
        yield spelled(kind, name, what, partial(_with_spaces, space.encode()))
    what = "have a character for each byte, as Latin-1 does: encode them as Latin-1, not UTF-8"
    yield spelled("spelling", "latin-1", what, lambda half: half.decode("latin-1").encode())
    lead = "Your merges are pairs of ids, and not of bytes: "
    yield Variation("ids", "recipe", f"{lead}ids are those of the recipe", hooks={"write": _in_ids})
    if "bytes" in rules.recipe.base:
        what = f"{lead}bytes have their values, merges follow from 256"
        yield Variation("ids", "values", what, hooks={"write": _in_values})


def _length(merge: Halves) -> int:
    return len(b"".join(merge))


def _orders() -> Iterator[Variation]:
    lead = "Your merges are the right ones in another order than they are made: "
    by_length = "sorted by the length of their token"
    orders: tuple[tuple[str, str, Callable[[list[Halves]], list[Halves]]], ...] = (
        ("alphabet", "sorted by the alphabet", sorted),
        ("alphabet-reversed", "sorted by the alphabet, last first", partial(sorted, reverse=True)),
        ("token", "sorted by the token that they make", partial(sorted, key=b"".join)),
        ("length", by_length, partial(sorted, key=_length)),
        ("length-reversed", f"{by_length}, longest first", partial(sorted, key=_length, reverse=True)),
        ("reversed", "the last one comes first", lambda merges: merges[::-1]),
    )
    for name, rest, order in orders:
        yield Variation("order", name, lead, rest, {"order": order})
