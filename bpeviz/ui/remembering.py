"""The session of a person who comes back: the browser remembers its id in a cookie.

Only sessions that this browser began are remembered. A person who opens another one by its address can change
it, but doesn't get it again on the next visit: so a link can't make people write where its sender reads. No
other site gets the cookie.
"""

import re

import streamlit as st

from bpeviz.limits import limits
from bpeviz.sessions.store import is_saved_id
from bpeviz.ui.kit.address import here
from bpeviz.ui.kit.parts import mount_part
from bpeviz.ui.session.saving import start_new
from bpeviz.ui.session.session import Session

__all__ = ["give_up", "is_remembered", "keep_history", "remember", "remembered"]

COOKIE = "bpeviz_session"
DAY_SECONDS = 24 * 60 * 60


def remembered() -> str:
    """Return the id of the session that this browser had last; empty if there is none."""
    saved_id = st.context.cookies.get(_cookie(), "")
    return saved_id if isinstance(saved_id, str) and is_saved_id(saved_id) else ""  # a test has no cookies


def is_remembered(saved_id: str) -> bool:
    """Return whether this browser began the session with this id, which it had last."""
    return saved_id != "" and saved_id == remembered()


def remember(state: Session) -> None:
    """Have the browser remember the session, or forget it if the person began a new one."""
    saving = state.saving
    if (saving.own and saving.saved_id) or saving.leaves:
        seconds = limits().saved_age_days * DAY_SECONDS if saving.saved_id else 0
        data = {"name": _cookie(), "session": saving.saved_id, "seconds": seconds, "path": _folder()}
        mount_part("remember", key="remember_script", data=data)


def keep_history(state: Session) -> None:
    """Tell the browser which session the page shows: Back to another one opens that, and each page is one
    entry of its history."""
    mount_part("history", key="history", data={"session": state.saving.shown_id})


def give_up(state: Session) -> None:
    """Open no saved session: start a new one. The browser forgets the one that could not be opened."""
    saving = state.saving
    saving.leaves = saving.to_open is not None and is_remembered(saving.to_open.saved_id)
    saving.to_open = None
    start_new(state)


def _cookie() -> str:
    """Return the cookie's name: a browser sends the cookies of one port to all ports of a host."""
    port = here().port
    return f"{COOKIE}_{port}" if port else COOKIE


def _folder() -> str:
    """Return the path under which the browser sends the cookie: that of the app, if a host has several."""
    folder = here().path.rpartition("/")[0] + "/"
    return folder if re.fullmatch(r"[\w./~-]+", folder, re.ASCII) else "/"
