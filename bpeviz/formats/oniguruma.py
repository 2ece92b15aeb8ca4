r"""The regular expressions of tokenizer.json files, which are written for Oniguruma, not for ``regex``.

    \p{N}{1,3}+     Oniguruma: any number of digits     regex: one to three, none given back
    \s+$            Oniguruma: also before any newline  regex: only at the end of the text

The two agree on what split patterns usually hold. A pattern with what is known to mean something else there
is refused, for it would cut texts in other places. The dialects are not compared beyond that.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType

from bpeviz.errors import TokenizerFileError
from bpeviz.split_patterns import (
    MAX_PATTERN_LENGTH,
    SPLIT_PATTERNS,
    SplitPattern,
    custom_split_pattern,
)

__all__ = ["NAMED_PATTERNS", "split_pattern_of"]

_IN_OTHER_WORDS = {"{1,3}+": "{1,3}", r"\s++$": r"\s++\z"}


def _for_oniguruma(pattern: str) -> str:
    for here, there in _IN_OTHER_WORDS.items():
        pattern = pattern.replace(here, there)
    return pattern


#: The text that means in Oniguruma what a named split pattern means here, by name.
NAMED_PATTERNS: Mapping[str, str] = MappingProxyType(
    {p.name: _for_oniguruma(p.regex) for p in SPLIT_PATTERNS.values() if p.regex is not None}
)
_NAME_OF = {text: name for name, text in NAMED_PATTERNS.items()}

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
}


def split_pattern_of(pattern: str, name: str) -> SplitPattern:
    """The split pattern that cuts texts as Oniguruma does with ``pattern``; named where it is a named one.

    Raises TokenizerFileError, naming the file, for what Oniguruma takes otherwise; SplitPatternError where
    the pattern does not compile.
    """
    if pattern in _NAME_OF:
        return SPLIT_PATTERNS[_NAME_OF[pattern]]
    # one that is too long is for custom_split_pattern to refuse
    for piece in _PIECE.findall(pattern[: MAX_PATTERN_LENGTH + 1]):
        meaning = _meaning_there(piece)
        if meaning:
            raise TokenizerFileError(
                name,
                f"its split pattern holds {piece[:40]}, which the library that wrote it takes for {meaning}, "
                "and bpeviz does not. Write the pattern without it.",
            )
    return custom_split_pattern(pattern)


def _meaning_there(piece: str) -> str | None:
    """What Oniguruma takes a piece of a pattern for; None where it is the same here."""
    if piece.startswith("\\"):
        return _ESCAPES.get(piece)
    if piece.startswith("["):
        members = re.sub(r"\\[^hH]", "", piece[1:-1], flags=re.DOTALL)
        other = "&&" in members or "[" in members or re.search(r"\\[hH]", members)
        return "operations on classes" if other else None
    if piece.startswith("{"):
        return "a repetition of a repetition"
    if piece.startswith("("):
        return "a point that matches newlines"
    return "the end of any line" if piece == "$" else "the start of any line"
