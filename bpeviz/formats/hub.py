"""A model's tokenizer from the Hugging Face Hub, fetched within limits.

No answer is trusted: it may come from a mirror (HF_ENDPOINT), or from a host that the Hub redirects to. A
worker reads it up to a size, and follows redirects to the Hub's own hosts only. Cancel ends the worker. The
package huggingface_hub opens the connections, and knows the person's token.
"""

import os
import re
import time
from collections.abc import Callable
from contextlib import closing, suppress
from typing import Annotated, Any
from urllib.parse import urlsplit

import msgspec

from bpeviz.decoders import json_decoder
from bpeviz.errors import TokenizerFileError
from bpeviz.formats.hub_cache import FILE_NAMES, keep, kept_file, read_cached
from bpeviz.workers import workers
from bpeviz.workers.task import Limit, OnEvent, Task, WorkerError, why_it_ended

__all__ = ["FETCH", "MOST_SECONDS", "fetch_tokenizer", "hub_host"]

#: How long all requests for one tokenizer may take, and how long the Hub may send nothing.
MOST_SECONDS, SILENT_SECONDS = 120.0, 10.0
LIMIT = Limit(seconds=30.0, memory_bytes=2**30)
#: What the Hub says about a model; those of many files have some 100 kB.
MOST_INFO_BYTES = 5_000_000
MOST_REDIRECTS = 5
#: Beside the place that HF_ENDPOINT names, files come from these hosts and those below them.
HOSTS = ("huggingface.co", "hf.co")
_MODEL = re.compile(r"[A-Za-z0-9][\w.-]{0,95}(/[A-Za-z0-9][\w.-]{0,95})?", re.ASCII)


class _Request(msgspec.Struct, frozen=True):
    """A model, and the address of the Hub."""

    model: str
    hub: str
    most_bytes: int
    shared_server: bool


class _File(msgspec.Struct, frozen=True):
    name: str
    content: bytes


def _hub() -> str:
    return os.environ.get("HF_ENDPOINT") or "https://huggingface.co"


def hub_host() -> str:
    """Return the host that the files come from."""
    return urlsplit(_hub()).netloc


def fetch_tokenizer(
    model: str,
    most_bytes: int,
    *,
    shared_server: bool = False,
    seconds: float = MOST_SECONDS,
    on_wait: Callable[[float], object] = lambda _: None,
) -> dict[str, bytes]:
    """Return the tokenizer file of a model on the Hub, by its name, if it has at most ``most_bytes``.

    It is in the cache of this machine afterwards. On a ``shared_server`` nothing is kept, and the server's
    own token is not used. ``on_wait(seconds)`` is called several times a second, with 0 while others
    download; what it raises ends the download. Raises TokenizerFileError.
    """
    if not _MODEL.fullmatch(model):
        raise TokenizerFileError(
            model[:100] or "No model",
            "this is not a model id. Write it as the Hub does: openai-community/gpt2.",
        )
    began: float | None = None

    def wait(queued: bool) -> None:
        nonlocal began
        began = time.monotonic() if began is None and not queued else began
        spent = time.monotonic() - began if began is not None else 0.0
        on_wait(spent)
        if spent > seconds:
            raise TokenizerFileError(model, f"the Hub took more than {seconds:g} seconds. Try again later.")

    try:
        file = workers().run(FETCH, _Request(model, _hub(), most_bytes, shared_server), LIMIT, wait)
    except WorkerError as error:
        ended = why_it_ended(error.why, "reading the Hub's answer", "Upload the model's tokenizer file.")
        raise TokenizerFileError(model, ". ".join(ended)) from None
    return {file.name: file.content}


# --- in the worker -------------------------------------------------------------------------------------


class _ModelFile(msgspec.Struct, frozen=True):
    rfilename: str
    size: int | None = None


class _Info(msgspec.Struct, frozen=True):
    """What the Hub says about a model; the commit becomes a part of a path."""

    sha: Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{40}\Z")]
    siblings: tuple[_ModelFile, ...] = ()


def _fetch(request: _Request, _tell: OnEvent) -> _File:
    try:
        return _fetched(request)
    except (TokenizerFileError, MemoryError):
        raise
    except (msgspec.MsgspecError, RecursionError):
        why = "what answers isn't the Hub, or not as it does. Check HF_ENDPOINT, or upload the file."
    except Exception as error:
        why = (
            f"the Hub can't be reached ({type(error).__name__}). Check the network, or upload the model's "
            "tokenizer file."
        )
        if os.environ.get("HF_HUB_OFFLINE", "0").upper() in ("1", "ON", "YES", "TRUE"):
            why = "HF_HUB_OFFLINE is set, so nothing is downloaded. Unset it, or upload the file."
    raise TokenizerFileError(request.model, why)


