"""A model's tokenizer from the Hugging Face Hub: from this machine's cache, or fetched within limits.

The cache is the one that huggingface_hub keeps, and that `transformers` and others fill:

    models--org--name/refs/main             the commit that this name stands for
    models--org--name/snapshots/COMMIT/     its files: links to blobs/

Only links that stay within the cache are followed. The package huggingface_hub downloads from HF_ENDPOINT
in the environment, or else from huggingface.co, with limits on the size and the time.
"""

import os
import re
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from itertools import islice
from pathlib import Path
from urllib.parse import urlsplit

from bpeviz.errors import TokenizerFileError
from bpeviz.formats.source import read_limited
from bpeviz.workers.sharing import TELL_EVERY_SECONDS, Slots

__all__ = [
    "FILE_NAMES",
    "MOST_SECONDS",
    "cache_folder",
    "cached_tokenizers",
    "fetch_tokenizer",
    "hub_host",
    "read_cached",
]


#: The files that hold a whole tokenizer. The first one that a model has is read.
FILE_NAMES = ("tokenizer.json", "tekken.json", "tokenizer.model", "tokenizer.model.v3", "tiktoken.model")
#: So many folders of the cache are looked at.
MOST_FOLDERS = 2_000
_PREFIX = "models--"


def cache_folder() -> Path:
    """Return the folder of the cache, which huggingface_hub's environment variables name."""
    if named := os.environ.get("HF_HUB_CACHE"):
        return Path(named).expanduser()
    general = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    home = os.environ.get("HF_HOME") or Path(general) / "huggingface"
    return Path(home).expanduser() / "hub"


def cached_tokenizers() -> dict[str, Path]:
    """Return the file of each model's tokenizer, by the names of the models in alphabetical order."""
    cache = cache_folder()
    try:
        folders = [entry.name for entry in islice(os.scandir(cache), MOST_FOLDERS)]
    except OSError:
        return {}
    found: dict[str, Path] = {}
    for name in sorted(folders, key=str.lower):
        model = name.removeprefix(_PREFIX).replace("--", "/")
        if name.startswith(_PREFIX) and model.isprintable() and (file := _file_of(cache / name)):
            found[model] = file
    return found


def _file_of(folder: Path) -> Path | None:
    """Return the tokenizer file of the snapshot in use, or of the latest one; None if it can't be read."""
    try:
        files = (snapshot / name for snapshot in _snapshots(folder) for name in FILE_NAMES)
        return next((file for file in files if file.is_file()), None)
    except OSError:
        return None


def _snapshots(folder: Path) -> Iterator[Path]:
    try:
        commit = (folder / "refs" / "main").read_text("ascii").strip()
        if commit.isalnum():
            yield folder / "snapshots" / commit
    except (FileNotFoundError, ValueError):
        pass
    yield from sorted((folder / "snapshots").iterdir(), key=lambda path: path.stat().st_mtime, reverse=True)


def read_cached(model: str, file: Path) -> bytes:
    """Return the content of a file of ``cached_tokenizers``; if it is too large, only enough to show that.

    Raises TokenizerFileError.
    """
    try:
        real = file.resolve(strict=True)
        if not real.is_relative_to(cache_folder().resolve()):
            raise TokenizerFileError(
                model, "its file in the cache is a link to another place. Upload the file."
            )
        return read_limited(real)
    except OSError as error:
        raise TokenizerFileError(
            model, f"its file in the cache can't be read ({error.strerror}). Download the model again."
        ) from None


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
