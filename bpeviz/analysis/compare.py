r"""Two tokenizers on one text, or merge by merge: compare their gap ranks and the bytes of their tokens.

Ids are never compared: GPT-2 permutes the ids of single bytes, and every tokenizer numbers its merges itself.

    text          a     b  \n          a boundary is the end of a token before the end of the text
    sentencepiece a|   |b| ··          drops the line end: three boundaries
    huggingface   a|   |b| \n|         the same three; its last token ends with the text
    subword-nmt   a| ··  b| ··         drops the space too: two boundaries

Bytes that a tokenizer drops belong to the token after them, so there is no boundary between the two. There is
one between the last token and dropped bytes at the end of a text.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from bpeviz.cached import cached_property
from bpeviz.core.gap_ranks import GapRanks, token_ends
from bpeviz.core.whole_numbers import as_whole_number
from bpeviz.errors import TokenizerError
from bpeviz.shown import PlayerPage, html_of, player_of
from bpeviz.text.utf8 import check_text
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.words import in_short

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Comparison", "Disagreement", "TextTokens", "compare", "compare_merges", "tokenize"]


@dataclass(frozen=True)
class TextTokens:
    """One tokenizer's view of a text: ``gap_ranks``, cut after ``num_merges`` merges, and ``ids``."""

    gap_ranks: GapRanks = field(repr=False)
    num_merges: int
    ids: tuple[int, ...] = field(repr=False)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TextTokens):
            return NotImplemented
        same = (self.num_merges, self.ids) == (other.num_merges, other.ids)
        return same and np.array_equal(self.gap_ranks, other.gap_ranks)

    def __hash__(self) -> int:
        return hash((self.num_merges, self.ids))

    @cached_property
    def token_ends(self) -> npt.NDArray[np.intp]:
        """The offset of each token's last byte."""
        return token_ends(self.gap_ranks, self.num_merges)

    @cached_property
    def boundaries(self) -> npt.NDArray[np.intp]:
        """The offset of the last byte of each token that ends before the end of the text."""
        ends = self.token_ends
        return ends[ends < len(self.gap_ranks) - 1]

    @property
    def token_total(self) -> int:
        return len(self.ids)

    @property
    def bytes_per_token(self) -> float:
        """Bytes of the text for each token; 0 for an empty text."""
        return len(self.gap_ranks) / len(self.ids) if self.ids else 0.0


@dataclass(frozen=True)
class Disagreement:
    """Bytes of a text, from ``start`` to ``end`` (excluded), in which two tokenizers have boundaries but
    share none. At each end is a shared boundary, or the start or end of the text. ``count`` is how often the
    same bytes are cut in the same two ways."""

    start: int
    end: int
    count: int


