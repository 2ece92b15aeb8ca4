"""Corpus: the distinct pre-tokens of a text and how often each occurs, in first-seen order.

BPE training needs nothing else of a text. The order matters: several trainers settle ties by which pair
comes first in it. A corpus does not keep the text it was counted from.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from os import PathLike, fspath
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

from bpeviz.errors import CorpusError, FileEncodingError, LoneSurrogateError
from bpeviz.split_patterns import SplitPattern, get_split_pattern

__all__ = ["Corpus", "check_text", "decode_utf8"]


@dataclass(frozen=True)
class Corpus:
    """Pre-tokens with their counts.

    ``counts`` maps each distinct pre-token to the number of times it occurs (at least 1), in the order in
    which they were first met; ``split`` is the pattern that cut them.
    """

    counts: Mapping[str, int]
    split: SplitPattern

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the counts as a dictionary: the mapping that guards them cannot be pickled."""
        return type(self).from_counts, (dict(self.counts), self.split)

    @classmethod
    def from_text(cls, text: str, split: str | SplitPattern = "gpt2") -> "Corpus":
        """Count the pre-tokens of one text. Raises LoneSurrogateError, SplitPatternError."""
        return cls.from_texts([text], split)

    @classmethod
    def from_texts(cls, texts: Iterable[str], split: str | SplitPattern = "gpt2") -> "Corpus":
        """Count the pre-tokens of several texts; no pre-token crosses from one text into the next."""
        if isinstance(texts, str):
            raise CorpusError("from_texts takes several texts; for one use from_text.")
        pattern = get_split_pattern(split)
        counts: Counter[str] = Counter()
        for text in texts:
            check_text(text)
            counts.update(pattern.split(text))
        return cls(MappingProxyType(counts), pattern)

    @classmethod
    def from_files(
        cls,
        paths: Iterable[str | PathLike[str]],
        split: str | SplitPattern = "gpt2",
        *,
        errors: Literal["strict", "replace"] = "strict",
    ) -> "Corpus":
        """Count the pre-tokens of UTF-8 files, each a text of its own.

        A file that is not UTF-8 raises FileEncodingError; with ``errors="replace"`` each invalid sequence
        becomes U+FFFD instead. An unreadable file raises CorpusError.
        """
        return cls.from_texts((_read_file(path, errors) for path in paths), split)

    @classmethod
    def from_counts(cls, counts: Mapping[str, int], split: str | SplitPattern = "gpt2") -> "Corpus":
        """Take pre-tokens that were counted elsewhere; ``split`` says which pattern cut them.

        Raises CorpusError for an empty pre-token or a count that is not a whole number of at least 1.
        """
        for pre_token, count in counts.items():
            if not isinstance(pre_token, str) or not pre_token:
                raise CorpusError(f"A pre-token must be a string that is not empty, not {pre_token!r}.")
            if isinstance(count, bool) or not isinstance(count, int) or count < 1:
                raise CorpusError(
                    f"The count of {pre_token!r} must be a whole number of at least 1, not {count!r}."
                )
            check_text(pre_token)
        return cls(MappingProxyType(dict(counts)), get_split_pattern(split))

    @cached_property
    def pre_tokens(self) -> tuple[str, ...]:
        """The distinct pre-tokens, first seen first."""
        return tuple(self.counts)

    @cached_property
    def byte_total(self) -> int:
        """The length of all text counted, in UTF-8 bytes."""
        return sum(len(p.encode("utf-8")) * n for p, n in self.counts.items())

    @cached_property
    def pre_token_total(self) -> int:
        """How many pre-tokens were counted, repeats included."""
        return sum(self.counts.values())


def check_text(text: str) -> None:
    """Raise LoneSurrogateError when ``text`` has no UTF-8 form, CorpusError when it is no string at all."""
    if not isinstance(text, str):
        raise CorpusError(f"A text must be a string, not {type(text).__name__}; decode bytes first.")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise LoneSurrogateError(error.start, ord(text[error.start])) from None


def decode_utf8(data: bytes, name: str, errors: Literal["strict", "replace"] = "strict") -> str:
    """Decode a file's bytes as UTF-8; ``name`` is what an error calls the file. Raises FileEncodingError."""
    try:
        return data.decode("utf-8", errors)
    except UnicodeDecodeError as error:
        raise FileEncodingError(name, error.start) from None


def _read_file(path: str | PathLike[str], errors: Literal["strict", "replace"]) -> str:
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise CorpusError(f"{fspath(path)} cannot be read: {error.strerror}.") from None
    return decode_utf8(data, fspath(path), errors)
