"""The player as a widget: Python reads and sets its step while somebody uses it in a notebook.

A notebook shows the same iframe as without this module, so a saved notebook needs no kernel. ``live.js``
carries the step and the picked token between that iframe and Python.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

import msgspec
import traitlets
from anywidget import AnyWidget
from comm import DummyComm

from bpeviz.browser.parts import file_text
from bpeviz.decoders import converted
from bpeviz.standalone.options import Options
from bpeviz.standalone.page import Content
from bpeviz.standalone.player import Player

__all__ = ["Count", "LivePlayer", "PickedMessage", "PickedToken", "message_of", "token_of"]


@dataclass(frozen=True)
class PickedToken:
    """The token under the cursor: where it starts and ends in the text, in bytes, and what it is.

    ``rank`` is that of the merge that makes it, or None for a token of the base vocabulary. ``token_id`` is
    None for one that has no id.
    """

    start: int
    end: int
    token_id: int | None
    text: str
    token_bytes: bytes
    rank: int | None


#: What JavaScript can count exactly.
Count = Annotated[int, msgspec.Meta(ge=0, lt=2**53)]


class PickedMessage(msgspec.Struct):
    """A picked token as the browser sends it; ``bytes`` are hexadecimal."""

    start: Count
    end: Count
    id: Count | None
    text: str
    bytes: Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{2})*$")]
    rank: Count | None


def token_of(message: object) -> PickedToken | None:
    """Return the token of a message, None if none is picked. Raises msgspec.ValidationError."""
    if message is None:
        return None
    said = converted(message, PickedMessage)
    return PickedToken(said.start, said.end, said.id, said.text, bytes.fromhex(said.bytes), said.rank)


def message_of(token: PickedToken | None) -> dict[str, object] | None:
    """Return the message of a token, as the browser would send it."""
    if token is None:
        return None
    return {
        "start": token.start,
        "end": token.end,
        "id": token.token_id,
        "text": token.text,
        "bytes": token.token_bytes.hex(),
        "rank": token.rank,
    }


class _FromBrowser(msgspec.Struct):
    """What the browser may change."""

    step: Count | msgspec.UnsetType = msgspec.UNSET
    picked: PickedMessage | msgspec.UnsetType | None = msgspec.UNSET


class _Step(traitlets.TraitType[int, object]):
    """A step that the player has."""

    default_value = 0

    def validate(self, obj: Player, value: object) -> int:
        return obj.checked_step(value)


class LivePlayer(Player, AnyWidget):
    """A player whose ``step`` follows the browser and moves it, and that knows the ``picked`` token.

    ``observe`` calls a function when one of the two changes, as with every widget.
    """

    _esm = file_text("standalone/live.js")  # of a path it would keep every player

    player_id = traitlets.Unicode(read_only=True).tag(sync=True)
    step = _Step().tag(sync=True)
    picked = traitlets.Instance(PickedToken, allow_none=True, read_only=True).tag(
        sync=True, from_json=lambda message, _: token_of(message), to_json=lambda token, _: message_of(token)
    )
    observe = AnyWidget.observe  # the player's own only names the extra

    def __init__(
        self, content_at: Callable[[int], Content], *, last: int, step: int | None, options: Options
    ) -> None:
        Player.__init__(self, content_at, last=last, step=step, options=options)
        self.set_trait("player_id", self.id)
        AnyWidget.__init__(self, step=0 if step is None else step)
        self.on_msg(_answer)
        if isinstance(self.comm, DummyComm):
            self.close()  # no notebook listens, and ipywidgets keeps every open widget for ever

    def close(self) -> None:
        """End the connection with the browser. The player can still be shown."""
        super().close()
        self.__dict__.pop("_repr_mimebundle_", None)  # ipywidgets hides it

    def _repr_mimebundle_(self, **_: object) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the static iframe: a notebook that is opened without a kernel has no widgets."""
        return {"text/html": self._repr_html_(), "text/plain": repr(self)}, {}

    def set_state(self, sync_data: Mapping[str, object]) -> None:
        """Take a step and a picked token from the browser, and ignore anything else that it sends."""
        try:
            said = converted(sync_data, _FromBrowser)
        except msgspec.ValidationError:
            return
        if said.step is msgspec.UNSET or said.step <= self.last:
            names = sync_data.keys() & {"step", "picked"}
            super().set_state({name: sync_data[name] for name in names})


def _answer(player: LivePlayer, content: object, _: object) -> None:
    """Send the iframe to a front end that draws the widget itself."""
    if content == {"ask": "iframe"}:
        player.send({"iframe": player._repr_html_()})
