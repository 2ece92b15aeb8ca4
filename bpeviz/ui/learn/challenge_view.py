"""The challenge: ten guesses of the next merge on the person's own run, with a score and a link."""

from functools import partial
from random import Random

import streamlit as st

from bpeviz.browser.lesson_words import pair_question
from bpeviz.core.token_chain import Pair
from bpeviz.lessons.prepared import Material
from bpeviz.runs.run import Run
from bpeviz.runs.run_at_step import RunAtStep
from bpeviz.runs.run_training import OWN_PROCESS_BYTES
from bpeviz.ui.kit.parts import copy_link
from bpeviz.ui.kit.player import mount
from bpeviz.ui.kit.training_bar import trains_in_background
from bpeviz.ui.learn.card import Card, Pressed, answer_of, mount_card, pair_of
from bpeviz.ui.learn.player import pack_material, show_pairs
from bpeviz.ui.learn.state import CHALLENGE, Given, LearnState, address, go, learn_state
from bpeviz.ui.session.saving import SESSION, save_copy
from bpeviz.ui.session.session import Session
from bpeviz.ui.session.settings_link import write_settings_link
from bpeviz.words import counted

__all__ = ["asked_steps", "challenge_view", "go_on"]

GUESSES = 10
ANSWERS = 5


def asked_steps(run: Run, number: int) -> list[int]:
    """Return the steps at which challenge ``number`` asks: the same ones for everybody with the same run.

    A merge that a person chose can't be guessed. Of the others, those without a tie come first, and steps
    apart from each other.
    """
    chosen = {choice.rank for choice in run.choices if choice.action == "merge"}
    later = [step for step in range(1, len(run.steps)) if step not in chosen]  # the player needs a merge
    shuffled = Random(number).sample(later, len(later))  # noqa: S311
    shuffled.sort(key=lambda step: run.steps[step].tied > 1)
    places: list[int] = []
    for apart in (2, 1):
        for step in shuffled:
            if len(places) < GUESSES and all(abs(step - place) >= apart for place in places):
                places.append(step)
    return sorted(places)


def challenge_view(state: Session, number: int) -> None:
    """Show a challenge on the run of the session."""
    run = state.run
    with st.container(horizontal=True, vertical_alignment="center", key="lesson_line"):
        st.button("Show all lessons", icon=":material/arrow_back:", type="tertiary", on_click=go)
        st.markdown("**Guess the next merge**")
    if run is None:
        st.info("Train on a text first, on the page “Watch”. Then come back.")
        return
    if trains_in_background(run.corpus):
        most = f"{OWN_PROCESS_BYTES / 1_000_000:g} MB"
        st.info(f"This text is too long for the challenge. Train on one of up to {most}.")
        return
    learn = learn_state()
    if learn.played != (run.number, number):
        st.session_state["learn"] = learn = LearnState(answers=learn.answers, played=(run.number, number))
    steps = asked_steps(run, number)
    if not steps:
        made = counted(len(run.steps), "merge")
        st.info(f"This run has {made}, so there is nothing to guess. Train on a longer text.")
        return
    if learn.at >= len(steps):
        _score(state, run, number, learn, len(steps))
        return
    _question(run, learn, steps)


def _question(run: Run, learn: LearnState, steps: list[int]) -> None:
    step, asking = steps[learn.at], learn.picked is None
    right, left = st.columns([1, 2], gap="small")
    note_guess = partial(_note_guess, run, step)
    with left, st.container(key="player_place"):
        key = f"challenge-{run.number}-{step}-{asking}"
        data = _player_data(run, learn, step, asking=asking)
        mount(data, key=key, run=run, on_guess=note_guess if asking else None, guess_at=step)
    with right, st.container(key="beside_player"):
        with st.container(key="lesson_words"):
            card = _card(run, learn, step, len(steps))
            mount_card(
                card, key=f"challenge_card-{run.number}", on_press=partial(_pressed, run, step, card.place)
            )
        if not asking:
            with st.container(border=True, key="lesson_pairs"):
                st.markdown("**Most frequent pairs**")
                show_pairs(run, pair_of(learn.picked))


def _card(run: Run, learn: LearnState, step: int, guesses: int) -> Card:
    asks = f"After {counted(step, 'merge')}, which pair is next? The one that occurs most often."
    if run.steps[step].tied > 1:
        asks += f" Here pairs tie, and each of them counts. The recipe takes {run.recipe.tie_sentence}."
    question = pair_question(run, step, ANSWERS, pair_of(learn.picked))
    given = answer_of(question, learn.picked)
    if given and not given["right"] and learn.picks[-1]:
        question["because"] = ["It is as frequent as the next merge, so it counts as right. "]
    return Card(
        noun="guess",
        place=learn.at,
        stops=guesses,
        stop={"caption": [asks], "says": None, "guess": question, "rows": None},
        asks=learn.picked is None,
        given=given,
        score=f" · {sum(learn.picks)} right so far",
    )


def _pressed(run: Run, step: int, at: int, button: Pressed) -> None:
    if button == "forward":
        go_on(at)
    elif button != "back":
        _note_guess(run, step, button)


def _note_guess(run: Run, step: int, picked: Given) -> None:
    learn = learn_state()
    if learn.picked is None:
        learn.picked = picked
        learn.picks.append(isinstance(picked, tuple) and _leads(run, step, picked))


def _leads(run: Run, step: int, pair: Pair) -> bool:
    """Return whether a pair is the next merge or ties with it."""
    made = run.steps[step]
    if pair == made.pair:
        return True
    return pair not in run.vetoed(step) and RunAtStep(run, step).count(pair) == made.count


def go_on(at: int) -> None:
    """Go to the next question from number ``at``, once: a double click must not skip one."""
    learn = learn_state()
    if learn.at == at and learn.picked is not None:
        learn.at, learn.picked = at + 1, None


def _player_data(run: Run, learn: LearnState, step: int, *, asking: bool) -> bytes:
    key = run.number, step, asking
    if learn.packed is None or learn.packed[0] != key:
        material = Material(run, run.corpus.text, run.gap_ranks, replayed=False)
        learn.packed = key, pack_material(material, "Text", step, asking=asking)
    return learn.packed[1]


def _score(state: Session, run: Run, number: int, learn: LearnState, guesses: int) -> None:
    st.subheader(f"{sum(learn.picks)} of {guesses} right.", anchor=False)
    st.markdown("".join(":green[●] " if right else ":red[○] " for right in learn.picks))
    with st.container(horizontal=True):
        again = partial(go, **{CHALLENGE: str(number + 1)})
        st.button("Try ten others", icon=":material/replay:", type="primary", on_click=again)
        st.button("Make a link", icon=":material/link:", on_click=partial(_make_link, state, run, number))
    if learn.link:
        copy_link(learn.link, key="challenge_address")
        st.caption("Everyone who opens the link gets the same steps of the same text.")


def _make_link(state: Session, run: Run, number: int) -> None:
    learn = learn_state()
    with state.attempt():
        query = write_settings_link(state, run) or f"{SESSION}={save_copy(state)}"
        learn.link = address(f"{CHALLENGE}={number}&{query}")