def _fetched(request: _Request) -> _File:
    model = request.model
    info = json_decoder(_Info).decode(_get(request, f"api/models/{model}?blobs=true", MOST_INFO_BYTES))
    sizes = {file.rfilename: file.size for file in info.siblings}
    name = next((name for name in FILE_NAMES if name in sizes), None)
    if name is None:
        known = ", ".join(FILE_NAMES)
        raise TokenizerFileError(model, f"the model has no tokenizer file that bpeviz looks for: {known}.")
    if (size := sizes[name]) is None:
        raise TokenizerFileError(
            model, f"the Hub doesn't say how large {name} is. Download it and upload it."
        )
    if size > request.most_bytes:
        raise TokenizerFileError(
            model,
            f"{name} has {size / 2**20:,.1f} MB; up to {request.most_bytes / 2**20:,.0f} MB are read here.",
        )
    if not request.shared_server and (kept := kept_file(model, info.sha, name)).is_file():
        with suppress(TokenizerFileError):
            return _File(name, read_cached(model, kept))
    content = _get(request, f"{model}/resolve/{info.sha}/{name}", size)
    if not request.shared_server:
        keep(model, info.sha, name, content)
    return _File(name, content)


def _get(request: _Request, path: str, most_bytes: int) -> bytes:
    """Return what the Hub answers for a path, of at most so many bytes. Raises TokenizerFileError, and errors
    of the package that opens connections."""
    from huggingface_hub import get_session
    from huggingface_hub.utils import build_hf_headers  # type: ignore[attr-defined]

    token = False if request.shared_server else None
    headers = build_hf_headers(token=token, library_name="bpeviz") | {"Accept-Encoding": "identity"}
    session = get_session()
    asked = session.build_request(
        "GET", f"{request.hub.rstrip('/')}/{path}", headers=headers, timeout=SILENT_SECONDS
    )
    for _ in range(MOST_REDIRECTS):
        answer: Any = session.send(asked, stream=True, follow_redirects=False)
        with closing(answer):
            if answer.next_request is None:
                _check_status(answer, request)
                return _read(answer, request.model, most_bytes)
        if not _may_follow(answer.next_request.url, asked.url):
            raise TokenizerFileError(
                request.model,
                f"the Hub leads to another place, {answer.next_request.url.host[:100]}. "
                "Download the file and upload it.",
            )
        asked = answer.next_request  # the package has left out the token if the place is another one
    raise TokenizerFileError(request.model, "the Hub leads from place to place. Try again later.")


def _may_follow(to: Any, since: Any) -> bool:
    """Return whether a redirect stays where it is, or leads to a host of the Hub. No other place may be
    asked: it could be one that only this machine reaches."""
    if (to.scheme, to.host, to.port) == (since.scheme, since.host, since.port):
        return True
    of_hub = any(to.host == host or to.host.endswith(f".{host}") for host in HOSTS)
    return of_hub and to.scheme == "https" and to.port is None


def _read(answer: Any, model: str, most_bytes: int) -> bytes:
    content = bytearray()
    for part in answer.iter_raw():
        content += part
        if len(content) > most_bytes:
            raise TokenizerFileError(
                model, f"the Hub sends more than {most_bytes:,} bytes where it may not. Upload the file."
            )
    return bytes(content)


def _check_status(answer: Any, request: _Request) -> None:
    """Raise TokenizerFileError if the answer is an error, which the Hub names in a header."""
    fault = answer.headers.get("X-Error-Code", "")
    invalid = answer.headers.get("X-Error-Message", "").startswith("Invalid credentials")
    if answer.status_code == 200:
        return
    if fault == "GatedRepo":
        own_machine = "log in with “hf auth login” on this machine, and try again; or "
        raise TokenizerFileError(
            request.model,
            "its authors give access on request. Ask on its page on the Hub, "
            f"{'then ' if request.shared_server else own_machine}download the file and upload it here.",
        )
    if fault == "RepoNotFound" or (answer.status_code == 401 and not invalid):
        raise TokenizerFileError(
            request.model,
            "the Hub has no public model with this id. Check the spelling; upper and lower case count.",
        )
    raise TokenizerFileError(
        request.model, f"the Hub answered with an error ({answer.status_code}). Try again later."
    )


FETCH = Task("bpeviz.formats.hub:FETCH", _Request, _File, _fetch, kind="download")
