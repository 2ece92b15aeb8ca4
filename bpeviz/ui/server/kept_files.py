"""Files that a browser keeps, compressed once: those of the parts that it draws, and Streamlit's own.

Streamlit sends its scripts uncompressed, because it would compress them at every request. They were two
thirds of the bytes of a first visit.
"""

import asyncio
import gzip
import re
from functools import partial

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bpeviz.browser.part_files import FOLDER, part_file
from bpeviz.browser.parts import PARTS

__all__ = ["CompressedFiles", "PartFiles"]

#: Their names have a digest.
_KEPT = re.compile(rf".*/(?:static/(?:js|css)|{FOLDER})/(?P<name>[^/]+)")
_KINDS = ("text/javascript", "application/javascript", "text/css")
_FOREVER = "public, max-age=31536000, immutable"
#: Higher levels take three times as long for a hundredth of the bytes.
_LEVEL = 6


class PartFiles:
    """Middleware that answers with the files of parts, below any address of a page."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        folder, _, name = scope.get("path", "").rpartition("/")
        if scope["type"] != "http" or not folder.endswith(f"/{FOLDER}"):
            await self._app(scope, receive, send)
            return
        await _answer(name)(scope, receive, send)


def _answer(name: str) -> Response:
    part = name.partition(".")[0]
    if part not in PARTS or part_file(part).name != name:
        return PlainTextResponse("Not here.", 404)
    return Response(
        part_file(part).content, media_type="text/javascript", headers={"Cache-Control": _FOREVER}
    )


class CompressedFiles:
    """Middleware that compresses scripts and styles, each once, and answers from memory from then on."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        #: By their names: there are as many as Streamlit and the parts have.
        self._kept: dict[str, tuple[Message, bytes]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        file = _KEPT.fullmatch(scope["path"]) if scope["type"] == "http" else None
        headers = Headers(scope=scope) if file else Headers()
        packed = "gzip" in headers.get("accept-encoding", "") and "range" not in headers
        if file is None or scope["method"] != "GET" or not packed:
            await self._app(scope, receive, send)
            return
        name = file["name"]
        if name not in self._kept:
            start, body = await _answer_of(self._app, scope, receive)
            if not _is_kept(start):
                await send(start)
                await send({"type": "http.response.body", "body": body})
                return
            self._kept[name] = await _compressed(start, body)
        start, body = self._kept[name]
        await send({**start, "headers": list(start["headers"])})  # an outer layer adds its own
        await send({"type": "http.response.body", "body": body})


def _is_kept(start: Message) -> bool:
    """Return whether an answer is a script or styles. A page answers under any name that Streamlit doesn't
    know: kept, it would stand in for a file, and such names never end."""
    headers = Headers(raw=start["headers"])
    kind = headers.get("content-type", "").partition(";")[0]
    return start["status"] == 200 and kind in _KINDS and "content-encoding" not in headers


async def _answer_of(app: ASGIApp, scope: Scope, receive: Receive) -> tuple[Message, bytes]:
    """Return the first message of an app's answer, and the whole body."""
    messages: list[Message] = []

    async def collect(message: Message) -> None:
        messages.append(message)

    await app(scope, receive, collect)
    return messages[0], b"".join(message.get("body", b"") for message in messages[1:])


async def _compressed(start: Message, body: bytes) -> tuple[Message, bytes]:
    packed = await asyncio.to_thread(partial(gzip.compress, body, _LEVEL, mtime=0))
    # all visitors get this answer: none may get the cookie of the first
    shared = [(name, value) for name, value in start["headers"] if name.lower() != b"set-cookie"]
    headers = MutableHeaders(raw=shared)
    headers["content-encoding"] = "gzip"
    headers["content-length"] = str(len(packed))
    headers.add_vary_header("Accept-Encoding")
    return {**start, "headers": headers.raw}, packed
