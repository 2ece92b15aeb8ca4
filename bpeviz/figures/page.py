"""One HTML page with everything in it: the data, the scripts and the styles of the app's own components.

    <head>   a policy that allows no request and only the two scripts of this page, and the page's style
    <main>   the place of the parts; what people read without JavaScript, and on paper (readable.py)
    program  the scripts, styles and HTML of the parts, as JSON, compressed
    packs    the data, compressed
    loader   the first script: unpacks both and starts the program

The program comes compressed, so that a page is small. Its script runs although the policy forbids others,
because the policy has its digest.
"""

import base64
import gzip
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Literal

from bpeviz.figures.modules import join_modules
from bpeviz.figures.options import Options

__all__ = ["Content", "Kind", "write_page"]

Kind = Literal["run", "comparison"]

_HERE = Path(__file__).parent
_COMPONENTS = _HERE.parent / "ui" / "components"
_SHARED = ("shared/base.css", "shared/text_view.css", "shared/curves.css", "shared/term.css")
#: The parts of each kind of page: HTML, and the styles that its component has in the app.
_PARTS: dict[Kind, dict[str, tuple[str, tuple[str, ...]]]] = {
    "run": {
        "player": (
            "player/player.html",
            (
                "shared/base.css",
                "shared/text_view.css",
                "player/player.css",
                "player/token_card.css",
                "shared/curves.css",
                "shared/term.css",
                "player/exports.css",
                "player/fork_marks.css",
            ),
        ),
        "pairs": ("player/pairs.html", ("shared/base.css", "shared/curves.css", "player/pairs.css")),
    },
    "comparison": {"comparer": ("comparer/comparer.html", (*_SHARED, "comparer/comparer.css"))},
}
_SCRIPTS: dict[Kind, str] = {"run": "run_page.js", "comparison": "comparison_page.js"}


@dataclass(frozen=True)
class Content:
    """What a page shows.

    - ``kind``: one run, alone or beside another, or a comparison of two tokenizers;
    - ``title``; ``readable``: the HTML for people without JavaScript;
    - ``packs``: the data of each part, see run_pack.py and comparison_pack.py;
    """

    kind: Kind
    title: str
    readable: str
    packs: Mapping[str, bytes]


def write_page(content: Content, options: Options, identity: str) -> str:
    """Return the page. ``identity`` names the player in the messages to the page around it."""
    program, script = _program(content.kind)
    loader = (_HERE / "loader.js").read_text("utf-8")
    policy = (
        f"default-src 'none'; script-src {_allowed(loader)} {_allowed(script)}; style-src 'unsafe-inline'; "
        "img-src blob: data:; base-uri 'none'; form-action 'none'"
    )
    settings = {
        "player": identity,
        "panels": options.panels,
        "speed": options.speed,
        "packs": {name: len(pack) for name, pack in content.packs.items()},
    }
    caption = f"<figcaption>{escape(options.caption)}</figcaption>\n" if options.caption else ""
    return "\n".join(
        (
            "<!doctype html>",
            f'<html lang="en" data-theme="{options.theme}" data-kind="{content.kind}">',
            '<head>\n<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(content.title)}</title>",
            f"<style>{(_HERE / 'page.css').read_text('utf-8')}</style>\n</head>\n<body>",
            f'<main>\n<figure>\n<div id="figure"></div>\n{caption}</figure>',
            f'<div id="readable">\n{content.readable}\n</div>\n</main>',
            _json("settings", settings),
            _data("program", program),
            _data("packs", b"".join(content.packs.values())),
            f"<script>{loader}</script>",
            "</body>\n</html>\n",
        )
    )


@cache
def _program(kind: Kind) -> tuple[bytes, str]:
    """Return the scripts, styles and HTML of a kind of page as JSON; and its script."""
    script = join_modules(_HERE / _SCRIPTS[kind])
    parts = {
        name: {
            "html": (_COMPONENTS / html).read_text("utf-8"),
            "css": "\n".join((_COMPONENTS / style).read_text("utf-8") for style in styles)
            + (_HERE / "part.css").read_text("utf-8"),
        }
        for name, (html, styles) in _PARTS[kind].items()
    }
    return json.dumps({"script": script, "parts": parts}, ensure_ascii=False).encode(), script


def _allowed(script: str) -> str:
    """How a policy allows one inline script."""
    return f"'sha256-{base64.b64encode(sha256(script.encode()).digest()).decode()}'"


def _json(name: str, value: object) -> str:
    """Return a small value as JSON that can't end its element."""
    written = json.dumps(value).replace("<", "\\u003c")
    return f'<script type="application/json" id="{name}">{written}</script>'


def _data(name: str, data: bytes) -> str:
    """Return data that no browser runs: compressed, in base64."""
    packed = base64.b64encode(gzip.compress(data, 9, mtime=0)).decode("ascii")
    return f'<script type="application/gzip" id="{name}">{packed}</script>'
