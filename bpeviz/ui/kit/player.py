"""Mount the player, read what it reports, and make it a file that needs no server.

The component draws text with ``textContent`` only."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import streamlit as st

from bpeviz.browser.pack import pack
from bpeviz.core.token_chain import Pair
from bpeviz.runs.picked_word import word_at
from bpeviz.runs.run import NamedText, Run
from bpeviz.runs.run_at_step import RunAtStep
from bpeviz.standalone.player import Player
from bpeviz.ui.kit.messages import MOST_ID, message_of, whole
from bpeviz.ui.kit.parts import mount_part
from bpeviz.words import counted
from bpeviz.workers.turns import Turns

__all__ = [
    "ask",
    "mount",
    "page_bytes",
    "read_guess",
    "read_page_request",
    "read_report",
    "read_word",
    "send_page",
    "text_caption",
]

#: The largest number of a request: milliseconds, which the browser counts exactly.
MOST_REQUEST = 2**53


def mount(
    data: bytes,
    *,
    key: str,
    run: Run | None = None,
    on_rest: Callable[[int], None] | None = None,
    on_word: Callable[[str], None] | None = None,
    on_guess: Callable[[Pair], None] | None = None,
    on_page: Callable[[int, int], None] | None = None,
    guess_at: int = 0,
) -> None:
    """Show a pack. Streamlit calls ``on_rest`` with the step of ``run`` at which the player rests,
    ``on_word`` with a word of its text whose growth a person wants to see, ``on_guess`` with the pair that
    they picked in the text as the one to merge after ``guess_at`` merges, and ``on_page`` with the step and
    the number of a request for the run as a page."""

    def reported() -> None:
        step = read_report(st.session_state[key], run) if run else None
        if on_rest and step is not None:
            on_rest(step)

    def picked() -> None:
        word = read_word(st.session_state[key], run) if run else None
        if on_word and word is not None:
            on_word(word)

    def guessed() -> None:
        pair = read_guess(st.session_state[key], run, guess_at) if run else None
        if on_guess and pair is not None:
            on_guess(pair)

    def asked() -> None:
        request = read_page_request(st.session_state[key], run) if run else None
        if on_page and request:
            on_page(*request)

    mount_part(
        "player",
        key=key,
        data=data,
        on_at_change=reported,
        on_word_change=picked,
        on_guessed_change=guessed,
        on_page_change=asked,
    )


def read_report(state: object, run: Run) -> int | None:
    """Return the step of ``run`` at which the player rests; None if the report is malformed or about another
    run."""
    report = message_of(state, "at")
    return whole(report.get("step"), len(run.steps)) if report.get("number") == run.number else None


def read_word(state: object, run: Run) -> str | None:
    """Return the picked word of the text of ``run``; None if the report is malformed or about another run."""
    report = message_of(state, "word")
    last = len(run.gap_ranks)
    start, end = whole(report.get("start"), last), whole(report.get("end"), last)
    if report.get("number") != run.number or start is None or end is None or start >= end:
        return None
    return word_at(run, start, end)


def read_guess(state: object, run: Run, step: int) -> Pair | None:
    """Return the pair that a person would merge after ``step`` merges; None if the report is malformed or
    about another run, or if the pair doesn't occur in the text at that step."""
    report = message_of(state, "guessed")
    left, right = (whole(report.get(side), MOST_ID) for side in ("left", "right"))
    if report.get("number") != run.number or left is None or right is None:
        return None
    return (left, right) if RunAtStep(run, step).count((left, right)) else None


def read_page_request(state: object, run: Run) -> tuple[int, int] | None:
    """Return the step of ``run`` that a person wants as a page, and the number of their request; None if the
    report is malformed or about another run."""
    report = message_of(state, "page")
    step, asked = whole(report.get("step"), len(run.steps)), whole(report.get("asked"), MOST_REQUEST)
    if report.get("number") != run.number or step is None or asked is None:
        return None
    return step, asked


def send_page(asked: int, file: bytes, fault: str = "", *, on_got: Callable[[int], None]) -> None:
    """Send the page that request number ``asked`` is about, or why there is none; 0 sends nothing. Streamlit
    calls ``on_got`` with the number of the request whose answer the browser has."""

    def got() -> None:
        state = st.session_state.get("page_file")
        number = whole(state.get("got"), MOST_REQUEST) if isinstance(state, Mapping) else None
        if number is not None:
            on_got(number)

    data = pack({"asked": asked, "fault": fault}, file=np.frombuffer(file, np.uint8)) if asked else b""
    mount_part("page_file", key="page_file", data=data, on_got_change=got)


def ask(
    step: int,
    serial: int,
    offset: int | None,
    *,
    shown: int,
    pair: Pair | None,
    counts: Sequence[int] | None = None,
) -> None:
    """Send the player on the page to a step, once for each ``serial``; 0 sends it nowhere. It also shows the
    byte at ``offset`` of the text, if any. ``shown`` is the step that the panels are about, and ``pair`` the
    picked one, which occurs ``counts[k]`` times after k merges; None leaves that to the browser."""
    data = {
        "serial": serial,
        "step": step,
        "offset": offset,
        "shown": shown,
        "pair": pair,
        "counts": counts,
    }
    mount_part("remote", key="remote", data=data)


#: Names and patterns of any length have so much room in a caption.
_MOST_CHARACTERS = 200
#: A page of a long text takes seconds and some hundred megabytes.
_turns = Turns(1, spare=0)


def page_bytes(player: Player) -> bytes:
    """Return the page of a player as a file."""
    with _turns.turn(lambda: None):
        return player.to_html().encode("utf-8")


def text_caption(text: NamedText) -> str:
    """Which text a page shows, in a sentence or two. Of a large corpus it is a part."""
    total = text.trained_bytes
    whole = f"{_short(text.trained_name)}, {counted(total, 'byte')}."
    part = text.part
    if part is None:
        return f"Text: {whole}"
    if part.place is None:
        return f"Corpus: {whole} This page lists its distinct pre-tokens, first seen first."
    start = part.place.offset
    return (
        f"Corpus: {whole} This page shows {_short(part.file_name)}, "
        f"bytes {start + 1:,} to {start + part.byte_total:,}."
    )


def _short(name: str) -> str:
    return name if len(name) <= _MOST_CHARACTERS else f"{name[:_MOST_CHARACTERS]}…"
