"""The lessons as the playground has them: tests/unit/standalone/test_lessons.py compares them."""

import json
from functools import cache
from typing import Any

from bpeviz.standalone.lessons import lesson_packs

__all__ = ["lesson", "said", "table"]


@cache
def table() -> dict[str, Any]:
    """What Python writes into the page."""
    read: dict[str, Any] = json.loads(lesson_packs()["lessons"])
    return read


def lesson(slug: str) -> dict[str, Any]:
    """One lesson."""
    found: dict[str, Any] = next(each for each in table()["lessons"] if each["slug"] == slug)
    return found


def said(words: list[Any]) -> str:
    """Words as one text; code is in lists of one."""
    return "".join(part if isinstance(part, str) else part[0] for part in words)
