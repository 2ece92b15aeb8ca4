"""How often a connection is served, so that one browser's messages leave time for everybody else's.

    arrive:  a b c d          reruns, c with a click
    served:  a c      d       20 ms after each; b is left out, because c says all that b says

A rerun holds the state of every field, so a later one replaces an earlier one that waits, unless the earlier
one holds a click. What can't be served yet waits in the connection, and then in the browser.

A connection pays for the time that its messages take on the event loop, where everybody waits: to check them,
to compare them, and until Streamlit asks for the next one. It doesn't pay for the run of the page.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any

from starlette.types import Message

from bpeviz.ui.server.streamlit_internals import BackMsg, ClientState

__all__ = ["REST_TIMES", "SECONDS_BETWEEN", "PacedMessages"]

#: Two messages of a connection are served this far apart: some 50 a second.
SECONDS_BETWEEN = 0.02
#: For each second of the event loop that a connection took, its next message is read so many seconds later.
REST_TIMES = 10
#: What says which part of which page a rerun is about.
_WHERE = ("fragment_id", "page_script_hash", "page_name", "query_string", "is_history_navigation")
#: The kinds of values that report one click, which no later message repeats.
_CLICKS = ("trigger_value", "string_trigger_value", "json_trigger_value", "chat_input_value")


class PacedMessages:
    """The messages of one connection: ``receive`` gives the next one, ``check`` what may be served of it, or
    None; ``ready`` waits until it may be. ``busy`` says how many seconds this thread has computed."""

    def __init__(
        self,
        receive: Callable[[], Awaitable[Message]],
        check: Callable[[bytes], bytes | None],
        clock: Callable[[], float],
        *,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        busy: Callable[[], float] = time.thread_time,
        ready: Callable[[bytes], Awaitable[None]] | None = None,
    ) -> None:
        self._receive, self._check, self._ready = receive, check, ready
        self._clock, self._sleep, self._busy = clock, sleep, busy
        self._due = self._reads_at = clock()
        self._served: float | None = None
        self._coming: asyncio.Future[Message] | None = None

    async def next(self) -> Message:
        """Return the next message when it is its turn."""
        if self._served is not None:  # Streamlit has worked on the last one since, without a break
            self._pay_since(self._served)
        message = await self._arrived()
        while (left := self._due - self._clock()) > 0 and await self._arrives_within(left):
            began = self._busy()
            replaced = _replaces(self._waiting(), message)
            self._pay_since(began)
            if not replaced:
                await self._sleep(self._due - self._clock())
                break
            message = await self._arrived()
        self._due = self._clock() + SECONDS_BETWEEN
        self._served = self._busy() if message.get("bytes") else None
        return message

    def close(self) -> None:
        """Stop receiving."""
        if self._coming is not None:
            self._coming.cancel()

    def _pay_since(self, began: float) -> None:
        rest = REST_TIMES * (self._busy() - began)
        self._reads_at = max(self._reads_at, self._clock()) + rest

    async def _checked(self) -> Message:
        """Receive until a message passes the check, and return it."""
        while True:
            if (rest := self._reads_at - self._clock()) > 0:
                await self._sleep(rest)
            message = await self._receive()
            if (data := message.get("bytes")) is None:
                return message
            began = self._busy()
            taken = self._check(data)
            self._pay_since(began)
            if taken is not None:
                if self._ready is not None:
                    await self._ready(taken)
                return {**message, "bytes": taken}

    async def _arrived(self) -> Message:
        """Return the next message, when it has arrived."""
        self._coming = self._coming or asyncio.ensure_future(self._checked())
        message = await self._coming
        self._coming = None
        return message

    async def _arrives_within(self, seconds: float) -> bool:
        """Return whether the next message arrives within a time. Lets other tasks run in any case."""
        self._coming = self._coming or asyncio.ensure_future(self._checked())
        timer = asyncio.ensure_future(self._sleep(seconds))
        both: list[asyncio.Future[Any]] = [self._coming, timer]
        await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        timer.cancel()
        return self._coming.done()

    def _waiting(self) -> Message:
        if self._coming is None or not self._coming.done():
            raise LookupError("no message waits")
        return self._coming.result()


def _replaces(later: Message, earlier: Message) -> bool:
    """Return whether a later message says all that an earlier one says."""
    after, before = _rerun(later), _rerun(earlier)
    if after is None or before is None:
        return False
    clicks = any(state.WhichOneof("value") in _CLICKS for state in before.widget_states.widgets)
    same = all(getattr(after, part) == getattr(before, part) for part in _WHERE)
    return same and not clicks


def _rerun(message: Message) -> ClientState | None:
    """Return the state of the page in a message that asks for a rerun."""
    data = message.get("bytes")
    parsed = BackMsg.FromString(data) if data else BackMsg()
    return parsed.rerun_script if parsed.WhichOneof("type") == "rerun_script" else None
