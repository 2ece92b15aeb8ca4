"""What the page keeps of a person: their guesses, and which lessons are done. Which lesson and stop is on
show is in the address."""

from dataclasses import dataclass, field
from typing import ClassVar, cast
from urllib.parse import urlsplit, urlunsplit

import streamlit as st

from bpeviz.core.token_chain import Pair
from bpeviz.sessions.document import Names
from bpeviz.sessions.page_fields import PageFields
from bpeviz.ui.kit.tour import CARD

__all__ = [
    "CHALLENGE",
    "LESSON",
    "STOP",
    "TOUR",
    "Given",
    "LearnState",
    "LessonsDone",
    "address",
    "go",
    "learn_state",
    "place_of",
]

#: The parameters of the address: /learn?lesson=what-is-a-merge&stop=2
LESSON, STOP, CHALLENGE = "lesson", "stop", "challenge"
#: The lesson whose stops are the cards of the tour; the main page has it too: /?card=5
TOUR = "tour"


#: An answer: its place, or the pair that the person picked.
Given = int | Pair


class DoneFields(PageFields, forbid_unknown_fields=True):
    """What is saved of the page: the lessons of which the person has seen the last stop."""

    lessons: Names = ()


@dataclass
class LessonsDone:
    """The part of the page's state that is saved."""

    address: ClassVar[str] = "learn"

    saved: DoneFields = field(default_factory=DoneFields)

    def note(self, slug: str) -> None:
        """Note that a lesson is done."""
        if slug not in self.saved.lessons:
            self.saved.lessons = (*self.saved.lessons, slug)


@dataclass
class LearnState:
    """``answers``: the answer picked at a stop, -1 for none, by lesson and stop. ``acted``: the lesson and
    stop whose action the person has taken since they came there. ``picks``: in the challenge
    ``played``, a run and its number, the answers so far; ``at``: the question on show. ``packed``: what the
    player shows, and what it was made from. ``link``: a link to the challenge, once made."""

    answers: dict[tuple[str, int], Given] = field(default_factory=dict)
    acted: tuple[str, int] | None = None
    played: tuple[int, int] = (0, 0)
    picks: list[bool] = field(default_factory=list)
    at: int = 0
    picked: Given | None = None
    packed: tuple[tuple[int, int, bool], bytes] | None = None
    link: str = ""


def learn_state() -> LearnState:
    """Return the state of this session."""
    if "learn" not in st.session_state:
        st.session_state["learn"] = LearnState()
    return cast(LearnState, st.session_state["learn"])


def address(parameters: str) -> str:
    """Write the address of a place of the page, without the person's saved session; without the host if that
    is unknown."""
    here = urlsplit(st.context.url or "")
    return urlunsplit((here.scheme, here.netloc, here.path, parameters, ""))


def place_of(slug: str, place: int) -> dict[str, str]:
    """Return the parameters of the address of a stop, counted from 0."""
    number = str(place + 1)
    return {CARD: number} if slug == TOUR else {LESSON: slug, STOP: number}


def go(**parameters: str) -> None:
    """Go to a place of the page: the parameters of the address, without those of other places."""
    learn_state().acted = None
    places = (LESSON, STOP, CHALLENGE, CARD)
    others = {name: value for name, value in st.query_params.to_dict().items() if name not in places}
    # At once: each change is an entry of the browser's history.
    st.query_params.from_dict(others | parameters)
