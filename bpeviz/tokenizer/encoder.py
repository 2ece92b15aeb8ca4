"""Encoding: text to token ids, by merge rank.

    encode   text -> pre-tokens -> base symbols -> merges -> ids

Encoding repeats what training did: in each pre-token it merges the pair whose merge has the lowest rank, the
leftmost first, until none is left. This is the rule of GPT-2's ``encoder.py``.

A second order, only on request, merges any known pair from left to right whatever its rank, as a notebook of
"LLMs from scratch" does: the ids differ, and the page shows where.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby
from random import Random
from typing import Literal

import numpy as np
import numpy.typing as npt

from bpeviz.cached import cached_property
from bpeviz.core.base_vocabulary import BaseVocabulary, Spelling
from bpeviz.core.gap_ranks import INSIDE, WALL, GapRanks, gather, per_byte, place_ranks
from bpeviz.core.merging_orders import merge_by_rank, merge_left_to_right, merge_with_dropout
from bpeviz.core.token_chain import Pair
from bpeviz.errors import TokenizerError
from bpeviz.pipelines import running
from bpeviz.pipelines.pipeline import Pipeline
from bpeviz.text.characters import without_newer_characters
from bpeviz.text.pre_token_ends import pre_token_ends
from bpeviz.text.special_tokens import SpecialTokenPlace
from bpeviz.text.split_patterns import SplitPattern
from bpeviz.text.utf8 import check_text
from bpeviz.tokenizer.encoded_text import EncodedText, SpelledPreToken, in_order, no_ranks
from bpeviz.tokenizer.special_search import AllowedSpecial, SpecialTokenSearch
from bpeviz.tokenizer.symbol_merger import Merge
from bpeviz.tokenizer.tiktoken_merger import SEPARATOR, TiktokenMerger
from bpeviz.tokenizer.vocabulary import Vocabulary

__all__ = ["BULK_CHARACTERS", "Encoder", "EncodingOrder", "TraceStep"]

#: For texts from this length on it is worth setting up tiktoken's encoder.
BULK_CHARACTERS = 50_000

EncodingOrder = Literal["merge-rank", "left-to-right"]


@dataclass(frozen=True)
class TraceStep:
    """One merge of an encoding: ``rank`` and ``pair`` of the merge, the ``token_id`` it makes, and the bytes
    of the text that it covers, from ``start`` to ``end`` (excluded)."""

    rank: int
    pair: Pair
    token_id: int
    start: int
    end: int


class Encoder(Vocabulary):
    """A vocabulary (base vocabulary, merges in rank order, special tokens) and how a text is cut for it.

    Special tokens in ``found_last`` are searched for only between the other ones. Those in ``found_always``
    are added tokens that aren't special: every text that holds one becomes it, whatever ``allowed_special``
    says.

    A tokenizer from a file may have more: ``pipeline`` says how a library prepares a text, and takes the
    place of ``split``; ``decoder`` is a pipeline that decodes, if a library does more than join the bytes of
    the tokens.
    """

    def __init__(
        self,
        base: BaseVocabulary,
        merges: Sequence[Merge],
        *,
        split: SplitPattern,
        special_tokens: Sequence[str] | Mapping[str, int] = (),
        special_tokens_at: SpecialTokenPlace = "last",
        found_last: Collection[str] = (),
        found_always: Collection[str] = (),
        pipeline: Pipeline | None = None,
        decoder: Pipeline | None = None,
        unmade: Mapping[int, bytes] | None = None,
        ignores_merges: bool = False,
    ) -> None:
        super().__init__(
            base,
            merges,
            special_tokens=special_tokens,
            special_tokens_at=special_tokens_at,
            unmade=unmade,
            ignores_merges=ignores_merges,
        )
        self.split = split
        self.found_last = frozenset(found_last)
        self.found_always = frozenset(found_always)
        self.pipeline = pipeline
        self.decoder = pipeline if pipeline is not None and pipeline.decodes else decoder

    def encode(
        self,
        text: str,
        *,
        allowed_special: AllowedSpecial = (),
        order: EncodingOrder = "merge-rank",
    ) -> list[int]:
        """Return the token ids of ``text``.

        Special tokens found in the text are plain text unless ``allowed_special`` names them (or is
        "all"), or they are in ``found_always``. ``order="left-to-right"`` merges any known pair as it comes;
        a pre-token that is a token is taken whole first. Raises CorpusError for a text without a UTF-8 form;
        TokenizerError if the base vocabulary lacks a character and the tokenizer has no way to write it.
        """
        match order:
            case "merge-rank":
                return self._encoded(text, allowed_special, with_gap_ranks=False).ids
            case "left-to-right":
                pre_tokens = self.spelled(text, allowed_special=allowed_special)
                return [i for p in pre_tokens for i in self._left_to_right(p)]
            case unknown:
                raise TokenizerError(
                    f"There is no encoding order {unknown!r}. Choose merge-rank or left-to-right."
                )

    def encode_with_gap_ranks(
        self, text: str, *, allowed_special: AllowedSpecial = ()
    ) -> tuple[list[int], GapRanks]:
        """Return the token ids of ``text`` by merge rank, and its gap ranks, in one pass: see encode,
        gap_ranks."""
        encoded = self.encode_text(text, allowed_special=allowed_special)
        return encoded.ids, encoded.gap_ranks

    def encode_text(self, text: str, *, allowed_special: AllowedSpecial = ()) -> EncodedText:
        """Return the ids of ``text`` by merge rank, and its gap ranks, those between no two bytes too."""
        encoded = self._encoded(text, allowed_special, with_gap_ranks=True)
        return replace(encoded, token_bytes=self.token_bytes)

    def _encoded(self, text: str, allowed_special: AllowedSpecial, *, with_gap_ranks: bool) -> EncodedText:
        if self.pipeline is not None:
            allowed = self._search.allowed(allowed_special)
            return self._encode_by_pipeline(self.pipeline, text, allowed, with_gap_ranks=with_gap_ranks)
        encoded: list[tuple[list[int], GapRanks]] = [([], no_ranks())]
        parts = self.parts(text, allowed_special=allowed_special)
        for is_long, group in groupby(parts, lambda part: self._merger_for(*part) is not None):
            if is_long:
                encoded += [self._encode_long(part, with_gap_ranks=with_gap_ranks) for part, _ in group]
            else:
                encoded.append(self._encode_each(group))
        ids, gap_ranks = zip(*encoded, strict=True)
        return EncodedText(list(chain.from_iterable(ids)), np.concatenate(gap_ranks))

    def _encode_long(self, text: str, *, with_gap_ranks: bool) -> tuple[list[int], GapRanks]:
        """Return the ids and gap ranks of a text that _merger_for has a merger for."""
        merger = self._merger_for(text)
        if merger is None:
            raise ValueError("no merger for this text")
        ends = pre_token_ends(text, self.split)
        if with_gap_ranks:
            return merger.encode_with_gap_ranks(text, ends)
        return merger.encode(text, ends), no_ranks()

    def _encode_each(self, parts: Iterable[tuple[str, int | None]]) -> tuple[list[int], GapRanks]:
        """Return the ids and gap ranks of parts of a text; each distinct pre-token is merged only once."""
        index: dict[str, int] = {}
        special: dict[int, int] = {}  # how many bytes each special token has, by its id
        order: list[int] = []  # pre-tokens by their index, special tokens by -1 - id
        for part, special_id in parts:
            if special_id is None:
                order += [index.setdefault(p, len(index)) for p in self.split.split(part)]
            else:
                special.setdefault(special_id, len(part.encode("utf-8")))
                order.append(-1 - special_id)
        spelling, ids_of, ranks = self._merge_all(list(index))
        gap_ranks, sizes = per_byte(spelling, ranks)
        if special:
            place = {-1 - special_id: len(index) + i for i, special_id in enumerate(special)}
            order = [place.get(each, each) for each in order]
            ids_of += [[special_id] for special_id in special]
            sizes = np.r_[sizes, list(special.values())]
            gap_ranks = np.concatenate([gap_ranks, *map(_of_one_token, special.values())])
        return list(chain.from_iterable(map(ids_of.__getitem__, order))), gather(gap_ranks, sizes, order)

    def _merge_all(self, pre_tokens: Sequence[str]) -> tuple[Spelling, list[list[int]], GapRanks]:
        """Pre-tokens in base symbols, the token ids of each, and the gap rank after each symbol."""
        spelling = self.base.spell(pre_tokens)
        wholes = [self._whole(p) for p in pre_tokens] if self._merger.rank_of_whole else ()
        return spelling, *self._merger.merge(spelling, wholes)

    def ids_of(self, pre_tokens: Sequence[str]) -> list[list[int]]:
        """Return the token ids of each of some pre-tokens, which nothing cuts. Many at once take less time
        than one after the other. Raises TokenizerError."""
        return self._merge_all(pre_tokens)[1]

    def _encode_by_pipeline(
        self, pipeline: Pipeline, text: str, allowed: Collection[str], *, with_gap_ranks: bool
    ) -> EncodedText:
        check_text(text)
        spelled = running.spell(pipeline, text, allowed)
        ids_of, ranks = self._merger.merge(spelled.spelling, spelled.wholes.tolist())
        ids = list(chain.from_iterable(ids_of))
        if not with_gap_ranks:
            return EncodedText(ids, no_ranks())
        placed = place_ranks(spelled.spelling, ranks)
        return EncodedText(ids, placed.gap_ranks, placed.hidden, placed.hidden_bytes, placed.symbol_ids)

    def _merger_for(self, text: str, special_id: int | None = None) -> TiktokenMerger | None:
        """Return the merger for a long text; None for a short one, a special token, or if tiktoken cannot
        merge it."""
        if special_id is not None or len(text) < BULK_CHARACTERS or SEPARATOR in text:
            return None
        return self._tiktoken_merger

    @cached_property
    def _tiktoken_merger(self) -> TiktokenMerger | None:
        return None if self.whole_token_ids else TiktokenMerger.of(self.base, self.paired)

    def parts(self, text: str, *, allowed_special: AllowedSpecial = ()) -> list[tuple[str, int | None]]:
        """``text`` cut at the allowed special tokens: each part, with its id if it is a special token."""
        return self._search.parts(text, allowed_special)

    @cached_property
    def _search(self) -> SpecialTokenSearch:
        return SpecialTokenSearch(self.special_tokens, self.found_last, self.found_always)

    @cached_property
    def pre_token_split(self) -> SplitPattern:
        """The split pattern that also cuts at the tokens in ``found_always``: each is a pre-token."""
        return self._search.cut(self.split)

    @cached_property
    def whole_pre_tokens(self) -> Mapping[str, int]:
        """The ids of the tokens that a pre-token becomes as a whole, by its text: those in ``found_always``,
        and those that no merge makes."""
        wholes = {self.token_bytes(i).decode("utf-8", "replace"): i for i in self.whole_token_ids}
        return wholes | {token: self.special_tokens[token] for token in self.found_always}

    def spelled(self, text: str, *, allowed_special: AllowedSpecial = ()) -> list[SpelledPreToken]:
        """Return the pre-tokens of ``text`` in base symbols, in order. Raises what encode raises."""
        if self.pipeline is not None:
            return self._spelled_by_pipeline(self.pipeline, text, allowed_special)
        pre_tokens: list[SpelledPreToken] = []
        start = 0
        for part, special_id in self.parts(text, allowed_special=allowed_special):
            end = start + len(part.encode("utf-8"))
            if special_id is not None:
                pre_tokens.append(SpelledPreToken(start, end, (special_id,), (start, end), special=True))
            else:
                split = self.split.split(part)
                wholes = [self._whole(p) for p in split] if self._merger.rank_of_whole else []
                pre_tokens += in_order(self.base.spell(split), wholes, start)
            start = end
        return pre_tokens

    def _spelled_by_pipeline(
        self, pipeline: Pipeline, text: str, allowed_special: AllowedSpecial
    ) -> list[SpelledPreToken]:
        check_text(text)
        spelled = running.spell(pipeline, text, self._search.allowed(allowed_special))
        special = set(self.special_tokens.values())
        return [
            replace(p, special=True) if len(p.symbols) == 1 and p.symbols[0] in special else p
            for p in in_order(spelled.spelling, spelled.wholes.tolist(), 0)
        ]

    def merge_symbols(self, symbols: Sequence[int]) -> Iterator[tuple[int, int, int]]:
        """Return the merges of the symbols of one pre-token, in the order they happen: the rank of each, and
        the symbols it covers, as a start and an end (excluded)."""
        return merge_by_rank(list(symbols), self._merger.merge_of_pair)

    def merge_with_dropout(self, symbols: Sequence[int], probability: float, random: Random) -> list[int]:
        """Where the tokens of one pre-token end, as numbers of symbols, if each merge is left out with a
        ``probability`` at each step."""
        return merge_with_dropout(symbols, self._merger.merge_of_pair, probability, random)

    def trace(self, text: str) -> list[TraceStep]:
        """Return the merges of encoding ``text``, in the order they happen: pre-token by pre-token."""
        steps: list[TraceStep] = []
        for pre_token in self.spelled(text):
            for rank, start, end in self.merge_symbols(pre_token.symbols):
                pair, token_id = self._merges[rank]
                if pair is not None:
                    covered = pre_token.offsets[start], pre_token.offsets[end]
                    steps.append(TraceStep(rank, pair, token_id, *covered))
        return steps

    def gap_ranks(self, text: str, *, allowed_special: AllowedSpecial = ()) -> GapRanks:
        """Return the rank of the merge that closes the gap after each byte of ``text``: see
        bpeviz.core.gap_ranks.

        int32, one per byte; the last byte of each pre-token is WALL. Cut at k, it gives the tokens of the
        tokenizer with the first k merges.
        """
        return self.encode_with_gap_ranks(text, allowed_special=allowed_special)[1]

    def gap_ranks_of(self, pre_tokens: Sequence[str], places: npt.NDArray[np.int64]) -> GapRanks:
        """Return the gap ranks of a text that is split already: ``places`` holds the index in ``pre_tokens``
        of each of its pre-tokens."""
        joined = "".join(pre_tokens)
        if merger := self._merger_for(joined):
            _, gap_ranks = merger.encode_with_gap_ranks(joined, np.cumsum([len(p) for p in pre_tokens]))
            sizes = np.array([len(p.encode("utf-8")) for p in pre_tokens], np.int64)
        else:
            spelling, _, ranks = self._merge_all(pre_tokens)
            gap_ranks, sizes = per_byte(spelling, ranks)
        return gather(gap_ranks, sizes, places)

    def cuts_as(self, split: SplitPattern, text: str) -> bool:
        """Return whether the tokenizer cuts ``text`` into the pre-tokens of a split pattern, and finds no
        added token in it, as far as can be said without searching it."""
        if self.pipeline is not None or self.split != split or self.found_always:
            return False
        return self.split.older_unicode == split.older_unicode or without_newer_characters(text) == text

    def _left_to_right(self, pre_token: SpelledPreToken) -> list[int]:
        symbols = list(pre_token.symbols)
        if pre_token.special:
            return symbols
        whole = self._id_of_token.get(b"".join(map(self.token_bytes, symbols)))
        return [whole] if whole is not None else merge_left_to_right(symbols, self._merger.merge_of_pair)


def _of_one_token(size: int) -> GapRanks:
    """Return the gap ranks of a token of so many bytes that is a pre-token."""
    ranks = np.full(size, INSIDE, np.int32)
    ranks[-1] = WALL
    return ranks
