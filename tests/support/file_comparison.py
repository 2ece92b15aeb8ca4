"""A tokenizer of bpeviz beside that of the real library: ids, decoding and token boundaries of many texts.

``compare_file`` reports how many texts differ and the smallest example, shrunk.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bpeviz import Tokenizer
from bpeviz.core.gap_ranks import token_ends
from bpeviz.errors import BpevizError
from tests.support.hard_texts import hard_texts
from tests.support.real_libraries import Encoded, Library, character_ends
from tests.support.real_tokenizers import RealTokenizer

__all__ = ["Comparison", "Difference", "compare", "compare_file", "find_difference"]

#: How often shrinking may try a smaller text.
MOST_TRIES = 600


@dataclass(frozen=True)
class Difference:
    """``kind``: "ids", "plain ids" (special tokens as text), "decoding" or "boundaries"."""

    kind: str
    text: str
    ours: object
    theirs: object

    def __str__(self) -> str:
        return f"{self.kind} of {self.text!r}: {self.ours!r} here, {self.theirs!r} in the library"


@dataclass(frozen=True)
class Comparison:
    """The differences of one file. ``refusal``: why bpeviz does not open it; empty if it does."""

    model: str
    file: str
    texts: int
    differences: int
    smallest: Difference | None = None
    refusal: str = ""

    @property
    def result(self) -> str:
        if self.refusal:
            return f"refused: {self.refusal}"
        return str(self.smallest) if self.smallest else "identical"

    @property
    def identical(self) -> bool:
        return self.result == "identical"


def compare_file(real: RealTokenizer, texts: Sequence[str] | None = None) -> Comparison:
    """Compare a tokenizer with the real library, on the hard texts if no others are given."""
    texts = hard_texts() if texts is None else texts
    try:
        tokenizer = real.open()
    except BpevizError as error:
        return Comparison(real.model, real.file, 0, 0, refusal=str(error))
    library = real.open_library()
    find = [lambda chosen: _differences(tokenizer, library, chosen, real.allowed_special)]
    if real.open_without_special:
        plain = real.open_without_special()
        find.append(lambda chosen: _plain_differences(tokenizer, plain, chosen))
    return compare(real.model, real.file, texts, find)


FindDifferences = Callable[[Sequence[str]], list[Difference]]


def compare(model: str, file: str, texts: Sequence[str], find: Sequence[FindDifferences]) -> Comparison:
    """The differences that each of several functions finds; a text that several find counts once."""
    found = {function: function(texts) for function in find}
    differing = {difference.text for differences in found.values() for difference in differences}
    shrunk = [
        _shrink(min(differences, key=lambda d: len(d.text)), function)
        for function, differences in found.items()
        if differences
    ]
    smallest = min(shrunk, key=lambda d: len(d.text), default=None)
    return Comparison(model, file, len(texts), len(differing), smallest)


def _differences(
    tokenizer: Tokenizer, library: Library, texts: Sequence[str], allowed_special: str | tuple[str, ...]
) -> list[Difference]:
    pairs = zip(texts, library.encode_all(texts), strict=True)
    found = (find_difference(tokenizer, library, *pair, allowed_special) for pair in pairs)
    return [difference for difference in found if difference]


def find_difference(
    tokenizer: Tokenizer, library: Library, text: str, theirs: Encoded, allowed_special: str | tuple[str, ...]
) -> Difference | None:
    """The first difference in one text; None if there is none."""
    try:
        ids, gap_ranks = tokenizer.encode_with_gap_ranks(text, allowed_special=allowed_special)
        if ids == theirs.ids:
            ids = tokenizer.encode(text, allowed_special=allowed_special)
        if ids != theirs.ids:
            return Difference("ids", text, ids, theirs.ids)
        if (ours := tokenizer.decode(ids)) != (decoded := library.decode(ids)):
            return Difference("decoding", text, ours, decoded)
        last_bytes = token_ends(gap_ranks, len(tokenizer.merges)).tolist()
    except Exception as error:  # the report names it
        return Difference("ids", text, f"{type(error).__name__}: {error}", theirs.ids)
    ends = character_ends(text, (byte + 1 for byte in last_bytes))
    if _at_first_offsets(ends, theirs.ends) != [first for first, _ in theirs.ends]:
        return Difference("boundaries", text, ends, theirs.ends)
    return None


def _at_first_offsets(ends: list[int], ranges: list[tuple[int, int]]) -> list[int]:
    """Each end moved to the first offset of the range that holds it."""
    first_of = {offset: first for first, last in ranges for offset in range(first, last + 1)}
    return [first_of.get(end, end) for end in ends]


def _plain_differences(tokenizer: Tokenizer, library: Library, texts: Sequence[str]) -> list[Difference]:
    """The texts with special tokens that get other ids where all is plain text."""
    chosen = [text for text in texts if any(token in text for token in tokenizer.special_tokens)]
    pairs = zip(chosen, library.encode_all(chosen), strict=True)
    return [
        Difference("plain ids", text, ids, theirs.ids)
        for text, theirs in pairs
        if (ids := tokenizer.encode(text)) != theirs.ids
    ]


def _shrink(difference: Difference, find: FindDifferences) -> Difference:
    """A difference of the same kind in a shorter text: parts are left out as long as it remains."""
    tries, size = 0, max(len(difference.text) // 2, 1)
    while size and tries < MOST_TRIES:
        start = 0
        while start < len(difference.text) and tries < MOST_TRIES:
            tries += 1
            shorter = find([difference.text[:start] + difference.text[start + size :]])
            if shorter and shorter[0].kind == difference.kind:
                difference = shorter[0]
            else:
                start += size
        size //= 2
    return difference
