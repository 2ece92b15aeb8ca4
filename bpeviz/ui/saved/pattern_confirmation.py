"""Split patterns that come with a link or a saved session run only after a click.

Whoever opens an address has not seen the patterns in it, and a page in a hidden frame can open one too.
"""

from dataclasses import replace

import streamlit as st

from bpeviz.text.split_patterns import MAX_PATTERN_LENGTH
from bpeviz.ui.saved.saving import start_new
from bpeviz.ui.session.session import Session
from bpeviz.ui.session.work import SessionToOpen

__all__ = ["asks_about_patterns", "custom_patterns"]


def custom_patterns(to_open: SessionToOpen) -> list[str]:
    """Return the custom patterns in the settings of its runs, each once, without those too long to run.

    Also one that a run doesn't use: the page offers it when the person picks "custom".
    """
    patterns = dict.fromkeys(run.settings.custom_pattern for run in to_open.runs.values())
    return [pattern for pattern in patterns if 0 < len(pattern) <= MAX_PATTERN_LENGTH]


def asks_about_patterns(state: Session) -> bool:
    """Ask about the patterns of the session to restore; return whether the page waits for a click."""
    to_open = state.work.to_open
    if to_open is None or to_open.confirmed:
        return False
    if not (patterns := custom_patterns(to_open)):
        return False
    which = "this split pattern" if len(patterns) == 1 else f"these {len(patterns)} split patterns"
    st.info(
        f"The work at this address splits its text by {which}. Run it only if you wrote it or trust whoever "
        "gave you the address.",
        icon=":material/regular_expression:",
    )
    for pattern in patterns:
        st.code(pattern, language=None, wrap_lines=True)
    with st.container(horizontal=True):
        st.button(
            "Run it",
            key="run_patterns",
            type="primary",
            icon=":material/play_arrow:",
            on_click=_confirm,
            args=(state,),
        )
        st.button("Start with an empty page", key="leave_patterns", on_click=_leave, args=(state,))
    st.caption("Saved work stays where it is, whichever you choose.")
    return True


def _confirm(state: Session) -> None:
    if state.work.to_open is not None:
        state.work.to_open = replace(state.work.to_open, confirmed=True)


def _leave(state: Session) -> None:
    state.work.to_open = None
    start_new(state)
