"""Computing the claims of a lesson, and the captions that they fill."""

from collections.abc import Sequence
from dataclasses import dataclass

from bpeviz.errors import BpevizError, LessonError
from bpeviz.lessons.claim import Claim, Value
from bpeviz.lessons.prepared import Prepared
from bpeviz.lessons.reading import CODE, PLACEHOLDER
from bpeviz.text.token_text import visible

__all__ = ["Part", "Value", "compute", "fill", "plain"]


@dataclass(frozen=True)
class Part:
    """A part of a caption: words, or ``code``, which the page shows letter by letter."""

    words: str
    code: bool = False


def compute(prepared: Prepared, name: str) -> Value:
    """Return the value of a claim. Raises LessonError."""
    claim = prepared.lesson.claims[name]
    try:
        return claim.compute(prepared)
    except LessonError:
        raise
    except (BpevizError, LookupError, ValueError, ZeroDivisionError) as error:
        why = f"It can't be computed: {error}. Check its fields."
        raise LessonError(prepared.file, f"claims.{name}", why) from None


def fill(prepared: Prepared, words: str) -> list[Part]:
    """Return the parts of a caption, its placeholders filled. Raises LessonError."""
    parts: list[Part] = []
    end = 0
    for code in CODE.finditer(words):
        parts += _filled(prepared, words[end : code.start()])
        parts.append(Part(_edges_shown(code[0].strip("`")), code=True))
        end = code.end()
    return [part for part in [*parts, *_filled(prepared, words[end:])] if part.words]


def _edges_shown(code: str) -> str:
    """Code with its first and last spaces visible: a page would not show them."""
    inside = code.strip(" ")
    before = len(code) - len(code.lstrip(" "))
    return f"{'␣' * before}{inside}{'␣' * (len(code) - before - len(inside))}"


def _filled(prepared: Prepared, words: str) -> list[Part]:
    parts: list[Part] = []
    end = 0
    for name in PLACEHOLDER.finditer(words):
        parts.append(Part(words[end : name.start()]))
        parts += _shown(prepared.lesson.claims[name[1]], compute(prepared, name[1]))
        end = name.end()
    return [*parts, Part(words[end:])]


def _shown(claim: Claim, value: Value) -> list[Part]:
    match value:
        case tuple():
            tokens = [Part(visible(token), code=True) for token in value]
            return [part for token in tokens for part in (Part(claim.between), token)][1:]
        case str():
            return [Part(value)]
        case _:
            return [Part(f"{value:,}" if claim.grouped else str(value))]


def plain(parts: Sequence[Part]) -> str:
    """Return the parts as one text."""
    return "".join(part.words for part in parts)
