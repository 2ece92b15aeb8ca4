"""The cache of the Hugging Face Hub on this machine, which huggingface_hub, `transformers` and others fill.

    models--org--name/refs/main             the commit that this name stands for
    models--org--name/snapshots/COMMIT/     its files: links to blobs/, or the files themselves

Only links that stay within the cache are followed.
"""

import os
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path

from bpeviz.errors import TokenizerFileError
from bpeviz.formats.source import read_limited

__all__ = ["FILE_NAMES", "cache_folder", "cached_tokenizers", "keep", "kept_file", "read_cached"]

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


def keep(model: str, commit: str, name: str, content: bytes) -> None:
    """Put a file of a model where huggingface_hub looks for it. On a full disk, or without the right to write
    there, it is not kept."""
    with suppress(OSError):
        file = kept_file(model, commit, name)
        file.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=file.parent) as place:  # others may read it meanwhile
            part = Path(place) / name
            part.write_bytes(content)
            part.replace(file)


def kept_file(model: str, commit: str, name: str) -> Path:
    """Return where the cache has a file of a model."""
    return cache_folder() / f"{_PREFIX}{model.replace('/', '--')}" / "snapshots" / commit / name


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
