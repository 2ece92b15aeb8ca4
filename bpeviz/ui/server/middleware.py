"""The layers between the network and Streamlit: who may ask, limits on requests, headers on answers."""

from starlette.middleware import Middleware

from bpeviz.ui.server.host_guard import HostGuard
from bpeviz.ui.server.message_guard import MessageGuard
from bpeviz.ui.server.request_guard import RequestGuard
from bpeviz.ui.server.response_headers import ResponseHeaders
from bpeviz.ui.server.upload_guard import UploadGuard

__all__ = ["middleware"]


def middleware() -> list[Middleware]:
    """Return the layers, from the outside in, for the server's environment. Raises ServerSettingError."""
    layers = (ResponseHeaders, HostGuard, RequestGuard, UploadGuard, MessageGuard)
    return [Middleware(layer) for layer in layers]
