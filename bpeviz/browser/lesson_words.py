"""What a lesson's card says, asks and shows at a stop, as values for JSON: bpeviz/browser/lesson draws them.

Words with code in them are a list: the code in lists of one.

    stop_words(prepared("tour"), 1)    {"caption": ["A merge joins …"], "says": ["Merge it"], …}
"""

from collections.abc import Sequence
from typing import Any

from bpeviz.browser.aligned_rows import aligned_rows, pack_rows
from bpeviz.core.token_chain import Pair
from bpeviz.lessons.computing import Part, fill, plain
from bpeviz.lessons.guessing import Candidate, candidates
from bpeviz.lessons.lesson import ChoiceGuess, Guess, PairGuess
from bpeviz.lessons.prepared import Prepared
from bpeviz.runs.run import Run

__all__ = ["Words", "pair_question", "stop_words", "words"]

#: Words, and code in lists of one.
Words = list[str | list[str]]


def stop_words(lesson: Prepared, place: int, also: Pair | None = None) -> dict[str, Any]:
    """Return what the stop at a ``place``, counted from 0, says, asks and shows; ``also`` is one more answer
    to a question about pairs. Raises LessonError if a figure can't be computed."""
    stop = lesson.lesson.stops[place]
    material, step = lesson.material_at(place)
    return {
        "caption": words(fill(lesson, stop.caption)),
        "says": words(fill(lesson, stop.action.says)) if stop.action else None,
        "guess": _question(lesson, stop.guess, material.run, step, also) if stop.guess else None,
        "rows": _rows(lesson, stop.rows, material.text) if stop.rows else None,
    }


def words(parts: Sequence[Part]) -> Words:
    """Return parts of a sentence for the card."""
    return [[part.words] if part.code else part.words for part in parts]


def pair_question(run: Run, step: int, most: int, also: Pair | None = None) -> dict[str, Any]:
    """Return the question which pair is merged after ``step`` merges, with at most so many answers, and
    ``also`` one more that occurs. ``others`` are answers that tie but aren't listed."""
    listed = candidates(run, step, most, also)
    every = candidates(run, step, max(most, run.steps[step].tied))
    return {
        "question": ["Which pair is next?"],
        "answers": [_answer_of(each) for each in listed],
        "others": [_answer_of(each) for each in every if each.ties and each not in listed],
        "because": [],
        "count": run.steps[step].count,
    }


def _question(lesson: Prepared, guess: Guess, run: Run, step: int, also: Pair | None) -> dict[str, Any]:
    match guess:
        case PairGuess(answers=most):
            return pair_question(run, step, most, also)
        case ChoiceGuess(question=question, answers=answers, right=right, because=because):
            right_words = plain(fill(lesson, right))
            return {
                "question": words(fill(lesson, question)),
                "answers": [_choice(fill(lesson, answer), right_words) for answer in answers],
                "others": [],
                "because": words(fill(lesson, because)),
                "count": None,
            }


def _answer_of(candidate: Candidate) -> dict[str, Any]:
    own = {"right": candidate.right, "ties": candidate.ties, "why": candidate.why}
    return {"words": [candidate.label], "pair": candidate.pair, **own}


def _choice(answer: Sequence[Part], right: str) -> dict[str, Any]:
    return {"words": words(answer), "pair": None, "right": plain(answer) == right, "ties": False, "why": ""}


def _rows(lesson: Prepared, names: Sequence[str], text: str) -> dict[str, Any]:
    """Return the text in the tokens of several runs and built-in tokenizers, one row each."""
    titles = [lesson.lesson.row_title(name) for name in names]
    return pack_rows(text, titles, aligned_rows(text, [lesson.tokenizer(name) for name in names]))
