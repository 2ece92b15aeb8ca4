"""Frees the memory of a session when its visitor has left.

Streamlit keeps a session whose connection was lost for ``server.disconnectedSessionTTL`` seconds, so that the
visitor can come back. After that it drops the session only when somebody else leaves; if nobody does, it
keeps the session forever. So this module closes each session at the end of that time.
"""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Protocol

import streamlit as st
from streamlit import runtime

from bpeviz.ui.server.server_process import give_back_memory
from bpeviz.ui.server.streamlit_internals import forgetter, served_session
from bpeviz.ui.server.upload_guard import forget_uploads

__all__ = ["Connection", "Server", "note_departure"]

#: Streamlit closes a session only while the visitor can still come back: so many seconds before that ends.
EARLIER_SECONDS = 1.0
#: Several sessions often end at the same time; this long after the first, their memory is freed in one go.
#: What their trainings hold is freed the second time: these run on for ten seconds and the rest of a step.
CLEARED_AFTER_SECONDS = 2.0, 14.0


class Server(Protocol):
    """The part of Streamlit's runtime that this module uses, always on its event loop."""

    def is_active_session(self, session_id: str) -> bool: ...
    def close_session(self, session_id: str) -> None: ...


class Connection:
    """One connection of a session with the ``server``, which keeps a lost one for ``keep_seconds``;
    ``forget`` drops everything that the session holds."""

    def __init__(
        self, session_id: str, server: Server, keep_seconds: float, forget: Callable[[], None]
    ) -> None:
        self.session_id = session_id
        self._server, self._keep_seconds, self._forget = server, keep_seconds, forget

    def end(self) -> None:
        """Close the session later, because the connection is lost, unless there is a new connection by
        then."""
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:  # not in the server; only a server can lose a connection
            return
        _last_lost[self.session_id] = self
        loop.call_later(max(0.0, self._keep_seconds - EARLIER_SECONDS), self._close)

    def _close(self) -> None:
        if _last_lost.get(self.session_id) is not self:
            return  # it came back and was lost again: the later loss counts
        del _last_lost[self.session_id]
        if not self._server.is_active_session(self.session_id):
            self._server.close_session(self.session_id)
            self._forget()
            _clear_away_soon()


def _clear_away_soon() -> None:
    global _clearing  # noqa: PLW0603
    if not _clearing:
        _clearing = True
        for seconds in CLEARED_AFTER_SECONDS:
            asyncio.get_running_loop().call_later(seconds, _clear_away)


def _clear_away() -> None:
    global _clearing  # noqa: PLW0603
    _clearing = False
    give_back_memory()


#: The last connection of each session that is not closed yet. Used only on the server's event loop.
_last_lost: dict[str, Connection] = {}
_clearing = False


def _end(connection: Connection | None) -> None:
    if connection is not None:
        connection.end()


@st.cache_resource(scope="session", show_spinner=False, on_release=_end)
def note_departure() -> Connection | None:
    """Close the current session some time after its connection is lost.

    Streamlit then releases what it has cached for the session.
    """
    session_id = served_session()
    if session_id is None:
        return None
    forget = partial(_forget, session_id, forgetter())
    keep_seconds = float(st.get_option("server.disconnectedSessionTTL"))
    return Connection(session_id, runtime.get_instance(), keep_seconds, forget)


def _forget(session_id: str, forget: Callable[[], None]) -> None:
    """Drop what a session holds; Streamlit's loop keeps the last session until there is another."""
    forget()
    forget_uploads(session_id)
