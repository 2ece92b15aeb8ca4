"""A text in base symbols, before any merge, and in tokens, after any number of merges."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, islice

import numpy as np
import numpy.typing as npt

from bpeviz.core.base_vocabulary import Spelling
from bpeviz.core.gap_ranks import GapRanks, is_token_end, token_total
from bpeviz.shown import html_of
from bpeviz.tokenizer.symbol_merger import pieces

__all__ = ["EncodedText", "SpelledPreToken", "in_order", "no_ranks"]


@dataclass(frozen=True)
class SpelledPreToken:
    """A pre-token in base symbols.

    ``start`` and ``end`` are its bytes in the text; ``symbols`` the ids of its base symbols; ``offsets`` the
    byte at which each begins, with the end of the last. A token that the whole pre-token becomes at once is
    one symbol, and so is a ``special`` token.
    """

    start: int
    end: int
    symbols: tuple[int, ...]
    offsets: tuple[int, ...]
    special: bool = False
    whole: bool = False


def in_order(spelling: Spelling, wholes: Sequence[int], origin: int) -> Iterator[SpelledPreToken]:
    """Yield the pre-tokens of a text that begins at byte ``origin``; without an empty one at the end."""
    widths = iter(spelling.widths.tolist())
    end = origin
    for number, (symbols, skipped) in enumerate(
        zip(pieces(spelling), spelling.skipped.tolist(), strict=True)
    ):
        start = end
        offsets = tuple(accumulate(islice(widths, len(symbols)), initial=start + skipped))
        end = offsets[-1]
        whole = wholes[number] if number < len(wholes) else -1
        if whole >= 0:
            yield SpelledPreToken(start, end, (whole,), (offsets[0], end), whole=True)
        elif symbols or end > start:
            yield SpelledPreToken(start, end, tuple(symbols), offsets)


def no_ranks() -> GapRanks:
    """Return an empty array of gap ranks."""
    return np.empty(0, np.int32)


@dataclass(frozen=True, eq=False)
class EncodedText:
    """A text in tokens.

    ``ids``; ``gap_ranks``, one for each byte; ``hidden_ranks``, those of the gaps between no two bytes, and
    ``hidden_bytes``, the bytes that these are counted with (see gap_ranks.PlacedRanks); ``symbol_ids``: for
    each byte the id of the base symbol that ends there, empty if the bytes of a symbol are always those of
    the text; ``token_bytes`` gives the bytes of an id. A notebook shows the tokens in colour.
    """

    ids: list[int]
    gap_ranks: GapRanks
    hidden_ranks: GapRanks = field(default_factory=no_ranks)
    hidden_bytes: npt.NDArray[np.int32] = field(default_factory=no_ranks)
    symbol_ids: npt.NDArray[np.int32] = field(default_factory=no_ranks)
    token_bytes: Callable[[int], bytes] | None = field(default=None, repr=False)

    def _repr_html_(self) -> str | None:
        return html_of(self)

    def token_total(self, num_merges: int) -> int:
        """How many tokens the text has after ``num_merges`` merges."""
        return token_total(self.gap_ranks, num_merges) + int((self.hidden_ranks >= num_merges).sum())

    def token_counts(self, num_merges: int) -> npt.NDArray[np.int64]:
        """Return how many tokens end at each byte after ``num_merges`` merges: mostly 0 or 1.

        A tokenizer that changes the text first can make several tokens of one character: "ﬁ" becomes f + i,
        two tokens that end at the last byte of "ﬁ". All bytes together have ``token_total`` tokens, except
        that an empty text has no byte to count a token with.
        """
        counts = is_token_end(self.gap_ranks, num_merges).astype(np.int64)
        if len(counts):
            np.add.at(counts, self.hidden_bytes[self.hidden_ranks >= num_merges], 1)
        return counts
