"""The table of variations: each mistake of which the reference trainer knows how it is made."""

from collections.abc import Iterator
from dataclasses import replace

from bpeviz.core.base_vocabulary import GPT2_BYTE_CHARACTERS
from bpeviz.merge_check import hooks
from bpeviz.merge_check.cut_variations import cut_variations
from bpeviz.merge_check.reference import Halves, Order, ReferenceTrainer, Rules, Write, in_bytes, recount
from bpeviz.merge_check.texts import Texts
from bpeviz.merge_check.ties import TIES, Pair
from bpeviz.merge_check.variation import Kind, Variation
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
    yield from _counts(rules)
    yield from _merges(rules)
    yield from _symbols(rules)
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


def _counts(rules: Rules) -> Iterator[Variation]:
    def row(kind: Kind, name: str, what: str, **changed: object) -> Variation:
        return Variation(kind, name, f"Yours {what}", hooks={"update": recount, **changed})

    count, merge = hooks.all_but_the_last, hooks.merge_all_but_the_last
    what = "counts “aaa” as one a + a, as it replaces it; the rule counts both overlapping pairs"
    yield row("overlaps", "replaced", what, count=hooks.without_overlaps)
    what = "makes a set of the pairs of a word, so each counts once a word however often it is there"
    yield row("set", "pairs", what, count=hooks.each_pair_once)
    what = "counts in a loop to len - 2, so it leaves out the last pair of each word"
    yield row("loop", "count", what, count=count)
    yield row(
        "loop", "merge", "merges in a loop to len - 2, so it leaves the last pair of each word", merge=merge
    )
    what = "counts and merges in loops to len - 2, so it never sees the last pair of a word"
    yield row("loop", "both", what, count=count, merge=merge)
    for name, (update, what) in hooks.UPDATES.items():
        wrong = Variation("stale", name, f"Counts are wrong: {what}", hooks={"update": update})
        yield from _kept(rules, wrong)
    once = "Counts are stale from the start: yours counts once, before merge 1"
    yield from _kept(rules, Variation("stale", "since-0", once, hooks={"round": NEVER}))
    lead = "Yours makes several merges a round: it counts again only after every "
    for number in ROUNDS:
        hook = {"round": number}
        yield from _kept(rules, Variation("round", f"{number}", lead, f"{number:,} merges", hook))


def _kept(rules: Rules, variation: Variation) -> Iterator[Variation]:
    """Yield it for trainers that keep counts: whoever takes the first of them takes the first seen if they
    are right."""
    yield variation
    if rules.recipe.tie == "first-seen":
        yield replace(variation, hooks={**variation.hooks, "tie": TIES["first-counted"]})


# --- merge -----------------------------------------------------------------------------------------------


def _merges(rules: Rules) -> Iterator[Variation]:
    # these trainers write tokens as bytes, so several with the same bytes are one
    recipe = replace(rules.recipe, merges_alike=True)
    what = "Yours merges only the first place of a pair in a word"
    first = {"merge": hooks.merge_first_place, "update": recount, "recipe": recipe}
    yield Variation("first-place", "first", what, hooks=first)
    what = "Yours merges with str.replace on joined symbols, which finds the end of a longer symbol too"
    joined = {"merge": hooks.merge_joined, "blind": True, "update": recount, "recipe": recipe}
    yield Variation("str-replace", "joined", what, hooks=joined)
    if rules.minimum > 1:
        what = f"Yours merges pairs that occur fewer than {rules.minimum:,} times, and the rule doesn't"
        yield Variation("minimum-frequency", "1", what, hooks={"minimum": 1})
    alike = rules.recipe.merges_alike
    several = "Yours takes tokens with the same bytes for different tokens"
    one = "Yours takes all tokens with the same bytes for one token"
    other = replace(rules.recipe, merges_alike=not alike)
    name, what = ("several", several) if alike else ("one", one)
    yield Variation("same-bytes", name, what, hooks={"recipe": other})
    if rules.recipe.max_token_length is not None:
        what = f"Yours makes tokens longer than {rules.recipe.length_limit}, and the rule doesn't"
        endless = replace(rules.recipe, max_token_length=None)
        yield Variation("longest-token", "none", what, hooks={"recipe": endless})


