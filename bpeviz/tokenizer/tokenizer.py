"""Tokenizer: text to token ids and back, by merge rank.

Encoding repeats what training did: in each pre-token it merges the pair whose merge has the lowest rank, the
leftmost first, until none is left. This is the rule of GPT-2's ``encoder.py``.

    encode   text -> pre-tokens -> base symbols -> merges -> ids
    decode   ids -> bytes -> text

A second order, only on request, merges any known pair from left to right whatever its rank, as a notebook of
"LLMs from scratch" does: the ids differ, and the page shows where. bpeviz.formats saves and loads.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from os import PathLike
from typing import ClassVar, Literal, Protocol

import numpy as np
import numpy.typing as npt

from bpeviz.base_error import in_short
from bpeviz.core.base_vocabulary import BaseVocabulary, CharacterVocabulary, Spelling
from bpeviz.core.errors import TrainingSettingsError
from bpeviz.core.gap_ranks import INSIDE, WALL, GapRanks, gather, per_byte
from bpeviz.core.merging_orders import gap_ranks_by_rank, merge_by_rank, merge_left_to_right
from bpeviz.core.token_chain import Pair
from bpeviz.core.whole_numbers import as_whole_number
from bpeviz.text.pre_token_ends import pre_token_ends
from bpeviz.text.split_patterns import SplitPattern
from bpeviz.text.utf8 import check_text
from bpeviz.tokenizer.errors import (
    BareSpecialTokenError,
    BatchError,
    UnknownEncodingOrderError,
    UnknownSpecialTokenError,
    UnknownTokenError,
)
from bpeviz.tokenizer.special_tokens import SpecialTokenFinder, SpecialTokenPlace
from bpeviz.tokenizer.tiktoken_merger import SEPARATOR, TiktokenMerger

__all__ = ["EncodingOrder", "Tokenizer", "TraceStep"]

#: For texts from this length on it is worth setting up tiktoken's encoder.
BULK_CHARACTERS = 50_000

EncodingOrder = Literal["merge-rank", "left-to-right"]
AllowedSpecial = Collection[str] | Literal["all"]


@dataclass(frozen=True)
class TraceStep:
    """One merge of an encoding: ``rank`` and ``pair`` of the merge, the ``token_id`` it makes, and the bytes
    of the text that it covers, from ``start`` to ``end`` (excluded)."""

    rank: int
    pair: Pair
    token_id: int
    start: int
    end: int


class TokenizerFiles(Protocol):
    """Writes and reads tokenizer files: see bpeviz.formats.storage."""

    def save(self, tokenizer: "Tokenizer", path: str | PathLike[str], format: str) -> None: ...
    def load(self, path: str | PathLike[str], split: str | SplitPattern | None) -> "Tokenizer": ...


class Tokenizer:
    """A base vocabulary, merges in rank order, and special tokens.

    ``merges`` holds the pair and the token id of each merge by rank. ``special_tokens`` come with ids, or get
    them at the place that ``special_tokens_at`` names. Those in ``found_last`` are searched for only between
    the other special tokens. ``Trainer.tokenizer`` and ``load_pretrained`` make a tokenizer.
    """

    #: bpeviz.formats sets this: it makes tokenizers, so this module can't import it.
    files: ClassVar[TokenizerFiles]

    def __init__(
        self,
        base: BaseVocabulary,
        merges: Sequence[tuple[Pair, int]],
        *,
        split: SplitPattern,
        special_tokens: Sequence[str] | Mapping[str, int] = (),
        special_tokens_at: SpecialTokenPlace = "last",
        found_last: Collection[str] = (),
    ) -> None:
        self.base = base
        self.split = split
        self.found_last = frozenset(found_last)
        self._merges = tuple(merges)
        self._special_tokens = special_tokens
        self._special_tokens_at = special_tokens_at
        self._merge_of_pair: dict[Pair, tuple[int, int]] = {}
        for rank, (pair, token_id) in enumerate(merges):
            self._merge_of_pair.setdefault(pair, (rank, token_id))
        self._tokens = dict(enumerate(base.symbols, base.first_id))
        for (left, right), token_id in merges:
            self._tokens[token_id] = self._tokens[left] + self._tokens[right]
        self._id_of_token = {token: i for i, token in self._tokens.items()}
        self.special_tokens = self._number(special_tokens)
        self._tokens.update({i: token.encode("utf-8") for token, i in self.special_tokens.items()})

    def __repr__(self) -> str:
        return (
            f"<Tokenizer: {len(self._tokens):,} tokens, {len(self._merges):,} merges, "
            f"{len(self.special_tokens):,} special tokens, split {self.split.name!r}>"
        )

    def _number(self, special_tokens: Sequence[str] | Mapping[str, int]) -> dict[str, int]:
        if isinstance(special_tokens, Mapping):
            return dict(special_tokens)
        match self._special_tokens_at:
            case "first":
                first = 0
            case "after-base":
                first = self.base.first_id + len(self.base.symbols)
            case "last":
                first = max(self._tokens, default=-1) + 1
        return {token: first + i for i, token in enumerate(special_tokens)}

    @property
    def merges(self) -> list[Pair]:
        """The pairs merged, as (left id, right id), by rank."""
        return [pair for pair, _ in self._merges]

    @property
    def merge_token_ids(self) -> list[int]:
        """The id of the token that each merge makes, by rank."""
        return [token_id for _, token_id in self._merges]

    @property
    def n_vocab(self) -> int:
        """One more than the highest token id."""
        return max(self._tokens, default=-1) + 1

    @cached_property
    def vocab_sizes(self) -> npt.NDArray[np.int64]:
        """How many tokens there are after 0, 1, … all merges, special tokens included: int64, one entry more
        than merges. A token that several merges make counts once."""
        ids = np.r_[self._base_ids, list(self.special_tokens.values()), self.merge_token_ids].astype(np.int64)
        first = np.zeros(len(ids), np.int64)
        first[np.unique(ids, return_index=True)[1]] = 1
        before = len(ids) - len(self._merges)
        sizes: npt.NDArray[np.int64] = np.cumsum(np.r_[first[:before].sum(), first[before:]])
        return sizes

    @property
    def _base_ids(self) -> range:
        return range(self.base.first_id, self.base.first_id + len(self.base.symbols))

    @property
    def vocabulary(self) -> dict[int, bytes]:
        """The bytes of every token by its id, special tokens included, ids ascending."""
        return dict(sorted(self._tokens.items()))

    def after(self, num_merges: int) -> "Tokenizer":
        """The tokenizer that has only the first ``num_merges`` merges."""
        number = as_whole_number(num_merges)
        if number is None or not 0 <= number <= len(self._merges):
            raise TrainingSettingsError(
                f"This tokenizer has {len(self._merges):,} merges, so it cannot be cut after "
                f"{in_short(num_merges)}. Give a whole number from 0 to {len(self._merges):,}.",
                setting="num_merges",
            )
        return Tokenizer(
            self.base,
            self._merges[:number],
            split=self.split,
            special_tokens=self._special_tokens,
            special_tokens_at=self._special_tokens_at,
            found_last=self.found_last,
        )

    def save(self, path: str | PathLike[str], format: str = "huggingface") -> None:
        """Write the tokenizer to a file, or a pair of files to a folder, which is created if missing.

        ``format``: "huggingface" (tokenizer.json), "gpt2" (vocab.json and merges.txt), "tiktoken", "minbpe"
        (.model), "llms-from-scratch" (vocab.json and bpe_merges.txt), "sentencepiece" (.model) or
        "subword-nmt" (codes). Ids are kept, but codes hold none. A .tiktoken file holds neither the split
        pattern nor special tokens, and codes no special tokens. Existing files are replaced. Raises
        UnwritableTokenizerError if the format cannot hold the tokenizer, with those that can;
        UnknownFileFormatError; TokenizerFileError if ``path`` cannot be written. Warns with
        TokenizerFileWarning if a reader needs more than the file says.
        """
        self.files.save(self, path, format)

    @classmethod
    def load(cls, path: str | PathLike[str], *, split: str | SplitPattern | None = None) -> "Tokenizer":
        """Read a tokenizer from a file of any of these formats, or from a folder: that of a model (its
        tokenizer.json is read), or one that holds a pair.

        ``split`` is the split pattern, or its name, for a file that has none: see
        bpeviz.formats.read_tokenizer. Warns with TokenizerFileWarning if it has to guess one.
        Raises TokenizerFileError, SplitPatternError.
        """
        return cls.files.load(path, split)

    def encode(
        self,
        text: str,
        *,
        allowed_special: AllowedSpecial = (),
        order: EncodingOrder = "merge-rank",
    ) -> list[int]:
        """The token ids of ``text``.

        Special tokens found in the text are plain text unless ``allowed_special`` names them (or is
        "all"). ``order="left-to-right"`` merges any known pair as it comes; a pre-token that is a token is
        taken whole first. Raises LoneSurrogateError; UnspellableTextError if the base vocabulary lacks a
        character.
        """
        match order:
            case "merge-rank":
                encode = self._ids_by_rank
            case "left-to-right":
                encode = self._ids_left_to_right
            case unknown:
                raise UnknownEncodingOrderError(unknown)
        ids: list[int] = []
        for part, special_id in self.parts(text, allowed_special=allowed_special):
            ids += encode(part) if special_id is None else [special_id]
        return ids

    def encode_ordinary(self, text: str) -> list[int]:
        """The token ids of ``text``, with special tokens as plain text."""
        return self.encode(text)

    def encode_batch(
        self,
        texts: Iterable[str],
        *,
        allowed_special: AllowedSpecial = (),
        order: EncodingOrder = "merge-rank",
    ) -> list[list[int]]:
        """The token ids of each text: see encode. Raises BatchError for a single text."""
        if isinstance(texts, str):
            raise BatchError("encode_batch", "a list of texts", "encode")
        return [self.encode(text, allowed_special=allowed_special, order=order) for text in texts]

    def encode_with_gap_ranks(
        self, text: str, *, allowed_special: AllowedSpecial = ()
    ) -> tuple[list[int], GapRanks]:
        """The token ids of ``text`` by merge rank, and its gap ranks, in one pass: see encode, gap_ranks."""
        ids: list[int] = []
        gap_ranks: list[GapRanks] = [np.empty(0, np.int32)]
        for part, special_id in self.parts(text, allowed_special=allowed_special):
            if special_id is not None:
                inside = np.full(len(part.encode("utf-8")), INSIDE, np.int32)
                inside[-1] = WALL
                gap_ranks.append(inside)
                ids.append(special_id)
            else:
                more, ranks = self._ids_and_gap_ranks(part)
                gap_ranks.append(ranks)
                ids += more
        return ids, np.concatenate(gap_ranks)

    def _ids_by_rank(self, text: str) -> list[int]:
        if merger := self._merger_for(text):
            return merger.encode(text, pre_token_ends(text, self.split))
        return self._encode_each(text)[0]

    def _ids_and_gap_ranks(self, text: str) -> tuple[list[int], GapRanks]:
        if merger := self._merger_for(text):
            return merger.encode_with_gap_ranks(text, pre_token_ends(text, self.split))
        return self._encode_each(text)

    def _encode_each(self, text: str) -> tuple[list[int], GapRanks]:
        """The ids and gap ranks of a text; each distinct pre-token is merged only once."""
        pre_tokens = self.split.split(text)
        index = {p: i for i, p in enumerate(dict.fromkeys(pre_tokens))}
        spelling = self.base.spell(list(index))
        ids_of, ranks = self._merge_all(spelling)
        places = [index[p] for p in pre_tokens]
        ids = list(chain.from_iterable(map(ids_of.__getitem__, places)))
        return ids, gather(*per_byte(spelling, np.array(ranks, np.int32)), places)

    def _merge_all(self, spelling: Spelling) -> tuple[list[list[int]], list[int]]:
        """The token ids of each pre-token, and the gap rank after each symbol of all of them."""
        ids_of: list[list[int]] = []
        ranks: list[int] = []
        for symbols in _pieces(spelling):
            ranks += gap_ranks_by_rank(symbols, self._merge_of_pair)
            ids_of.append([token_id for token_id in symbols if token_id >= 0])
        return ids_of, ranks

    def _merger_for(self, text: str) -> TiktokenMerger | None:
        """The merger for a long text; None for a short one, or if tiktoken cannot merge it."""
        return self._tiktoken_merger if len(text) >= BULK_CHARACTERS and SEPARATOR not in text else None

    @cached_property
    def _tiktoken_merger(self) -> TiktokenMerger | None:
        return TiktokenMerger.of(self.base, self._merges)

    def _ids_left_to_right(self, text: str) -> list[int]:
        spelling = self.base.spell(self.split.split(text))
        return list(chain.from_iterable(map(self._left_to_right, _pieces(spelling))))

    def decode_bytes(self, ids: Iterable[int]) -> bytes:
        """The bytes that ``ids`` spell. Raises UnknownTokenError."""
        joined = b"".join(map(self.token_bytes, ids))
        if isinstance(self.base, CharacterVocabulary) and self.base.end_of_word:
            return joined.replace(self.base.end_of_word.encode("utf-8"), b" ").removesuffix(b" ")
        return joined

    def decode(self, ids: Iterable[int]) -> str:
        """The text that ``ids`` spell; bytes that are not UTF-8 become U+FFFD. Raises UnknownTokenError."""
        return self.decode_bytes(ids).decode("utf-8", "replace")

    def decode_batch(self, batch: Iterable[Iterable[int]]) -> list[str]:
        """The text that each list of ids spells: see decode. Raises BatchError for a single list of ids."""
        lists = list(batch)
        if any(isinstance(ids, int) for ids in lists):
            raise BatchError("decode_batch", "a list of lists of ids", "decode")
        return [self.decode(ids) for ids in lists]

    def token_to_id(self, token: str | bytes) -> int | None:
        """The id of a token by its text or its bytes; None if there is no such token.

        A text is searched among the special tokens first; bytes never are.
        """
        if isinstance(token, bytes):
            return self._id_of_token.get(token)
        check_text(token)
        known = self.special_tokens.get(token)
        return self._id_of_token.get(token.encode("utf-8")) if known is None else known

    def __len__(self) -> int:
        """How many tokens there are, special tokens included. Ids may have gaps: see n_vocab."""
        return len(self._tokens)

    def __bool__(self) -> bool:
        """True, even for a tokenizer without tokens."""
        return True

    def token_bytes(self, token_id: int) -> bytes:
        """The bytes of one token. Raises UnknownTokenError."""
        try:
            return self._tokens[token_id]
        except (KeyError, TypeError):
            raise UnknownTokenError(token_id, self.n_vocab) from None

    def merge_rank(self, pair: Pair) -> int | None:
        """The rank of the merge that joins a pair of token ids; None if no merge does."""
        known = self._merge_of_pair.get(pair)
        return known and known[0]

    def parts(self, text: str, *, allowed_special: AllowedSpecial = ()) -> list[tuple[str, int | None]]:
        """``text`` cut at the allowed special tokens: each part, with its id if it is a special token."""
        check_text(text)
        parts = [(text, False)] if text else []
        for finder in self._finders(allowed_special):
            parts = [
                cut for part, special in parts for cut in ([(part, True)] if special else finder.cut(part))
            ]
        return [(part, self.special_tokens[part] if special else None) for part, special in parts]

    def trace(self, text: str) -> list[TraceStep]:
        """The merges of encoding ``text``, in the order they happen: pre-token by pre-token."""
        check_text(text)
        spelling = self.base.spell(self.split.split(text))
        ends = np.cumsum(spelling.widths) + np.repeat(np.cumsum(spelling.skipped), spelling.lengths)
        spans = list(zip((ends - spelling.widths).tolist(), ends.tolist(), strict=True))
        steps: list[TraceStep] = []
        first = 0
        for symbols in _pieces(spelling):
            for rank, start, end in merge_by_rank(symbols, self._merge_of_pair):
                pair, token_id = self._merges[rank]
                covered = spans[first + start][0], spans[first + end - 1][1]
                steps.append(TraceStep(rank, pair, token_id, *covered))
            first += len(symbols)
        return steps

    def gap_ranks(self, text: str, *, allowed_special: AllowedSpecial = ()) -> GapRanks:
        """The rank of the merge that closes the gap after each byte of ``text``: see bpeviz.core.gap_ranks.

        int32, one per byte; the last byte of each pre-token is WALL. Cut at k, it gives the tokens of the
        tokenizer with the first k merges.
        """
        return self.encode_with_gap_ranks(text, allowed_special=allowed_special)[1]

    def gap_ranks_of(self, pre_tokens: Sequence[str], places: npt.NDArray[np.int64]) -> GapRanks:
        """The gap ranks of a text that is split already: ``places`` holds the index in ``pre_tokens`` of each
        of its pre-tokens."""
        joined = "".join(pre_tokens)
        if merger := self._merger_for(joined):
            _, gap_ranks = merger.encode_with_gap_ranks(joined, np.cumsum([len(p) for p in pre_tokens]))
            sizes = np.array([len(p.encode("utf-8")) for p in pre_tokens], np.int64)
        else:
            spelling = self.base.spell(pre_tokens)
            gap_ranks, sizes = per_byte(spelling, np.array(self._merge_all(spelling)[1], np.int32))
        return gather(gap_ranks, sizes, places)

    def _finders(self, allowed_special: AllowedSpecial) -> Sequence[SpecialTokenFinder]:
        """The finders that cut the allowed special tokens out of a text, one after the other."""
        if allowed_special == "all":
            return self._finders_of_all
        if isinstance(allowed_special, str | bytes) or not isinstance(allowed_special, Collection):
            raise BareSpecialTokenError(allowed_special)
        for token in allowed_special:
            if token not in self.special_tokens:
                raise UnknownSpecialTokenError(token, list(self.special_tokens))
        return self._finders_of(allowed_special)

    @cached_property
    def _finders_of_all(self) -> Sequence[SpecialTokenFinder]:
        return self._finders_of(self.special_tokens)

    def _finders_of(self, tokens: Collection[str]) -> Sequence[SpecialTokenFinder]:
        first, last = set(tokens) - self.found_last, self.found_last.intersection(tokens)
        return [SpecialTokenFinder(found) for found in (first, last) if found]

    def _left_to_right(self, symbols: list[int]) -> list[int]:
        whole = self._id_of_token.get(b"".join(self._tokens[s] for s in symbols))
        return [whole] if whole is not None else merge_left_to_right(symbols, self._merge_of_pair)


def _pieces(spelling: Spelling) -> Iterator[list[int]]:
    """The symbols of each pre-token as a list."""
    symbols = spelling.ids.tolist()
    start = 0
    for length in spelling.lengths.tolist():
        yield symbols[start : start + length]
        start += length
