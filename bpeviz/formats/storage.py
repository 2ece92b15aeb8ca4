"""Tokenizer files on a disk: a file, or a folder that holds tokenizer.json or a pair.

A file is written under another name in the same folder and renamed when it is complete, so no reader ever
sees a part of it. Both files of a pair are written before the first is renamed.
"""

import errno
import os
import secrets
from collections.abc import Mapping
from pathlib import Path

from bpeviz.formats import MAX_FILE_BYTES, caution, read_tokenizer, write_tokenizer
from bpeviz.formats.errors import TokenizerFileError, warn
from bpeviz.text.file_names import as_path
from bpeviz.text.split_patterns import SplitPattern
from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = ["DiskFiles"]

#: The file in a model's folder that libraries read first; so does bpeviz.
_WHOLE = "tokenizer.json"
_PAIRS = (("vocab.json", "merges.txt"), ("encoder.json", "vocab.bpe"), ("vocab.json", "bpe_merges.txt"))


class DiskFiles:
    """The reading and writing behind Tokenizer.save and Tokenizer.load."""

    def save(self, tokenizer: Tokenizer, path: str | os.PathLike[str], format: str) -> None:
        """Write a tokenizer to ``path``: see Tokenizer.save."""
        place = Path(path)
        files = write_tokenizer(tokenizer, format)
        try:
            as_path(path)
            if len(files) > 1:
                place.mkdir(parents=True, exist_ok=True)
                _put({place / name: data for name, data in files.items()})
            else:
                ((name, data),) = files.items()
                if place.is_dir():
                    why = f"it is a folder. Give the name of a file, such as {name} in it."
                    raise TokenizerFileError(str(place), why)
                _put({place: data})
        except OSError as error:
            why = f"it cannot be written ({error.strerror}). Choose a place that can be written to."
            raise TokenizerFileError(str(place), why) from None
        if place.is_dir() and (place / _WHOLE).exists():
            also = f"the folder also holds {_WHOLE}, which is read in place of the pair. Move it elsewhere."
            warn(f"{place}: {also}")
        if told := caution(tokenizer, format, place.name):
            warn(f"{place}: {told}")

    def load(self, path: str | os.PathLike[str], split: str | SplitPattern | None) -> Tokenizer:
        """Read a tokenizer from ``path``: see Tokenizer.load."""
        place = Path(path)
        try:
            as_path(path)
            files = _files_in(place) if place.is_dir() else [place]
            return read_tokenizer({file.name: _read(file) for file in files}, split=split)
        except OSError as error:
            why = f"it cannot be read ({error.strerror}). Check the path and its permissions."
            raise TokenizerFileError(str(place), why) from None


Tokenizer.files = DiskFiles()


def _put(files: Mapping[Path, bytes]) -> None:
    """Write all files, or none; existing files are replaced."""
    written: list[tuple[Path, Path]] = []
    try:
        for path, data in files.items():
            place = path.resolve()
            if place.exists() and not place.is_file():
                raise OSError(errno.EINVAL, "it is a device, a pipe or a folder, and would be replaced")
            beside = place.with_name(f".{place.name}.{secrets.token_hex(8)}.part")
            with beside.open("xb") as file:
                written.append((beside, place))
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
        for beside, place in written:
            beside.replace(place)
    finally:
        for beside, _ in written:
            beside.unlink(missing_ok=True)


def _read(path: Path) -> bytes:
    """The contents of a file; of one that is too large, only enough to show that it is."""
    with path.open("rb") as file:
        return file.read(MAX_FILE_BYTES + 1)


def _files_in(folder: Path) -> list[Path]:
    if (folder / _WHOLE).is_file():
        return [folder / _WHOLE]
    pairs = [pair for pair in _PAIRS if all((folder / name).is_file() for name in pair)]
    if len(pairs) == 1:
        return [folder / name for name in pairs[0]]
    known = ", or ".join(" and ".join(pair) for pair in pairs or _PAIRS)
    if pairs:
        raise TokenizerFileError(
            str(folder), f"it holds more than one pair: {known}. Leave one of them there."
        )
    raise TokenizerFileError(
        str(folder), f"it holds neither {_WHOLE} nor a pair of files: {known}. Give the file itself."
    )
