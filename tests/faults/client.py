"""An attacker: a visitor who sends what no browser would, and goes on after any answer."""

import asyncio
import uuid
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Block_pb2 import Block
from streamlit.proto.Delta_pb2 import Delta
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.exceptions import ConnectionClosed

from tests.faults.hostile_content import Files
from tests.support.visitor import ANSWER_SECONDS, Visitor, Widget, connected

__all__ = ["Attacker", "attacker", "value_for"]

#: The server has dropped a message that it does not answer for so long.
SILENT_SECONDS = 5.0
#: The field of a widget's state that holds its value, by the kind of widget.
_FIELDS = {
    "text_area": "string_value",
    "text_input": "string_value",
    "number_input": "double_value",
    "selectbox": "string_value",
    "radio": "string_value",
    "checkbox": "bool_value",
    "popover": "bool_value",
    "expandable": "bool_value",
    "button_group": "string_array_value",
    "multiselect": "string_array_value",
    "tab_container": "string_value",
    "button": "trigger_value",
    "download_button": "trigger_value",
    "bidi_component": "json_value",
    "dataframe": "string_value",
    "plotly_chart": "string_value",
    "slider": "double_array_value",
    "file_uploader": "file_uploader_state_value",
}


def value_for(widget: Widget, value: Any) -> WidgetState:
    """The state of a widget with this value, as the page would send it."""
    field_name = _FIELDS[widget.kind]
    if widget.kind == "slider" and widget.message.options:  # of words
        field_name = "string_array_value"
    listed = field_name.endswith("array_value")
    return WidgetState(id=widget.id, **{field_name: {"data": value} if listed else value})


@dataclass
class Attacker(Visitor):
    """One session of an attacker.

    - ``labels``: the labels of the tabs in each row of tabs;
    - ``page``, ``query``: the page that is open and the parameters of its address, sent with each message;
    - ``links``: the parameters that link buttons lead to, by label.
    """

    labels: dict[str, list[str]] = field(default_factory=dict)
    page: str = ""
    query: str = ""
    links: dict[str, str] = field(default_factory=dict)
    _row: str = ""

    async def go(self, page: str, query: str = "") -> None:
        """Open a page by its path."""
        self.page, self.query = self.pages.get(page, page), query
        await self.send()

    async def send(self, *states: WidgetState) -> None:
        """Run the open page with these states of widgets."""
        await self._ask(*states, page=self.page, query=self.query)

    async def tell(self, *states: WidgetState, fragment: str = "") -> None:
        """Run the open page, or a fragment, without waiting for an answer."""
        message = BackMsg()
        message.rerun_script.widget_states.widgets.extend(states)
        message.rerun_script.fragment_id = fragment
        message.rerun_script.page_script_hash = self.page
        message.rerun_script.query_string = self.query
        await self.socket.send(message.SerializeToString())

    async def read_until(self, name: str) -> None:
        """Read answers until the page draws a widget."""
        async with asyncio.timeout(ANSWER_SECONDS):
            while name not in self.drawn:
                self._read(await self.socket.recv(decode=False))

    async def set(self, name: str, value: Any) -> None:
        """Give a widget a value of the right type."""
        await self.send(value_for(self.widgets[name], value))

    async def press(self, name: str, **also: Any) -> None:
        """Press a button, and give other widgets values in the same message."""
        states = [value_for(self.widgets[other], value) for other, value in also.items()]
        await self.send(*states, value_for(self.widgets[name], True))

    async def forge(self, widget_id: str, value: Mapping[str, Any]) -> None:
        """Send any value under any id."""
        await self.send(WidgetState(id=widget_id, **value))

    async def train(self, text: str, **settings: Any) -> None:
        """Train on a text; return when the run is there or trains in the background."""
        await self.go("")
        for name, value in settings.items():
            await self.set(self.named(name), value)
        await self.drop({"text": text.encode("utf-8", "surrogatepass")})

    async def drop(self, files: Files) -> None:
        """Drop files on the page, which trains on them."""
        await self.upload(self.named("dropped-"), files)

    async def put_unasked(self, data: bytes) -> int:
        """Upload a file that no field asked for; returns the status."""
        return await self.put(f"/_stcore/upload_file/{self.session_id}/{uuid.uuid4()}", "a.txt", data)

    async def download(self, name: str) -> bytes:
        """The file of a download button that makes it when it is pressed."""
        urls: list[str] = []

        def answered(message: ForwardMsg) -> bool:
            if message.WhichOneof("type") != "backend_operation_response":
                return False
            urls.append(message.backend_operation_response.deferred_file.url)
            return True

        await self._send(self.file_request(name), answered)
        return (await self._http("GET", urls[0]))[1]

    def file_request(self, name: str) -> BackMsg:
        """What the page sends when a download button is pressed."""
        request = BackMsg()
        operation = request.backend_operation_request
        operation.request_id, operation.session_id = str(uuid.uuid4()), self.session_id
        operation.deferred_file.file_id = self.widgets[name].message.deferred_file_id
        return request

    async def flood(self, data: bytes, seconds: float) -> None:
        """Send a message again and again, as fast as the connection takes it, and read what comes."""
        reader = asyncio.create_task(self._read_all())
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while True:
                    await self.socket.send(data)
        reader.cancel()
        with suppress(asyncio.CancelledError, ConnectionClosed):
            await reader

    async def _read_all(self) -> None:
        while True:
            await self.socket.recv()

    async def _send(self, message: BackMsg, ends: Callable[[ForwardMsg], bool]) -> None:
        """Send a message as any visitor does, but do not wait long for an answer."""
        await self.socket.send(message.SerializeToString())
        try:
            async with asyncio.timeout(SILENT_SECONDS):
                ended = ends(self._read(await self.socket.recv(decode=False)))
        except TimeoutError:
            return
        async with asyncio.timeout(ANSWER_SECONDS):
            while not ended:
                ended = ends(self._read(await self.socket.recv(decode=False)))

    def _read(self, data: bytes) -> ForwardMsg:
        message = super()._read(data)
        if message.WhichOneof("type") == "page_info_changed":
            self.query = message.page_info_changed.query_string
        return message

    def _note(self, delta: Delta) -> None:
        super()._note(delta)
        if delta.new_element.HasField("link_button"):
            button = delta.new_element.link_button
            self.links[button.label] = urlsplit(button.url).query

    def _note_block(self, block: Block, fragment: str) -> None:
        super()._note_block(block, fragment)
        if block.HasField("tab_container"):
            self._row = block.tab_container.id
            self.labels[self._row] = []
        elif block.HasField("tab"):
            self.labels.setdefault(self._row, []).append(block.tab.label)


@asynccontextmanager
async def attacker(url: str, query: str = "", address: str = "") -> AsyncIterator[Attacker]:
    """An attacker on the first page, with these parameters in the address, who leaves at the end.

    ``address``: the network address that a proxy says.
    """
    async with connected(url, address) as socket:
        attacker = Attacker(socket, url)
        await attacker.go("", query)
        yield attacker
