"""Learned: what training leaves behind, in plain values that another process can be given.

A tokenizer and a history are made of these and of nothing else. Training itself is the trainer's work.
"""

from dataclasses import dataclass, field

from bpeviz.core.base_vocabulary import BaseVocabulary
from bpeviz.core.gap_ranks import GapRanks
from bpeviz.core.token_chain import Pair
from bpeviz.corpus.corpus import Corpus
from bpeviz.tokenizer.encoding_rules import encoding_rules
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.training.history import MergeHistory
from bpeviz.training.recipes import Recipe

__all__ = ["Learned"]


@dataclass(frozen=True, eq=False)
class Learned:
    """What a trainer made of its corpus.

    - ``corpus``, ``recipe``, ``special_tokens``, ``base``: what it was trained on and by;
    - ``merges``: the pair and the token id of each merge, by rank;
    - ``tokens``: the bytes of each token, by id;
    - ``symbol_gap_ranks``: the gap rank after each base symbol of the distinct pre-tokens.
    """

    corpus: Corpus
    recipe: Recipe
    special_tokens: tuple[str, ...] = field(repr=False)
    base: BaseVocabulary = field(repr=False)
    merges: tuple[tuple[Pair, int], ...] = field(repr=False)
    tokens: tuple[bytes, ...] = field(repr=False)
    symbol_gap_ranks: GapRanks = field(repr=False)

    def tokenizer(self) -> Tokenizer:
        """A tokenizer with these merges."""
        base, split = encoding_rules(self.base, self.corpus.split)
        return Tokenizer(
            base,
            self.merges,
            split=split,
            special_tokens=self.special_tokens,
            special_tokens_at=self.recipe.special_tokens_at,
        )

    def history(self) -> MergeHistory:
        """The corpus after any number of these merges."""
        return MergeHistory(
            self.corpus,
            self.base,
            self.merges,
            self.symbol_gap_ranks,
            tokens=self.tokens,
            tie=self.recipe.tie,
            max_token_length=self.recipe.max_token_length,
        )
