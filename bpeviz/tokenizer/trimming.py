"""What is left of a vocabulary without some tokens: all that falls with them, and the ids of the rest.

    t + h, th + e, the + n, a + n      without "the": the + n has lost a half, so "then" falls; "an" stays

A merge falls if a half of it or the token that it makes falls. A token falls if all its merges do. There are
two libraries that look a pre-token up before they merge:

- tiktoken merges whatever spells a token. So a token that only a whole pre-token becomes gets a merge if what
  stood in its way falls: without "bc", "abcd" can be ab + cd.
- tokenizers with ignore_merges merges the pairs of its list and no others. So no merge is new, and a token
  whose merges fall stays if a pre-token can be it.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import numpy.typing as npt

from bpeviz.cached import cached_property
from bpeviz.core.base_vocabulary import BaseVocabulary, ByteVocabulary, CharacterVocabulary, ListedVocabulary
from bpeviz.core.merging_orders import merge_by_rank
from bpeviz.errors import TokenizerError
from bpeviz.text.token_text import visible
from bpeviz.text.utf8 import text_of
from bpeviz.tokenizer.symbol_merger import Merge, in_making_order
from bpeviz.tokenizer.vocabulary import Vocabulary, no_token
from bpeviz.words import in_short

__all__ = ["Fall", "IdsAfter", "Trimming", "renumbered_base"]

#: Ids close up, or those of the tokens that fell stay free.
IdsAfter = Literal["closed", "holes"]


@dataclass(frozen=True)
class Fall:
    """The ids of the tokens that are ``dropped``, and of the others that have ``fallen`` with them."""

    dropped: frozenset[int]
    fallen: frozenset[int]

    @property
    def gone(self) -> frozenset[int]:
        """Both together."""
        return self.dropped | self.fallen


class Trimming:
    """What falls with tokens of one vocabulary, which may be asked often.

    >>> from bpeviz import load_pretrained
    >>> trimming = Trimming(load_pretrained("gpt2"))
    >>> len(trimming.fall([trimming.id_of(" the")]).gone)
    50
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary

    def id_of(self, token: int | str | bytes) -> int:
        """Return the id of a token by its id, its text or its bytes. Raises TokenizerError."""
        if isinstance(token, int):
            self.vocabulary.token_bytes(token)
            return token
        found = self.vocabulary.token_to_id(token)
        if found is None:
            raise TokenizerError(
                f"There is no token {in_short(repr(token))}. Write it with the space before it, if it has "
                "one, or give its id."
            )
        return found

    @cached_property
    def droppable(self) -> frozenset[int]:
        """The ids of all tokens that can be dropped: not the base symbols and the special tokens."""
        return frozenset(self._ids) - self._base - self._special

    @cached_property
    def _base(self) -> frozenset[int]:
        return frozenset(self.vocabulary.base.symbol_ids)

    @cached_property
    def _special(self) -> frozenset[int]:
        return frozenset(self.vocabulary.special_tokens.values())

    @cached_property
    def _ids(self) -> list[int]:
        """The ids of all tokens, ascending."""
        return list(self.vocabulary.vocabulary)

    @cached_property
    def _users(self) -> "_Users":
        return _Users(self.vocabulary.ranked, self.droppable - self._looked_up)

    @cached_property
    def _looked_up(self) -> frozenset[int]:
        """The ids of the tokens that stay without a merge, because a pre-token can be one of them. A text has
        no half characters, so those that cut one can't be."""
        if not self.vocabulary.ignores_merges:
            return frozenset()
        return frozenset(i for token, i in self.vocabulary.ordinary_tokens if text_of(token) is not None)

    def fall(self, tokens: Iterable[int]) -> Fall:
        """Return what falls with tokens. Raises TokenizerError for one that can't be dropped, and for a
        tokenizer without merges."""
        dropped = frozenset(tokens)
        self._check(dropped)
        return Fall(dropped, self._users.gone_with(dropped) - dropped)

    def needed_for(self, tokens: Iterable[int]) -> set[int]:
        """Return tokens with all that their merges are made of."""
        halves: dict[int, set[int]] = {}
        for pair, token_id in self.vocabulary.paired:
            halves.setdefault(token_id, set()).update(pair)
        needed: set[int] = set()
        waiting = list(tokens)
        while waiting:
            if (token_id := waiting.pop()) not in needed:
                needed.add(token_id)
                waiting += halves.get(token_id, ())
        return needed

    def _check(self, dropped: frozenset[int]) -> None:
        if not self.vocabulary.paired:
            raise TokenizerError(
                "This tokenizer has no merges: Unigram and WordPiece never have any. Its tokens don't need "
                "each other, so nothing falls with one. Choose a tokenizer with merges."
            )
        for token_id in dropped - self.droppable:
            token = self.vocabulary.token_bytes(token_id) if token_id in self._ids else None
            if token is None:
                raise no_token(token_id, self.vocabulary.n_vocab)
            shown = in_short(repr(visible(token)))
            if token_id in self._special:
                raise TokenizerError(
                    f"{shown} is a special token: models and templates name it. Drop other tokens; special "
                    "tokens stay, and their ids follow."
                )
            raise TokenizerError(
                f"{shown} is a base symbol: without it, texts that hold it can't be encoded at all. Drop "
                "tokens that merges make."
            )

    def merges_left(self, gone: frozenset[int]) -> list[Merge]:
        """Return the merges without those that fall, with the ids they have."""
        kept = [
            (None if pair is None or not gone.isdisjoint(pair) else pair, token_id)
            for pair, token_id in self.vocabulary.ranked
            if token_id not in gone
        ]
        if self.vocabulary.ignores_merges:
            return _without_dead_merges(self.vocabulary, kept)
        wholes = self.vocabulary.whole_token_ids
        return _made_now(self.vocabulary, [merge for merge in kept if merge[0] or merge[1] in wholes])

    def new_ids(self, gone: Collection[int], ids: IdsAfter) -> dict[int, int]:
        """Return the new id of each token that is left, by its id. Raises TokenizerError for an unknown
        ``ids``."""
        left = [i for i in self._ids if i not in gone]
        match ids:
            case "closed":
                return _closed(left, sorted(gone))
            case "holes":
                return {i: i for i in left}
            case unknown:
                raise TokenizerError(f"ids is {in_short(repr(unknown))}. Choose closed or holes.")


