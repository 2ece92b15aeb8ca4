"""What stands between the network and Streamlit: limits on requests, headers on answers."""

from starlette.middleware import Middleware

from bpeviz.ui.message_guard import MessageGuard
from bpeviz.ui.request_guard import RequestGuard
from bpeviz.ui.response_headers import ResponseHeaders
from bpeviz.ui.upload_guard import UploadGuard

__all__ = ["middleware"]


def middleware() -> list[Middleware]:
    """The layers, from the outside in."""
    return [Middleware(layer) for layer in (ResponseHeaders, RequestGuard, UploadGuard, MessageGuard)]
