r"""What a pattern that ignores case matches in Oniguruma but not in ``regex``.

    (?i:ß)        Oniguruma: also "ss"                regex: ß and ẞ
    (?i:ss)       Oniguruma: also ß                   regex: ss in either case
    (?i:i)        Oniguruma: i and I                  regex: also İ, and ı for I
    (?i:\p{Lu})   Oniguruma: capitals alone           regex: all letters that have a case
    a(?i)b        Oniguruma: ignores the case of b    regex: of a too

Some characters fold to two or three, and Oniguruma treats them as equal, in literal text and in classes. All
other characters with a case mean the same in both.
"""

import re
import sys
from collections.abc import Iterator, Mapping
from functools import cache

__all__ = ["other_folds"]

_TOKEN = re.compile(
    r"""(?P<comment>  \(\?\#[^)]*\)?)
      | (?P<flags>    \(\? [a-zA-Z]* (?:-[a-zA-Z]+)? [:)])
      | (?P<open>     \( (?:\? (?:<[=!] | P?<\w+> | [=!>|]) )?)
      | (?P<close>    \))
      | (?P<property> \\[pP] (?:\{[^}]*\}? | .))
      | (?P<number>   \\[xuUNo0] (?:\{[^}]*\}?)?)
      | (?P<escape>   \\[a-zA-Z1-9])
      | (?P<literal>  \\.)
      | (?P<class>    \[ \^? \]? (?: \\. | [^\\\]] )* \]?)
      | (?P<repeat>   [*+?] | \{[0-9]*,?[0-9]*\})
      | (?P<other>    [|.^$])
      | (?P<text>     .)""",
    re.VERBOSE | re.DOTALL,
)
_MEMBER = re.compile(r"\\[pP]\{[^}]*\}?|\\.|.", re.DOTALL)
_CASED_PROPERTY = re.compile(r"\\[pP]\{?\^?(?:L[ultc&]\b|.*(?:upper|lower|title|case|letter))", re.IGNORECASE)
#: The two letters i of Turkish, with and without a dot: ``regex`` matches each with i or I too.
_TURKISH = frozenset("iIİı")


def other_folds(pattern: str) -> Iterator[tuple[str, str]]:
    """Yield the pieces of a pattern that mean something else in Oniguruma, each with its meaning there."""
    before = ""
    skips_spaces = re.search(r"\(\?[a-zA-Z]*x", pattern)
    for kind, piece in _ignoring_case(pattern):
        if piece.isspace() and skips_spaces:
            continue
        if kind in ("literal", "text"):
            before = (before + piece[-1].casefold())[-6:]
            yield from _literal(piece[-1], before)
        elif kind in ("class", "property", "number"):
            before = ""
            yield from _one_of_many(kind, piece)
        elif kind == "flags" and piece.endswith(")"):
            yield piece, "a flag of what follows it alone"
        elif kind not in ("comment", "flags", "open", "close"):  # the text continues after these
            before = ""


def _ignoring_case(pattern: str) -> Iterator[tuple[str, str]]:
    """Yield the parts of a pattern where case is ignored, each with its kind, without a flag for the whole
    pattern.

    Everything else is a part of the kind "other".
    """
    ignoring, outer = False, list[bool]()
    for found in _TOKEN.finditer(pattern):
        kind, piece = str(found.lastgroup), found[0]
        if kind == "flags":
            on, _, off = piece[2:-1].partition("-")
            if piece.endswith(":"):
                outer.append(ignoring)
            elif found.start() > 0 and "i" in on + off:
                yield kind, piece
            ignoring = (ignoring or "i" in on) and "i" not in off
        elif kind == "open":
            outer.append(ignoring)
        elif kind == "close" and outer:
            ignoring = outer.pop()
        elif ignoring:
            yield kind, piece
        else:
            yield "other", ""


def _literal(character: str, before: str) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with a character of literal text, which ends the folded text ``before``."""
    if character in _TURKISH:
        yield character, "i and I alone where case is ignored, not for İ and ı"
    if character in _folds():
        yield character, f"{_folds()[character]} too where case is ignored"
    for folded, fold in _folds().items():
        if before.endswith(fold):
            yield fold, f"{folded} too where case is ignored"


def _one_of_many(kind: str, piece: str) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with a class, a property or a character written as a number."""
    if kind == "number" or (kind == "class" and re.search(r"\\[xuUNo0]", piece)):
        yield piece, "a character in any case, written as a number"
    elif kind == "property" and _CASED_PROPERTY.match(piece):
        yield piece, "letters of one case although case is ignored"
    elif kind == "class" and re.search(r"\\[pP]", piece):
        # U+0345, a mark, has the letter ι as its other case
        yield piece, "other characters where case is ignored"
    elif kind == "class":
        odd = _TURKISH if piece.startswith("[^") else {*_TURKISH, *_folds()}
        within = [c for c in odd if _holds(piece, c)]
        if within:
            yield piece, f"other cases of {min(within)} where case is ignored"


def _holds(piece: str, character: str) -> bool:
    """Return whether a class holds a character by itself or in a range."""
    members = [m[-1] if len(m) <= 2 else "" for m in _MEMBER.findall(piece.strip("[]").removeprefix("^"))]
    ranges = zip(members, members[1:], members[2:], strict=False)
    return character in members or any(
        between == "-" and first <= character <= last for first, between, last in ranges if first and last
    )


@cache
def _folds() -> Mapping[str, str]:
    """Return the characters that fold to several characters, each with these."""
    characters = map(chr, range(0x80, sys.maxunicode + 1))
    return {c: fold for c in characters if len(fold := c.casefold()) > 1}
