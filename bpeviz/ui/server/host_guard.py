"""Answers only under the server's own names, and no page of another site."""

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from bpeviz.ui.server.hosting import HOSTS, Hosting, host_name, hosting
from bpeviz.words import in_short

__all__ = ["HostGuard", "refused"]

#: Whoever looks after the server asks for this under any name.
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
        return f"This server does not answer as {in_short(name)}. Whoever runs it can add it to {HOSTS}."
    origin = headers.get("origin")
    if origin is None and method in _CHANGING:
        return "This request does not say which page it comes from."
    if origin is not None and origin.partition("://")[2] != host:
        return "This request comes from a page of another site."
    return None


class HostGuard:
    """Middleware that refuses requests under other names, and those of other sites' pages."""

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
