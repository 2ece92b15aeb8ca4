"""The session of a visitor who left is closed after a while, unless the visitor comes back."""

import asyncio
from types import SimpleNamespace

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.runtime.state import SessionState
from streamlit.runtime.state.common import WidgetMetadata

from bpeviz.ui.server import departure, streamlit_internals
from bpeviz.ui.server.departure import Connection


class FakeServer:
    def __init__(self) -> None:
        self.active: set[str] = set()
        self.closed: list[str] = []
        self.forgotten: list[str] = []

    def is_active_session(self, session_id: str) -> bool:
        return session_id in self.active

    def close_session(self, session_id: str) -> None:
        self.closed.append(session_id)

    def connection(self, session_id: str = "one", keep_seconds: float = 0.0) -> Connection:
        return Connection(session_id, self, keep_seconds, lambda: self.forgotten.append(session_id))


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> FakeServer:
    monkeypatch.setattr(departure, "EARLIER_SECONDS", 0.0)
    monkeypatch.setattr(departure, "CLEARED_AFTER_SECONDS", (0.0,))
    monkeypatch.setattr(departure, "_last_lost", {})
    monkeypatch.setattr(departure, "_clearing", False)
    return FakeServer()


@pytest.mark.full
def test_closed_and_forgotten_when_its_time_is_over(server: FakeServer) -> None:
    async def leave() -> None:
        server.connection().end()
        assert server.closed == []
        await asyncio.sleep(0.01)

    asyncio.run(leave())
    assert (server.closed, server.forgotten) == (["one"], ["one"])
    assert departure._last_lost == {}


@pytest.mark.full
def test_one_that_came_back_is_kept(server: FakeServer) -> None:
    async def leave_and_return() -> None:
        server.connection().end()
        server.active.add("one")
        await asyncio.sleep(0.01)

    asyncio.run(leave_and_return())
    assert (server.closed, server.forgotten) == ([], [])


@pytest.mark.full
def test_one_that_came_back_and_left_again_has_its_whole_time_anew(server: FakeServer) -> None:
    async def leave_twice() -> None:
        server.connection().end()
        server.connection(keep_seconds=3600.0).end()
        await asyncio.sleep(0.01)

    asyncio.run(leave_twice())
    assert (server.closed, server.forgotten) == ([], [])


@pytest.mark.full
def test_several_that_left_are_cleared_away_at_once(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    cleared: list[list[str]] = []
    monkeypatch.setattr(departure, "_clear_away", lambda: cleared.append(list(server.closed)))

    async def all_leave() -> None:
        server.connection("one").end()
        server.connection("two").end()
        await asyncio.sleep(0.01)

    asyncio.run(all_leave())
    assert cleared == [["one", "two"]]


def test_without_a_server_nothing_is_closed(server: FakeServer) -> None:
    server.connection().end()
    assert departure._last_lost == {}


def test_a_session_with_values_that_cannot_be_read_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streamlit's own ``clear`` reads each value first, and stops at a forged one."""
    state = SessionState()
    for name in ("forged", "unknown"):
        state._new_widget_state.set_widget_from_proto(WidgetState(id=name, bool_value=True))

    def deserializer(value: object) -> object:
        raise TypeError(value)

    state._new_widget_state.set_widget_metadata(
        WidgetMetadata("forged", deserializer, serializer=str, value_type="string_value")
    )
    state["text"] = "the cat"
    context = SimpleNamespace(
        session_state=SimpleNamespace(_state=state), fragment_storage={"part": "of a page"}
    )
    monkeypatch.setattr(streamlit_internals, "get_script_run_ctx", lambda: context)
    streamlit_internals.forgetter()()
    assert len(state._new_widget_state) == len(state._new_session_state) == 0
    assert context.fragment_storage == {}
