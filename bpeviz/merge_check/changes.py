"""Changes: the mistakes that people make in trainers, each a change of the right rules or of how merges are
read.

    walls          the rule cuts by gpt2, theirs by cl100k or not at all
    overlaps       aaa holds a + a twice, theirs counts it once
    stale          a count that theirs no longer updates
    ids, gpt2-text their merges are written in ids, or in GPT-2's characters
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from bpeviz.core.base_vocabulary import GPT2_BYTE_CHARACTERS
from bpeviz.corpus.corpus import Corpus
from bpeviz.merge_check.rules import Halves, Rules, Texts
from bpeviz.merge_check.tally import Counting
from bpeviz.merge_check.ties import TIES
from bpeviz.text.split_patterns import SPLIT_PATTERNS, WORDS, SplitPattern
from bpeviz.text.utf8 import text_of
from bpeviz.training.recipes import RECIPES, Recipe

__all__ = [
    "Change",
    "Kind",
    "deaf_at",
    "other_recipes",
    "readings",
    "rule_changes",
    "stale_since",
    "tie_change",
]

Kind = Literal[
    "tie",
    "overlaps",
    "stale",
    "walls",
    "special-tokens",
    "characters",
    "ids",
    "gpt2-text",
    "minimum-frequency",
    "order",
    "same-bytes",
    "words-once",
    "numbering",
    "longest-token",
    "spelling",
    "recipe",
]

#: How rarely a pre-token may occur before a trainer leaves it out; how rarely one counts again.
RARE_WORDS = (2, 3, 4, 5, 10)
RECOUNTED = (*range(2, 21), 25, 32, 50, 64, 100)
#: The special token that most texts of courses have, if nobody names one.
USUAL_SPECIAL = "<|endoftext|>"


@dataclass(frozen=True)
class Change:
    """A mistake: its ``kind`` and ``name``, and a sentence, of which ``lead`` is the part that all of the
    kind share. ``rules`` makes the wrong rules of the right ones; ``read`` reads their merges in another way,
    None if they can't be meant so."""

    kind: Kind
    name: str
    lead: str
    rest: str = ""
    rules: Callable[[Rules], Rules] = lambda rules: rules
    read: Callable[[Sequence[Halves]], list[Halves] | None] | None = None

    @property
    def rare(self) -> bool:
        """Whether it is one of many with other numbers: such ones are seldom tried with another mistake."""
        return self.kind in ("stale", "minimum-frequency") and bool(self.rest)


def tie_change(name: str) -> Change:
    """Return the change of a trainer with another tie rule."""
    return Change("tie", name, "Of pairs that occur equally often, yours takes the one ", TIES[name].which)


def rule_changes(rules: Rules, texts: Texts) -> Iterator[Change]:
    """Yield the mistakes in rules that this text can show."""
    yield from _counting()
    if not texts.cut:
        yield from _walls(rules)
        yield from _special_tokens(rules, texts)
    yield from _symbols(rules)
    if rules.minimum > 1:
        yield Change(
            "minimum-frequency",
            "1",
            f"Yours merges pairs that occur fewer than {rules.minimum:,} times, and the rule doesn't",
            rules=lambda of: replace(of, minimum=1),
        )
    for rare in RARE_WORDS:
        yield Change(
            "minimum-frequency",
            f"pre-tokens-{rare}",
            "Yours leaves out pre-tokens that occur fewer than ",
            f"{rare:,} times",
            lambda of, rare=rare: replace(of, rare=rare),  # type: ignore[misc]
        )
    yield Change(
        "words-once",
        "once",
        "Yours counts each distinct pre-token once, and not as often as it occurs",
        rules=lambda of: replace(of, once=True),
    )


def _counted(**how: object) -> Callable[[Rules], Rules]:
    return lambda of: replace(of, counting=Counting(**how))  # type: ignore[arg-type]


def _counting() -> Iterator[Change]:
    yield Change(
        "overlaps",
        "replaced",
        "Yours counts “aaa” as one a + a, as it replaces it; the rule counts both overlapping pairs",
        rules=_counted(overlaps=False),
    )
    beside = {"left": "to the left of a merge", "right": "to the right of a merge"}
    yield Change(
        "stale",
        "losses",
        "Counts become stale: a merge takes other pairs away, and yours doesn't lower their counts",
        rules=_counted(losses="none"),
    )
    for side, where in beside.items():
        other = "right" if side == "left" else "left"
        yield Change(
            "stale",
            f"losses-{side}",
            f"Counts become stale: yours doesn't lower the count of the pair {where}",
            rules=_counted(losses=other),
        )
        yield Change(
            "stale",
            f"gains-{side}",
            f"Counts become stale: yours doesn't count the new pair {where}",
            rules=_counted(gains=other),
        )
    yield stale_since(0)
    for every in RECOUNTED:
        yield Change(
            "stale",
            f"every-{every}",
            "Counts become stale: yours counts again only after every ",
            f"{every:,} merges",
            _counted(every=every),
        )


