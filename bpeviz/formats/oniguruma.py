r"""The regular expressions of tokenizer.json files, which are written for Oniguruma, not for ``regex``.

    \p{N}{1,3}+     Oniguruma: any number of digits     regex: one to three, none given back
    \s+$            Oniguruma: also before any newline  regex: only at the end of the text

The two agree on what split patterns usually hold. A pattern with a piece that is known to mean something else
there is refused, because it would cut texts in other places. The dialects are not compared beyond that; only
patterns made of compared pieces are written. Their Unicode tables are of different years.
"""

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from bpeviz.formats.case_folds import other_folds
from bpeviz.formats.source import FaultError
from bpeviz.text.split_patterns import (
    MAX_PATTERN_LENGTH,
    SPLIT_PATTERNS,
    SplitPattern,
    custom_split_pattern,
)

__all__ = ["NAMED_PATTERNS", "oniguruma_refusal", "oniguruma_regex", "split_pattern_of"]

_IN_OTHER_WORDS = {"{1,3}+": "{1,3}", r"\s++$": r"\s++\z"}


def _for_oniguruma(pattern: str) -> str:
    for here, there in _IN_OTHER_WORDS.items():
        pattern = pattern.replace(here, there)
    return pattern


#: By name of a split pattern, the text with the same meaning in Oniguruma.
NAMED_PATTERNS: Mapping[str, str] = MappingProxyType(
    {p.name: _for_oniguruma(p.regex) for p in SPLIT_PATTERNS.values() if p.regex is not None}
)
_NAME_OF = {text: name for name, text in NAMED_PATTERNS.items()}
_NAMED_THERE = {SPLIT_PATTERNS[name].regex: text for name, text in NAMED_PATTERNS.items()}

_PIECE = re.compile(
    r"""\\.                                     # an escape
      | \[ \^? \]? (?: \\. | [^\\\]] )* \]      # a class
      | \{ [0-9]* ,? [0-9]* \}\+                # a possessive interval
      | \(\?[a-z]*m                             # a flag
      | [$^]""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPES = {
    r"\h": "hexadecimal digits",
    r"\H": "all but hexadecimal digits",
    r"\Z": "the end of the text or before its last newline",
    r"\w": "letters, marks and all numbers",
    r"\W": "all but letters, marks and numbers",
    r"\b": "the edge of letters, marks and all numbers",
    r"\B": "no edge of letters, marks and all numbers",
}

_KNOWN_THERE = re.compile(
    r"""(?: \\ (?: [pP]\{\^?[A-Za-z_]+\} | [sSdDrntf] | [^A-Za-z0-9] )
      | \[ \^? (?: \\ (?: [pP]\{\^?[A-Za-z_]+\} | [sSdDrntf] | [^A-Za-z0-9] ) | [^\\\[\]&] )+ \]
      | \( (?: \? (?: [:=!>] | <[=!] | i: ) | (?![?*]) )
      | \{ (?: [0-9]+ ,? [0-9]* | ,[0-9]+ ) \}
      | [^\\\[\](){}^$]
      | \)
    )*""",
    re.VERBOSE | re.DOTALL,
)


def split_pattern_of(pattern: str) -> SplitPattern:
    """Return the split pattern that cuts texts like Oniguruma with ``pattern``; a named one if there is one.

    Raises FaultError, which names the file, for what Oniguruma reads differently; SplitPatternError
    if the pattern does not compile.
    """
    if pattern in _NAME_OF:
        return SPLIT_PATTERNS[_NAME_OF[pattern]]
    for piece, meaning in _other_meanings(pattern):
        raise FaultError(
            f"its split pattern holds {piece}, which the library that wrote it takes for {meaning}, "
            "and bpeviz does not. Write the pattern without it."
        )
    return custom_split_pattern(pattern)


def oniguruma_regex(split: SplitPattern) -> str:
    """Return the regular expression of a split pattern, written for Oniguruma."""
    return _NAMED_THERE.get(split.regex, split.regex or "")


def oniguruma_refusal(split: SplitPattern) -> str:
    """Why a split pattern cannot be written for Oniguruma; empty if it can."""
    if split.regex is None or split.regex in _NAMED_THERE or split.regex in _NAME_OF:
        return ""
    for piece, meaning in _other_meanings(split.regex):
        return f"its split pattern holds {piece}, which Hugging Face's library takes for {meaning}."
    if not _KNOWN_THERE.fullmatch(split.regex):
        return "its split pattern holds what Hugging Face's library may not take, or take for something else."
    return ""


def _other_meanings(pattern: str) -> Iterator[tuple[str, str]]:
    """Yield the pieces of a pattern that mean something else there, each with its meaning there."""
    # custom_split_pattern refuses one that is too long
    for piece in _PIECE.findall(pattern[: MAX_PATTERN_LENGTH + 1]):
        if meaning := _meaning_there(piece):
            yield piece[:40], meaning
    for piece, meaning in other_folds(pattern[: MAX_PATTERN_LENGTH + 1]):
        yield piece[:40], meaning


def _meaning_there(piece: str) -> str | None:
    """Return what a piece of a pattern means in Oniguruma; None if it means the same here."""
    if piece.startswith("\\"):
        return _ESCAPES.get(piece)
    if piece.startswith("["):
        members = re.sub(r"\\[^hHwW]", "", piece[1:-1], flags=re.DOTALL)
        other = "&&" in members or "[" in members or re.search(r"\\[hHwW]", members)
        return "operations on classes" if other else None
    if piece.startswith("{"):
        return "a repetition of a repetition"
    if piece.startswith("("):
        return "a point that matches newlines"
    return "the end of any line" if piece == "$" else "the start of any line"
