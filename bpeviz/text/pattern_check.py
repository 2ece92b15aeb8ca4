r"""How a person's own pattern cuts the beginning of a text, also if it leaves parts of the text out.

    check_split_pattern("[a-z]+", "ab, c")  ->  ab, c as pre-tokens; 2 characters missed: "," and " "

A pattern that misses characters can't be trained with. An alternative at its end that matches any character
repairs it, if the result is a pattern that covers the text.
"""

from dataclasses import dataclass
from itertools import zip_longest

from bpeviz.errors import SplitPatternBusyError, SplitPatternError
from bpeviz.text.split_patterns import custom_split_pattern

__all__ = ["CATCH_ALL", "CHECKED_CHARACTERS", "PatternCheck", "Piece", "check_split_pattern"]

#: Matches any character, newlines too, whatever the flags before it.
CATCH_ALL = r"|[\s\S]"
#: The check looks at so much of a text, which takes a moment at most.
CHECKED_CHARACTERS = 20_000
CHECK_SECONDS = 1.0
MOST_PIECES = 10
MOST_EXAMPLES = 3


@dataclass(frozen=True)
class Piece:
    """A pre-token, or, if not ``covered``, the characters between two."""

    text: str
    covered: bool


@dataclass(frozen=True)
class PatternCheck:
    """What a pattern does with a text.

    - ``pieces``: the first ones; ``pre_tokens``: how many pre-tokens there are in all;
    - ``missed``: how many characters no match covers; ``examples``: the first of these that differ;
    - ``repaired``: the pattern with CATCH_ALL if that covers the text; empty if nothing is missed, or if that
      doesn't help.
    """

    pieces: tuple[Piece, ...]
    pre_tokens: int
    missed: int = 0
    examples: tuple[str, ...] = ()
    repaired: str = ""


def check_split_pattern(pattern: str, text: str) -> PatternCheck:
    """Check a pattern on the first CHECKED_CHARACTERS of ``text``.

    Raises SplitPatternError if the pattern does not compile, matches the empty string, or takes too long;
    SplitPatternBusyError if it can't be checked now.
    """
    text = text[:CHECKED_CHARACTERS]
    spans = _spans(pattern, text)
    gaps = [(end, start) for (_, end), (start, _) in _neighbours(spans, len(text)) if end < start]
    missed = "".join(text[start:end] for start, end in gaps)
    listed = sorted([*((*span, True) for span in spans), *((*gap, False) for gap in gaps)])
    return PatternCheck(
        tuple(Piece(text[start:end], covered) for start, end, covered in listed[:MOST_PIECES]),
        len(spans),
        len(missed),
        tuple(dict.fromkeys(missed))[:MOST_EXAMPLES],
        _repaired(pattern, text) if missed else "",
    )


def _spans(pattern: str, text: str) -> list[tuple[int, int]]:
    starts, ends = custom_split_pattern(pattern, timeout=CHECK_SECONDS).spans(text)
    spans = list(zip(starts, ends, strict=True))
    for start, end in spans:
        if start == end:
            raise SplitPatternError(
                f"The split pattern matches the empty string at character {start:,}. "
                "Every alternative must match at least one character: + in place of *, for instance.",
                pattern=pattern,
            )
    return spans


def _neighbours(
    spans: list[tuple[int, int]], length: int
) -> "zip_longest[tuple[tuple[int, int], tuple[int, int]]]":
    """Each match with the next; the edges of the text stand for those before the first and after the last."""
    return zip_longest([(0, 0), *spans], spans, fillvalue=(length, length))


def _repaired(pattern: str, text: str) -> str:
    repaired = pattern + CATCH_ALL
    try:
        spans = _spans(repaired, text)
    except SplitPatternBusyError:
        raise
    except SplitPatternError:
        return ""
    covers = all(end == start for (_, end), (start, _) in _neighbours(spans, len(text)))
    return repaired if covers else ""
