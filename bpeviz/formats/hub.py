"""A model's tokenizer from the Hugging Face Hub, with limits on its size and the time.

The package huggingface_hub downloads from HF_ENDPOINT in the environment, or else from huggingface.co, and
keeps the file in its cache.
"""

import os
import re
import tempfile
import threading
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from urllib.parse import urlsplit

from bpeviz.errors import TokenizerFileError
from bpeviz.formats.local_cache import FILE_NAMES, cache_folder
from bpeviz.workers.sharing import TELL_EVERY_SECONDS, Slots

__all__ = ["MOST_SECONDS", "fetch_tokenizer", "hub_host"]

#: How long all requests for one tokenizer may take.
MOST_SECONDS = 120.0
#: Downloads at the same time, for all visitors together; the others wait.
_slots = Slots(2)
_MODEL = re.compile(r"[A-Za-z0-9][\w.-]{0,95}(/[A-Za-z0-9][\w.-]{0,95})?", re.ASCII)


def hub_host() -> str:
    """Return the host that the files come from."""
    return urlsplit(os.environ.get("HF_ENDPOINT") or "https://huggingface.co").netloc


def fetch_tokenizer(
    model: str,
    most_bytes: int,
    *,
    shared_server: bool = False,
    seconds: float = MOST_SECONDS,
    on_wait: Callable[[float], object] = lambda _: None,
) -> dict[str, bytes]:
    """Return the tokenizer file of a model on the Hub, by its name, if it has at most ``most_bytes``.

    On a ``shared_server`` nothing is kept in the cache, and the server's own token is not used.
    ``on_wait(seconds)`` is called several times a second, with 0 while others download; what it raises ends
    the wait. Raises TokenizerFileError.
    """
    if not _MODEL.fullmatch(model):
        raise TokenizerFileError(
            model[:100] or "No model",
            "this is not a model id. Write it as the Hub does: openai-community/gpt2.",
        )
    outcome: list[tuple[str, bytes] | Exception] = []

    def fetch() -> None:
        try:
            outcome.append(_fetch(model, most_bytes, shared_server))
        except Exception as error:  # raised below, in the thread that asked
            outcome.append(error)

    with _slots.wait_for_slot(lambda: on_wait(0.0)):
        worker = threading.Thread(target=fetch, name="hub", daemon=True)
        worker.start()
        left = seconds
        while worker.is_alive() and left > 0:
            worker.join(TELL_EVERY_SECONDS)
            left -= TELL_EVERY_SECONDS
            on_wait(seconds - left)
    match outcome:
        case [(name, content)]:
            return {name: content}
        case [TokenizerFileError() as error]:
            raise error
        case [Exception() as error]:
            raise TokenizerFileError(model, _why(error, shared_server)) from None
    raise TokenizerFileError(model, f"the Hub took more than {seconds:g} seconds. Try again later.")


def _fetch(model: str, most_bytes: int, shared_server: bool) -> tuple[str, bytes]:
    from huggingface_hub import HfApi, hf_hub_download
    from huggingface_hub.utils.tqdm import disable_progress_bars

    disable_progress_bars()
    endpoint = os.environ.get("HF_ENDPOINT") or None
    token = False if shared_server else None
    info = HfApi(endpoint=endpoint, token=token).model_info(model, files_metadata=True, timeout=10)
    sizes = {file.rfilename: file.size for file in info.siblings or ()}
    name = next((name for name in FILE_NAMES if name in sizes), None)
    if name is None:
        known = ", ".join(FILE_NAMES)
        raise TokenizerFileError(model, f"the model has no tokenizer file that bpeviz looks for: {known}.")
    _check_size(model, name, sizes[name], most_bytes)
    place = tempfile.TemporaryDirectory() if shared_server else nullcontext(cache_folder())
    with place as folder:
        path = hf_hub_download(
            model, name, revision=info.sha, cache_dir=folder, endpoint=endpoint, token=token
        )
        _check_size(model, name, Path(path).stat().st_size, most_bytes)
        return name, Path(path).read_bytes()


def _check_size(model: str, name: str, size: int | None, most_bytes: int) -> None:
    if size is None:
        raise TokenizerFileError(
            model, f"the Hub doesn't say how large {name} is. Download it and upload it."
        )
    if size > most_bytes:
        raise TokenizerFileError(
            model, f"{name} has {size / 2**20:,.1f} MB; up to {most_bytes / 2**20:,.0f} MB are read here."
        )


def _why(error: Exception, shared_server: bool) -> str:
    """Return why a download failed, and what to do."""
    from huggingface_hub.errors import (
        GatedRepoError,
        HfHubHTTPError,
        HFValidationError,
        RepositoryNotFoundError,
    )

    match error:
        case GatedRepoError():
            own_machine = "log in with “hf auth login” on this machine, and try again; or "
            return (
                "its authors give access on request. Ask on its page on the Hub, "
                f"{'then ' if shared_server else own_machine}download the file and upload it here."
            )
        case RepositoryNotFoundError():
            return "the Hub has no public model with this id. Check the spelling; upper and lower case count."
        case HFValidationError():
            return "this is not a model id. Write it as the Hub does: openai-community/gpt2."
        case HfHubHTTPError():
            return f"the Hub answered with an error ({error.response.status_code}). Try again later."
        case _ if os.environ.get("HF_HUB_OFFLINE", "0").upper() in ("1", "ON", "YES", "TRUE"):
            return "HF_HUB_OFFLINE is set, so nothing is downloaded. Unset it, or upload the file."
    return (
        f"the Hub can't be reached ({type(error).__name__}). Check the network, or upload the model's "
        "tokenizer file."
    )
