"""Uploaded files that are too large for memory: on the disk until the session has ended."""

import shutil
import tempfile
import weakref
from collections.abc import Iterable
from pathlib import Path

from bpeviz.corpus.corpus_files import CorpusFiles
from bpeviz.text.errors import CorpusError

__all__ = ["UploadedFiles"]


class UploadedFiles:
    """A folder with the files of one upload. It is deleted when nothing refers to this object any more, or
    when Python ends; runs on the files then keep their counts and the part that they show."""

    def __init__(self, contents: Iterable[tuple[str, memoryview | bytes]]) -> None:
        """Write the files, each a name and its bytes. Raises CorpusError if the disk has no room."""
        self._folder = Path(tempfile.mkdtemp(prefix="bpeviz-"))
        self._delete = weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
        try:
            paths = [self._write(number, *each) for number, each in enumerate(contents)]
        except OSError as error:
            self._delete()
            raise CorpusError(
                f"The upload can't be stored in {self._folder.parent} ({error.strerror}). Make room there, "
                "or start the app with the files: bpeviz app FILE …"
            ) from None
        self.files = CorpusFiles.of(paths)

    def _write(self, number: int, name: str, content: memoryview | bytes) -> Path:
        """Write a file, in a folder of its number: names may repeat, and come from the browser."""
        folder = self._folder / str(number)
        folder.mkdir()
        safe = "".join(c if c.isalnum() or c in " .-_()" else "_" for c in name)[-100:].strip(". ")
        path = folder / (safe or "file")
        path.write_bytes(content)
        return path