class _Users:
    """Which merges need or make each token. Arrays, because there may be half a million merges."""

    def __init__(self, ranked: Sequence[Merge], droppable: Collection[int]) -> None:
        rows = [(*(pair or (token_id, token_id)), token_id) for pair, token_id in ranked]
        table = np.array(rows, np.int64).reshape(-1, 3)
        self._made = table[:, 2]
        used = table.ravel()
        order = np.argsort(used, kind="stable")
        self._tokens, self._ranks = used[order], order // 3
        size = 1 + max(int(used.max(initial=0)), max(droppable, default=0))
        self._makers = np.bincount(self._made, minlength=size)
        self._may_fall = np.zeros(size, np.bool_)
        self._may_fall[list(droppable)] = True

    def gone_with(self, dropped: Collection[int]) -> frozenset[int]:
        """Return tokens with all that fall with them, wave by wave: what the last tokens took with them."""
        gone = np.zeros_like(self._may_fall)
        lost = np.zeros(len(self._made), np.bool_)
        makers = self._makers.copy()
        wave = np.array(sorted(dropped), np.int64)
        while len(wave):
            gone[wave] = True
            ranks = self._merges_of(wave)
            ranks = np.unique(ranks[~lost[ranks]])
            lost[ranks] = True
            made, times = np.unique(self._made[ranks], return_counts=True)
            makers[made] -= times
            wave = made[(makers[made] == 0) & ~gone[made] & self._may_fall[made]]
        return frozenset(np.flatnonzero(gone).tolist())

    def _merges_of(self, tokens: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return the ranks of the merges that need or make any of these tokens."""
        first = np.searchsorted(self._tokens, tokens)
        counts = np.searchsorted(self._tokens, tokens, side="right") - first
        starts = np.repeat(first - np.r_[0, np.cumsum(counts)[:-1]], counts)
        ranks: npt.NDArray[np.int64] = self._ranks[starts + np.arange(len(starts))]
        return ranks


def _closed(left: Sequence[int], gone: Sequence[int]) -> dict[int, int]:
    """Return ids without the holes that ``gone`` ids leave; holes that were there before stay. Both
    ascend."""
    new: dict[int, int] = {}
    below = 0
    for token_id in left:
        while below < len(gone) and gone[below] < token_id:
            below += 1
        new[token_id] = token_id - below
    return new


def _without_dead_merges(vocabulary: Vocabulary, merges: Sequence[Merge]) -> list[Merge]:
    """Return the merges whose halves are made, and an entry without a pair for each token that none makes.
    Those that have one, because a merge would add the mark of a word's end, keep it."""
    in_order = in_making_order(vocabulary.base.symbol_ids, merges)
    making = {rank for rank in in_order if merges[rank][0] is not None}
    waiting = {token_id for _, token_id in merges} - {merges[rank][1] for rank in making}
    waiting |= vocabulary.whole_token_ids & {token_id for _, token_id in merges}
    left = list[Merge]()
    for rank, (pair, token_id) in enumerate(merges):
        if rank in making:
            left.append((pair, token_id))
        elif token_id in waiting:
            waiting.remove(token_id)  # it may have lost several merges
            left.append((None, token_id))
    return left


def _made_now(vocabulary: Vocabulary, merges: list[Merge]) -> list[Merge]:
    """Return merges with a pair for each token of bytes that none made, if its bytes become two tokens
    now."""
    base = vocabulary.base
    wholes = [rank for rank, (pair, _) in enumerate(merges) if pair is None]
    if not (wholes and isinstance(base, ByteVocabulary) and len(base.values) == 256):
        return merges
    known = {pair: (rank, token_id) for rank, (pair, token_id) in enumerate(merges) if pair is not None}
    made = list(merges)
    for rank in wholes:
        token_id = merges[rank][1]
        symbols = base.id_of_byte[list(vocabulary.token_bytes(token_id))].tolist()
        for _ in merge_by_rank(symbols, known):
            pass
        parts = [symbol for symbol in symbols if symbol >= 0]
        if len(parts) == 2:
            pair = parts[0], parts[1]
            made[rank] = pair, token_id
            known[pair] = rank, token_id
    return made


def renumbered_base(base: BaseVocabulary, new_ids: Mapping[int, int]) -> BaseVocabulary:
    """Return a base vocabulary with new ids, which are in the same order. All its symbols have one."""
    match base:
        case ByteVocabulary():
            whole = {token: new_ids.get(i, i) for token, i in base.whole.items()}
            return replace(base, first_id=new_ids.get(base.first_id, base.first_id), whole=whole)
        case CharacterVocabulary():
            return replace(
                base,
                ids={symbol: new_ids[i] for symbol, i in base.ids.items()},
                unknown_id=new_ids.get(base.unknown_id, base.unknown_id),
            )
        case ListedVocabulary():
            tokens = {new_ids[i]: token for i, token in base.tokens.items()}
            return replace(
                base,
                tokens=tokens,
                byte_ids=frozenset(new_ids[i] for i in base.byte_ids),
                unmerged_ids=frozenset(new_ids[i] for i in base.unmerged_ids),
            )
    raise TypeError(type(base))
