"""An encoding step by step: the tokens of each pre-token, and the rank of every pair it considers.

    h 8617 o   57 t  404 e 161 l      GPT-2's ranks of the pairs in "hotel": o + t has the lowest
    h 8684 ot       1002 e 161 l      only the pairs of the new token are new; then e + l, then h + ot
    hot                    el         no merge joins these

So fewer than 3n ranks describe a pre-token of n base symbols: n - 1 at first, and at most two more with each
merge. The Tokenizer decides which pair merges; this module follows it. Why a word is not one token:
bpeviz.tokenizer.one_token.
"""

from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from bpeviz.cached import cached_property
from bpeviz.core.token_chain import Pair
from bpeviz.tokenizer.encoded_text import SpelledPreToken
from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = ["EncodingStep", "PreTokenEncoding", "encode_step_by_step", "left_to_right"]


@dataclass(frozen=True)
class EncodingStep:
    """One merge within a pre-token.

    ``rank`` and ``pair`` of the merge, and the ``token_id`` that it makes from the base symbols ``start`` to
    ``end`` (excluded); the right half begins at ``middle``. ``rank_before`` and ``rank_after`` are the ranks
    of the pairs that the new token forms with its neighbours: None if no merge joins them, or if there is no
    neighbour.
    """

    rank: int
    pair: Pair
    token_id: int
    start: int
    middle: int
    end: int
    rank_before: int | None
    rank_after: int | None


@dataclass(frozen=True)
class PreTokenEncoding:
    """How one pre-token is encoded.

    ``start`` and ``end`` are its bytes in the text; ``symbols`` the ids of its base symbols; ``offsets`` the
    byte at which each symbol begins, with the end of the last; ``ranks`` those of the pairs of neighbouring
    symbols, None if no merge joins them; ``steps`` the merges in order. A ``special`` token is one symbol,
    and so is a token that the ``whole`` pre-token is and that no merge makes.
    """

    start: int
    end: int
    symbols: tuple[int, ...]
    offsets: tuple[int, ...]
    ranks: tuple[int | None, ...]
    steps: tuple[EncodingStep, ...]
    special: bool = False
    whole: bool = False

    @cached_property
    def ids(self) -> tuple[int, ...]:
        """The ids of its tokens after all merges."""
        return self.after(len(self.steps))[0]

    @cached_property
    def token_offsets(self) -> tuple[int, ...]:
        """The byte at which each of these tokens begins, with the end of the last."""
        merged_away = {step.middle for step in self.steps}
        return tuple(offset for i, offset in enumerate(self.offsets) if i not in merged_away)

    def after(self, num_steps: int) -> tuple[tuple[int, ...], tuple[int | None, ...]]:
        """Return the token ids after ``num_steps`` merges, and the rank of each pair of neighbours: these are
        the pairs considered next. The lowest rank is taken, the leftmost among equals."""
        ids, ranks = list(self.symbols), list(self.ranks)
        starts = list(range(len(ids)))
        for step in self.steps[:num_steps]:
            i = bisect_left(starts, step.start)
            ids[i : i + 2] = [step.token_id]
            del starts[i + 1], ranks[i]
            if i > 0:
                ranks[i - 1] = step.rank_before
            if i < len(ranks):
                ranks[i] = step.rank_after
        return tuple(ids), tuple(ranks)


def encode_step_by_step(
    tokenizer: Tokenizer, text: str, *, allowed_special: Collection[str] | Literal["all"] = ()
) -> list[PreTokenEncoding]:
    """How each pre-token of ``text`` is encoded, in order. Raises what Tokenizer.encode raises."""
    return [
        _encoding(tokenizer, pre_token)
        for pre_token in tokenizer.spelled(text, allowed_special=allowed_special)
    ]


def left_to_right(
    tokenizer: Tokenizer,
    text: str,
    encodings: Sequence[PreTokenEncoding],
    *,
    allowed_special: Collection[str] | Literal["all"] = (),
) -> list[tuple[int, ...]]:
    """Return the ids of the same pre-tokens if known pairs merge from left to right, whatever their rank."""
    ids = iter(tokenizer.encode(text, allowed_special=allowed_special, order="left-to-right"))
    by_pre_token: list[tuple[int, ...]] = []
    for encoding in encodings:
        # Both orders use the same base symbols, so the bytes of the tokens say where a pre-token ends.
        size = sum(len(tokenizer.token_bytes(symbol)) for symbol in encoding.symbols)
        taken: list[int] = []
        while size > 0:
            taken.append(next(ids))
            size -= len(tokenizer.token_bytes(taken[-1]))
        by_pre_token.append(tuple(taken))
    return by_pre_token


def _encoding(tokenizer: Tokenizer, pre_token: SpelledPreToken) -> PreTokenEncoding:
    symbols = pre_token.symbols
    return PreTokenEncoding(
        pre_token.start,
        pre_token.end,
        symbols,
        pre_token.offsets,
        tuple(map(tokenizer.merge_rank, pairwise(symbols))),
        tuple(_steps(tokenizer, symbols)),
        special=pre_token.special,
        whole=pre_token.whole,
    )


def _steps(tokenizer: Tokenizer, symbols: Sequence[int]) -> Iterator[EncodingStep]:
    """Yield the merges of one pre-token by its symbols, with the ranks of the new pairs that each makes."""
    ids, starts = list(symbols), list(range(len(symbols)))
    for rank, start, end in tokenizer.merge_symbols(symbols):
        pair, token_id = tokenizer.ranked[rank]
        i = bisect_left(starts, start)
        ids[i : i + 2] = [token_id]
        middle = starts.pop(i + 1)
        before, after = ids[max(i - 1, 0) : i], ids[i + 1 : i + 2]
        if pair is not None:
            yield EncodingStep(
                rank,
                pair,
                token_id,
                start,
                middle,
                end,
                rank_before=tokenizer.merge_rank((before[0], token_id)) if before else None,
                rank_after=tokenizer.merge_rank((token_id, after[0])) if after else None,
            )
