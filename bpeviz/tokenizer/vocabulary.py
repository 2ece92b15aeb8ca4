"""Vocabulary: the tokens of a tokenizer, by id: base symbols, what the merges make, special tokens.

Vocabulary(base, [((104, 97), 256)]).token_bytes(256)  ->  b"ha"
"""

from collections.abc import Mapping, Sequence, Set

import numpy as np
import numpy.typing as npt

from bpeviz.cached import cached_property
from bpeviz.core.base_vocabulary import BaseVocabulary, CharacterVocabulary, ListedVocabulary
from bpeviz.core.token_chain import Pair
from bpeviz.core.whole_numbers import as_whole_number
from bpeviz.errors import TokenizerError
from bpeviz.text.special_tokens import SpecialTokenPlace, listed_special_tokens
from bpeviz.text.utf8 import check_text
from bpeviz.tokenizer.symbol_merger import Merge, SymbolMerger, in_making_order
from bpeviz.words import in_short

__all__ = ["Vocabulary", "no_token"]


class Vocabulary:
    """A base vocabulary, merges in rank order, and special tokens.

    ``merges`` holds the pair and the token id of each merge by rank; a merge without a pair is a token that a
    pre-token becomes only as a whole. ``special_tokens`` come with ids, or get them at the place that
    ``special_tokens_at`` names. ``unmade`` has the bytes of tokens that no merge makes, by id. If it
    ``ignores_merges``, as a tokenizer.json may say, a pre-token that is a token becomes it at once, and only
    the listed pairs merge.
    """

    def __init__(
        self,
        base: BaseVocabulary,
        merges: Sequence[Merge],
        *,
        special_tokens: Sequence[str] | Mapping[str, int] = (),
        special_tokens_at: SpecialTokenPlace = "last",
        unmade: Mapping[int, bytes] | None = None,
        ignores_merges: bool = False,
    ) -> None:
        self.base = base
        self.ignores_merges = ignores_merges
        self.unmade = dict(unmade or {})
        self._merges = tuple(merges)
        self._special_tokens = (
            special_tokens if isinstance(special_tokens, Mapping) else listed_special_tokens(special_tokens)
        )
        self._special_tokens_at = special_tokens_at
        self._merger = SymbolMerger(base.symbol_ids, self._merges)
        self._tokens = {**self.unmade, **dict(zip(base.symbol_ids, base.symbols, strict=True))}
        for rank in in_making_order(base.symbol_ids, self._merges):
            pair, token_id = self._merges[rank]
            if pair is not None:
                self._tokens[token_id] = self._tokens[pair[0]] + self._tokens[pair[1]]
        self._id_of_token = {token: i for i, token in self._tokens.items()}
        self.special_tokens = self._number(self._special_tokens)
        self._tokens.update({i: token.encode("utf-8") for token, i in self.special_tokens.items()})

    def _number(self, special_tokens: Sequence[str] | Mapping[str, int]) -> dict[str, int]:
        if isinstance(special_tokens, Mapping):
            return dict(special_tokens)
        match self._special_tokens_at:
            case "first":
                first = 0
            case "after-base":
                first = max(self.base.symbol_ids, default=self.base.first_id - 1) + 1
            case "last":
                first = max(self._tokens, default=-1) + 1
        return {token: first + i for i, token in enumerate(special_tokens)}

    @property
    def merges(self) -> list[Pair | None]:
        """The pairs merged, as (left id, right id), by rank; None for a token that no merge makes, and that
        only a whole pre-token becomes."""
        return [pair for pair, _ in self._merges]

    @property
    def ranked(self) -> Sequence[Merge]:
        """The pair and the token id of each merge, by rank."""
        return self._merges

    @cached_property
    def paired(self) -> list[tuple[Pair, int]]:
        """The same without the tokens that no merge makes."""
        return [(pair, token_id) for pair, token_id in self._merges if pair is not None]

    @property
    def merge_of_pair(self) -> Mapping[Pair, tuple[int, int]]:
        """The rank of the merge of each pair, and the id of the token that it makes."""
        return self._merger.merge_of_pair

    def holds_neighbours(self, left: int, right: int) -> bool:
        """Return whether some token holds these two base symbols side by side."""
        return self._merger.holds_neighbours(left, right)

    @property
    def whole_token_ids(self) -> Set[int]:
        """The ids of the tokens that no merge makes, and that only a whole pre-token becomes."""
        return self._merger.rank_of_whole.keys()

    @property
    def merge_token_ids(self) -> list[int]:
        """The id of the token that each merge makes, by rank."""
        return [token_id for _, token_id in self._merges]

    @cached_property
    def merge_ids(self) -> npt.NDArray[np.int64]:
        """The same as an array."""
        return np.fromiter((token_id for _, token_id in self._merges), np.int64, len(self._merges))

    @cached_property
    def n_vocab(self) -> int:
        """One more than the highest token id."""
        return max(self._tokens, default=-1) + 1

    @cached_property
    def vocab_sizes(self) -> npt.NDArray[np.int64]:
        """How many tokens there are after 0, 1, … all merges, special tokens included: int64, one entry more
        than merges. A token that several merges make counts once."""
        never_made = self.unmade.keys() - self._merger.rank_of_whole.keys()
        others = [*self.base.symbol_ids, *self.special_tokens.values(), *never_made]
        ids = np.concatenate([np.array(others, np.int64), self.merge_ids])
        first = np.zeros(len(ids), np.int64)
        first[np.unique(ids, return_index=True)[1]] = 1
        before = len(ids) - len(self._merges)
        sizes: npt.NDArray[np.int64] = np.cumsum(np.r_[first[:before].sum(), first[before:]])
        return sizes

    @property
    def vocabulary(self) -> dict[int, bytes]:
        """The bytes of every token by its id, special tokens included, ids ascending."""
        return dict(sorted(self._tokens.items()))

    @cached_property
    def ordinary_tokens(self) -> Sequence[tuple[bytes, int]]:
        """The bytes and the id of each token that is not special, in the order of their bytes."""
        special = set(self.special_tokens.values())
        return sorted((token, i) for i, token in self.vocabulary.items() if i not in special)

    def token_to_id(self, token: str | bytes) -> int | None:
        """Return the id of the token with this text or these bytes; None if there is none.

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
        """Return true, even for a tokenizer without tokens."""
        return True

    def token_bytes(self, token_id: int) -> bytes:
        """Return the bytes of one token. Raises TokenizerError."""
        try:
            return self._tokens[token_id]
        except (KeyError, TypeError):
            kept = self._kept_symbol(token_id)
            if kept is None:
                raise no_token(token_id, self.n_vocab) from None
            return kept

    def written(self, token_id: int) -> bytes:
        """Return the bytes that a text has for a token: without ``</w>`` and ``##``, which only mark where in
        a word it stands. Raises TokenizerError."""
        token = self.token_bytes(token_id)
        if token_id in self._special_ids:
            return token
        bare = token.removeprefix(self._continuing).removesuffix(self.base.end_of_word.encode("utf-8"))
        return bare or token

    def continues_a_word(self, token_id: int) -> bool:
        """Return whether a token stands only inside a word, as ``##ing`` does."""
        return bool(self._continuing) and self.written(token_id) != self.token_bytes(token_id)

    @cached_property
    def _continuing(self) -> bytes:
        return self.base.continuing.encode("utf-8") if isinstance(self.base, ListedVocabulary) else b""

    @cached_property
    def _special_ids(self) -> frozenset[int]:
        return frozenset(self.special_tokens.values())

    def _kept_symbol(self, token_id: int) -> bytes | None:
        """Return the bytes of a character that the base vocabulary lacks and keeps."""
        number = as_whole_number(token_id)
        if number is None or not isinstance(self.base, CharacterVocabulary):
            return None
        return self.base.kept_symbol(number)

    def merge_rank(self, pair: Pair) -> int | None:
        """Return the rank of the merge that joins a pair of token ids; None if no merge does."""
        try:
            known = self._merger.merge_of_pair.get(pair)
        except TypeError:  # a list, for instance, which can't be looked up
            raise TokenizerError(f"A pair is a tuple of two ids, not {in_short(repr(pair))}.") from None
        return known and known[0]

    def _whole(self, pre_token: str) -> int:
        """Return the id of the token that a pre-token is as a whole and that no merge makes; -1 if there is
        none."""
        return self._id_of_whole.get(pre_token.encode("utf-8"), -1)

    @cached_property
    def _id_of_whole(self) -> dict[bytes, int]:
        return {self._tokens[i]: i for i in self._merger.rank_of_whole}


def no_token(token_id: object, n_vocab: int) -> TokenizerError:
    """Return the error of an id that no token of a vocabulary of ``n_vocab`` tokens has."""
    return TokenizerError(
        f"There is no token with id {in_short(token_id)}; ids of this tokenizer are below {n_vocab:,}."
    )
