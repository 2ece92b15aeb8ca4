"""Player: a run or a comparison on a page, with the method names of plotly's figures.

player = trainer.player(text)
player.write_html("merges.html")
"""

import os
import tempfile
import uuid
import webbrowser
from collections.abc import Callable
from html import escape
from pathlib import Path

from bpeviz.cached import cached_property
from bpeviz.core.whole_numbers import as_whole_number
from bpeviz.errors import PlayerError
from bpeviz.standalone.options import Options, wrong_option
from bpeviz.standalone.page import Content, write_page
from bpeviz.text.file_names import as_path, replacing
from bpeviz.words import in_short

__all__ = ["Player"]


class Player:
    """The player of a run or a comparison, on a page that needs no server.

    ``content_at`` makes what the page shows at a step; ``last`` is the highest step; ``id`` names the player
    in messages between its page and the page around it.
    """

    def __init__(
        self, content_at: Callable[[int], Content], *, last: int, step: int | None, options: Options
    ) -> None:
        self._content_at = content_at
        self._options = options
        self.last = last
        self.id = uuid.uuid4().hex
        self._step = 0
        if step is not None:
            self._step = self.checked_step(step)

    def __repr__(self) -> str:
        return f"<Player: {self._title}>"

    @cached_property
    def _title(self) -> str:
        """The title of the page, which is the same at every step."""
        return self._content_at(0).title

    @property
    def step(self) -> int:
        """How many merges are made when the page opens. Set it to begin elsewhere."""
        return self._step

    @step.setter
    def step(self, step: int) -> None:
        self._step = self.checked_step(step)

    def checked_step(self, step: object) -> int:
        """Return a step that the player has. Raises PlayerError."""
        number = as_whole_number(step)
        if number is None or not 0 <= number <= self.last:
            raise wrong_option("step", step, f"Give a number of merges from 0 to {self.last:,}.")
        return number

    @property
    def picked(self) -> object:
        """The token under the pointer, in a notebook with bpeviz[notebook]. Else raises PlayerError."""
        raise PlayerError(_ONLY_LIVE)

    def observe(self, *_: object, **__: object) -> None:
        """Call a function when the step changes, in a notebook with bpeviz[notebook]. Raises PlayerError
        elsewhere."""
        raise PlayerError(_ONLY_LIVE)

    def to_html(self) -> str:
        """Return the page as HTML, with all that it needs."""
        return self._page(self.id)

    def _page(self, name: str) -> str:
        """Return the page, with this name in its messages."""
        return write_page(self._content_at(self.step), self._options, name)

    def write_html(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file, which is replaced; the same player gives the same file. Raises
        PlayerError."""
        data = self._page("player").encode("utf-8")
        try:
            with replacing(as_path(path)) as file:
                file.write(data)
        except OSError as error:
            name = str(path)
            shown = in_short(name if name.isprintable() else repr(name), 200)
            raise PlayerError(
                f"The page can't be written to {shown}: {error.strerror or 'unknown reason'}. "
                "Choose another place."
            ) from None

    def show(self) -> None:
        """Open the page in the browser."""
        with tempfile.NamedTemporaryFile("wb", prefix="bpeviz-", suffix=".html", delete=False) as file:
            file.write(self.to_html().encode("utf-8"))
        webbrowser.open(Path(file.name).as_uri())

    def _repr_html_(self) -> str:
        """Return the page in a frame, for notebooks. The frame keeps players apart from each other."""
        return (
            f'<iframe srcdoc="{escape(self.to_html())}" data-bpeviz-player="{self.id}" '
            'sandbox="allow-scripts allow-downloads allow-modals" '
            f'title="{escape(self._title)}" '
            f'style="width: 100%; height: {self._options.height}px; border: 0">'
            # Notebooks from elsewhere show no frames, only this.
            "Trust this notebook to see the player.</iframe>"
        )


_ONLY_LIVE = "No notebook is connected to the player. Install bpeviz[notebook] and restart the kernel."
