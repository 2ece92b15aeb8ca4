"""SpelledPreToken: one pre-token of a text in base symbols, before any merge."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice

from bpeviz.core.base_vocabulary import Spelling
from bpeviz.tokenizer.symbol_merger import pieces

__all__ = ["SpelledPreToken", "in_order"]


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