def stale_since(merges: int) -> Change:
    """Return the change of a trainer whose counts stay as they are after so many merges."""
    if not merges:
        what = "Counts are stale from the start: yours counts once, before merge 1"
        return Change("stale", "since-0", what, rules=_counted(frozen_after=0))
    return Change(
        "stale",
        f"since-{merges}",
        "Counts are stale, because yours counts no more after merge ",
        f"{merges:,}",
        _counted(frozen_after=merges),
    )


def deaf_at(merge: int) -> Change:
    """Return the change of a trainer that doesn't lower the counts at one merge, from 1."""
    return Change(
        "stale",
        f"losses-at-{merge}",
        "Counts are stale since merge ",
        f"{merge:,}, at which yours doesn't lower them",
        _counted(deaf_at=merge),
    )


def _walls(rules: Rules) -> Iterator[Change]:
    cuts = f"cuts the text by the pattern {rules.split.name}" if rules.split.regex else "doesn't cut the text"
    lead = f"Yours has other walls, which no merge crosses: the rule {cuts}, yours "

    def wall(name: str, pattern: SplitPattern, rest: str) -> Change:
        cut = pattern.cut_at(rules.split.special_tokens)
        cut = cut.line_by_line() if rules.split.by_line else cut
        return Change("walls", name, lead, rest, lambda of: replace(of, split=cut))

    for name, pattern in SPLIT_PATTERNS.items():
        if pattern.regex != rules.split.regex:
            yield wall(name, pattern, f"cuts it by {name}" if pattern.regex else "doesn't cut it")
    yield wall("words", WORDS, "cuts it into words with the white space before them")
    whitespace = SPLIT_PATTERNS["whitespace"]
    cut = whitespace.cut_at(rules.split.special_tokens)
    yield Change(
        "walls",
        "words-alone",
        lead,
        "cuts it into words and leaves white space out",
        lambda of: replace(of, split=cut, spaces=False),
    )
    if rules.split.by_line:
        whole = replace(rules.split, by_line=False, stretch=None)
        yield Change("walls", "whole-text", lead, "cuts it as one text", lambda of: replace(of, split=whole))
    else:
        lines = rules.split.line_by_line()
        yield Change("walls", "by-line", lead, "cuts it line by line", lambda of: replace(of, split=lines))


def _special_tokens(rules: Rules, texts: Texts) -> Iterator[Change]:
    cut = rules.split.special_tokens
    tokens = tuple(dict.fromkeys((*cut, *rules.special_tokens, USUAL_SPECIAL)))
    if not texts.holds_any(tokens):
        return
    if cut:
        yield Change(
            "special-tokens",
            "not-cut",
            "Yours doesn't cut the text at special tokens, so it merges parts of them",
            rules=lambda of: replace(of, split=of.split.cut_at(())),
        )
    else:
        yield Change(
            "special-tokens",
            "cut",
            "Yours cuts special tokens out of the text, and the rule doesn't",
            rules=lambda of: replace(of, split=of.split.cut_at(tokens)),
        )
    yield Change(
        "special-tokens",
        "joined",
        "Yours deletes special tokens from the text, so what stands beside them becomes neighbours",
        rules=lambda of: replace(of, joined=True, special_tokens=tokens, split=of.split.cut_at(())),
    )


def _symbols(rules: Rules) -> Iterator[Change]:
    recipe = rules.recipe
    if "bytes" in recipe.base:
        yield Change(
            "characters",
            "characters",
            "Yours begins with characters, the rule with bytes",
            rules=lambda of: replace(of, symbols="characters"),
        )
        yield Change(
            "gpt2-text",
            "trained",
            "Yours writes the text in GPT-2's characters and merges the bytes of those: Ġ is two bytes",
            rules=lambda of: replace(of, symbols="gpt2-text"),
        )
    else:
        yield Change(
            "characters",
            "bytes",
            "Yours begins with bytes, the rule with characters",
            rules=lambda of: replace(of, symbols="bytes"),
        )
    other: dict[str, Recipe] = {}
    if recipe.base == "bytes-by-value":
        other["gpt2"] = replace(recipe, base="bytes-by-gpt2-character", cuts_at_special_tokens=False)
    elif "bytes" in recipe.base:
        other["value"] = replace(recipe, base="bytes-by-value", special_tokens_at="after-base")
    for name, numbered in other.items():
        by = "their values" if name == "value" else "GPT-2's characters"
        yield Change(
            "numbering",
            name,
            f"Yours numbers the bytes by {by}, which decides ties",
            rules=lambda of, numbered=numbered: replace(of, recipe=numbered),  # type: ignore[misc]
        )
    yield Change(
        "same-bytes",
        "several" if recipe.merges_alike else "one",
        "Yours takes tokens with the same bytes for different tokens"
        if recipe.merges_alike
        else "Yours takes all tokens with the same bytes for one token",
        rules=lambda of: replace(of, recipe=replace(of.recipe, merges_alike=not recipe.merges_alike)),
    )
    if recipe.max_token_length is not None:
        yield Change(
            "longest-token",
            "none",
            f"Yours makes tokens longer than {recipe.length_limit}, and the rule doesn't",
            rules=lambda of: replace(of, recipe=replace(of.recipe, max_token_length=None)),
        )


