"""Passes on the requests that the page makes and the health check; refuses all others."""

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

__all__ = ["RequestGuard", "refusal"]

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
