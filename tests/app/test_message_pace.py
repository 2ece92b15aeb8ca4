"""How often one connection is served, with a clock that the test moves."""

import asyncio
from collections.abc import Iterable

from starlette.types import Message
from streamlit.proto.BackMsg_pb2 import BackMsg

from bpeviz.ui.server.message_pace import SECONDS_BETWEEN, PacedMessages


def rerun(text: str = "", *, click: bool = False, query: str = "", fragment: str = "") -> BackMsg:
    message = BackMsg()
    message.rerun_script.query_string = query
    message.rerun_script.fragment_id = fragment
    message.rerun_script.widget_states.widgets.add(id="text", string_value=text)
    if click:
        message.rerun_script.widget_states.widgets.add(id="button", trigger_value=True)
    return message


STOP = BackMsg(stop_script=True)


class Connection:
    """Messages that have all arrived, and a clock that only sleeping moves. Checking one takes ``cost``
    seconds of the event loop; those with the text "drop" are dropped."""

    def __init__(self, messages: Iterable[BackMsg], cost: float = 0.0) -> None:
        self.now, self.busy, self.cost = 100.0, 0.0, cost
        self._messages = [{"type": "websocket.receive", "bytes": m.SerializeToString()} for m in messages]
        self._paced = PacedMessages(
            self._receive, self._check, lambda: self.now, sleep=self._sleep, busy=lambda: self.busy
        )

    def _check(self, data: bytes) -> bytes | None:
        self.busy += self.cost
        return None if b"drop" in data else data

    async def _receive(self) -> Message:
        if not self._messages:
            await asyncio.Event().wait()
        return self._messages.pop(0)

    async def _sleep(self, seconds: float) -> None:
        for _ in range(20):  # what has arrived comes first
            await asyncio.sleep(0)
        self.now += seconds

    async def served(self, count: int) -> list[tuple[BackMsg, float]]:
        """So many messages, and when each was served."""
        found = [(await self._paced.next(), self.now - 100) for _ in range(count)]
        self._paced.close()
        return [(BackMsg.FromString(message["bytes"]), round(now, 3)) for message, now in found]


def served(messages: Iterable[BackMsg], count: int) -> list[tuple[BackMsg, float]]:
    async def serve() -> list[tuple[BackMsg, float]]:
        return await Connection(messages).served(count)

    return asyncio.run(serve())


def test_a_flood_of_reruns_is_served_as_its_first_and_its_last() -> None:
    flood = [rerun(str(n)) for n in range(8_000)]
    assert served(flood, 2) == [(flood[0], 0.0), (flood[-1], SECONDS_BETWEEN)]


def test_every_click_is_served_in_turn() -> None:
    clicks = [rerun(str(n), click=True) for n in range(5)]
    assert served(clicks, 5) == [(click, round(n * SECONDS_BETWEEN, 3)) for n, click in enumerate(clicks)]


def test_a_click_replaces_what_came_before_it_but_is_never_replaced() -> None:
    first, before, click, after = rerun("1"), rerun("2"), rerun("3", click=True), rerun("4")
    assert [m for m, _ in served([first, before, click, after], 3)] == [first, click, after]


def test_reruns_of_another_page_or_fragment_and_other_messages_are_not_replaced() -> None:
    messages = [rerun(), rerun(query="a"), rerun(query="b"), rerun(fragment="f"), STOP, rerun()]
    assert [m for m, _ in served(messages, 6)] == messages


def test_a_message_after_a_rest_is_served_at_once() -> None:
    async def serve() -> list[float]:
        connection = Connection([rerun("1"), rerun("2")])
        times = []
        for _ in range(2):
            await connection._paced.next()
            times.append(connection.now - 100)
            connection.now += 1
        connection._paced.close()
        return times

    assert asyncio.run(serve()) == [0.0, 1.0]


def served_at(connection: Connection, count: int, handling: float = 0.0) -> list[float]:
    """When so many messages were served. Streamlit handles each for some seconds on the event loop."""

    async def serve() -> list[float]:
        times = []
        for _ in range(count):
            await connection._paced.next()
            times.append(round(connection.now - 100, 3))
            connection.busy += handling
        connection._paced.close()
        return times

    return asyncio.run(serve())


CLICKS = [rerun(str(number), click=True) for number in range(5)]


def test_a_connection_rests_ten_times_as_long_as_its_messages_took_on_the_event_loop() -> None:
    assert served_at(Connection(CLICKS, cost=0.1), 3) == [0.0, 1.0, 2.0]
    assert served_at(Connection(CLICKS), 3, handling=0.5) == [0.0, 5.0, 10.0]


def test_messages_that_are_dropped_or_replaced_are_paid_for_too() -> None:
    dropped = [rerun("drop")] * 4 + [rerun("kept")]
    assert served_at(Connection(dropped, cost=0.1), 1) == [4.0]
    replaced = [rerun(str(number)) for number in range(1_000)]
    assert served_at(Connection(replaced, cost=0.1), 4) == [0.0, 1.0, 2.0, 3.0]


def test_a_message_does_not_wait_for_the_time_that_it_took_itself() -> None:
    assert served_at(Connection([rerun("1")], cost=0.5), 1) == [0.0]
