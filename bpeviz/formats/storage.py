"""Tokenizer files on a disk: a file, or a folder that holds tokenizer.json or a pair.

A file is written under another name in the same folder and renamed when it is complete, so no reader ever
sees a part of it. Both files of a pair are written before the first is renamed.
"""

import errno
import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from bpeviz.errors import TokenizerFileError, warn
from bpeviz.formats.beside_a_model import SOURCE, TARGET
from bpeviz.formats.detect import is_sentencepiece
from bpeviz.formats.pretrained import nearest_names
from bpeviz.formats.reading import read_tokenizer
from bpeviz.formats.source import read_limited
from bpeviz.formats.writing import caution, write_tokenizer
from bpeviz.text.file_names import as_path, replacing
from bpeviz.text.split_patterns import SplitPattern
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.words import in_short

__all__ = ["DiskFiles"]

FilePath = str | os.PathLike[str]

#: The file in a model's folder that libraries read first; so does bpeviz.
_WHOLE = "tokenizer.json"
#: The other files that are a whole tokenizer, by the names that models give them.
_ALONE = ("tekken.json", "tokenizer.model", "spiece.model", "sentencepiece.bpe.model")
#: How the names of such files end in other folders, as in DeBERTa's with its spm.model.
_ENDS = (".model", ".spm", ".tiktoken", ".model.v1", ".model.v2", ".model.v3", ".model.v7")
#: Files that are not a whole tokenizer: reading one says why.
_PARTS = ("vocab.txt", "vocab.json", "merges.txt")
#: What may be beside a pair or a SentencePiece model.
_BESIDE = ("tokenizer_config.json", "added_tokens.json", "special_tokens_map.json")
_PAIRS = (("vocab.json", "merges.txt"), ("encoder.json", "vocab.bpe"), ("vocab.json", "bpe_merges.txt"))


class DiskFiles:
    """The reading and writing behind Tokenizer.save and Tokenizer.load."""

    def save(self, tokenizer: Tokenizer, path: str | os.PathLike[str], format: str) -> None:
        """Write a tokenizer to ``path``: see Tokenizer.save."""
        (path,) = _listed([path])
        self.write(write_tokenizer(tokenizer, format), path)
        place = Path(path)
        if place.is_dir() and (place / _WHOLE).exists():
            also = f"the folder also holds {_WHOLE}, which is read in place of the pair. Move it elsewhere."
            warn(f"{place}: {also}")
        if told := caution(tokenizer, format, place.name):
            warn(f"{place}: {told}")

    def write(self, files: Mapping[str, bytes], path: str | os.PathLike[str]) -> None:
        """Write the files of a tokenizer, names to contents: one to ``path``, several into a folder. Raises
        TokenizerFileError."""
        (path,) = _listed([path])
        place = Path(path)
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

    def load(self, path: FilePath | Sequence[FilePath], split: str | SplitPattern | None) -> Tokenizer:
        """Read a tokenizer from ``path``, or from several: see Tokenizer.load."""
        return read_tokenizer(self.read(path), split=split)

    def read(self, path: FilePath | Sequence[FilePath]) -> dict[str, bytes]:
        """Return the files of a tokenizer at ``path``, or at several, names to contents. Raises
        TokenizerFileError."""
        paths = [path] if isinstance(path, str | os.PathLike) else _listed(path)
        contents: dict[str, bytes] = {}
        for each in paths:
            place = Path(each)
            try:
                as_path(each)
                files = _files_in(place) if len(paths) == 1 and place.is_dir() else [place]
                contents |= {file.name: read_limited(file) for file in files}
            except FileNotFoundError as error:
                why = (
                    f"{error.strerror}. Check the path. These names need no file (in Python: "
                    f"load_pretrained): {', '.join(nearest_names(each))}."
                )
                raise TokenizerFileError(str(place), why) from None
            except OSError as error:
                why = f"{error.strerror}. Check the path and its permissions."
                raise TokenizerFileError(str(place), why) from None
        return contents


Tokenizer.files = DiskFiles()


def _listed(paths: object) -> list[FilePath]:
    """Return several paths. Raises TokenizerFileError for anything else."""
    given = list(paths) if isinstance(paths, Iterable) else []
    listed = [path for path in given if isinstance(path, str | os.PathLike)]
    if listed and len(listed) == len(given):
        return listed
    why = "it is not a path. Give a path as text, or a list of them."
    raise TokenizerFileError(in_short(repr(paths)), why)


def _put(files: Mapping[Path, bytes]) -> None:
    """Write all files, or none; existing files are replaced."""
    with ExitStack() as all_written:
        for path, data in files.items():
            place = path.resolve()
            if place.exists() and not place.is_file():
                raise OSError(errno.EINVAL, "it is a device, a pipe or a folder, and would be replaced")
            file = all_written.enter_context(replacing(place))
            file.write(data)
            file.flush()
            os.fsync(file.fileno())


def _files_in(folder: Path) -> list[Path]:
    """Return the files of the tokenizer in a model's folder. Raises TokenizerFileError."""
    names = {file.name for file in folder.iterdir() if file.is_file()}
    if _WHOLE in names:
        return [folder / _WHOLE]
    pairs = [pair for pair in _pairs(names) if names.issuperset(pair)]
    alone = [name for name in _ALONE if name in names]
    alone = alone or sorted(name for name in names if name.endswith(_ENDS))
    if alone == [SOURCE, TARGET]:
        return [folder / name for name in (*alone, "vocab.json", *_BESIDE) if name in names]
    if not pairs and not alone:
        alone = [name for name in _PARTS if name in names][:1]
    if len(pairs) == 1:
        return [folder / name for name in (*pairs[0], *(name for name in _BESIDE if name in names))]
    if pairs or len(alone) > 1:
        several = ", or ".join(" and ".join(pair) for pair in pairs) or ", or ".join(alone)
        what = "pair" if pairs else "tokenizer"
        raise TokenizerFileError(
            str(folder), f"it holds more than one {what}: {several}. Leave one of them there."
        )
    if alone:
        may_be_beside = ("vocab.json", *_BESIDE) if is_sentencepiece(read_limited(folder / alone[0])) else ()
        return [folder / name for name in (alone[0], *(name for name in may_be_beside if name in names))]
    known = ", or ".join(" and ".join(pair) for pair in _PAIRS)
    raise TokenizerFileError(
        str(folder),
        f"it holds neither {_WHOLE} nor a pair of files: {known}, nor one of {', '.join(_ALONE)}. Give the "
        "file itself.",
    )


def _pairs(names: Collection[str]) -> list[tuple[str, str]]:
    """Return the pairs that a folder may hold, also NAME-vocab.json with NAME-merges.txt of
    ``tokenizers``."""
    prefixes = sorted(name.removesuffix("vocab.json") for name in names if name.endswith("-vocab.json"))
    return [*_PAIRS, *((f"{prefix}vocab.json", f"{prefix}merges.txt") for prefix in prefixes)]
