"""The tokenizers that a person picked and uploaded."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from pathlib import Path

from bpeviz.errors import TokenizerFileError
from bpeviz.formats.reading import says_no_split
from bpeviz.formats.shared_tokenizers import read_shared
from bpeviz.limits import limits
from bpeviz.sessions.packed_file import PackedFile
from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = ["BEGINNING", "FILE", "MOST_UPLOADED", "TokenizersState", "UploadedTokenizer", "read_files"]

#: Uploaded tokenizers of a session; a new one replaces the oldest.
MOST_UPLOADED = 6
#: How the key of an uploaded tokenizer begins.
FILE = "file-"
#: So many bytes of a file show whether it says its split pattern.
BEGINNING = 100_000


@dataclass(frozen=True)
class UploadedTokenizer:
    """The files of a tokenizer under a ``name``, and the ``split`` pattern that the person chose for them."""

    name: str
    files: tuple[PackedFile, ...] = ()
    split: str | None = None

    @classmethod
    def of(cls, files: dict[str, bytes], split: str | None, name: str = "") -> "UploadedTokenizer":
        """Pack files; without a ``name`` their names are its name."""
        packed = tuple(PackedFile.of(*file) for file in files.items())
        return cls(name or " + ".join(files), packed, split)

    @property
    def byte_total(self) -> int:
        """How many bytes its packed files have."""
        return sum(len(file.packed) for file in self.files)

    def has_files_of(self, other: "UploadedTokenizer") -> bool:
        """Return whether both have the same files, whatever their names."""
        return [file.packed for file in self.files] == [file.packed for file in other.files]

    def read(self) -> Tokenizer:
        """Read the files. Raises TokenizerFileError, SplitPatternError."""
        return read_files({file.name: file.content() for file in self.files}, self.split)


def read_files(files: dict[str, bytes], split: str | None) -> Tokenizer:
    """Read a tokenizer within the limits of this server. Raises TokenizerFileError, SplitPatternError."""
    return read_shared(files, split=split, split_timeout=limits().split_timeout_seconds)


@dataclass
class TokenizersState:
    """The tokenizers of a session.

    - ``picked``: the key of the picked tokenizer, by field;
    - ``files``: the uploaded tokenizers by key, the oldest first. bpeviz.ui.session.describe saves them, too;
    - ``splits``: the split patterns chosen for files of this machine's cache, by key;
    - ``opened``: those that were read since the page was opened;
    - ``refused``: the keys of those that the store has no room for;
    - ``latest``: the highest number of a key. A removed tokenizer's is not given again: pages keep choices by
      key.
    """

    picked: dict[str, str] = field(default_factory=dict)
    files: dict[str, UploadedTokenizer] = field(default_factory=dict)
    splits: dict[str, str] = field(default_factory=dict)
    opened: dict[str, Tokenizer] = field(default_factory=dict)
    refused: frozenset[str] = frozenset()
    latest: int = 0

    def key_of(self, uploaded: UploadedTokenizer) -> str | None:
        """Return the key of the uploaded tokenizer with the same files; None if there is none."""
        same = (key for key, each in self.files.items() if uploaded.files and each.has_files_of(uploaded))
        return next(same, None)

    def add(self, uploaded: UploadedTokenizer, tokenizer: Tokenizer, in_use: Collection[str] = ()) -> str:
        """Keep an uploaded tokenizer and return its key. One with the same files stays in its places, with
        the new split pattern. If there are too many, the oldest is forgotten that is neither picked nor
        ``in_use``. Raises TokenizerFileError if all have too many tokens together."""
        self._check_tokens(uploaded.name, tokenizer)
        if (known := self.key_of(uploaded)) is not None:
            if self.files[known].split != uploaded.split:
                known = self.split_by(known, uploaded.split)
            self.opened[known] = tokenizer
            return known
        used = {*in_use, *self.picked.values()}
        while len(self.files) >= MOST_UPLOADED:
            self.remove(next((key for key in self.files if key not in used), next(iter(self.files))))
        key = f"{FILE}{self._next_number()}"
        self.files[key] = uploaded
        self.opened[key] = tokenizer
        self.rename(key, uploaded.name)
        return key

    def rename(self, key: str, name: str) -> None:
        """Rename an uploaded tokenizer, with a number if the name is taken. An empty one changes nothing."""
        taken = {other.name for each, other in self.files.items() if each != key}
        if key in self.files and (name := name.strip()):
            numbered = (f"{name} ({number})" for number in range(2, MOST_UPLOADED + 2))
            free = next(each for each in (name, *numbered) if each not in taken)
            self.files[key] = replace(self.files[key], name=free)

    def split_by(self, key: str, split: str | None) -> str:
        """Split by another pattern; return the new key, because the tokenizer is another one then."""
        new = f"{FILE}{self._next_number()}"
        changed = replace(self.files[key], split=split)
        self.files = {new if k == key else k: changed if k == key else each for k, each in self.files.items()}
        self.picked = {field: new if picked == key else picked for field, picked in self.picked.items()}
        self.opened.pop(key, None)
        return new

    def _next_number(self) -> int:
        self.latest = 1 + max([self.latest, *(int(key.removeprefix(FILE)) for key in self.files)])
        return self.latest

    def remove(self, key: str) -> None:
        """Forget an uploaded tokenizer."""
        self.files.pop(key, None)
        self.opened.pop(key, None)
        self.picked = {field: picked for field, picked in self.picked.items() if picked != key}
        self.refused = frozenset()  # there may be room for the others now

    def open(self, key: str) -> Tokenizer:
        """Return an uploaded tokenizer; its files are read when it is used first.

        Raises TokenizerFileError, SplitPatternError.
        """
        if key not in self.opened:
            tokenizer = self.files[key].read()
            self._check_tokens(self.files[key].name, tokenizer)
            self.opened[key] = tokenizer
        return self.opened[key]

    def _check_tokens(self, name: str, tokenizer: Tokenizer) -> None:
        """Raise TokenizerFileError if all would have too many tokens together with a new tokenizer."""
        total = sum(len(each.vocabulary) for each in {tokenizer, *self.opened.values()})
        if total > (most := limits().max_tokens):
            raise TokenizerFileError(
                name,
                f"your tokenizers would have {total:,} tokens together; the limit is {most:,}. Remove one "
                "under “Add a tokenizer” on Compare.",
            )

    def open_here(
        self, key: str, model: str, file: Path, read: Callable[[str, Path], bytes], split: str | None = None
    ) -> Tokenizer:
        """Return the tokenizer of a model on this machine, by the function ``read`` when it is used first.

        Its file may hold no ``split`` pattern. The session holds the six used last. Raises
        TokenizerFileError, SplitPatternError.
        """
        if key in self.opened:
            self.opened[key] = self.opened.pop(key)  # the latest is the last
        else:
            content, split = read(model, file), self.splits.get(key, split)
            if split is None and says_no_split({file.name: content[:BEGINNING]}):
                raise TokenizerFileError(
                    model, "its file doesn't say how texts are split. Choose the pattern."
                )
            self.opened[key] = read_files({file.name: content}, split)
        for old in [each for each in self.opened if each not in self.files][:-MOST_UPLOADED]:
            del self.opened[old]
        return self.opened[key]

    def split_cached_by(self, key: str, split: str) -> None:
        """Split by another pattern a tokenizer of this machine's cache."""
        self.splits[key] = split
        self.opened.pop(key, None)
