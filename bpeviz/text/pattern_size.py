"""Estimates how large a compiled regular expression gets.

    (a+)+    a compiles twice, for "once" and "any more"; the group around it twice again: 4 times

So each nested repetition doubles the size: 61 characters can take 2 GB. With this estimate, patterns that are
clearly too large are refused at once. It does not read every notation, so it is no safeguard; pattern_tasks
is.
"""

import re

__all__ = ["compiled_size"]

_PIECE = re.compile(
    r"""(?P<open> \( )
      | (?P<close> \) )
      | (?: (?P<more> \+ ) | \{ (?P<least> [0-9]+ ) (?P<range> ,[0-9]* )? \} ) [?+]?
      | \\. | \[ \^? \]? (?: \\. | [^\\\]] )* \]   # one character
      | .""",
    re.VERBOSE | re.DOTALL,
)


def compiled_size(pattern: str) -> float:
    """About how many characters and groups a pattern has when its repetitions are written out."""
    sizes = [0.0]  # of the open groups, from the outside in
    last = 0.0  # of the part that a repetition would repeat
    for piece in _PIECE.finditer(pattern):
        if piece["open"]:
            sizes.append(0.0)
            last = 0.0
        elif piece["close"]:
            last = 1.0 + (sizes.pop() if len(sizes) > 1 else 0.0)
            sizes[-1] += last
        elif (times := _times(piece)) > 1:
            sizes[-1] += last * (times - 1)
            last *= times
        elif not piece["least"]:
            last = 1.0
            sizes[-1] += last
    return sum(sizes)


def _times(piece: "re.Match[str]") -> float:
    """How often a repetition compiles what it repeats; 1 if it is no repetition."""
    if piece["more"]:
        return 2.0
    least = float(piece["least"] or 0)
    return least + 1 if piece["range"] and least else max(1.0, least)
