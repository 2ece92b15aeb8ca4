"""Uploaded files that are too large for memory: on the disk until the session has ended."""

import contextlib
import shutil
import sys
import tempfile
import weakref
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

from bpeviz.corpus.corpus_files import CorpusFiles
from bpeviz.errors import CorpusError

__all__ = ["UploadedFiles"]


_PREFIX = "bpeviz-upload-"
#: Locked as long as the process that made the folder runs.
_LOCK = "lock"


class UploadedFiles:
    """A folder with the files of one upload. It is deleted when nothing refers to this object any more, or
    when Python ends; runs on the files then keep their counts and the part that they show. If the process is
    killed, the next upload on this machine deletes it."""

    def __init__(self, contents: Iterable[tuple[str, memoryview | bytes]]) -> None:
        """Write the files, each a name and its bytes. Raises CorpusError if the disk has no room."""
        _delete_leftovers()
        try:
            self._folder = Path(tempfile.mkdtemp(prefix=_PREFIX))
        except OSError as error:
            raise CorpusError(
                f"The upload can't be stored: there is no folder for temporary files ({error.strerror}). "
                "Start the app with the files: bpeviz app FILE …"
            ) from None
        lock = (self._folder / _LOCK).open("wb")
        _locks(lock)
        self._delete = weakref.finalize(self, _delete, self._folder, lock)
        try:
            paths = [self._write(number, *each) for number, each in enumerate(contents)]
        except OSError as error:
            self._delete()
            raise CorpusError(
                f"The upload can't be stored in the folder for temporary files ({error.strerror}). Make room "
                "there, or start the app with the files: bpeviz app FILE …"
            ) from None
        self.files = CorpusFiles.of(paths)

    def _write(self, number: int, name: str, content: memoryview | bytes) -> Path:
        """Write a file, in a folder of its number: names may repeat, and come from the browser."""
        folder = self._folder / str(number)
        folder.mkdir()
        safe = "".join(c if c.isalnum() or c in " .-_()" else "_" for c in name)
        safe = safe.encode("utf-8", "replace")[-100:].decode("utf-8", "ignore").strip(". ")
        path = folder / (safe or "file")
        path.write_bytes(content)
        return path


def _delete(folder: Path, lock: BinaryIO) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    lock.close()


def _locks(file: BinaryIO) -> bool:
    """Lock a file until it is closed or the process ends; returns False if another process has locked it. On
    Windows nothing is locked, and no leftovers are deleted."""
    if sys.platform == "win32":
        return False
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _delete_leftovers() -> None:
    """Delete the uploads of processes that were killed."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with contextlib.suppress(OSError), (folder / _LOCK).open("rb") as lock:
            if _locks(lock):
                shutil.rmtree(folder, ignore_errors=True)