@dataclass(frozen=True)
class Comparison:
    """A text of ``byte_total`` bytes as two tokenizers cut it. ``compared``: the text and the tokenizers."""

    byte_total: int
    a: TextTokens
    b: TextTokens
    compared: tuple[str, Tokenizer, Tokenizer] | None = field(default=None, repr=False, compare=False)

    def player(self, **options: Any) -> PlayerPage:
        """Return a player of both tokenizers on the text: see bpeviz.standalone.

        ``options``: names, locked (to equal vocabulary sizes), height, theme, caption. Raises PlayerError.
        """
        return player_of(self, **options)

    def _repr_html_(self) -> str | None:
        return html_of(self)

    @property
    def shared_boundaries(self) -> int:
        """How many boundaries both have. The end of the text does not count."""
        return len(self._shared)

    @cached_property
    def _shared(self) -> npt.NDArray[np.intp]:
        return np.intersect1d(self.a.boundaries, self.b.boundaries)

    @property
    def precision(self) -> float:
        """The share of the boundaries of ``a`` that ``b`` has too; 1 if there are none."""
        return _share(self.shared_boundaries, len(self.only_a))

    @property
    def recall(self) -> float:
        """The share of the boundaries of ``b`` that ``a`` has too; 1 if there are none."""
        return _share(self.shared_boundaries, len(self.only_b))

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall: 1 if both cut the same way."""
        return _share(2 * self.shared_boundaries, len(self.only_a) + len(self.only_b))

    def disagreements(self, text: str, most: int = 20) -> list[Disagreement]:
        """Return the longest stretches of ``text`` without a shared boundary, longest first, each once.

        Among equals, the one that comes first. Raises TokenizerError for another text than the compared one.
        """
        check_text(text)
        encoded = text.encode("utf-8")
        number = as_whole_number(most)
        if number is None or number < 0:
            raise TokenizerError(f"most must be a whole number of 0 or more, not {in_short(repr(most))}.")
        if len(encoded) != self.byte_total:
            raise TokenizerError(
                f"The compared text has {self.byte_total:,} bytes, this one {len(encoded):,}. "
                "Give the compared text."
            )
        starts, ends = np.r_[0, self._shared + 1], np.r_[self._shared + 1, self.byte_total]
        cuts = np.union1d(self.only_a, self.only_b)
        differs = np.searchsorted(cuts, ends) > np.searchsorted(cuts, starts)
        stretches: dict[object, tuple[int, int]] = {}
        counts: Counter[object] = Counter()
        for start, end in zip(starts[differs].tolist(), ends[differs].tolist(), strict=True):
            cut = tuple(_within(only, start, end) for only in (self.only_a, self.only_b))
            key = encoded[start:end], cut
            stretches.setdefault(key, (start, end))
            counts[key] += 1
        longest = sorted(stretches.items(), key=lambda item: (item[1][0] - item[1][1], item[1][0]))
        return [Disagreement(*span, counts[key]) for key, span in longest[:number]]

    @cached_property
    def only_a(self) -> npt.NDArray[np.intp]:
        """The boundaries that only ``a`` has, each as the offset of the byte before it."""
        return np.setdiff1d(self.a.boundaries, self.b.boundaries)

    @cached_property
    def only_b(self) -> npt.NDArray[np.intp]:
        """The boundaries that only ``b`` has, each as the offset of the byte before it."""
        return np.setdiff1d(self.b.boundaries, self.a.boundaries)


def _share(part: int, rest: int) -> float:
    return part / (part + rest) if part + rest else 1.0


def _within(offsets: npt.NDArray[np.intp], start: int, end: int) -> tuple[int, ...]:
    """Return the offsets from ``start`` up to ``end``, counted from ``start``."""
    first, last = np.searchsorted(offsets, [start, end])
    return tuple((offsets[first:last] - start).tolist())


def tokenize(text: str, tokenizer: Tokenizer) -> TextTokens:
    """Return the gap ranks and ids of ``text``, with special tokens as plain text."""
    ids, gap_ranks = tokenizer.encode_with_gap_ranks(text)
    return TextTokens(gap_ranks, len(tokenizer.merges), tuple(ids))


def compare(text: str, a: Tokenizer, b: Tokenizer) -> Comparison:
    """How ``a`` and ``b`` tokenize ``text``. Raises what Tokenizer.encode raises."""
    check_text(text)
    _check_tokenizers("compare", a, b)
    size = len(text.encode("utf-8"))
    return Comparison(size, tokenize(text, a), tokenize(text, b), (text, a, b))


def compare_merges(a: Tokenizer, b: Tokenizer) -> "pd.DataFrame":
    """Return the merges of both, identified by the bytes they join. Columns: ``left``, ``right`` (bytes), and
    ``rank_a``, ``rank_b``, the rank in each, <NA> if it lacks the merge. Rows are in the order in which the
    first of the two makes them. If a tokenizer makes a merge again, of tokens with the same bytes, it is
    another row."""
    _check_tokenizers("compare_merges", a, b)
    # imported here: pandas takes longer to import, and more memory, than everything that trains and encodes
    import pandas as pd

    ranks_a, ranks_b = _ranks_by_bytes(a), _ranks_by_bytes(b)
    merges = list(ranks_a | ranks_b)
    rows = pd.DataFrame(
        {
            "left": [left for left, _, _ in merges],
            "right": [right for _, right, _ in merges],
            "rank_a": pd.array([ranks_a.get(merge) for merge in merges], "Int64"),
            "rank_b": pd.array([ranks_b.get(merge) for merge in merges], "Int64"),
        }
    )
    first = rows[["rank_a", "rank_b"]].min(axis=1)
    return rows.loc[first.sort_values(kind="stable").index].reset_index(drop=True)


def _check_tokenizers(function: str, *given: object) -> None:
    for value in given:
        if not isinstance(value, Tokenizer):
            raise not_a_tokenizer(function, value)


def not_a_tokenizer(function: str, given: object, wanted: str = "two Tokenizers") -> TokenizerError:
    """Return the error of a function that takes Tokenizers and got something else."""
    return TokenizerError(
        f"{function} takes {wanted}, not {type(given).__name__}. Load one with load_pretrained or "
        "Tokenizer.load, or train one with train_tokenizer."
    )


def _ranks_by_bytes(tokenizer: Tokenizer) -> dict[tuple[bytes, bytes, int], int]:
    """Return the rank of each merge, by the bytes of both halves and how often they were merged before."""
    seen: Counter[tuple[bytes, bytes]] = Counter()
    ranks: dict[tuple[bytes, bytes, int], int] = {}
    for rank, pair in enumerate(tokenizer.merges):
        if pair is None:
            continue
        halves = tokenizer.token_bytes(pair[0]), tokenizer.token_bytes(pair[1])
        ranks[*halves, seen[halves]] = rank
        seen[halves] += 1
    return ranks
