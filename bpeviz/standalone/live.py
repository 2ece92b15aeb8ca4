"""The player as a widget: Python reads and sets its step while somebody uses it in a notebook.

A notebook shows the same iframe as without this module, so a saved notebook needs no kernel. ``live.js``
carries the step and the picked token between that iframe and Python.
"""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
import traitlets
from anywidget import AnyWidget
from comm import DummyComm

from bpeviz.browser.parts import file_text
from bpeviz.decoders import converted
from bpeviz.standalone.options import Options
from bpeviz.standalone.page import Content
from bpeviz.standalone.picked_token import Count, PickedMessage, PickedToken, message_of, token_of
from bpeviz.standalone.player import Player

__all__ = ["LivePlayer"]


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