def _symbols(rules: Rules) -> Iterator[Variation]:
    if "bytes" in rules.recipe.base:
        what = "Yours begins with characters, the rule with bytes"
        yield Variation("characters", "characters", what, hooks={"symbols": "characters"})
    else:
        what = "Yours begins with bytes, the rule with characters"
        yield Variation("characters", "bytes", what, hooks={"symbols": "bytes"})


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


def _spelled(trainer: ReferenceTrainer, pair: Pair, characters: str) -> Halves:
    left, right = in_bytes(trainer, pair)
    return tuple("".join(characters[byte] for byte in half).encode() for half in (left, right))  # type: ignore[return-value]


def _with_spaces(space: str) -> Write:
    def write(trainer: ReferenceTrainer, pair: Pair) -> Halves:
        left, right = in_bytes(trainer, pair)
        return left.replace(b" ", space.encode()), right.replace(b" ", space.encode())

    return write


def _in_ids(_: ReferenceTrainer, pair: Pair) -> Halves:
    return str(ord(pair[0])).encode(), str(ord(pair[1])).encode()


def _in_values(trainer: ReferenceTrainer, pair: Pair) -> Halves:
    """Write ids as minbpe does: a byte has its value, and merges follow from 256 on."""
    first = trainer.num_first
    left, right = (
        256 + token - first if token >= first else trainer.tokens[token][0] for token in map(ord, pair)
    )
    return str(left).encode(), str(right).encode()


_LATIN1 = "".join(map(chr, range(256)))


def _writings(rules: Rules) -> Iterator[Variation]:
    rows: list[tuple[Kind, str, str, Write]] = [
        (
            "gpt2-text",
            "merges",
            "Your merges are in GPT-2's characters, such as Ġ for a space: turn them back into bytes",
            lambda trainer, pair: _spelled(trainer, pair, GPT2_BYTE_CHARACTERS),
        ),
        ("gpt2-text", "space", "Your merges have Ġ for a space: turn it back", _with_spaces("Ġ")),
        ("spelling", "sentencepiece", "Your merges have ▁ for a space: turn it back", _with_spaces("▁")),
        (
            "spelling",
            "latin-1",
            "Your merges have a character for each byte, as Latin-1 does: encode them as Latin-1, not UTF-8",
            lambda trainer, pair: _spelled(trainer, pair, _LATIN1),
        ),
        (
            "ids",
            "recipe",
            "Your merges are pairs of ids, and not of bytes: ids are those of the recipe",
            _in_ids,
        ),
    ]
    if "bytes" in rules.recipe.base:
        what = (
            "Your merges are pairs of ids, and not of bytes: bytes have their values, merges follow from 256"
        )
        rows.append(("ids", "values", what, _in_values))
    for kind, name, what, write in rows:
        yield Variation(kind, name, what, hooks={"write": write})


def _sorted_by(key: object, *, reverse: bool = False) -> Order:
    return lambda merges: sorted(merges, key=key, reverse=reverse)  # type: ignore[call-overload]


def _orders() -> Iterator[Variation]:
    lead = "Your merges are the right ones in another order than they are made: "
    orders: tuple[tuple[str, str, Order], ...] = (
        ("alphabet", "sorted by the alphabet", _sorted_by(None)),
        ("alphabet-reversed", "sorted by the alphabet, last first", _sorted_by(None, reverse=True)),
        ("token", "sorted by the token that they make", _sorted_by(b"".join)),
        ("length", "sorted by the length of their token", _sorted_by(lambda m: len(b"".join(m)))),
        (
            "length-reversed",
            "sorted by the length of their token, longest first",
            _sorted_by(lambda m: -len(b"".join(m))),
        ),
        ("reversed", "the last one comes first", lambda merges: merges[::-1]),
    )
    for name, rest, order in orders:
        yield Variation("order", name, lead, rest, {"order": order})
