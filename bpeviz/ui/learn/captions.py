"""Captions of lessons as markdown."""

import re
from collections.abc import Sequence

from bpeviz.errors import LessonError
from bpeviz.lessons.computing import Part, fill
from bpeviz.lessons.prepared import Prepared
from bpeviz.ui.kit.words import escape, show_error

__all__ = ["as_markdown", "said"]


def as_markdown(parts: Sequence[Part]) -> str:
    """Write the parts of a caption as markdown: words as they are, code in a typewriter's letters."""
    return "".join(_code(part.words) if part.code else escape(part.words) for part in parts)


def said(lesson: Prepared, words: str) -> str:
    """Write words of a lesson as markdown. If a figure in them can't be computed, show the error, and leave
    the name of the figure."""
    try:
        return as_markdown(fill(lesson, words))
    except LessonError as error:
        show_error(error)
        return escape(words)


def _code(words: str) -> str:
    """Write a code span: its fence is longer than any row of backticks in it."""
    fence = "`" * (max(map(len, re.findall("`+", words)), default=0) + 1)
    space = " " if words.startswith("`") or words.endswith("`") else ""
    return f"{fence}{space}{words}{space}{fence}"
