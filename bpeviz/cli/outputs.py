"""Files that a command writes, atomically, and a check that it can write them."""

import csv
import errno
import io
import json
import os
from collections.abc import Callable, Iterable
from os.path import realpath
from pathlib import Path

from bpeviz.cli.parser import UsageError
from bpeviz.cli.streams import naming
from bpeviz.text.file_names import replacing
from bpeviz.text.token_text import hex_bytes
from bpeviz.text.utf8 import text_of
from bpeviz.training.result import MergeStep

__all__ = ["check_distinct", "check_place", "merges_csv", "write_whole"]

_COLUMNS = "rank,left_id,right_id,token_id,left,right,token,token_bytes,count,tied,tokens_after"


def check_place(path: Path, *, folder: bool = False, device: bool = False) -> None:
    """Raise OSError if ``path`` cannot be written: better before hours of work than after.

    With ``folder``, ``path`` is a folder to write in, created if missing. With ``device``, it may be a pipe
    or a device, which is written to and not replaced.
    """
    if str(path) == "-":
        raise UsageError("“-” is not the name of a file to write. Give a name.")
    if folder:
        place = next(place for place in (path, *path.absolute().parents) if place.exists())
    elif path.is_dir():
        raise IsADirectoryError(errno.EISDIR, "it is a folder; give the name of a file in it", str(path))
    elif path.exists() and not path.is_file():
        if not device:
            raise OSError(errno.EINVAL, "it is a device or a pipe, and would be replaced", str(path))
        if not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, "you may not write to it", str(path))
        return
    else:
        place = path.parent
    if not place.exists():
        raise FileNotFoundError(errno.ENOENT, "there is no such folder", str(place))
    if not place.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, "it is not a folder", str(place))
    if not os.access(place, os.W_OK):
        raise PermissionError(errno.EACCES, "you may not write in this folder", str(place))


def check_distinct(read: Iterable[str | Path], written: Iterable[Path]) -> None:
    """Raise UsageError if a file is to be written twice, or both read and written; ``-`` is no file."""
    taken = {realpath(path) for path in read if path != "-"}  # Path.resolve raises for a loop of links
    for path in written:
        if realpath(path) in taken:
            raise UsageError(f"{path} is given twice: use a different path for each file.")
        taken.add(realpath(path))


def write_whole(path: Path, data: bytes) -> None:
    """Put ``data`` into a file, which is replaced if it exists; a device or a pipe is written to.

    Raises OSError that names ``path``.
    """
    with naming(str(path)):
        if path.exists() and not path.is_file():
            path.write_bytes(data)
        else:
            with replacing(path.resolve()) as file:  # resolved, so that a symbolic link stays one
                file.write(data)


def merges_csv(steps: Iterable[MergeStep], token_bytes: Callable[[int], bytes]) -> bytes:
    """Return the merges as CSV, like the player's export: a row each, tokens as JSON strings or else as their
    bytes."""
    text = io.StringIO(newline="")
    rows = csv.writer(text)
    rows.writerow(_COLUMNS.split(","))
    for step in steps:
        tokens = [_literal(token_bytes(i)) for i in (*step.pair, step.token_id)]
        figures = (hex_bytes(step.token), step.count, step.tied, step.token_total)
        rows.writerow([step.rank, *step.pair, step.token_id, *tokens, *figures])
    return text.getvalue().encode("utf-8")


def _literal(token: bytes) -> str:
    """Return a token in quotation marks, so that no spreadsheet reads a formula; else its bytes: ``<E3
    81>``."""
    text = text_of(token)
    return f"<{hex_bytes(token)}>" if text is None else json.dumps(text, ensure_ascii=False)
