"""One lesson: the player at a stop, and beside it the card with its caption, its question and the way on."""

from functools import partial
from urllib.parse import urlencode

import streamlit as st

from bpeviz.browser.lesson_words import stop_words
from bpeviz.errors import LessonError
from bpeviz.lessons.lesson import PairGuess, TryIt
from bpeviz.lessons.prepared import Prepared, prepared
from bpeviz.ui.kit.parts import copy_link
from bpeviz.ui.kit.words import show_error
from bpeviz.ui.learn.captions import said
from bpeviz.ui.learn.card import Card, Pressed, answer_of, mount_card, pair_of
from bpeviz.ui.learn.player import show_lesson_player, show_pairs
from bpeviz.ui.learn.state import TOUR, Given, LessonsDone, address, go, learn_state, place_of
from bpeviz.ui.session.saving import begin_unsaved
from bpeviz.ui.session.session import session

__all__ = ["lesson_view"]


def lesson_view(slug: str, place: int) -> None:
    """Show a stop of a lesson, counted from 0. What can't be computed is an error in its place."""
    noun = "card" if slug == TOUR else "stop"
    with st.container(horizontal=True, vertical_alignment="center", key="lesson_line"):
        leave = "Leave the tour" if slug == TOUR else "Show all lessons"
        st.button(leave, icon=":material/arrow_back:", type="tertiary", on_click=go)
        try:
            lesson = prepared(slug)
        except LessonError as error:
            show_error(error)
            return
        st.markdown(f"**{said(lesson, lesson.lesson.title)}**")
        with st.popover("Link", icon=":material/link:", type="tertiary", key="lesson_link"):
            st.caption(f"A link to this {noun}, without your saved session:")
            copy_link(address(urlencode(place_of(slug, place))), key="lesson_address")
    with st.spinner("Preparing the lesson"):
        card, fault = _card(slug, lesson, place, noun)
    # the words first: on a phone they are above the player
    right, left = st.columns([1, 2], gap="small")
    with right, st.container(key="beside_player"):
        if fault:
            show_error(fault)
        with st.container(key="lesson_words"):
            mount_card(card, key=f"lesson_card-{slug}", on_press=partial(_pressed, slug, place))
        try:
            material, step = lesson.material_at(place)
        except LessonError:
            return  # the card says why there is nothing to show
        if not card.asks and not material.replayed and material.run.top_pairs.at(step):
            with st.container(border=True, key="lesson_pairs"):
                st.markdown("**Most frequent pairs**")
                show_pairs(material.run, pair_of(learn_state().answers.get((slug, place))))
    with left, st.container(key="player_place"):
        stop = lesson.lesson.stops[place]
        picks = card.asks and isinstance(stop.guess, PairGuess)
        show_lesson_player(
            material,
            step,
            key=f"learn-{slug}-{place}",
            chooser=lesson.lesson.chooser,
            until=stop.action.step if stop.action and card.acts else None,
            spotlight=stop.spotlight,
            on_guess=partial(_note_answer, slug, place) if picks else None,
        )
    if place == card.stops - 1 and not card.asks and slug != TOUR:
        session().pages.of(LessonsDone).note(slug)


def _card(slug: str, lesson: Prepared, place: int, noun: str) -> tuple[Card, LessonError | None]:
    """Return the card of a stop, and why it lacks something: then it has the words of the lesson's file."""
    stop, given = lesson.lesson.stops[place], learn_state().answers.get((slug, place))
    fault: LessonError | None = None
    try:
        says = stop_words(lesson, place, pair_of(given))
    except LessonError as error:
        action, fault = [stop.action.says] if stop.action else None, error
        says = {"caption": [stop.caption], "says": action, "guess": None, "rows": None}
    card = Card(
        noun=noun,
        place=place,
        stops=len(lesson.lesson.stops),
        stop=says,
        asks=says["guess"] is not None and given is None,
        acts=learn_state().acted == (slug, place),
        given=answer_of(says["guess"], given),
        leads=f"Opens the field for your text. Rules: {lesson.lesson.try_it.rules}. Your own runs stay.",
    )
    return card, fault


def _pressed(slug: str, place: int, button: Pressed) -> None:
    stops = prepared(slug).lesson.stops
    match button:
        case "back":
            go(**place_of(slug, place - 1))
        case "forward":
            action, acted = stops[place].action, learn_state().acted == (slug, place)
            if action and action.step is not None and not acted:
                learn_state().acted = slug, place
            elif place + 1 < len(stops):
                go(**place_of(slug, place + 1))
            else:
                _try_out(prepared(slug).lesson.try_it)
        case answer:
            _note_answer(slug, place, answer)


def _note_answer(slug: str, place: int, answer: Given) -> None:
    learn_state().answers.setdefault((slug, place), answer)  # the first of two quick answers


def _try_out(try_it: TryIt) -> None:
    state = session()
    state.try_out(try_it.settings(state.form.settings), try_it.sample, try_it.step)
    if not state.has_own_run and not state.saving.saved_id:  # a look at a sample is no change
        begin_unsaved(state)
