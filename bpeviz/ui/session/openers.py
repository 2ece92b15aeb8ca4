"""Which page of this server opened a saved session last.

A reload begins a new page while a script of the old one may still run, and save at its end. The new page has
read the session by then, so to it that would be a change in another tab.
"""

import threading
from collections.abc import Callable
from typing import TypeVar
from weakref import WeakValueDictionary

from bpeviz.ui.session.background_training import session_connected
from bpeviz.ui.session.session import Session

__all__ = ["open_saved", "save_unless_left"]

T = TypeVar("T")

#: The session of the page that opened or saved each one last, by the id under which it is saved.
_openers: WeakValueDictionary[str, Session] = WeakValueDictionary()
#: So that no old page saves while a new one opens the session.
_turn = threading.RLock()


def open_saved(saved_id: str, state: Session, load: Callable[[], T]) -> T:
    """Return what ``load`` reads of a saved session, for the page of ``state``."""
    with _turn:
        _openers[saved_id] = state
        return load()


def save_unless_left(saved_id: str, state: Session, save: Callable[[], None]) -> bool:
    """Save a session, unless its browser has left this page and another page has opened it since. Return
    whether it is saved."""
    connected = session_connected()
    with _turn:
        if _openers.get(saved_id, state) is not state and not connected():
            return False
        save()
        _openers[saved_id] = state
        return True
