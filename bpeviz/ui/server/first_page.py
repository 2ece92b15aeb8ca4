"""Streamlit's first page with two things of ours: a bar that says when the server doesn't answer, and a still
picture of the first step, until the player is there.

Both have to work before Streamlit's scripts run, or without its server. So they are in the page itself, and
its policy has the digest of the script.
"""

from functools import cache
from html import escape
from pathlib import Path

import streamlit
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bpeviz.browser.part_files import part_file
from bpeviz.browser.parts import file_text, joined_script
from bpeviz.core.gap_ranks import token_ends
from bpeviz.runs.samples import FIRST_STEP, first_run
from bpeviz.text.token_text import token_hue

__all__ = ["FirstPage", "first_page"]

#: So much of the text fits most windows.
_PICTURE_BYTES = 700
#: The parts that a first visit needs; the bar, because a training may lose its connection.
_EARLY = ("player", "pairs", "training_bar")


@cache
def first_page(*, picture: bool = False) -> str:
    """Return the page; with ``picture`` for a visit without a saved session or a link."""
    index = Path(streamlit.__file__).parent / "static" / "index.html"
    ours = (
        f"<style>{file_text('app_page/first_page.css')}</style>"
        f"<script>{{\n{joined_script('app_page/connection.js')}}}</script>"
    )
    before, head, after = index.read_text("utf-8").partition("<head>")
    page = f"{before}{head}\n{ours}{after}".replace("<title>Streamlit</title>", "<title>bpeviz</title>")
    # else env(safe-area-inset-bottom) is 0 in the styles
    page = page.replace("initial-scale=1,", "initial-scale=1, viewport-fit=cover,")
    if not picture:
        return page
    # both are of the main page: the browser fetches them beside Streamlit's scripts
    early = "".join(f'<link rel="modulepreload" href="{part_file(name).path}">' for name in _EARLY)
    return page.replace("</head>", f"{early}</head>", 1).replace("<body>", f"<body>\n{_picture()}", 1)


def _picture() -> str:
    """Return the text of a first visit in its tokens at the step where the player begins."""
    run = first_run()
    data, start, spans = run.text.encode("utf-8"), 0, []
    for last in token_ends(run.gap_ranks, FIRST_STEP).tolist():
        if (end := last + 1) > _PICTURE_BYTES:
            break
        token = data[start:end]
        spans.append(
            f'<span style="--hue:{token_hue(token)}">{escape(token.decode("utf-8", "replace"))}</span>'
        )
        start = end
    return f'<div id="bpeviz-picture" aria-hidden="true"><strong>bpeviz</strong><p>{"".join(spans)}</p></div>'


class FirstPage:
    """Middleware that answers with our first page where Streamlit answers with its own: to any path but those
    of files, such as the pages that people save."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        of_file = scope["type"] == "http" and "." in scope["path"].rpartition("/")[2]
        if scope["type"] != "http" or scope["method"] != "GET" or of_file:
            await self._app(scope, receive, send)
            return
        first_visit = scope["path"].endswith("/") and not scope["query_string"]
        replaced, page = False, first_page(picture=first_visit).encode()

        async def send_ours(message: Message) -> None:
            nonlocal replaced
            if message["type"] == "http.response.start":
                kind = Headers(raw=message["headers"]).get("content-type", "")
                replaced = message["status"] == 200 and kind.startswith("text/html")
                if replaced:
                    message = {**message, "headers": _headers(message, len(page))}
            elif replaced:
                if message.get("more_body"):
                    return
                message = {**message, "body": page}
            await send(message)

        await self._app(scope, receive, send_ours)


def _headers(message: Message, length: int) -> list[tuple[bytes, bytes]]:
    """Return the headers of Streamlit's answer without those that are about its own bytes."""
    of_bytes = {b"content-length", b"content-encoding", b"etag", b"last-modified"}
    kept = [(name, value) for name, value in message["headers"] if name.lower() not in of_bytes]
    return [*kept, (b"content-length", str(length).encode())]
