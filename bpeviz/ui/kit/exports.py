"""Files that the server makes when a person asks for one."""

import threading
from collections.abc import Callable

import streamlit as st

from bpeviz.workers.turns import Turns, asker, asking_for

__all__ = ["export_button", "made_once"]

#: A file that is asked for again within this time is the same one.
KEPT_SECONDS = 15.0
#: A visitor's files are made one after the other: threads of this process can't compute at the same time.
_turns = Turns(1)


def export_button(label: str, make: Callable[[], bytes], name: str, mime: str, key: str) -> None:
    """Show a button that makes a file when it is pressed, in turn."""
    who = asker()

    def make_in_turn() -> bytes:
        with asking_for(who), _turns.turn(lambda: None):
            return make()

    st.download_button(
        label, make_in_turn, name, mime, key=key, icon=":material/download:", on_click="ignore"
    )


def made_once(make: Callable[[], bytes]) -> Callable[[], bytes]:
    """Return a function that returns what ``make`` does, and the same again within some seconds."""
    made: bytes | None = None
    lock = threading.Lock()

    def forget() -> None:
        nonlocal made
        made = None

    def once() -> bytes:
        nonlocal made
        with lock:
            if (content := made) is None:
                content = made = make()
                later = threading.Timer(KEPT_SECONDS, forget)
                later.daemon = True
                later.start()
            return content

    return once
