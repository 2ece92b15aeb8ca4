"""The parts that a browser draws: of each the script, the HTML and the styles.

The app and the standalone page read this table.

The scripts are ES modules. The script of a part runs from a blob, and that of a standalone page inside that:
relative imports work in neither. So a script is joined with all that it imports: see docs/javascript.md.
"""

import re
from dataclasses import dataclass
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

__all__ = ["PARTS", "Part", "file_text", "join_modules", "joined_script"]

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
        return _COMMENT.sub("", "\n".join(map(file_text, self.styles)))


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
    "exports": Part(
        "player/app_exports.js", "player/app_exports.html", ("shared/base.css", "player/exports.css")
    ),
    "page_file": Part("player/page_file.js"),
    "remote": Part("player/remote.js"),
    "biography": Part(
        "biography/biography.js", "biography/biography.html", (*_TEXT, "biography/biography.css")
    ),
    "text_box": Part("text_box/text_box.js", "text_box/text_box.html", (*_TEXT, "text_box/text_box.css")),
    "lesson": Part(
        "lesson/lesson.js",
        "lesson/lesson.html",
        (*_TEXT, "boundary_rows/boundary_rows.css", "lesson/lesson.css"),
    ),
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
    "variants": Part("encoder/variants.js", "encoder/variants.html", (*_TEXT, "encoder/encoder.css")),
    # every page of the app
    "chart_export": Part(
        "chart_export/chart_export.js", "chart_export/chart_export.html", ("shared/base.css",)
    ),
    "copy_link": Part(
        "copy_link/copy_link.js", "copy_link/copy_link.html", ("shared/base.css", "copy_link/copy_link.css")
    ),
    "drop_zone": Part("app_page/drop_zone.js"),
    "history": Part("app_page/history.js"),
    "reconnected": Part("app_page/reconnected.js"),
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


_IMPORT = re.compile(r'^import \{([^}]*)\} from "(\.[^"]*)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?!default )", re.MULTILINE)
#: A comment that has its lines to itself: a third of a page that people send to others would be comments.
_COMMENT = re.compile(r"^[ \t]*(?://.*|/\*(?:[^*]|\*(?!/))*\*/)\n", re.MULTILINE)


def join_modules(entry: Path) -> str:
    """Join a module with all that it imports to one module without imports.

    Each file comes once, after those that it imports. All names share one scope, so no two files of a
    component may declare the same name; nothing is renamed or imported whole. Comments stay behind, unless
    code is on their lines. Raises CycleError if modules import each other.
    """
    sources: dict[Path, str] = {}
    imports: dict[Path, list[Path]] = {}
    waiting = [entry.resolve()]
    while waiting:
        path = waiting.pop()
        if path in sources:
            continue
        sources[path] = path.read_text("utf-8")
        imports[path] = [(path.parent / found[2]).resolve() for found in _IMPORT.finditer(sources[path])]
        waiting += imports[path]
    order = TopologicalSorter(imports).static_order()
    return "\n".join(_COMMENT.sub("", _EXPORT.sub("", _IMPORT.sub("", sources[path]))) for path in order)
