"""An encoding step by step: the tokens of each pre-token, and the rank of every pair it considers.

    h 8617 o   57 t  404 e 161 l      GPT-2's ranks of the pairs in "hotel": o + t has the lowest
    h 8684 ot       1002 e 161 l      only the pairs of the new token are new; then e + l, then h + ot
    hot                    el         no merge joins these

So fewer than 3n ranks describe a pre-token of n base symbols: n - 1 at first, and at most two more with each
merge. The Tokenizer decides which pair merges; this module follows it. Why a word is not one token:
bpeviz.tokenizer.one_token.
"""

from bisect import bisect_left
from collections import deque
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, islice, pairwise
from typing import Literal

from bpeviz.core.token_chain import Pair
from bpeviz.tokenizer.tokenizer import Tokenizer, TraceStep

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
    symbols, None if no merge joins them; ``steps`` the merges in order. A ``special`` token is one symbol.
    """

    start: int
    end: int
    symbols: tuple[int, ...]
    offsets: tuple[int, ...]
    ranks: tuple[int | None, ...]
    steps: tuple[EncodingStep, ...]
    special: bool = False

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
        """The token ids after ``num_steps`` merges, and the rank of each pair of neighbours: these are the
        pairs considered next. The lowest rank is taken, the leftmost among equals."""
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
    encodings: list[PreTokenEncoding] = []
    start = 0
    for part, special_id in tokenizer.parts(text, allowed_special=allowed_special):
        end = start + len(part.encode("utf-8"))
        if special_id is None:
            encodings += _plain_text(tokenizer, part, start)
        else:
            encodings.append(PreTokenEncoding(start, end, (special_id,), (start, end), (), (), special=True))
        start = end
    return encodings


def left_to_right(
    tokenizer: Tokenizer,
    text: str,
    encodings: Sequence[PreTokenEncoding],
    *,
    allowed_special: Collection[str] | Literal["all"] = (),
) -> list[tuple[int, ...]]:
    """The ids of the same pre-tokens if known pairs merge from left to right, whatever their rank."""
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


def _plain_text(tokenizer: Tokenizer, text: str, origin: int) -> Iterator[PreTokenEncoding]:
    """The pre-tokens of a text without special tokens, which begins at byte ``origin`` of the whole."""
    pre_tokens = tokenizer.split.split(text)
    spelling = tokenizer.base.spell(pre_tokens)
    ids, widths = iter(spelling.ids.tolist()), iter(spelling.widths.tolist())
    trace = deque(tokenizer.trace(text))
    end = 0
    for pre_token, length, skipped in zip(pre_tokens, spelling.lengths, spelling.skipped, strict=True):
        start, end = end, end + len(pre_token.encode("utf-8"))
        symbols = tuple(islice(ids, length))
        offsets = tuple(accumulate(islice(widths, length), initial=start + int(skipped)))
        merges: list[TraceStep] = []
        while trace and trace[0].start < end:
            merges.append(trace.popleft())
        yield PreTokenEncoding(
            origin + start,
            origin + end,
            symbols,
            tuple(origin + offset for offset in offsets),
            tuple(map(tokenizer.merge_rank, pairwise(symbols))),
            tuple(_steps(tokenizer, symbols, offsets, merges)),
        )


def _steps(
    tokenizer: Tokenizer, symbols: Sequence[int], offsets: Sequence[int], merges: Sequence[TraceStep]
) -> Iterator[EncodingStep]:
    """The merges of one pre-token by its symbols, with the ranks of the new pairs that each makes."""
    symbol_at = {offset: i for i, offset in enumerate(offsets)}
    ids, starts = list(symbols), list(offsets)
    for merge in merges:
        i = bisect_left(starts, merge.start)
        ids[i : i + 2] = [merge.token_id]
        start, middle, end = (symbol_at[at] for at in (merge.start, starts.pop(i + 1), merge.end))
        before, after = ids[max(i - 1, 0) : i], ids[i + 1 : i + 2]
        yield EncodingStep(
            merge.rank,
            merge.pair,
            merge.token_id,
            start,
            middle,
            end,
            rank_before=tokenizer.merge_rank((before[0], merge.token_id)) if before else None,
            rank_after=tokenizer.merge_rank((merge.token_id, after[0])) if after else None,
        )
