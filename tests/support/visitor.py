"""A visitor without a browser: one session of the running app, over its WebSocket.

It talks to the server as Streamlit's page does, with the same origin. From the answers it keeps the widgets
by name, the pages, and every error that the page would show.
"""

import asyncio
import http.client
import json
import struct
import time
import uuid
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from google.protobuf.message import Message
from streamlit.proto.Alert_pb2 import Alert
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Block_pb2 import Block
from streamlit.proto.Common_pb2 import FileURLs
from streamlit.proto.Delta_pb2 import Delta
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin, Subprotocol

from bpeviz.runs.typed_text import fits

__all__ = ["ANSWER_SECONDS", "PLAYER", "Visitor", "Widget", "connected", "visit"]

#: A visitor waits no longer for an answer.
ANSWER_SECONDS = 120.0
LOOK_EVERY_SECONDS = 0.3
PLAYER = "player-"
TEXT_BOX = "text_box-"


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

    - ``url``: the address of the app;
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

    async def send(self, *states: WidgetState) -> None:
        """Run the page with these states of widgets."""
        await self._ask(*states)

    async def paste_and_train(self, text: str) -> None:
        """Train on a text, until its player is there. Like the page, give the server a long one as a file."""
        before = self.run_number
        if fits(text):
            await self._ask(self._state(self.text_box, json_value=json.dumps({"train": {"text": text}})))
        else:
            await self.upload(self.named("dropped-"), {"your text": text.encode("utf-8")})
        self._expect(self.run_number not in (0, before), "the player has no run of this text")

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

    def named(self, start: str) -> str:
        """The widget whose key begins so."""
        return next(name for name in self.widgets if name.startswith(start))

    async def upload(self, name: str, files: Mapping[str, bytes]) -> list[int]:
        """Upload files to a field as the page does; returns the status of each upload."""
        request = BackMsg()
        request.file_urls_request.request_id = str(uuid.uuid4())
        request.file_urls_request.session_id = self.session_id
        request.file_urls_request.file_names.extend(files)
        urls: list[FileURLs] = []

        def answered(message: ForwardMsg) -> bool:
            if message.WhichOneof("type") != "file_urls_response":
                return False
            urls.extend(message.file_urls_response.file_urls)
            return True

        await self._send(request, answered)
        statuses = []
        infos: list[dict[str, Message | str | int]] = []
        for url, (file_name, data) in zip(urls, files.items(), strict=True):
            statuses.append(await self.put(url.upload_url, file_name, data))
            infos.append({"name": file_name, "size": len(data), "file_id": url.file_id, "file_urls": url})
        if name in self.widgets:
            state = {"uploaded_file_info": infos}
            await self.send(self._state(name, file_uploader_state_value=state))
        return statuses

    async def put(self, path: str, name: str, data: bytes) -> int:
        boundary = uuid.uuid4().hex
        quoted = name.replace('"', "%22")
        body = (
            f'--{boundary}\r\nContent-Disposition: form-data; name="{quoted}"; filename="{quoted}"\r\n'
            "Content-Type: application/octet-stream\r\n\r\n"
        ).encode() + data
        status, _ = await self._http(
            "PUT",
            path,
            body + f"\r\n--{boundary}--\r\n".encode(),
            {"Content-Type": f"multipart/form-data; boundary={boundary}"},
        )
        return status

    async def _http(
        self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] = {}
    ) -> tuple[int, bytes]:
        return await asyncio.to_thread(self._ask_http, method, path, body, headers)

    def _ask_http(
        self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]
    ) -> tuple[int, bytes]:
        connection = http.client.HTTPConnection(urlsplit(self.url).netloc, timeout=60)
        try:
            connection.request(method, urlsplit(path).path, body, {"Origin": self.url, **headers})
            answer = connection.getresponse()
            return answer.status, answer.read()
        except (BrokenPipeError, ConnectionResetError):
            return 413, b""  # the server refused before it had everything
        finally:
            connection.close()

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
    async with connected(url) as socket:
        yield Visitor(socket, url)


@asynccontextmanager
async def connected(url: str, address: str = "") -> AsyncIterator[ClientConnection]:
    """A connection like that of the page at ``url``, from an ``address`` behind a proxy."""
    async with connect(
        url.replace("http://", "ws://") + "/_stcore/stream",
        origin=Origin(url),
        subprotocols=[Subprotocol("streamlit")],
        additional_headers={"X-Forwarded-For": address} if address else None,
        max_size=None,
        compression=None,
        ping_interval=None,  # wait for a server that is busy
    ) as socket:
        yield socket
