"""A visitor without a browser: one session of the running app, over its WebSocket.

It talks to the server as Streamlit's page does, with the same origin, cookie and XSRF token. From the answers
it keeps the widgets by name, the pages, and every error that the page would show.
"""

import asyncio
import json
import struct
import time
import urllib.request
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from typing import Any

from streamlit.proto.Alert_pb2 import Alert
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Block_pb2 import Block
from streamlit.proto.Delta_pb2 import Delta
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin, Subprotocol

__all__ = ["ANSWER_SECONDS", "PLAYER", "XSRF_COOKIE", "Visitor", "Widget", "connected", "visit"]

#: A visitor waits no longer for an answer.
ANSWER_SECONDS = 120.0
LOOK_EVERY_SECONDS = 0.3
PLAYER = "player-"
TEXT_BOX = "text_box-"
XSRF_COOKIE = "_streamlit_xsrf"


@dataclass(frozen=True)
class Widget:
    """One widget on the page.

    - ``kind``: the name of its message, such as "text_area";
    - ``fragment``: the id of the fragment that it is in, empty for none;
    - ``message``: what the server says about it.
    """

    id: str
    kind: str
    fragment: str
    message: Any


@dataclass
class Visitor:
    """One session.

    - ``url``: the address of the app; ``xsrf``: the token of the page, also sent as a cookie;
    - ``session_id``: the id that uploads need;
    - ``pages``: the hash of each page, by its path in the address;
    - ``widgets``: those on the page, by key, or by label if they have none; ``drawn``: those that this run of
      the script has drawn;
    - ``finished``: how the last run of the script ended;
    - ``crashes``: the exceptions on the page so far;
    - ``errors``: the crashes, every red box, and every missing answer.
    """

    socket: ClientConnection
    url: str = ""
    xsrf: str = ""
    session_id: str = ""
    pages: dict[str, str] = field(default_factory=dict)
    widgets: dict[str, Widget] = field(default_factory=dict)
    drawn: dict[str, Widget] = field(default_factory=dict)
    finished: int = ForwardMsg.FINISHED_SUCCESSFULLY
    crashes: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    async def open_page(self, path: str = "") -> None:
        """Open the first page, or another one after it."""
        await self._ask()
        if path:
            await self._ask(page=self.pages[path])

    async def paste_and_train(self, text: str) -> None:
        """Train on a short text, until its player is there."""
        await self._ask(self._state(self.text_box, json_value=json.dumps({"train": {"text": text}})))
        self._expect(bool(self.player), "no player after training")

    async def train_library(self, megabytes: int, merges: int) -> None:
        """Train on the longest sample in the background, until its player is there."""
        chosen = [self._state("num_merges-0", double_value=merges)]
        await self._ask(*chosen)
        sample = f"sample-Python standard library-{megabytes}"
        await self._ask(*chosen, self._state(sample, trigger_value=True))
        while not self.player and not self.errors:
            await asyncio.sleep(LOOK_EVERY_SECONDS)
            await self._ask(*chosen, fragment=self.widgets["look"].fragment)

    async def stop_at(self, step: int) -> float:
        """Stop the player at a step; returns the seconds until the panels show that step."""
        at = {"at": {"step": step, "number": self.run_number}}
        began = time.perf_counter()
        await self._ask(self._state(self.player, json_value=json.dumps(at)))
        seconds = time.perf_counter() - began
        alone = self.finished == ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY
        self._expect(alone, f"more than the parts that follow the player was drawn at step {step}")
        shown = json.loads(self.widgets["remote"].message.json)["shown"]
        self._expect(shown == step, f"the panels do not show step {step}")
        return seconds

    @property
    def text_box(self) -> str:
        """The key of the field for a text."""
        return next(key for key in reversed(self.widgets) if key.startswith(TEXT_BOX))

    @property
    def player(self) -> str:
        """The key of the player on the page; empty if there is none."""
        return next((key for key in reversed(self.widgets) if key.startswith(PLAYER)), "")

    @property
    def run_number(self) -> int:
        """The number of the run in the player; 0 if there is none."""
        packed = self.widgets[self.player].message.bytes if self.player else b""
        if not packed:
            return 0
        (length,) = struct.unpack_from("<I", packed)
        return int(json.loads(packed[4 : 4 + length])["number"])

    def _state(self, widget: str, **value: Any) -> WidgetState:
        values: dict[str, Any] = {k: {"data": v} if isinstance(v, list) else v for k, v in value.items()}
        return WidgetState(id=self.widgets[widget].id, **values)

    def _expect(self, holds: bool, otherwise: str) -> None:
        if not holds:
            self.errors.append(otherwise)

    async def _ask(self, *states: WidgetState, fragment: str = "", page: str = "", query: str = "") -> None:
        """Run the script with these states of widgets, until it and what it starts have ended."""
        message = BackMsg()
        message.rerun_script.widget_states.widgets.extend(states)
        message.rerun_script.fragment_id = fragment
        message.rerun_script.page_script_hash = page
        message.rerun_script.query_string = query
        await self._send(message, self._ends_run)

    async def _send(self, message: BackMsg, ends: Callable[[ForwardMsg], bool]) -> None:
        """Send a message, and read answers until ``ends`` is true of one."""
        await self.socket.send(message.SerializeToString())
        async with asyncio.timeout(ANSWER_SECONDS):
            while not ends(self._read(await self.socket.recv(decode=False))):
                pass

    def _ends_run(self, message: ForwardMsg) -> bool:
        return (
            message.WhichOneof("type") == "script_finished"
            and message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN
        )

    def _read(self, data: bytes) -> ForwardMsg:
        """Note what a message says."""
        message: ForwardMsg = ForwardMsg.FromString(data)
        match message.WhichOneof("type"):
            case "new_session":
                self.session_id = message.new_session.initialize.session_id
                self.drawn = {}
            case "navigation":
                self.pages = {
                    page.url_pathname: page.page_script_hash for page in message.navigation.app_pages
                }
            case "delta":
                self._note(message.delta)
            case "session_event" if message.session_event.HasField("script_compilation_exception"):
                self.errors.append(message.session_event.script_compilation_exception.message)
            case "script_finished":
                self.finished = message.script_finished
                if self.finished == ForwardMsg.FINISHED_SUCCESSFULLY:  # the whole page is new
                    self.widgets = self.drawn
        return message

    def _note(self, delta: Delta) -> None:
        if delta.WhichOneof("type") == "add_block":
            self._note_block(delta.add_block, delta.fragment_id)
            return
        kind = delta.new_element.WhichOneof("type")
        if kind is None:
            return
        element = getattr(delta.new_element, kind)
        if kind == "exception":
            self.crashes.append(f"{element.type}: {element.message}")
            self.errors.append(element.message)
        elif kind == "alert" and element.format == Alert.ERROR:
            self.errors.append(element.body)
        self._note_widget(kind, element, delta.fragment_id)

    def _note_block(self, block: Block, fragment: str) -> None:
        kind = block.WhichOneof("type")
        if kind is not None:
            self._note_widget(kind, getattr(block, kind), fragment)

    def _note_widget(self, kind: str, message: Any, fragment: str) -> None:
        if found := getattr(message, "id", ""):
            key = found.split("-", 2)[-1]
            name = message.label if key == "None" else key
            self.widgets[name] = self.drawn[name] = Widget(found, kind, fragment, message)


@asynccontextmanager
async def visit(url: str) -> AsyncIterator[Visitor]:
    """A visitor of the app at ``url``, who leaves at the end."""
    async with connected(url) as (socket, xsrf):
        yield Visitor(socket, url, xsrf)


@asynccontextmanager
async def connected(url: str) -> AsyncIterator[tuple[ClientConnection, str]]:
    """A connection like that of the page at ``url``, and the token that uploads need."""
    xsrf = await asyncio.to_thread(_xsrf_token, url)
    async with connect(
        url.replace("http://", "ws://") + "/_stcore/stream",
        origin=Origin(url),
        additional_headers={"Cookie": f"{XSRF_COOKIE}={xsrf}"},
        subprotocols=[Subprotocol("streamlit"), Subprotocol(xsrf)],
        max_size=None,
        compression=None,
        ping_interval=None,  # wait for a server that is busy
    ) as socket:
        yield socket, xsrf


def _xsrf_token(url: str) -> str:
    """The token in the cookie that the server sets."""
    with urllib.request.urlopen(f"{url}/_stcore/health", timeout=ANSWER_SECONDS) as answer:
        cookies = SimpleCookie(answer.headers["Set-Cookie"])
    return cookies[XSRF_COOKIE].value
