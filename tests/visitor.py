"""A visitor without a browser: one session of the running app, over its WebSocket.

It speaks to the server as Streamlit's page does. Of the answers it keeps what it needs to go on: the widgets
by name, the tabs, and all that the page would show as an error.
"""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from streamlit.proto.Alert_pb2 import Alert
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Delta_pb2 import Delta
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

__all__ = ["PLAYER", "TRAIN", "Visitor", "visit"]

#: What an answer that takes longer counts as not given.
ANSWER_SECONDS = 120.0
LOOK_EVERY_SECONDS = 0.3
PLAYER = "player-"
TRAIN = "Train and watch"


@dataclass
class Visitor:
    """One session.

    - ``widgets``: the id of each widget on the page, by its key, or by its label where it has no key;
    - ``fragments``: the id of the fragment that each of them stands in, empty for none;
    - ``tabs``: the labels of the tabs that the last answer drew;
    - ``finished``: how the last run of the script ended;
    - ``errors``: every exception and red box so far, and every answer that did not come.
    """

    socket: ClientConnection
    widgets: dict[str, str] = field(default_factory=dict)
    fragments: dict[str, str] = field(default_factory=dict)
    tabs: list[str] = field(default_factory=list)
    finished: int = ForwardMsg.FINISHED_SUCCESSFULLY
    errors: list[str] = field(default_factory=list)

    async def open_page(self) -> None:
        """Have the first page drawn."""
        await self._ask()

    async def paste_and_train(self, text: str) -> None:
        """Train on a text that is short enough to be trained on at once, and see its player."""
        pasted = self._state("pasted", string_value=text)
        await self._ask(pasted)
        await self._ask(pasted, self._state(TRAIN, trigger_value=True))
        self._expect(bool(self.player), "no player after training")

    async def train_library(self, megabytes: int, merges: int) -> None:
        """Train on the longest sample; follow the training in the background until its player is there."""
        chosen = [self._state("source", string_array_value=["Pick a sample"])]
        await self._ask(*chosen)
        chosen.append(self._state("sample", string_array_value=["Python standard library"]))
        await self._ask(*chosen)
        chosen.append(self._state("library_megabytes", string_array_value=[str(megabytes)]))
        chosen.append(self._state("num_merges-0", double_value=merges))
        await self._ask(*chosen)
        await self._ask(*chosen, self._state(TRAIN, trigger_value=True))
        while not self.player and not self.errors:
            await asyncio.sleep(LOOK_EVERY_SECONDS)
            await self._ask(*chosen, fragment=self.fragments["look"])

    async def rest_at(self, step: int) -> float:
        """Have the player come to rest; gives the seconds until all that follows it is drawn."""
        at = {"at": {"step": step, "moving": False}}
        began = time.perf_counter()
        await self._ask(self._state(self.player, json_value=json.dumps(at)))
        taken = time.perf_counter() - began
        alone = self.finished == ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY
        self._expect(alone, f"more than the parts that follow the player was drawn at step {step}")
        self._expect(f"Merges so far: {step:,}" in self.tabs, f"the panels do not show step {step}")
        return taken

    @property
    def player(self) -> str:
        """The key of the player on the page, empty before there is one."""
        return next((key for key in reversed(self.widgets) if key.startswith(PLAYER)), "")

    def _state(self, widget: str, **value: Any) -> WidgetState:
        values: dict[str, Any] = {k: {"data": v} if isinstance(v, list) else v for k, v in value.items()}
        return WidgetState(id=self.widgets[widget], **values)

    def _expect(self, holds: bool, otherwise: str) -> None:
        if not holds:
            self.errors.append(otherwise)

    async def _ask(self, *states: WidgetState, fragment: str = "") -> None:
        """Have the script run with these states of widgets, until it and what it starts is done."""
        message = BackMsg()
        message.rerun_script.widget_states.widgets.extend(states)
        message.rerun_script.fragment_id = fragment
        self.tabs = []
        await self.socket.send(message.SerializeToString())
        async with asyncio.timeout(ANSWER_SECONDS):
            while not self._read(ForwardMsg.FromString(await self.socket.recv(decode=False))):
                pass

    def _read(self, message: ForwardMsg) -> bool:
        """Take note of a message; whether it is the last of an answer."""
        match message.WhichOneof("type"):
            case "delta":
                self._note(message.delta)
            case "session_event" if message.session_event.HasField("script_compilation_exception"):
                self.errors.append(message.session_event.script_compilation_exception.message)
            case "script_finished":
                self.finished = message.script_finished
                return self.finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN
        return False

    def _note(self, delta: Delta) -> None:
        if delta.WhichOneof("type") == "add_block":
            if delta.add_block.WhichOneof("type") == "tab":
                self.tabs.append(delta.add_block.tab.label)
            return
        kind = delta.new_element.WhichOneof("type")
        if kind is None:
            return
        element = getattr(delta.new_element, kind)
        if kind == "exception" or (kind == "alert" and element.format == Alert.ERROR):
            self.errors.append(element.message if kind == "exception" else element.body)
        if found := getattr(element, "id", ""):
            key = found.split("-", 2)[-1]
            name = element.label if key == "None" else key
            self.widgets[name] = found
            self.fragments[name] = delta.fragment_id


@asynccontextmanager
async def visit(url: str) -> AsyncIterator[Visitor]:
    """A visitor of the app at ``url``, who leaves at the end."""
    address = url.replace("http://", "ws://") + "/_stcore/stream"
    async with connect(
        address, subprotocols=[Subprotocol("streamlit")], max_size=None, compression=None
    ) as socket:
        yield Visitor(socket)
