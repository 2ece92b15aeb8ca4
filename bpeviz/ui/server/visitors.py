"""Who uses the server: a visitor, by network address, and one of the visitor's sessions."""

from ipaddress import ip_address, ip_network

import streamlit as st

from bpeviz.limits import limits
from bpeviz.ui.server.streamlit_internals import served_session
from bpeviz.workers.turns import Asker

__all__ = ["asks", "visitor"]


def visitor() -> str:
    """Return who uses a public server: the network address, or the session if that is unknown.

    All addresses of an IPv6 network of 64 bits count as one, because its users choose the rest. On your own
    machine there is one person.
    """
    if not limits().hosted:
        return ""
    try:
        address = ip_address(_address() or "")
    except ValueError:
        return served_session() or ""
    return str(ip_network((address, 64), strict=False) if address.version == 6 else address)


def asks() -> Asker:
    """Return the visitor and the session whose script runs in this thread; in other threads, an empty one. On
    your own machine each session has the turns of a visitor, so that a busy one doesn't hold up another."""
    session = served_session()
    return Asker(visitor() or session, session) if session else Asker()


def _address() -> str | None:
    """Return the visitor's network address; behind a proxy, the one that the proxy passes on."""
    return st.context.ip_address
