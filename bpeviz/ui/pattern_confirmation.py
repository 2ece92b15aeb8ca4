"""Ask before the page runs split patterns that come with a link or a saved session.

A link's visitor has not seen the patterns in it. A page in a hidden frame can open a link too. A session that
this browser began has only patterns that its person typed or agreed to.
"""

from dataclasses import replace

import streamlit as st

from bpeviz.text.split_patterns import MAX_PATTERN_LENGTH
from bpeviz.ui.kit.words import show_explained
from bpeviz.ui.remembering import give_up, is_remembered
from bpeviz.ui.session.saving_state import SessionToOpen
from bpeviz.ui.session.session import Session

__all__ = ["asks_about_patterns", "custom_patterns"]


def custom_patterns(to_open: SessionToOpen) -> list[str]:
    """Return the custom patterns in the settings of its runs, each once, without those too long to run.

    Also one that a run doesn't use: the page offers it when the person picks "custom".
    """
    patterns = dict.fromkeys(run.settings.custom_pattern for run in to_open.runs.values())
    return [pattern for pattern in patterns if 0 < len(pattern) <= MAX_PATTERN_LENGTH]


def asks_about_patterns(state: Session) -> bool:
    """Ask about the patterns of the session to restore; return whether the page waits for a click."""
    to_open = state.saving.to_open
    if to_open is None or to_open.confirmed or is_remembered(to_open.saved_id):
        return False
    if not (patterns := custom_patterns(to_open)):
        return False
    in_frame = st.context.is_embedded and not to_open.saved_id  # all that it shows is in its address
    which, it = ("a custom split pattern", "it")
    if len(patterns) > 1:
        which, it = f"{len(patterns)} custom split patterns", "them"
    holder = "address" if in_frame else "session"
    st.info(
        f"This {holder} uses {which}. Run {it} only if you wrote {it} or trust the link's sender.",
        icon=":material/regular_expression:",
    )
    show_explained("A [[split pattern]] from a stranger can make the page slow.")
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
        leave = "Show the sample" if in_frame else "Start a new session"
        st.button(leave, key="leave_patterns", on_click=give_up, args=(state,))
    if not in_frame:
        st.caption("The saved session doesn't change, whichever you choose.")
    return True


def _confirm(state: Session) -> None:
    if state.saving.to_open is not None:
        state.saving.to_open = replace(state.saving.to_open, confirmed=True)
