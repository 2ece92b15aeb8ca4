"""A question with answers to pick from, and what each answer meant."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import streamlit as st

from bpeviz.lessons.guessing import VERDICTS, Candidate, candidates
from bpeviz.runs.run import Run
from bpeviz.ui.kit.words import escape
from bpeviz.ui.learn.state import Given

__all__ = ["GAVE_UP", "Answer", "ask", "ask_pair", "say_answers", "say_pairs"]

#: In place of an answer: the person asked to see it.
GAVE_UP = -1


@dataclass(frozen=True)
class Answer:
    """An answer in markdown; whether it is ``right``, or ``ties`` with the right one."""

    words: str
    right: bool
    ties: bool = False


def ask_pair(run: Run, step: int, most: int, *, name: str, on_answer: Callable[[Given], None]) -> None:
    """Ask which pair is merged after ``step`` merges; the person may also pick one in the player's text."""
    found = candidates(run, step, most)

    def answered(place: int) -> None:
        on_answer(found[place].pair if place >= 0 else GAVE_UP)

    st.caption("Pick a token in the text: it and the next one are your guess.")
    ask("Which pair is next?", [_answer(each) for each in found], name=name, on_answer=answered)


def say_pairs(run: Run, step: int, most: int, picked: Given) -> None:
    """Say whether the picked pair is the next one, and why; the bars show the others."""
    pair = picked if isinstance(picked, tuple) else None
    found = candidates(run, step, most, also=pair)
    place = next((place for place, each in enumerate(found) if each.pair == pair), GAVE_UP)
    because = [each.why for each in found if each.right or each.pair == pair]
    say_answers([_answer(each) for each in found], place, escape(" ".join(because)))


def _answer(candidate: Candidate) -> Answer:
    return Answer(escape(candidate.label), candidate.right, candidate.ties)


def ask(question: str, answers: Sequence[Answer], *, name: str, on_answer: Callable[[int], None]) -> None:
    """Ask, and call ``on_answer`` with the place of the answer that the person picks. No other question has
    the same ``name``."""

    def picked() -> None:
        place = st.session_state.get(f"guess-{name}")
        if isinstance(place, int) and 0 <= place < len(answers):
            on_answer(place)

    st.pills(
        question,
        range(len(answers)),
        format_func=lambda place: answers[place].words,
        key=f"guess-{name}",
        on_change=picked,
    )
    st.button(
        "Show the answer", key=f"guess-{name}-show", type="tertiary", on_click=on_answer, args=(GAVE_UP,)
    )


def say_answers(answers: Sequence[Answer], picked: int, because: str = "") -> None:
    """Say whether the picked answer is right, and ``because`` of what."""
    right = next(answer for answer in answers if answer.right).words
    given = answers[picked] if 0 <= picked < len(answers) else None
    if given is None:
        st.info(VERDICTS["shown"].format(right=right))
    elif given.right:
        st.success(VERDICTS["right"].format(right=right), icon=":material/check:")
    elif given.ties:
        st.warning(VERDICTS["ties"].format(given=given.words, right=right), icon=":material/balance:")
    else:
        st.error(VERDICTS["other"].format(given=given.words, right=right), icon=":material/close:")
    if because:
        st.markdown(because)
