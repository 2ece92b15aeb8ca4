"""The layers between the network and Streamlit, and the two that ask who sends what.

Limits on messages and uploads have their own files."""

from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from bpeviz.ui.server.first_page import FirstPage
from bpeviz.ui.server.hosting import HOSTS, Hosting, host_name, hosting
from bpeviz.ui.server.kept_files import CompressedFiles, PartFiles
from bpeviz.ui.server.message_guard import MessageGuard
from bpeviz.ui.server.response_headers import ResponseHeaders
from bpeviz.ui.server.upload_guard import UploadGuard
from bpeviz.words import in_short

__all__ = ["HostGuard", "RequestGuard", "middleware", "refusal", "refused"]

#: A monitor of the server asks for this under any name.
_HEALTH = "/_stcore/health"
#: Uploads. A browser always says which page sends one, so they need no cookie, which a browser may block.
_CHANGING = ("PUT", "DELETE")


def refused(headers: Headers, hosting: Hosting, method: str = "GET") -> str | None:
    """Return why a request is refused; None for one of our own page.

    A browser says in ``Origin`` which page uploads or opens a WebSocket. An upload must have it.
    """
    host = headers.get("host", "")
    name = host_name(host)
    if not hosting.answers_to(name):
        return f"This server does not answer as {in_short(name)}. Its operator can add it to {HOSTS}."
    origin = headers.get("origin")
    if origin is None and method in _CHANGING:
        return "This request does not say which page it comes from."
    if origin is not None and origin.partition("://")[2] != host:
        return "This request comes from a page of another site."
    return None


class HostGuard:
    """Middleware that refuses requests under other names, and those of other sites' pages.

    Starlette's TrustedHostMiddleware can't allow all addresses of numbers, and doesn't look at ``Origin``.
    Streamlit's ``server.allowedHosts`` guards the WebSocket alone.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._hosting = hosting()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        reason = None
        if scope["type"] in ("http", "websocket") and not scope["path"].endswith(_HEALTH):
            reason = refused(Headers(scope=scope), self._hosting, scope.get("method", "GET"))
        if reason is None:
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008, "reason": reason})
        else:
            await PlainTextResponse(reason, 403)(scope, receive, send)


#: The paths below ``/_stcore/`` that the page uses: not the metrics, which show the server's memory, and not
#: the interface for agents.
_NEEDED = ("health", "host-config", "stream")
_NEEDED_FOLDERS = ("bidi-components/", "upload_file/")
#: Pages for a login, which the app does not have.
_LOGIN = frozenset({"auth", "oauth2callback"})
_READING = ("GET", "HEAD", "OPTIONS")
_UPLOADING = (*_READING, "PUT", "DELETE")


def refusal(method: str, path: str) -> int | None:
    """Return the status that refuses a request; None for one that the page makes.

    ("GET", "/_stcore/metrics") -> 404, ("POST", "/") -> 405
    """
    before, inner, name = path.partition("/_stcore/")
    if inner and not (name in _NEEDED or name.startswith(_NEEDED_FOLDERS)):
        return 404
    if not _LOGIN.isdisjoint(before.split("/")):
        return 404
    allowed = _UPLOADING if inner and name.startswith("upload_file/") else _READING
    return None if method in allowed else 405


class RequestGuard:
    """Middleware that refuses all requests that the page does not make."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        status = refusal(scope["method"], scope["path"]) if scope["type"] == "http" else None
        if status is None:
            await self._app(scope, receive, send)
        else:
            await PlainTextResponse("Not here.", status)(scope, receive, send)


def middleware() -> list[Middleware]:
    """Return the layers, from the outside in, for the server's environment. Raises ServerSettingError."""
    before = (ResponseHeaders, HostGuard, RequestGuard)
    files = (CompressedFiles, PartFiles, FirstPage)
    return [Middleware(layer) for layer in (*before, *files, UploadGuard, MessageGuard)]
