"""One lesson: the player at a stop, its caption and its question."""

from functools import partial

import streamlit as st

from bpeviz.lessons.computing import fill, plain
from bpeviz.lessons.errors import LessonError
from bpeviz.lessons.lesson import ChoiceGuess, PairGuess
from bpeviz.lessons.prepared import Prepared, prepared
from bpeviz.ui.components.copy_link.copy_link import copy_link
from bpeviz.ui.pages.learn.captions import as_markdown, said
from bpeviz.ui.pages.learn.guess import GAVE_UP, Answer, ask, ask_pair, say_answers, say_pairs
from bpeviz.ui.pages.learn.player import show_lesson_player, show_pairs
from bpeviz.ui.pages.learn.state import LESSON, STOP, Given, address, go, learn_state
from bpeviz.ui.widgets.markdown import show_error

__all__ = ["lesson_view"]


def lesson_view(slug: str, place: int) -> None:
    """Show a stop of a lesson, counted from 0. What can't be computed is an error in its place."""
    with st.container(horizontal=True, vertical_alignment="center", key="lesson_line"):
        st.button("Show all lessons", icon=":material/arrow_back:", type="tertiary", on_click=go)
        try:
            lesson = prepared(slug)
        except LessonError as error:
            show_error(error)
            return
        st.markdown(f"**{said(lesson, lesson.lesson.title)}**")
        with st.popover("Link", icon=":material/link:", type="tertiary", key="lesson_link"):
            st.caption("A link to this stop, without your saved session:")
            copy_link(address(f"{LESSON}={slug}&{STOP}={place + 1}"), key="lesson_address")
    try:
        with st.spinner("Preparing the lesson"):
            material, step = lesson.material_at(place)
    except LessonError as error:
        show_error(error)
        _steps(slug, lesson, place, asking=False)
        return
    stop = lesson.lesson.stops[place]
    asking = stop.guess is not None and (slug, place) not in learn_state().answers
    # the words first: on a phone they are above the player
    right, left = st.columns([1, 2], gap="small")
    with left, st.container(key="player_place"):
        picks = asking and isinstance(stop.guess, PairGuess)
        take = partial(_take, slug, place) if picks else None
        chooser = "the notebook" if lesson.lesson.kind == "walk" else "this lesson"
        show_lesson_player(material, step, key=f"learn-{slug}-{place}", chooser=chooser, on_guess=take)
    with right, st.container(key="beside_player"):
        st.caption(f"Stop {place + 1} of {len(lesson.lesson.stops)}")
        st.markdown(said(lesson, stop.caption))
        if stop.guess is not None:
            try:
                _guess(slug, lesson, place, asking=asking)
            except LessonError as error:
                show_error(error)
                asking = False
        _steps(slug, lesson, place, asking=asking)
        if not asking and not material.replayed:
            with st.container(border=True, key="lesson_pairs"):
                st.markdown("**Most frequent pairs**")
                show_pairs(material)


def _guess(slug: str, lesson: Prepared, place: int, *, asking: bool) -> None:
    name, take = f"{slug}-{place}", partial(_take, slug, place)
    given = learn_state().answers.get((slug, place), GAVE_UP)
    match lesson.lesson.stops[place].guess:
        case PairGuess(answers=most):
            material, step = lesson.material_at(place)
            if asking:
                ask_pair(material.run, step, most, name=name, on_answer=take)
            else:
                say_pairs(material.run, step, most, given)
        case ChoiceGuess() as guess:
            right = plain(fill(lesson, guess.right))
            filled = [fill(lesson, answer) for answer in guess.answers]
            answers = [Answer(as_markdown(parts), plain(parts) == right) for parts in filled]
            if asking:
                ask(as_markdown(fill(lesson, guess.question)), answers, name=name, on_answer=take)
            else:
                because = as_markdown(fill(lesson, guess.because))
                say_answers(answers, given if isinstance(given, int) else GAVE_UP, because)


def _take(slug: str, place: int, answer: Given) -> None:
    learn_state().answers.setdefault((slug, place), answer)  # the first of two quick answers


def _steps(slug: str, lesson: Prepared, place: int, *, asking: bool) -> None:
    last = len(lesson.lesson.stops) - 1
    with st.container(horizontal=True, key="lesson_steps"):
        if place > 0:
            st.button(
                "Previous stop", icon=":material/chevron_left:", on_click=partial(_go_to, slug, place - 1)
            )
        if place < last and not asking:
            st.button(
                "Next stop",
                icon=":material/chevron_right:",
                type="primary",
                on_click=partial(_go_to, slug, place + 1),
            )
        if place == last and not asking:
            st.link_button(
                "Try it on your own text",
                f"./?{lesson.lesson.try_it.parameters}",
                icon=":material/open_in_new:",
                type="primary",
            )
    if place == last and not asking:
        st.caption("Opens these settings on a sample. There, put yours into “Type or paste your text”.")


def _go_to(slug: str, place: int) -> None:
    go(**{LESSON: slug, STOP: str(place + 1)})
