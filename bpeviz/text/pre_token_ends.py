"""Where the pre-tokens of a text end, as an array; for some patterns without their regular expression.

    ends("the cat's", gpt2)  ->  [3, 7, 9]

The named patterns distinguish a few kinds of characters, so whole-array steps find the ends in about a tenth
of the time of the regular expression. The kinds come from the ``regex`` package itself, so both ways give the
same, whatever its version of Unicode.
"""

from collections.abc import Callable
from functools import partial
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import regex

from bpeviz.text.characters import characters, kinds_of, without_newer_characters
from bpeviz.text.named_patterns import WHITESPACE
from bpeviz.text.split_patterns import SPLIT_PATTERNS, SplitPattern

__all__ = ["pre_token_ends", "pre_tokens", "quick_ends"]

Ends = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

#: Whole-array steps on a shorter part take longer than the regular expression.
SHORT = 2_000

_SPACE = 0x20
_LINE_FEED, _CARRIAGE_RETURN = 0x0A, 0x0D
_OTHER, _LETTER, _NUMBER, _WHITE_SPACE = range(4)
_KINDS = (r"\p{L}", r"\p{N}", r"\s")
_KINDS_WITH_MARKS = (r"[\p{L}\p{M}]", r"\p{N}", r"\s")
#: What SentencePiece cannot distinguish: the first kind of its characters.
_SPACE_LIKE = 1
#: What o200k distinguishes in words.
_CASES = (r"[\p{Lu}\p{Lt}]", r"\p{Ll}", r"[\p{Lm}\p{Lo}]", r"\p{M}")
_UPPER, _LOWER, _NEITHER, _MARK = range(1, 5)
_CONTRACTION = regex.compile("'(?:[sdmt]|ll|ve|re)")
_CONTRACTION_IN_ANY_CASE = regex.compile("'(?i:[sdmt]|ll|ve|re)")
#: With the letter, which no contraction before it can take.
_CONTRACTION_AFTER_LETTER = regex.compile(r"\p{L}'(?i:[sdmt]|ll|ve|re)")
#: In Latin-1, the separator between the pre-tokens of an ASCII text.
_SEPARATOR = "\xff"


def pre_token_ends(text: str, split: SplitPattern) -> Ends:
    """How many characters of ``text`` lie before the end of each pre-token, ascending.

    Raises SplitPatternError as SplitPattern.split does.
    """
    found = quick_ends(text, split)
    return np.cumsum([len(p) for p in split.split(text)], dtype=np.int64) if found is None else found


def quick_ends(text: str, split: SplitPattern) -> Ends | None:
    """Return the same by whole-array steps; None if this pattern or text needs the regular expression."""
    if not text or split.regex not in _WAYS or split.by_line:
        return None
    if split.special_tokens:
        return _ends_between_special_tokens(text, split)
    return _WAYS[split.regex](without_newer_characters(text) if split.older_unicode else text)


def _ends_between_special_tokens(text: str, split: SplitPattern) -> Ends | None:
    ends: list[Ends] = []
    start = 0
    for part, special in split.parts(text):
        if special:
            found: Ends | None = np.array([len(part)])
        elif len(part) < SHORT:
            found = np.cumsum([len(p) for p in split.between_special_tokens.split(part)], dtype=np.int64)
        else:
            found = quick_ends(part, split.between_special_tokens)
        if found is None:
            return None
        ends.append(start + found)
        start += len(part)
    return np.concatenate(ends)


def pre_tokens(text: str, split: SplitPattern) -> list[str]:
    """Return the pre-tokens of ``text``; joined they are ``text``. Raises SplitPatternError as
    SplitPattern.split does.

    ASCII text gets a separator at each end, because str.split is several times as fast as slicing.
    """
    if (ends := quick_ends(text, split)) is None:
        return split.split(text)
    if text.isascii():
        codes = np.frombuffer(text.encode("ascii"), np.uint8)
        return np.insert(codes, ends[:-1], ord(_SEPARATOR)).tobytes().decode("latin-1").split(_SEPARATOR)
    return [text[start:end] for start, end in pairwise([0, *ends.tolist()])]


def _gpt2_ends(text: str) -> Ends:
    codes = characters(text)
    # Treat the end of the text as white space: white space that ends the text is one pre-token.
    kinds = np.pad(kinds_of(codes, _KINDS), (0, 2), constant_values=_WHITE_SPACE)
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
    spans = _spans(pattern, text)
    return spans[:, is_end[spans[0] - 1]]


def _spans(pattern: "regex.Pattern[str]", text: str) -> npt.NDArray[np.int64]:
    """Where the matches begin and end."""
    found = [m.span() for m in pattern.finditer(text, concurrent=False)]
    return np.array(found, np.int64).reshape(-1, 2).T


def _rustbpe_ends(
    text: str, kinds: tuple[str, ...] = _KINDS, *, digits: int = 3, end_is_whole: bool = False
) -> Ends:
    """Return the ends by the pattern of rustbpe and those like it: see _word_ends."""
    is_end = _word_ends(text, kinds, digits, end_is_whole)
    _, ends = _contractions(_CONTRACTION_IN_ANY_CASE, text, is_end)
    is_end[ends - 1] = True
    return np.flatnonzero(is_end) + 1


