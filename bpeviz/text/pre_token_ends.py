"""Where the pre-tokens of a text end, as an array; for some patterns without their regular expression.

    ends("the cat's", gpt2)  ->  [3, 7, 9]

The patterns of GPT-2 and rustbpe distinguish four kinds of characters, so whole-array steps find the ends in
about a tenth of the time of the regular expression. The kinds come from the ``regex`` package itself, so both
ways give the same, whatever its version of Unicode.
"""

from collections.abc import Callable
from functools import cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import regex

from bpeviz.text.characters import characters
from bpeviz.text.newer_characters import without_newer_characters
from bpeviz.text.split_patterns import SPLIT_PATTERNS, SplitPattern

__all__ = ["is_quick", "pre_token_ends", "pre_tokens"]

Ends = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

_SPACE = 0x20
_LINE_FEED, _CARRIAGE_RETURN = 0x0A, 0x0D
_OTHER, _LETTER, _NUMBER, _WHITE_SPACE = range(4)
_KINDS = {_LETTER: r"\p{L}+", _NUMBER: r"\p{N}+", _WHITE_SPACE: r"\s+"}
_CONTRACTION = regex.compile("'(?:[sdmt]|ll|ve|re)")
_CONTRACTION_IN_ANY_CASE = regex.compile("'(?i:[sdmt]|ll|ve|re)")
#: rustbpe splits numbers after every third character.
_NUMBER_LENGTH = 3
#: In Latin-1, the separator between the pre-tokens of an ASCII text.
_SEPARATOR = "\xff"


def pre_token_ends(text: str, split: SplitPattern) -> Ends:
    """How many characters of ``text`` lie before the end of each pre-token, ascending.

    Raises SplitPatternError as SplitPattern.split does.
    """
    if text and is_quick(split):
        return _WAYS[split.regex](without_newer_characters(text) if split.older_unicode else text)
    return np.cumsum([len(p) for p in split.split(text)], dtype=np.int64)


def is_quick(split: SplitPattern) -> bool:
    """Whether this module can find the ends without the regular expression."""
    return split.regex in _WAYS


def pre_tokens(text: str, split: SplitPattern) -> list[str]:
    """The pre-tokens of ``text``; joined they are ``text``. Raises SplitPatternError as SplitPattern.split
    does.

    ASCII text gets a separator at each end, because str.split is several times as fast as slicing.
    """
    if not is_quick(split) or not text:
        return split.split(text)
    ends = pre_token_ends(text, split)
    if text.isascii():
        codes = np.frombuffer(text.encode("ascii"), np.uint8)
        return np.insert(codes, ends[:-1], ord(_SEPARATOR)).tobytes().decode("latin-1").split(_SEPARATOR)
    return [text[start:end] for start, end in pairwise([0, *ends.tolist()])]


def _gpt2_ends(text: str) -> Ends:
    codes = characters(text)
    # Treat the end of the text as white space: white space that ends the text is one pre-token.
    kinds = np.pad(_kinds(codes), (0, 2), constant_values=_WHITE_SPACE)
    is_white = kinds == _WHITE_SPACE
    # A pre-token has characters of one kind, but a space belongs to what follows it.
    is_end = (kinds[:-2] != kinds[1:-1]) & (codes != _SPACE)
    # The last white space character before a word is separate: it is that space, or a pre-token.
    is_end |= is_white[:-2] & is_white[1:-1] & ~is_white[2:]
    is_end[-1] = True
    # A contraction must begin a pre-token, so another one ends before it; [-1] is the start of the text.
    begins, ends = _contractions(_CONTRACTION, text, is_end)
    is_end[begins] = False
    is_end[ends - 1] = True
    return np.flatnonzero(is_end) + 1


def _contractions(pattern: "regex.Pattern[str]", text: str, is_end: Flags) -> npt.NDArray[np.int64]:
    """Where the contractions that begin a pre-token begin and end."""
    found = np.array([m.span() for m in pattern.finditer(text, concurrent=False)], np.int64).reshape(-1, 2)
    return found[is_end[found[:, 0] - 1]].T


