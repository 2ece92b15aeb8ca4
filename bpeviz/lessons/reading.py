"""Reading the files of lessons, and checking what can be checked without training."""

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec

from bpeviz.decoders import read_toml
from bpeviz.errors import LessonError
from bpeviz.formats.pretrained import is_pretrained
from bpeviz.lessons.claims import Difference, Largest, Ratio, Same, Smallest
from bpeviz.lessons.lesson import ChoiceGuess, Lesson, PairGuess

__all__ = ["FOLDER", "PLACEHOLDER", "lesson_files", "lesson_named", "read_lesson"]

FOLDER = Path(__file__).parent / "data"
#: A figure in a caption: the name of its claim. Between backticks is code, which has none.
PLACEHOLDER = re.compile(r"\{(\w+)\}")
CODE = re.compile(r"`[^`]*`")
#: A figure that is typed: digits that begin a word, unlike those of GPT-2 and o200k.
TYPED_FIGURE = re.compile(r"(?<![\w.-])\d[\d.,]*")
_NAMED = re.compile(r"^(\d\d)-([a-z0-9-]+)$")
_AT = re.compile(r" - at `\$\.?(.*)`$", re.DOTALL)


@cache
def lesson_files() -> dict[str, Path]:
    """Return the file of every lesson by its slug, in order: {"merge": …/01-merge.toml}. A file with another
    name is there by that name; lesson_named says what is wrong."""
    files: dict[str, Path] = {}
    for path in sorted(FOLDER.glob("*.toml")):
        named = _NAMED.match(path.stem)
        files[named[2] if named else path.stem] = path
    return files


@cache
def lesson_named(slug: str) -> Lesson:
    """Return the lesson of a slug that lesson_files knows. Raises LessonError."""
    path = lesson_files()[slug]
    if not _NAMED.match(path.stem):
        raise LessonError(path.name, "name", "Name the file like 01-what-is-a-merge.toml.")
    return read_lesson(path)


def read_lesson(path: Path) -> Lesson:
    """Return the lesson in a file. Raises LessonError, which names the file and the field."""
    try:
        lesson = read_toml(path.read_text("utf-8"), Lesson)
    except (OSError, UnicodeDecodeError) as error:
        raise LessonError(path.name, "file", f"can't be read ({type(error).__name__}). Check it.") from None
    except tomllib.TOMLDecodeError as error:
        raise LessonError(path.name, "file", f"is not TOML: {error}. Correct that place.") from None
    except msgspec.ValidationError as error:
        at = _AT.search(str(error))
        field = at[1] if at else "file"
        why = _AT.sub("", str(error))
        raise LessonError(path.name, field, f"{why}. docs/lessons.md lists the fields.") from None
    _check(path.name, lesson)
    return lesson


def _check(file: str, lesson: Lesson) -> None:
    used = set(_operands(file, lesson))
    for field, words in texts_of(lesson):
        for code in CODE.findall(words):
            if PLACEHOLDER.search(code):
                raise LessonError(file, field, "Write a placeholder without backticks.")
        plain = CODE.sub("", words)
        used |= set(_placeholders(file, lesson, field, plain))
        if typed := TYPED_FIGURE.search(PLACEHOLDER.sub("", plain)):
            raise LessonError(file, field, f"{typed[0]!r} is typed. Name a claim that computes it.")
    if unused := sorted(lesson.claims.keys() - used):
        raise LessonError(file, f"claims.{unused[0]}", "No caption uses it. Use it, or remove it.")
    _check_names(file, lesson)


def _check_names(file: str, lesson: Lesson) -> None:
    """Check that each run that is named is there, and can be asked for what it is named for."""
    for name, run in lesson.runs.items():
        learned = lesson.runs.get(run.merges_of)
        if run.merges_of and (learned is None or learned.tokenizer or learned.merges_of or learned.replayed):
            why = f"There is no trained run {run.merges_of!r}. Name one of runs."
            raise LessonError(file, f"runs.{name}.merges_of", why)
    for place, stop in enumerate(lesson.stops):
        if stop.run and stop.run not in lesson.runs:
            raise LessonError(file, f"stops[{place}].run", f"There is no run {stop.run!r}. Name one of runs.")
        run = lesson.runs[lesson.run_of(stop)]
        if isinstance(stop.guess, PairGuess) and (run.tokenizer or run.merges_of or run.replayed):
            why = "A tokenizer is replayed by rank, so counts don't tell its next pair. Ask a choice."
            raise LessonError(file, f"stops[{place}].guess", why)
        if isinstance(stop.guess, PairGuess) and stop.step == 0:
            why = "The player needs a merge to show. Ask at step 1 or later."
            raise LessonError(file, f"stops[{place}].step", why)
        for number, name in enumerate(stop.rows):
            if name not in lesson.runs and not is_pretrained(name):
                why = f"There is no run or built-in tokenizer {name!r}. Name one of them."
                raise LessonError(file, f"stops[{place}].rows[{number}]", why)
    for name, claim in lesson.claims.items():
        run_name = getattr(claim, "run", "")
        if run_name and run_name not in lesson.runs:
            raise LessonError(file, f"claims.{name}.run", f"There is no run {run_name!r}. Name one of runs.")


def texts_of(lesson: Lesson) -> Iterator[tuple[str, str]]:
    """Everything in a lesson that a person reads, by its field."""
    yield "title", lesson.title
    yield "about", lesson.about
    for place, stop in enumerate(lesson.stops):
        yield f"stops[{place}].caption", stop.caption
        if stop.action:
            yield f"stops[{place}].action.says", stop.action.says
        if isinstance(stop.guess, ChoiceGuess):
            yield f"stops[{place}].guess.question", stop.guess.question
            for number, answer in enumerate(stop.guess.answers):
                yield f"stops[{place}].guess.answers[{number}]", answer
            yield f"stops[{place}].guess.right", stop.guess.right
            yield f"stops[{place}].guess.because", stop.guess.because


def _placeholders(file: str, lesson: Lesson, field: str, words: str) -> Iterator[str]:
    for name in PLACEHOLDER.findall(words):
        if name not in lesson.claims:
            raise LessonError(file, field, f"There is no claim {name!r}. Add it under [claims].")
        yield name


def _operands(file: str, lesson: Lesson) -> Iterator[str]:
    """Yield the claims that other claims are computed from. They come first, so none is computed from
    itself."""
    before: set[str] = set()
    for name, claim in lesson.claims.items():
        match claim:
            case Ratio(over=one, under=other) | Difference(more=one, less=other) | Same(one=one, other=other):
                needed = [one, other]
            case Largest(among=among) | Smallest(among=among):
                needed = list(among.values())
            case _:
                needed = []
        for other in needed:
            if other not in before:
                why = f"There is no claim {other!r} above it. Put it above."
                raise LessonError(file, f"claims.{name}", why)
            yield other
        before.add(name)
