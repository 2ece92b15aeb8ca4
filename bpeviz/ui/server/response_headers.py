"""Headers of every answer: what the page may load, who may frame it, what other sites learn."""

import base64
import hashlib
import re

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bpeviz.ui.server.first_page import first_page
from bpeviz.ui.server.hosting import Hosting, hosting

__all__ = ["ResponseHeaders", "headers", "inline_scripts"]


def headers(hosting: Hosting) -> dict[str, str]:
    """Return the headers, by name."""
    found = {
        "Content-Security-Policy": "; ".join(f"{what} {where}" for what, where in _policy(hosting).items()),
        "X-Content-Type-Options": "nosniff",
        # The page's address opens the saved session: no other site may learn it.
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    }
    # The older header can't name a site. A browser that knows "frame-ancestors" ignores it.
    return found if hosting.frames else found | {"X-Frame-Options": "SAMEORIGIN"}


def _policy(hosting: Hosting) -> dict[str, str]:
    hashes = " ".join(f"'sha256-{_digest(script)}'" for script in inline_scripts(first_page()))
    return {
        "default-src": "'self'",
        # Streamlit turns the script of a component into a blob and imports it.
        "script-src": f"'self' blob: {hashes}",
        # Streamlit, its tables and Plotly write style sheets while they run.
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' blob: data:",
        "font-src": "'self' data:",
        "worker-src": "'self' blob:",
        "object-src": "'none'",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-src": "'none'",
        "frame-ancestors": " ".join(("'self'", *hosting.frames)),
    }


def inline_scripts(html: str) -> list[str]:
    """Return the scripts in a page: '<script>a()</script>' -> ['a()']."""
    return re.findall(r"<script>(.*?)</script>", html, re.DOTALL)


def _digest(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


class ResponseHeaders:
    """Middleware that sets the headers on every answer to a plain request."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._headers = headers(hosting())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(self._headers)
            await send(message)

        await self._app(scope, receive, send_with_headers if scope["type"] == "http" else send)
