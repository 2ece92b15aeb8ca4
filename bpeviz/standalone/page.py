"""One HTML page with everything in it: the data, the scripts and the styles of the app's own parts.

    <head>   a policy that allows no request and only the two scripts of this page, and the page's style
    <main>   the place of the parts; what people read without JavaScript, and on paper (content.py)
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
from typing import Literal

from bpeviz.browser.parts import PARTS, Part, file_text, joined_script
from bpeviz.standalone.options import Options

__all__ = ["Content", "Kind", "write_page"]

#: A playground is one file, or in a folder of a web server, with more beside it.
Kind = Literal["run", "comparison", "playground", "folder"]

_PARTS_OF_PLAYGROUND = ("playground", "lesson", "player", "pairs", "biography", "comparer")
#: The script that starts each kind of page, and the parts that it shows.
_SHOWN: dict[Kind, tuple[str, tuple[str, ...]]] = {
    "run": ("standalone/run_page.js", ("player", "pairs", "biography")),
    "comparison": ("standalone/comparison_page.js", ("comparer",)),
    "playground": ("playground/playground_page.js", _PARTS_OF_PLAYGROUND),
    "folder": ("playground/folder_page.js", _PARTS_OF_PLAYGROUND),
}
#: The kinds of pages that train runs themselves, and what these may connect to.
_TRAINING: dict[Kind, str] = {"playground": "'none'", "folder": "'self'"}
#: The part of the playground that the app doesn't have: the text and the rules.
_OF_PLAYGROUND = {
    "playground": Part(
        "", "playground/playground.html", (*PARTS["text_box"].styles, "playground/playground.css")
    ),
}


@dataclass(frozen=True)
class Content:
    """What a page shows.

    - ``kind``: one run, alone or beside another; a comparison of two tokenizers; or what trains runs itself;
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
    loader = f"{{\n{joined_script('standalone/loader.js')}}}"
    policy = (
        f"default-src 'none'; script-src {_allowed(loader)} {_allowed(script)}; style-src 'unsafe-inline'; "
        "img-src blob: data:; base-uri 'none'; form-action 'none'"
    )
    above = below = style = ""
    if content.kind in _TRAINING:
        policy += f"; worker-src blob:; connect-src {_TRAINING[content.kind]}"
        style = file_text("playground/lesson_page.css")
        above, below = '<div id="above"></div>\n', '<div id="below"></div>\n'
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
            '<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">',
            f"<title>{escape(content.title)}</title>",
            f"<style>{file_text('standalone/page.css')}{style}</style>\n</head>\n<body>",
            f'<main>\n{above}<figure>\n<div id="parts"></div>\n{caption}</figure>\n{below}',
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
    script_name, names = _SHOWN[kind]
    script = joined_script(script_name)
    shown = PARTS | _OF_PLAYGROUND
    program = {
        "script": script,
        "parts": {
            name: {"html": shown[name].html, "css": shown[name].css + file_text("standalone/part.css")}
            for name in names
        },
        "worker": joined_script("trainer/worker.js") if kind in _TRAINING else "",
    }
    return json.dumps(program, ensure_ascii=False).encode(), script


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
