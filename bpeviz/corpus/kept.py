"""Texts and files that can be read again, for a corpus that no pattern has cut yet."""

import errno
import os
from collections.abc import Iterable, Iterator

from bpeviz.corpus.blocks import Source, check_open_file
from bpeviz.corpus.corpus_files import CorpusFile, CorpusFiles
from bpeviz.errors import CorpusError
from bpeviz.text.file_names import as_path
from bpeviz.text.utf8 import Errors, check_text

__all__ = ["kept_files", "kept_texts"]

_GIVE_SPLIT = "Say how to cut it, such as split='gpt2'"


def kept_texts(texts: Iterable[str]) -> Iterable[str]:
    """Return texts that can be read again. Raises CorpusError for those that can't."""
    if isinstance(texts, Iterator):
        raise CorpusError(f"These texts can be read only once. {_GIVE_SPLIT}, or give a list of texts.")
    if not isinstance(texts, list | tuple):
        return texts  # such as a data set on disk, which need not fit in memory
    for text in texts:
        check_text(text)
    return tuple(texts)


def kept_files(files: Iterable[Source], errors: Errors) -> CorpusFiles:
    """Return files that can be read again. Raises CorpusError for those that can't, or not at all."""
    return CorpusFiles(tuple(map(_kept, files)), errors)


def _kept(file: Source) -> CorpusFile:
    if not isinstance(file, str | os.PathLike):
        check_open_file(file)
        raise CorpusError(f"An open file can be read only once. {_GIVE_SPLIT}, or give the path of the file.")
    try:
        path = as_path(file).absolute()
        found = path.stat()
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    except OSError as error:
        raise CorpusError(f"{os.fspath(file)} cannot be read: {error.strerror}.") from None
    if not path.is_file():
        raise CorpusError(f"{os.fspath(file)} is no file on a disk and can be read only once. {_GIVE_SPLIT}.")
    return CorpusFile(str(path), found.st_size, found.st_mtime_ns)
