"""Spellings: ways in which merges are written that are not the bytes of tokens."""

from collections.abc import Callable, Iterator, Sequence

from bpeviz.core.base_vocabulary import GPT2_BYTE_CHARACTERS
from bpeviz.corpus.corpus import Corpus
from bpeviz.formats.bounds import MAX_TOKEN_BYTES
from bpeviz.merge_check.changes import Change
from bpeviz.merge_check.rules import Halves, Rules
from bpeviz.text.utf8 import text_of

__all__ = ["spellings"]


def spellings(rules: Rules) -> Iterator[Change]:
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
        if max(left, right) >= len(known) or len(known[left]) + len(known[right]) > MAX_TOKEN_BYTES:
            return None
        turned.append((known[left], known[right]))
        known.append(known[left] + known[right])
    return turned
