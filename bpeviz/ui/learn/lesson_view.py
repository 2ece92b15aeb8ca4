"""One lesson: the player at a stop, its caption, its action and its question."""

from collections.abc import Sequence
from functools import partial
from urllib.parse import urlencode

import streamlit as st

from bpeviz.browser.aligned_rows import aligned_rows, pack_rows
from bpeviz.errors import LessonError
from bpeviz.lessons.computing import fill, plain
from bpeviz.lessons.lesson import ChoiceGuess, PairGuess, TryIt
from bpeviz.lessons.prepared import Prepared, prepared
from bpeviz.ui.kit.parts import copy_link, mount_rows
from bpeviz.ui.kit.words import escape, show_error
from bpeviz.ui.learn.captions import as_markdown, said
from bpeviz.ui.learn.guess import GAVE_UP, Answer, ask, ask_pair, say_answers, say_pairs
from bpeviz.ui.learn.player import show_lesson_player, show_pairs
from bpeviz.ui.learn.state import TOUR, Given, LessonsDone, address, go, learn_state, place_of
from bpeviz.ui.session.saving import begin_unsaved
from bpeviz.ui.session.session import session

__all__ = ["lesson_view"]

TRY_IT = "Try it on your own text"


def lesson_view(slug: str, place: int) -> None:
    """Show a stop of a lesson, counted from 0. What can't be computed is an error in its place."""
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
            st.caption(f"A link to this {_noun(slug)}, without your saved session:")
            copy_link(address(urlencode(place_of(slug, place))), key="lesson_address")
    try:
        with st.spinner("Preparing the lesson"):
            material, step = lesson.material_at(place)
    except LessonError as error:
        show_error(error)
        _steps(slug, lesson, place, asking=False)
        return
    stop = lesson.lesson.stops[place]
    acts = stop.action is not None and learn_state().acted == (slug, place)
    asking = stop.guess is not None and (slug, place) not in learn_state().answers
    # the words first: on a phone they are above the player
    right, left = st.columns([1, 2], gap="small")
    with left, st.container(key="player_place"):
        picks = asking and isinstance(stop.guess, PairGuess)
        note_answer = partial(_note_answer, slug, place) if picks else None
        show_lesson_player(
            material,
            step,
            key=f"learn-{slug}-{place}",
            chooser=lesson.lesson.chooser,
            until=stop.action.step if stop.action and acts else None,
            spotlight=stop.spotlight,
            on_guess=note_answer,
        )
    with right, st.container(key="beside_player"):
        with st.container(key="lesson_words"):
            st.caption(f"{_noun(slug).capitalize()} {place + 1} of {len(lesson.lesson.stops)}")
            st.markdown(said(lesson, stop.caption))
            if stop.guess is not None:
                try:
                    _guess(slug, lesson, place, asking=asking)
                except LessonError as error:
                    show_error(error)
                    asking = False
            if stop.rows:
                _rows(lesson, stop.rows, material.text)
            _steps(slug, lesson, place, asking=asking, acts=acts)
        if place == len(lesson.lesson.stops) - 1 and not asking and slug != TOUR:
            session().pages.of(LessonsDone).note(slug)
        if not asking and not material.replayed and material.run.top_pairs.at(step):
            with st.container(border=True, key="lesson_pairs"):
                st.markdown("**Most frequent pairs**")
                given = learn_state().answers.get((slug, place))
                show_pairs(material.run, given if isinstance(given, tuple) else None)


def _guess(slug: str, lesson: Prepared, place: int, *, asking: bool) -> None:
    name, note_answer = f"{slug}-{place}", partial(_note_answer, slug, place)
    given = learn_state().answers.get((slug, place), GAVE_UP)
    match lesson.lesson.stops[place].guess:
        case PairGuess(answers=most):
            material, step = lesson.material_at(place)
            if asking:
                ask_pair(material.run, step, most, name=name, on_answer=note_answer)
            else:
                say_pairs(material.run, step, most, given)
        case ChoiceGuess() as guess:
            right = plain(fill(lesson, guess.right))
            filled = [fill(lesson, answer) for answer in guess.answers]
            answers = [Answer(as_markdown(parts), plain(parts) == right) for parts in filled]
            if asking:
                ask(as_markdown(fill(lesson, guess.question)), answers, name=name, on_answer=note_answer)
            else:
                because = as_markdown(fill(lesson, guess.because))
                say_answers(answers, given if isinstance(given, int) else GAVE_UP, because)


def _note_answer(slug: str, place: int, answer: Given) -> None:
    learn_state().answers.setdefault((slug, place), answer)  # the first of two quick answers


def _noun(slug: str) -> str:
    return "card" if slug == TOUR else "stop"


def _rows(lesson: Prepared, names: Sequence[str], text: str) -> None:
    """Show the text in the tokens of several runs and built-in tokenizers, one row each."""
    titles = [lesson.lesson.row_title(name) for name in names]
    aligned = aligned_rows(text, [lesson.tokenizer(name) for name in names])
    with st.container(border=True):
        mount_rows(pack_rows(text, titles, aligned), key="lesson_rows")


def _steps(slug: str, lesson: Prepared, place: int, *, asking: bool, acts: bool = False) -> None:
    """Show the buttons: back, and the action of the stop or the way to the next one."""
    last, action = len(lesson.lesson.stops) - 1, lesson.lesson.stops[place].action
    with st.container(horizontal=True, key="lesson_steps"):
        if place > 0:
            st.button(
                f"Previous {_noun(slug)}",
                icon=":material/chevron_left:",
                shortcut="PageUp",
                on_click=partial(_go_to, slug, place - 1),
            )
        if asking:
            return
        if action and action.step is not None and not acts:
            st.button(
                said(lesson, action.says),
                key="lesson_action",
                icon=":material/play_arrow:",
                type="primary",
                shortcut="PageDown",
                on_click=partial(_act, slug, place),
            )
        elif place < last:
            st.button(
                said(lesson, action.says) if action and not acts else f"Next {_noun(slug)}",
                key="lesson_next",
                icon=":material/chevron_right:",
                type="primary",
                shortcut="PageDown",
                on_click=partial(_go_to, slug, place + 1),
            )
        else:
            try_it = lesson.lesson.try_it
            st.button(TRY_IT, type="primary", shortcut="PageDown", on_click=_try_out, args=(try_it,))
            st.caption(f"Opens the field for your text. Rules: {escape(try_it.rules)}. Your own runs stay.")


def _act(slug: str, place: int) -> None:
    learn_state().acted = slug, place


def _try_out(try_it: TryIt) -> None:
    state = session()
    state.try_out(try_it.settings(state.form.settings), try_it.sample, try_it.step)
    if not state.has_own_run and not state.saving.saved_id:  # a look at a sample is no change
        begin_unsaved(state)


def _go_to(slug: str, place: int) -> None:
    go(**place_of(slug, place))