def _rustbpe_ends(text: str) -> Ends:
    # Treat the text as surrounded by white space that is neither space nor line end.
    codes = characters(f"\t{text}\t\t")
    kinds = _kinds(codes)
    before, kind, after, later = kinds[:-3], kinds[1:-2], kinds[2:-1], kinds[3:]
    is_line_end = (codes == _LINE_FEED) | (codes == _CARRIAGE_RETURN)
    is_line_end, next_is_line_end = is_line_end[1:-2], is_line_end[2:-1]
    is_white, is_sign = kind == _WHITE_SPACE, kind == _OTHER
    is_end = kind != after
    # Signs include a space before them. A word includes one character before it that is no line end; a sign
    # only if it is alone, without another sign or a space before it.
    stands_alone = is_sign & (before != _OTHER) & (codes[:-3] != _SPACE)
    is_end &= ~((codes[1:-2] == _SPACE) & (after == _OTHER))
    is_end &= ~((stands_alone | (is_white & ~is_line_end)) & (after == _LETTER))
    # The last white space character before anything else is separate, unless it is a line end.
    is_end |= is_white & (after == _WHITE_SPACE) & (later != _WHITE_SPACE) & ~next_is_line_end
    is_end &= ~(is_sign & next_is_line_end)
    _part_at_line_ends(is_end, np.flatnonzero(is_line_end), is_sign, is_white & (after != _WHITE_SPACE))
    _part_numbers(is_end, kind == _NUMBER, before == _NUMBER)
    is_end[-1] = True
    _, ends = _contractions(_CONTRACTION_IN_ANY_CASE, text, is_end)
    is_end[ends - 1] = True
    return np.flatnonzero(is_end) + 1


def _part_at_line_ends(is_end: Flags, line_ends: Ends, is_sign: Flags, ends_white: Flags) -> None:
    """End a pre-token at the last line end in white space, and after line ends that directly follow a sign.

    ``ends_white``: where white space ends.
    """
    if not len(line_ends):
        return
    run = np.searchsorted(np.flatnonzero(ends_white), line_ends)
    is_end[line_ends[np.append(run[1:] != run[:-1], True)]] = True
    parted = np.diff(line_ends) > 1
    firsts, lasts = line_ends[np.append(True, parted)], line_ends[np.append(parted, True)]
    is_end[lasts[(firsts > 0) & is_sign[firsts - 1]]] = True


def _part_numbers(is_end: Flags, is_number: Flags, is_inside: Flags) -> None:
    """End a pre-token after every few characters of a number. ``is_inside``: whether the number continues."""
    places, starts = np.flatnonzero(is_number), np.flatnonzero(is_number & ~is_inside)
    start_of = starts[np.searchsorted(starts, places, "right") - 1]
    is_end[places[(places - start_of + 1) % _NUMBER_LENGTH == 0]] = True


def _kinds(codes: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint8]:
    """The kind of each character."""
    return _kind_of_character(int(codes.max()).bit_length())[codes]


@cache
def _kind_of_character(bits: int) -> npt.NDArray[np.uint8]:
    """The kind of every code point of at most so many bits, according to the ``regex`` package.

    Asking for all of Unicode takes as long as counting a megabyte, and few texts need more than 16 bits.
    """
    kinds = np.full(min(1 << bits, 0x110000), _OTHER, np.uint8)
    every = np.arange(len(kinds), dtype="<u4").tobytes().decode("utf-32-le", "surrogatepass")
    for kind, pattern in _KINDS.items():
        for match in regex.finditer(pattern, every, concurrent=False):
            kinds[match.start() : match.end()] = kind
    return kinds


_WAYS: dict[str | None, Callable[[str], Ends]] = {
    SPLIT_PATTERNS["gpt2"].regex: _gpt2_ends,
    SPLIT_PATTERNS["rustbpe"].regex: _rustbpe_ends,
    SPLIT_PATTERNS["llama3"].regex: _rustbpe_ends,
}
