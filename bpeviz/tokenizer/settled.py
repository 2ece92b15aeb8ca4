r"""Where the settled part of a text ends: no continuation moves a cut between two pre-tokens before it.

    "you'l" by GPT-2's pattern   you|'l| at the end  ->  "you'll" is you|'ll: only "you" is settled
    "a\n "  by o200k's pattern   a|\n| |             ->  "a\n \n" is a|\n \n|: only "a" is settled

A pattern matches one pre-token after the other, and looks at little beyond it. So only the last few can
change; they are cut again with each kind of text that may follow.
"""

from collections.abc import Iterator
from contextlib import suppress
from itertools import accumulate

import regex

from bpeviz.errors import SplitPatternError
from bpeviz.text.characters import without_newer_characters
from bpeviz.text.split_patterns import CUSTOM, SplitPattern

__all__ = ["MOST_TRIED", "settled_end"]

#: The characters at the end of a text of which the pre-tokens are cut again.
MOST_TRIED = 5_000
#: All that a named pattern looks at while it matches one pre-token: letters and what may be a contraction,
#: other characters with line ends, white space, or digits, and one character more. A part of such a text is
#: such a text, so if a pre-token can't change, none before it can.
_LOOKED_AT = regex.compile(
    r"(?s:.?[\p{L}\p{M}]*.{0,3}|.?[^\s\p{L}\p{N}]*[\r\n/]*.?|\s*.?|\p{N}{0,3}.?)", cache_pattern=False
)
#: How long a custom pattern may take on each of some forty texts.
CUSTOM_SECONDS = 0.1
#: A character of each kind that the named patterns tell apart, and those of contractions.
_KINDS = "asdmtlvreASDMTLVREſǅʰ中あ\u05d01² \n\r\t\u3000\x1c\u0301!/'▁\x00🚢"
#: One character decides, but for the contractions with two after the apostrophe.
_FOLLOWING = ("", *_KINDS, "ll", "re", "ve")


def settled_end(split: SplitPattern, text: str) -> int:
    """Return how many characters of a text are in settled pre-tokens; the last pre-token is always open.

    For named patterns this is proved; for a custom one it is what was tried. 0 if more than MOST_TRIED
    characters at the end may change. Raises SplitPatternError.
    """
    pre_tokens = split.split(text)
    rests = list(_rests(split, text))
    # an added token cuts the text where it begins
    end = len(text) - max((begun for begun, _ in rests), default=0)
    first, start = len(pre_tokens), len(text)
    while first and (start >= end or _may_change(split, text, start - len(pre_tokens[first - 1]), end)):
        first -= 1
        start -= len(pre_tokens[first])
        if len(text) - start > MOST_TRIED:
            return 0
    sure = list(accumulate(map(len, pre_tokens[first:-1])))
    for more in (*_FOLLOWING, *(rest for _, rest in rests)):
        cuts = _cuts(split, text[start:] + more)
        while cuts and sure and cuts[: len(sure)] != sure:
            sure.pop()
    return start + (sure[-1] if sure else 0)


def _cuts(split: SplitPattern, text: str) -> list[int]:
    """Return where the pre-tokens of a text end; empty if a custom pattern can't split it, or not soon."""
    if split.name != CUSTOM:
        return list(accumulate(map(len, split.split(text))))
    with suppress(SplitPatternError):
        return list(accumulate(map(len, split.split(text, timeout=CUSTOM_SECONDS))))
    return []


def _may_change(split: SplitPattern, text: str, start: int, end: int) -> bool:
    """Return whether the pattern may look beyond ``end`` while it matches a pre-token at ``start``."""
    looked_at = text[start:end]
    if split.older_unicode:
        looked_at = without_newer_characters(looked_at)
    return _LOOKED_AT.fullmatch(looked_at) is not None


def _rests(split: SplitPattern, text: str) -> Iterator[tuple[int, str]]:
    """Yield how many characters of each added token the text may end in, and the rest of the token."""
    for token in (*split.special_tokens, *split.as_text):
        for begun in range(1, len(token)):
            if text.endswith(token[:begun]):
                yield begun, token[begun:]
