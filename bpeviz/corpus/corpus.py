"""Corpus: the distinct pre-tokens of a text and how often each occurs, in first-seen order.

BPE training needs nothing else. The order matters: several trainers settle ties by which pair comes first in
it. A corpus that a pattern has cut does not keep its text.

    corpus = Corpus.from_text("12345 12345")       an UncutCorpus: nothing is cut yet
    Trainer(corpus, "minbpe")                      cuts by the pattern of minbpe: 123|45
    Trainer(corpus, "huggingface")                 cuts by GPT-2's: 12345
    corpus.counts                                  asked alone, it cuts by GPT-2's

Recipes cut texts in different ways. If GPT-2's pattern had cut the corpus, another recipe would not make
the merges of its trainer.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import chain
from operator import mul
from os import PathLike
from types import MappingProxyType
from typing import Any

from bpeviz.cached import cached_property
from bpeviz.core.whole_numbers import as_whole_number
from bpeviz.corpus.blocks import Source, blocks_of_file, blocks_of_text
from bpeviz.corpus.corpus_files import CorpusFiles
from bpeviz.corpus.counting import count_blocks
from bpeviz.corpus.kept import kept_files, kept_texts
from bpeviz.corpus.packed_counts import PackedCounts, pack_counts
from bpeviz.errors import CorpusError
from bpeviz.text.split_patterns import SPLIT_PATTERNS, SplitPattern, get_split_pattern
from bpeviz.text.utf8 import Errors, check_text
from bpeviz.words import in_short

__all__ = ["MOST_BYTES", "Corpus", "UncutCorpus"]

#: The most bytes that counts may stand for, so that every sum and difference in a training fits into 64 bits.
MOST_BYTES = 2**62

#: Called with the number of characters counted.
OnCounted = Callable[[int], None]


@dataclass(frozen=True, repr=False)
class Corpus:
    """Pre-tokens with their counts.

    ``counts`` maps each distinct pre-token to the number of times it occurs (at least 1), in the order in
    which they first occur; ``split`` is the pattern that cut them. Make one with from_text, from_texts,
    from_files or from_counts. Without ``split``, the first three keep their texts or paths: each trainer cuts
    them by the pattern and the special tokens of its recipe, and everybody else by GPT-2's pattern.

        Trainer(Corpus.from_text(text), "minbpe")          the merges of train(text, "minbpe")
        Trainer(Corpus.from_text(text, "gpt2"), "minbpe")  minbpe's rules on what GPT-2's pattern cuts

    Raises CorpusError for counts of more than 2**62 bytes of text.
    """

    counts: Mapping[str, int]
    split: SplitPattern

    def __post_init__(self) -> None:
        if not isinstance(self.counts, MappingProxyType):
            object.__setattr__(self, "counts", MappingProxyType(dict(self.counts)))
        # A character has at most 4 bytes; measure exactly only if that might be too much, as it takes longer.
        at_most = 4 * sum(map(mul, map(len, self.counts), self.counts.values()))
        if at_most > MOST_BYTES and self.byte_total > MOST_BYTES:
            raise CorpusError(
                f"The counts stand for more than {MOST_BYTES:,} bytes of text, which is too many to add up. "
                "Look for a count that is too large."
            )

    def __repr__(self) -> str:
        return (
            f"<Corpus: {len(self.counts):,} distinct pre-tokens, {self.pre_token_total:,} in all, "
            f"split {self.split.name!r}>"
        )

    def __reduce__(self) -> tuple[object, ...]:
        # The read-only view of the counts cannot be pickled or copied.
        return type(self), (dict(self.counts), self.split)

    @classmethod
    def from_text(
        cls,
        text: str,
        split: str | SplitPattern | None = None,
        *,
        processes: int | None = None,
        on_counted: OnCounted | None = None,
    ) -> "Corpus":
        """Return the corpus of one text: see from_texts."""
        return cls.from_texts([text], split, processes=processes, on_counted=on_counted)

    @classmethod
    def from_texts(
        cls,
        texts: Iterable[str],
        split: str | SplitPattern | None = None,
        *,
        processes: int | None = None,
        on_counted: OnCounted | None = None,
    ) -> "Corpus":
        """Return the corpus of several texts; no pre-token crosses from one text into the next.

        ``split`` cuts them now. Without it, texts are kept, and cut when somebody needs counts; an iterator,
        which can be read only once, needs it.

        Long texts are counted in several ``processes`` if the pattern allows it: by default one for each core
        if others can be started safely. ``on_counted`` is called with the number of characters counted since
        the last call, and may raise to stop. Raises CorpusError, SplitPatternError.
        """
        if isinstance(texts, str | bytes):
            raise CorpusError("from_texts takes several texts; for one use from_text.")
        if not isinstance(texts, Iterable):
            raise CorpusError(f"from_texts takes a list of texts, not {type(texts).__name__}.")
        if split is None:
            kept = kept_texts(texts)
            count = partial(cls.from_texts, kept, processes=processes, on_counted=on_counted)
            return UncutCorpus(count, kept)
        pattern = get_split_pattern(split)
        blocks = chain.from_iterable(blocks_of_text(text, pattern) for text in texts)
        return cls._counted(blocks, pattern, processes, on_counted)

    @classmethod
    def from_files(
        cls,
        files: Iterable[Source],
        split: str | SplitPattern | None = None,
        *,
        errors: Errors = "strict",
        processes: int | None = None,
        on_counted: OnCounted | None = None,
    ) -> "Corpus":
        """Return the corpus of UTF-8 files, given by path or open for bytes. Each file is a separate text.

        Files are read a few megabytes at a time, so they may be larger than memory. A file that is not UTF-8
        raises CorpusError; with ``errors="replace"`` each invalid sequence becomes U+FFFD instead. An
        unreadable file raises CorpusError. Without ``split``, files are read when somebody needs counts, and
        open files and pipes, which can be read only once, need it. The rest is as in from_texts.
        """
        if isinstance(files, str | bytes | PathLike) or hasattr(files, "read"):
            raise CorpusError("from_files takes several files; for one write from_files([file]).")
        if not isinstance(files, Iterable):
            raise CorpusError(f"from_files takes a list of files, not {type(files).__name__}.")
        if split is None:
            count = partial(
                _count_files, kept_files(files, errors), processes=processes, on_counted=on_counted
            )
            return UncutCorpus(count)
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
        """Return the corpus of pre-tokens that were counted elsewhere; ``split`` says which pattern cut them.

        Raises CorpusError for an empty pre-token, for a count that is not a whole number of at least 1, and
        for counts that are too large to add up.
        """
        if not isinstance(counts, Mapping):
            raise CorpusError("from_counts takes a mapping of pre-tokens to counts, such as {'the': 2}.")
        checked = {_checked_pre_token(p): _checked_count(p, count) for p, count in counts.items()}
        return cls(MappingProxyType(checked), get_split_pattern(split))

    def cut_by(self, pattern: SplitPattern) -> "Corpus":  # noqa: ARG002 - UncutCorpus needs it
        """Return the corpus for a trainer that cuts texts by ``pattern``: this one, because it is cut."""
        return self

    @cached_property
    def pre_tokens(self) -> tuple[str, ...]:
        """The distinct pre-tokens, first seen first."""
        return tuple(self.counts)

    @cached_property
    def byte_total(self) -> int:
        """The length of all text counted, in UTF-8 bytes."""
        return sum(len(p.encode("utf-8")) * n for p, n in self.counts.items())

    @cached_property
    def packed(self) -> PackedCounts:
        """The counts in compressed bytes, as saved sessions hold them."""
        return pack_counts(self.counts)

    @cached_property
    def pre_token_total(self) -> int:
        """How many pre-tokens were counted, repeats included."""
        return sum(self.counts.values())


class UncutCorpus(Corpus):
    """A corpus that ``count`` counts by any pattern, when somebody asks; ``texts``, if it is not of files.

    Its ``counts`` are those by GPT-2's pattern; a trainer asks for those by its recipe's. Raises then what
    Corpus.from_texts and from_files raise.
    """

    split: SplitPattern = SPLIT_PATTERNS["gpt2"]

    def __init__(self, count: Callable[..., Corpus], texts: Iterable[str] | None = None) -> None:
        self.__dict__.update(_count=count, _cut={}, texts=texts)  # a Corpus is frozen

    texts: Iterable[str] | None
    _count: Callable[..., Corpus]
    _cut: dict[SplitPattern, Corpus]

    @property
    def counts(self) -> Mapping[str, int]:
        """The counts of the pre-tokens by GPT-2's pattern."""
        return self.cut_by(self.split).counts

    def cut_by(self, pattern: SplitPattern) -> Corpus:
        """Return the corpus of the same texts that ``pattern`` cuts; it counts once for each pattern."""
        if pattern not in self._cut:
            self._cut[pattern] = self._count(split=pattern)
        return self._cut[pattern]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Corpus) and (self.counts, self.split) == (other.counts, other.split)

    __hash__ = Corpus.__hash__

    def __repr__(self) -> str:
        return super().__repr__() if self._cut.get(self.split) else "<Corpus: not cut yet>"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._count, self.texts)


def _checked_pre_token(pre_token: object) -> str:
    if not isinstance(pre_token, str) or not pre_token:
        raise CorpusError(f"A pre-token must be a string that is not empty, not {in_short(repr(pre_token))}.")
    check_text(pre_token)
    return pre_token


def _checked_count(pre_token: str, count: object) -> int:
    number = as_whole_number(count)
    if number is None or number < 1:
        shown = in_short(count if number is not None else repr(count))
        raise CorpusError(
            f"The count of {in_short(repr(pre_token))} must be a whole number of at least 1, not {shown}."
        )
    return number


def _count_files(
    files: CorpusFiles, *, split: SplitPattern, processes: int | None, on_counted: OnCounted | None
) -> Corpus:
    """Return the corpus of files that were kept."""
    return Corpus.from_files(
        files.opened(), split, errors=files.errors, processes=processes, on_counted=on_counted
    )
