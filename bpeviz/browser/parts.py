"""The parts that a browser draws: of each the script, the HTML and the styles.

The app and the standalone page read this table.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from bpeviz.browser.modules import join_modules

__all__ = ["PARTS", "Part", "file_text", "joined_script"]

_HERE = Path(__file__).parent


@dataclass(frozen=True)
class Part:
    """The files of a part: its ``script``; its ``page`` of HTML, empty if it draws nothing; and
    its ``styles``, in their order."""

    script: str
    page: str = ""
    styles: tuple[str, ...] = ()

    @property
    def html(self) -> str:
        """The HTML, empty if there is none."""
        return file_text(self.page) if self.page else ""

    @property
    def css(self) -> str:
        """The styles as one sheet, empty if there are none."""
        return "\n".join(map(file_text, self.styles))


_TEXT = ("shared/base.css", "shared/text_view.css")
_CURVES = ("shared/curves.css", "shared/term.css")

PARTS = {
    # the main page
    "player": Part(
        "player/player.js",
        "player/player.html",
        (
            *_TEXT,
            "player/player.css",
            "player/token_card.css",
            *_CURVES,
            "player/exports.css",
            "player/fork_marks.css",
        ),
    ),
    "pairs": Part(
        "player/pairs.js", "player/pairs.html", ("shared/base.css", "shared/curves.css", "player/pairs.css")
    ),
    "pair_pack": Part("player/pair_pack.js"),
    "page_file": Part("player/page_file.js"),
    "remote": Part("player/remote.js"),
    "biography": Part(
        "biography/biography.js", "biography/biography.html", (*_TEXT, "biography/biography.css")
    ),
    "text_box": Part("text_box/text_box.js", "text_box/text_box.html", (*_TEXT, "text_box/text_box.css")),
    "pattern_check": Part(
        "pattern_check/pattern_check.js",
        "pattern_check/pattern_check.html",
        (*_TEXT, "pattern_check/pattern_check.css"),
    ),
    # the other pages
    "comparer": Part(
        "comparer/comparer.js", "comparer/comparer.html", (*_TEXT, *_CURVES, "comparer/comparer.css")
    ),
    "boundary_rows": Part(
        "boundary_rows/boundary_rows.js",
        "boundary_rows/boundary_rows.html",
        (*_TEXT, "boundary_rows/boundary_rows.css"),
    ),
    "encoder": Part("encoder/encoder.js", "encoder/encoder.html", (*_TEXT, "encoder/encoder.css")),
    "orders": Part("encoder/orders.js", "encoder/orders.html", (*_TEXT, "encoder/encoder.css")),
    # every page of the app
    "chart_export": Part(
        "chart_export/chart_export.js", "chart_export/chart_export.html", ("shared/base.css",)
    ),
    "copy_link": Part(
        "copy_link/copy_link.js", "copy_link/copy_link.html", ("shared/base.css", "copy_link/copy_link.css")
    ),
    "drop_zone": Part("app_page/drop_zone.js"),
    "history": Part("app_page/history.js"),
    "remember": Part("app_page/remember.js"),
    "text_menu": Part("app_page/text_menu.js"),
    "training_bar": Part("app_page/training_bar.js"),
}


@cache
def file_text(name: str) -> str:
    """Return a file of this folder: ``file_text("shared/term.css")``."""
    return (_HERE / name).read_text("utf-8")


@cache
def joined_script(name: str) -> str:
    """Return a script of this folder with all that it imports, as one module."""
    return join_modules(_HERE / name)