def _o200k_ends(text: str, *, digits: int = 3, contractions: bool = True) -> Ends | None:
    """Return the ends by the pattern of o200k: words end before a capital that follows a small letter, and
    include a contraction. None if the text has marks, which are letters for it and signs too, a capital after
    a letter without case, or a slash after a line end: there, what matters is further away."""
    cases = kinds_of(characters(text), _CASES)
    after_lower = (cases[:-1] == _LOWER) & (cases[1:] == _UPPER)
    after_neither = (cases[:-1] == _NEITHER) & (cases[1:] == _UPPER)
    if after_neither.any() or (cases == _MARK).any() or "\n/" in text or "\r/" in text:
        return None
    is_end = _word_ends(text, _KINDS, digits, end_is_whole=False)
    is_end[:-1] |= after_lower
    if contractions:
        begins, ends = _spans(_CONTRACTION_AFTER_LETTER, text)
        for place in range(3):  # a contraction has two or three characters
            is_end[begins + place] = False
        is_end[ends - 1] = True
    return np.flatnonzero(is_end) + 1


def _word_ends(text: str, kinds: tuple[str, ...], digits: int, end_is_whole: bool) -> Flags:
    """Which characters end a pre-token of words, numbers, signs and white space, before contractions.

    Patterns differ in what is a letter, in how many ``digits`` of a number stay together, and in whether
    white space that ends the text is one pre-token.
    """
    # Treat the text as surrounded by white space that is neither space nor line end.
    codes = characters(f"\t{text}\t\t")
    kind_of = kinds_of(codes, kinds)
    before, kind, after, later = kind_of[:-3], kind_of[1:-2], kind_of[2:-1], kind_of[3:]
    is_line_end = (codes == _LINE_FEED) | (codes == _CARRIAGE_RETURN)
    is_line_end, next_is_line_end = is_line_end[1:-2], is_line_end[2:-1]
    is_white, is_sign = kind == _WHITE_SPACE, kind == _OTHER
    is_end: Flags = kind != after
    # Signs include a space before them. A word includes one character before it that is no line end; a sign
    # only if it is alone, without another sign or a space before it.
    stands_alone = is_sign & (before != _OTHER) & (codes[:-3] != _SPACE)
    is_end &= ~((codes[1:-2] == _SPACE) & (after == _OTHER))
    is_end &= ~((stands_alone | (is_white & ~is_line_end)) & (after == _LETTER))
    # The last white space character before anything else is separate, unless it is a line end.
    is_end |= is_white & (after == _WHITE_SPACE) & (later != _WHITE_SPACE) & ~next_is_line_end
    is_end &= ~(is_sign & next_is_line_end)
    ends_white = np.flatnonzero(is_white & (after != _WHITE_SPACE))
    _part_at_line_ends(is_end, np.flatnonzero(is_line_end), is_sign, ends_white, end_is_whole)
    _part_numbers(is_end, kind == _NUMBER, before == _NUMBER, digits)
    is_end[-1] = True
    return is_end


def _run_ends(text: str, blank: str) -> Ends:
    """Return the ends of runs of ``blank`` characters, and of others."""
    kinds = kinds_of(characters(text), (blank,))
    return np.append(np.flatnonzero(np.diff(kinds)) + 1, len(text))


def _sentencepiece_ends(text: str) -> Ends:
    """Return a space begins a pre-token, alone or with the word after it; separators stay together."""
    kinds = kinds_of(characters(text), ("[ ▁]", r"[\n\x00\x1f]"))
    kind, after = kinds[:-1], kinds[1:]
    is_end = (after == _SPACE_LIKE) | ((kind != after) & ((kind != _SPACE_LIKE) | (after != _OTHER)))
    return np.append(np.flatnonzero(is_end) + 1, len(text))


def _part_at_line_ends(
    is_end: Flags, line_ends: Ends, is_sign: Flags, ends_white: Ends, end_is_whole: bool
) -> None:
    """End a pre-token at the last line end in white space, and after line ends that directly follow a sign.

    ``ends_white``: where white space ends that does not end the text; in that which does, the last line end
    ends a pre-token unless ``end_is_whole``.
    """
    if not len(line_ends):
        return
    run = np.searchsorted(ends_white, line_ends)
    is_last = np.append(run[1:] != run[:-1], not end_is_whole or run[-1] < len(ends_white))
    is_end[line_ends[is_last]] = True
    parted = np.diff(line_ends) > 1
    firsts, lasts = line_ends[np.append(True, parted)], line_ends[np.append(parted, True)]
    is_end[lasts[(firsts > 0) & is_sign[firsts - 1]]] = True


def _part_numbers(is_end: Flags, is_number: Flags, is_inside: Flags, digits: int) -> None:
    """End a pre-token after every few ``digits`` of a number. ``is_inside``: whether the number continues."""
    places, starts = np.flatnonzero(is_number), np.flatnonzero(is_number & ~is_inside)
    start_of = starts[np.searchsorted(starts, places, "right") - 1]
    is_end[places[(places - start_of + 1) % digits == 0]] = True


_WAYS: dict[str | None, Callable[[str], Ends | None]] = {
    SPLIT_PATTERNS["gpt2"].regex: _gpt2_ends,
    SPLIT_PATTERNS["rustbpe"].regex: _rustbpe_ends,
    SPLIT_PATTERNS["llama3"].regex: _rustbpe_ends,
    SPLIT_PATTERNS["cl100k"].regex: partial(_rustbpe_ends, end_is_whole=True),
    SPLIT_PATTERNS["qwen2"].regex: partial(_rustbpe_ends, digits=1),
    SPLIT_PATTERNS["qwen3.5"].regex: partial(_rustbpe_ends, kinds=_KINDS_WITH_MARKS, digits=1),
    SPLIT_PATTERNS["o200k"].regex: _o200k_ends,
    SPLIT_PATTERNS["tekken"].regex: partial(_o200k_ends, digits=1, contractions=False),
    SPLIT_PATTERNS["whitespace"].regex: partial(_run_ends, blank=WHITESPACE),
    SPLIT_PATTERNS["spaces"].regex: partial(_run_ends, blank=r"[ \r\n]"),
    SPLIT_PATTERNS["sentencepiece"].regex: _sentencepiece_ends,
}