def other_recipes(rules: Rules, texts: Texts) -> Iterator[Change]:
    """Yield each other recipe as a whole. A text that is cut already can't show it."""
    for name, recipe in RECIPES.items():
        if name == rules.recipe.name or texts.cut:
            continue
        whole = Rules(recipe, recipe.split_pattern(), recipe.special_tokens, recipe.min_frequency)
        yield Change(
            "recipe",
            name,
            "Yours makes the merges of another recipe: ",
            name,
            lambda _, whole=whole: whole,  # type: ignore[misc]
        )


def readings(rules: Rules) -> Iterator[Change]:
    """Yield the ways in which merges may be written that are not the bytes of tokens."""
    yield Change(
        "gpt2-text",
        "merges",
        "Your merges are in GPT-2's characters, such as Ġ for a space: turn them back into bytes",
        read=lambda theirs: _each(theirs, _from_gpt2),
    )
    yield Change(
        "gpt2-text",
        "space",
        "Your merges have Ġ for a space: turn it back",
        read=lambda theirs: _each(theirs, lambda half: half.replace("Ġ".encode(), b" ")),
    )
    yield Change(
        "spelling",
        "sentencepiece",
        "Your merges have ▁ for a space: turn it back",
        read=lambda theirs: _each(theirs, lambda half: half.replace("▁".encode(), b" ")),
    )
    yield Change(
        "spelling",
        "latin-1",
        "Your merges have a character for each byte, as Latin-1 does: encode them as Latin-1, not UTF-8",
        read=lambda theirs: _each(theirs, _from_latin1),
    )
    by_value, by_recipe = [bytes([value]) for value in range(256)], _first_tokens(rules)
    yield Change(
        "ids",
        "values",
        "Your merges are pairs of ids, and not of bytes: bytes have their values, merges follow from 256 on",
        read=lambda theirs: _from_ids(theirs, by_value),
    )
    if by_recipe != by_value:
        yield Change(
            "ids",
            "recipe",
            "Your merges are pairs of ids, and not of bytes: the ids are those of the recipe",
            read=lambda theirs: _from_ids(theirs, by_recipe),
        )


def _each(theirs: Sequence[Halves], turn: Callable[[bytes], bytes | None]) -> list[Halves] | None:
    """Return the merges with each half turned; None if one can't be, or if nothing changes."""
    turned: list[Halves] = []
    for left, right in theirs:
        halves = turn(left), turn(right)
        if halves[0] is None or halves[1] is None:
            return None
        turned.append((halves[0], halves[1]))
    return turned if turned != list(theirs) else None


_BYTE_OF = {character: value for value, character in enumerate(GPT2_BYTE_CHARACTERS)}


def _from_gpt2(half: bytes) -> bytes | None:
    text = text_of(half)
    if text is None or not set(text) <= _BYTE_OF.keys():
        return None
    return bytes(_BYTE_OF[character] for character in text)


def _from_latin1(half: bytes) -> bytes | None:
    text = text_of(half)
    if text is None or max(text, default="") > "\xff":
        return None
    return text.encode("latin-1")


def _first_tokens(rules: Rules) -> list[bytes]:
    recipe = rules.recipe
    if recipe.base not in ("bytes-by-value", "bytes-by-gpt2-character"):
        return []
    base = recipe.base_vocabulary(Corpus({}, rules.split), rules.special_tokens)
    return recipe.first_tokens(base, rules.special_tokens)


def _from_ids(theirs: Sequence[Halves], tokens: Sequence[bytes]) -> list[Halves] | None:
    known = list(tokens)
    turned: list[Halves] = []
    for pair in theirs:
        if not all(half.isdigit() and len(half) < 10 for half in pair):
            return None
        left, right = map(int, pair)
        if max(left, right) >= len(known):
            return None
        turned.append((known[left], known[right]))
        known.append(known[left] + known[right])
    return turned
