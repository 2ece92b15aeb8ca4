"""Corpus: the distinct pre-tokens of a text and how often each occurs, in first-seen order.

BPE training needs nothing else of a text. The order matters: several trainers settle ties by which pair
comes first in it. A corpus does not keep the text it was counted from.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from types import MappingProxyType

from bpeviz.blocks import Source, blocks_of_file, blocks_of_text
from bpeviz.counting import count_blocks
from bpeviz.errors import CorpusError
from bpeviz.split_patterns import SplitPattern, get_split_pattern
from bpeviz.utf8 import Errors, check_text

__all__ = ["Corpus"]

#: Hears how many characters were counted.
OnCounted = Callable[[int], None]


@dataclass(frozen=True)
class Corpus:
    """Pre-tokens with their counts.

    ``counts`` maps each distinct pre-token to the number of times it occurs (at least 1), in the order in
    which they were first met; ``split`` is the pattern that cut them.
    """

    counts: Mapping[str, int]
    split: SplitPattern

    @classmethod
    def from_text(
        cls,
        text: str,
        split: str | SplitPattern = "gpt2",
        *,
        processes: int | None = None,
        on_counted: OnCounted | None = None,
    ) -> "Corpus":
        """Count the pre-tokens of one text: see from_texts."""
        return cls.from_texts([text], split, processes=processes, on_counted=on_counted)

    @classmethod
    def from_texts(
        cls,
        texts: Iterable[str],
        split: str | SplitPattern = "gpt2",
        *,
        processes: int | None = None,
        on_counted: OnCounted | None = None,
    ) -> "Corpus":
        """Count the pre-tokens of several texts; no pre-token crosses from one text into the next.

        Long ones are counted in several ``processes`` where the pattern allows it, by default in as many as
        there are cores if others can be started safely; ``on_counted`` hears how many characters were counted
        each time some were, and may raise to stop. Raises CorpusError, LoneSurrogateError, SplitPatternError,
        CountingError.
        """
        if isinstance(texts, str):
            raise CorpusError("from_texts takes several texts; for one use from_text.")
        pattern = get_split_pattern(split)
        blocks = chain.from_iterable(blocks_of_text(text, pattern) for text in texts)
        return cls._counted(blocks, pattern, processes, on_counted)

    @classmethod
    def from_files(
        cls,
        files: Iterable[Source],
        split: str | SplitPattern = "gpt2",
        *,
        errors: Errors = "strict",
        processes: int | None = None,
        on_counted: OnCounted | None = None,
    ) -> "Corpus":
        """Count the pre-tokens of UTF-8 files, by path or open for bytes, each a text of its own.

        They are read a few megabytes at a time, so they may be larger than memory. A file that is not UTF-8
        raises FileEncodingError; with ``errors="replace"`` each invalid sequence becomes U+FFFD instead. An
        unreadable file raises CorpusError. The rest is as in from_texts.
        """
        pattern = get_split_pattern(split)
        blocks = chain.from_iterable(blocks_of_file(file, pattern, errors) for file in files)
        return cls._counted(blocks, pattern, processes, on_counted)

    @classmethod
    def _counted(
        cls, blocks: Iterable[str], pattern: SplitPattern, processes: int | None, on_counted: OnCounted | None
    ) -> "Corpus":
        counts = count_blocks(blocks, pattern, processes=processes, on_counted=on_counted)
        return cls(MappingProxyType(counts), pattern)

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
