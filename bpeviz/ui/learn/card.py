"""The card of a stop or of a guess: mount it, and read what a person pressed on it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import streamlit as st

from bpeviz.core.token_chain import Pair
from bpeviz.lessons.guessing import VERDICTS
from bpeviz.ui.kit.messages import message_of, whole
from bpeviz.ui.kit.parts import mount_part
from bpeviz.ui.learn.state import Given

__all__ = ["GAVE_UP", "Card", "Pressed", "answer_of", "mount_card", "pair_of", "read_pressed"]

#: In place of an answer: the person asked to see it.
GAVE_UP = -1

Pressed = Literal["back", "forward"] | Given


@dataclass(frozen=True)
class Card:
    """What the card shows.

    - ``noun``: "card", "stop" or "guess"; ``place``: which one, counted from 0, of so many ``stops``;
    - ``stop``: what it says, asks and shows: see browser/lesson_words.py;
    - ``asks``: whether the person is still asked; ``acts``: whether they have taken the action of the stop;
    - ``given``: their answer, one of a question's; None if they asked to see it;
    - ``score``: how many guesses were right so far; ``leads``: where the button of the last stop leads.
    """

    noun: str
    place: int
    stops: int
    stop: Mapping[str, Any]
    asks: bool
    acts: bool = False
    given: Mapping[str, Any] | None = None
    score: str = ""
    leads: str = ""


def mount_card(card: Card, *, key: str, on_press: Callable[[Pressed], None]) -> None:
    """Show the card. Streamlit calls ``on_press`` with the button, or with an answer."""

    def pressed() -> None:
        read = read_pressed(st.session_state.get(key), card)
        if read is not None:
            on_press(read)

    data = {**vars(card), "title": None, "verdicts": VERDICTS}
    mount_part("lesson", key=key, data=data, on_pressed_change=pressed)


def read_pressed(state: object, card: Card) -> Pressed | None:
    """Return what a person pressed; None if the report is malformed, or about another card than this one: the
    second click of two must not skip a card."""
    message = message_of(state, "pressed")
    if (message.get("place"), message.get("acts")) != (card.place, card.acts):
        return None
    match message.get("does"):
        case "back" if card.place > 0:
            return "back"
        case "forward" if not card.asks:
            return "forward"
        case "answer" if card.asks:
            if message.get("answer") == GAVE_UP:
                return GAVE_UP
            answers = card.stop["guess"]["answers"]
            answer = whole(message.get("answer"), len(answers) - 1)
            return answer if answer is None else answers[answer]["pair"] or answer
    return None


def pair_of(given: Given | None) -> Pair | None:
    """Return the pair that a person answered with, if it was one."""
    return given if isinstance(given, tuple) else None


def answer_of(question: Mapping[str, Any] | None, given: Given | None) -> Mapping[str, Any] | None:
    """Return what a person answered to a question; None if they didn't, or asked to see the answer."""
    if question is None or given is None or given == GAVE_UP:
        return None
    answers: Sequence[Mapping[str, Any]] = question["answers"]
    if isinstance(given, tuple):
        return next(answer for answer in answers if answer["pair"] == given)
    return answers[given]
