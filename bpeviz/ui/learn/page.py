"""The page from its address: the list of lessons, a stop of a lesson, or the challenge."""

from functools import partial

import streamlit as st

from bpeviz.errors import LessonError
from bpeviz.lessons.lesson import GROUPS, Lesson
from bpeviz.lessons.prepared import prepared
from bpeviz.lessons.reading import lesson_files, lesson_named
from bpeviz.ui.kit.drop_zone import hold_files
from bpeviz.ui.kit.tour import CARD, note_card, tour_button
from bpeviz.ui.kit.words import show_error
from bpeviz.ui.learn.captions import said
from bpeviz.ui.learn.challenge_view import challenge_view
from bpeviz.ui.learn.lesson_view import lesson_view
from bpeviz.ui.learn.state import CHALLENGE, LESSON, STOP, TOUR, LessonsDone, go
from bpeviz.ui.session.session import Session, session
from bpeviz.words import counted

__all__ = ["learn_page", "tour_page"]

#: The challenge that the list offers; a link may have another number.
FIRST_CHALLENGE = 1
MOST_CHALLENGES = 9_999
CHALLENGE_ON_SAMPLE = {CHALLENGE: str(FIRST_CHALLENGE), "sample": "English prose", "merges": "200"}


def learn_page() -> None:
    """Draw the page for this session."""
    state = session()
    asked = st.query_params
    slug, number = asked.get(LESSON), asked.get(CHALLENGE)
    if CARD in asked:
        tour_page()
        return
    hold_files()
    if slug is not None and slug in lesson_files():
        lesson_view(slug, _place(slug, asked.get(STOP, "")))
    elif number is not None and _number(number, MOST_CHALLENGES):
        challenge_view(state, _number(number, MOST_CHALLENGES))
    else:
        if slug is not None or number is not None:
            show_error("This link names no lesson. Choose one below.")
        _list(state)


def tour_page() -> None:
    """Draw the card of the tour that the address asks for. The session's run stays as it is."""
    hold_files()
    place = _place(TOUR, st.query_params.get(CARD, ""))
    note_card(place + 1)
    lesson_view(TOUR, place)


def _place(slug: str, asked: str) -> int:
    """Return the stop that an address asks for, counted from 0; the first if the lesson lacks it."""
    try:
        stops = len(lesson_named(slug).stops)
    except LessonError:
        return 0  # the lesson itself says what is wrong
    return max(0, _number(asked, stops) - 1)


def _number(asked: str, most: int) -> int:
    """Return a number from 1 to ``most``; 0 for anything else."""
    number = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 9 else 0
    return number if number <= most else 0


def _list(state: Session) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption("Each question is a short lesson on the player. Guess before you read on.")
        tour_button("tour_learn", "secondary")
    lessons, done = _lessons(), state.pages.of(LessonsDone).saved.lessons
    for kind, title in GROUPS.items():
        chosen = [(slug, lesson) for slug, lesson in lessons if lesson.kind == kind]
        if chosen:
            st.markdown(f"**{title}**")
            with st.container(horizontal=True, key=f"lessons_{kind}"):
                for slug, lesson in chosen:
                    _entry(slug, lesson, done=slug in done)
    st.markdown("**Guess the next merge**")
    st.caption("Ten guesses on a text, with a score. You get a link to the same ten for others.")
    with st.container(horizontal=True, vertical_alignment="center"):
        if state.run is not None:
            st.button(
                "Guess on your text",
                icon=":material/quiz:",
                on_click=partial(go, **{CHALLENGE: str(FIRST_CHALLENGE)}),
            )
        st.button("Guess on a story", icon=":material/auto_stories:", on_click=_guess_on_story)


def _guess_on_story() -> None:
    """Open the challenge on a sample in this tab, as a link to it does: with Back the person's own session is
    there again."""
    st.session_state["session"] = Session()
    st.query_params.from_dict(CHALLENGE_ON_SAMPLE)


def _lessons() -> list[tuple[str, Lesson]]:
    """Every lesson that can be read; the page says what is wrong with the others."""
    lessons: list[tuple[str, Lesson]] = []
    for slug in lesson_files():
        try:
            lessons.append((slug, lesson_named(slug)))
        except LessonError as error:
            show_error(error)
    return lessons


def _entry(slug: str, lesson: Lesson, *, done: bool) -> None:
    """Show the card of a lesson, with a tick if the person has seen it to its end."""
    with st.container(border=True, width=314, gap=None):
        named = prepared(slug)
        st.button(
            said(named, lesson.title),
            key=f"lesson-{slug}",
            type="tertiary",
            icon=":material/check_circle:" if done else None,
            help="Done" if done else None,
            on_click=partial(go, **{LESSON: slug, STOP: "1"}),
        )
        st.caption(f"{said(named, lesson.about)} About {counted(lesson.minutes, 'minute')}.")
