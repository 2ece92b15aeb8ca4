"""How often a connection is served, so that one browser's messages leave time for everybody else's.

    arrive:  a b c d          reruns, c with a click
    served:  a c      d       20 ms after each; b is left out, because c says all that b says

A rerun holds the state of every field, so a later one replaces an earlier one that waits, unless the earlier
one holds a click. What can't be served yet waits in the connection, and then in the browser.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from starlette.types import Message

from bpeviz.ui.server.streamlit_internals import BackMsg, ClientState

__all__ = ["SECONDS_BETWEEN", "PacedMessages"]

#: Two messages of a connection are served this far apart: some 50 a second.
SECONDS_BETWEEN = 0.02
#: What says which part of which page a rerun is about.
_WHERE = ("fragment_id", "page_script_hash", "page_name", "query_string", "is_history_navigation")
#: The kinds of values that report one click, which no later message repeats.
_CLICKS = ("trigger_value", "string_trigger_value", "json_trigger_value", "chat_input_value")


class PacedMessages:
    """The messages of one connection; ``receive`` gives the next one that may be served."""

    def __init__(
        self,
        receive: Callable[[], Awaitable[Message]],
        clock: Callable[[], float],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._receive = receive
        self._clock = clock
        self._sleep = sleep
        self._due = clock()
        self._coming: asyncio.Future[Message] | None = None

    async def next(self) -> Message:
        """Return the next message when it is its turn."""
        message = await self._arrived()
        while (left := self._due - self._clock()) > 0 and await self._arrives_within(left):
            if not _replaces(self._waiting(), message):
                await self._sleep(self._due - self._clock())
                break
            message = await self._arrived()
        self._due = self._clock() + SECONDS_BETWEEN
        return message

    def close(self) -> None:
        """Stop receiving."""
        if self._coming is not None:
            self._coming.cancel()

    async def _arrived(self) -> Message:
        """Return the next message, when it has arrived."""
        self._coming = self._coming or asyncio.ensure_future(self._receive())
        message = await self._coming
        self._coming = None
        return message

    async def _arrives_within(self, seconds: float) -> bool:
        """Return whether the next message arrives within a time. Lets other tasks run in any case."""
        self._coming = self._coming or asyncio.ensure_future(self._receive())
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
