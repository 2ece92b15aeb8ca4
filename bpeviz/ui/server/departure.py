"""What happens to a session once its visitor has left: its memory is given back.

Streamlit keeps a session whose connection was lost for ``server.disconnectedSessionTTL`` seconds, so that it
can be found again. After that it only forgets it when somebody else leaves; where nobody does, it would
be kept for ever. So each session is closed here at the end of that time.
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

#: Streamlit closes a session only while it would still find it again: so much before that ends.
EARLIER_SECONDS = 1.0
#: Sessions often end several at once; what they leave is cleared away once, so long after the first of them.
CLEARED_AFTER_SECONDS = 2.0


class Server(Protocol):
    """What is asked of Streamlit's runtime, always on its event loop."""

    def is_active_session(self, session_id: str) -> bool: ...
    def close_session(self, session_id: str) -> None: ...


class Connection:
    """One connection of a session with the ``server``, which keeps a lost one for ``keep_seconds``;
    ``forget`` drops all that the session holds."""

    def __init__(
        self, session_id: str, server: Server, keep_seconds: float, forget: Callable[[], None]
    ) -> None:
        self.session_id = session_id
        self._server, self._keep_seconds, self._forget = server, keep_seconds, forget

    def end(self) -> None:
        """The connection is lost: have the session closed, unless there is another one by then."""
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:  # not the server, which alone can lose a connection
            return
        _last_stay[self.session_id] = self
        loop.call_later(max(0.0, self._keep_seconds - EARLIER_SECONDS), self._close)

    def _close(self) -> None:
        if _last_stay.get(self.session_id) is not self:
            return  # it came back and was lost again: the later loss counts
        del _last_stay[self.session_id]
        if not self._server.is_active_session(self.session_id):
            self._server.close_session(self.session_id)
            self._forget()
            _clear_away_soon()


def _clear_away_soon() -> None:
    global _clearing  # noqa: PLW0603
    if not _clearing:
        _clearing = True
        asyncio.get_running_loop().call_later(CLEARED_AFTER_SECONDS, _clear_away)


def _clear_away() -> None:
    global _clearing  # noqa: PLW0603
    _clearing = False
    give_back_memory()


#: The stay that ended last of each session that is not closed yet. Used on the server's event loop alone.
_last_stay: dict[str, Connection] = {}
_clearing = False


def _end(stay: Connection | None) -> None:
    if stay is not None:
        stay.end()


@st.cache_resource(scope="session", show_spinner=False, on_release=_end)
def note_departure() -> Connection | None:
    """Have the session that is being served closed some time after its connection is lost.

    Streamlit releases what is cached for a session as soon as that happens.
    """
    session_id = served_session()
    if session_id is None:
        return None
    forget = partial(_forget, session_id, forgetter())
    keep_seconds = float(st.get_option("server.disconnectedSessionTTL"))
    return Connection(session_id, runtime.get_instance(), keep_seconds, forget)


def _forget(session_id: str, forget: Callable[[], None]) -> None:
    """Drop what a session holds: where nobody is left, Streamlit's loop still has the last one at hand."""
    forget()
    forget_uploads(session_id)
