"""MergeStep and TrainingResult: one merge, and the outcome of a training, in plain values that another
process can send.

It makes the tokenizer and the history from these values alone.
"""

from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from bpeviz.cached import cached_property
from bpeviz.core.base_vocabulary import BaseVocabulary
from bpeviz.core.gap_ranks import NEVER, GapRanks
from bpeviz.core.token_chain import Pair
from bpeviz.core.whole_numbers import number_of_merges
from bpeviz.corpus.corpus import Corpus
from bpeviz.text.split_patterns import SplitPattern
from bpeviz.tokenizer.encoding_rules import encoding_rules
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.tokenizer.with_merges import with_merges
from bpeviz.training.choice import Choice
from bpeviz.training.history import MergeHistory
from bpeviz.training.recipes import Recipe

__all__ = ["MergeStep", "TrainingResult"]


@dataclass(frozen=True)
class MergeStep:
    """One merge, and the counts when it was made.

    - ``rank``: how many merges were made before it;
    - ``pair``: the ids of the left and the right token;
    - ``token_id``, ``token``: the id and the bytes of the token it makes;
    - ``count``: how often the pair occurred, overlaps included;
    - ``tied``: how many pairs had that count, this one included, without vetoed pairs. It is 0 if a person
      merges a vetoed pair and no other pair has its count;
    - ``token_total``: how many tokens the corpus has after the merge.
    """

    rank: int
    pair: Pair
    token_id: int
    token: bytes
    count: int
    tied: int
    token_total: int


@dataclass(frozen=True, eq=False)
class TrainingResult:
    """The outcome of a training.

    - ``corpus``, ``recipe``, ``special_tokens``, ``base``: the corpus and the rules;
    - ``steps``: the merges by rank; ``stop_reason``: why there are no more;
    - ``tokens``: the bytes of each token, by id;
    - ``symbol_gap_ranks``: the gap rank after each base symbol of the distinct pre-tokens;
    - ``pre_tokens``: the pre-tokens of the text in order, as indices in the corpus; empty if only the counts
      are known;
    - ``choices``: the merges and vetoes that a person chose against the recipe. A result from another process
      lacks them;
    - ``start``: the tokenizer that the training began with, if any: its merges come before new ones.
    """

    corpus: Corpus
    recipe: Recipe
    special_tokens: tuple[str, ...] = field(repr=False)
    base: BaseVocabulary = field(repr=False)
    steps: tuple[MergeStep, ...] = field(repr=False)
    stop_reason: str
    tokens: tuple[bytes, ...] = field(repr=False)
    symbol_gap_ranks: GapRanks = field(repr=False)
    pre_tokens: npt.NDArray[np.int64] = field(repr=False, default_factory=lambda: np.zeros(0, np.int64))
    choices: tuple[Choice, ...] = ()
    start: Tokenizer | None = field(repr=False, default=None)

    def after(self, num_merges: int) -> "TrainingResult":
        """Return the outcome if training had stopped after so many of the merges, for the counts alone:
        without the pre-tokens of the text. Raises TrainingSettingsError if there are not so many."""
        steps = self.steps[: number_of_merges(num_merges, len(self.steps), "This training made")]
        first = self._first_size
        tokens = max([first, *(step.token_id + 1 for step in steps)])
        open_now = (self.symbol_gap_ranks >= len(steps)) & (self.symbol_gap_ranks < NEVER)
        return replace(
            self,
            steps=steps,
            stop_reason="",
            tokens=self.tokens[:tokens],
            symbol_gap_ranks=np.where(open_now, np.int32(NEVER), self.symbol_gap_ranks),
            pre_tokens=np.zeros(0, np.int64),
            # a veto that came before merge k holds after it
            choices=tuple(
                choice for choice in self.choices if choice.rank < len(steps) + (choice.action == "veto")
            ),
        )

    @property
    def split(self) -> SplitPattern:
        """The pattern that split the text."""
        return self.corpus.split

    @property
    def vocab_size(self) -> int:
        """The vocabulary size, as the recipe counts it towards the ``vocab_size`` of a training."""
        if not self.recipe.counts_repeats:
            return len(self.tokens)
        return self._first_size + len(self.new_steps)

    @property
    def _first_size(self) -> int:
        """One more than the highest id before the first new merge."""
        if self.start is not None:
            return self.start.n_vocab
        return len(self.recipe.first_tokens(self.base, self.special_tokens))

    @cached_property
    def new_steps(self) -> tuple[MergeStep, ...]:
        """The merges that are none of the start's: all, without a start."""
        if self.start is None:
            return self.steps
        known = self.start.merge_of_pair
        return tuple(step for step in self.steps if step.pair not in known)

    @property
    def merges(self) -> tuple[tuple[Pair, int], ...]:
        """The pair and the token id of each merge, by rank."""
        return tuple((step.pair, step.token_id) for step in self.steps)

    @cached_property
    def merged_bytes(self) -> tuple[tuple[bytes, bytes], ...]:
        """The bytes of the left and the right token of each merge, by rank."""
        return tuple((self.tokens[left], self.tokens[right]) for (left, right), _ in self.merges)

    @cached_property
    def tokenizer(self) -> Tokenizer:
        """A tokenizer with these merges; after a start, with all of its merges."""
        if self.start is not None:
            chosen = {choice.rank for choice in self.choices if choice.action == "merge"}
            vetoed = {choice.pair: choice.rank for choice in self.choices if choice.action == "veto"}
            return with_merges(self.start, self.merges, chosen, vetoed)
        base, split = encoding_rules(self.base, self.corpus.split)
        return Tokenizer(
            base,
            self.merges,
            split=split,
            special_tokens=self.special_tokens,
            special_tokens_at=self.recipe.special_tokens_at,
        )

    @cached_property
    def history(self) -> MergeHistory:
        """The corpus after any number of these merges."""
        return MergeHistory(
            self.corpus,
            self.base,
            self.merges,
            self.symbol_gap_ranks,
            tokens=self.tokens,
            tie=self.recipe.tie,
            length_limit=self.recipe.length_limit,
            result=replace(self),  # not itself: objects that hold each other wait for garbage collection
        )

    def on_text(self, pre_tokens: npt.NDArray[np.int64]) -> "TrainingResult":
        """Return the same training with another text of the corpus; keeps the tokenizer and the history."""
        other = replace(self, pre_tokens=pre_tokens)
        made = {name: value for name, value in vars(self).items() if name in ("tokenizer", "history")}
        vars(other).update(made)
        return other

    @cached_property
    def text_bytes(self) -> bytes:
        """The text in UTF-8; empty if only the counts are known."""
        pre_tokens = [p.encode("utf-8") for p in self.corpus.pre_tokens]
        return b"".join(map(pre_tokens.__getitem__, self.pre_tokens.tolist()))

    @cached_property
    def walls(self) -> npt.NDArray[np.bool_]:
        """Whether each byte of the text is the last of a pre-token."""
        sizes = np.array([len(p.encode("utf-8")) for p in self.corpus.pre_tokens], np.int64)
        walls = np.zeros(len(self.text_bytes), np.bool_)
        walls[np.cumsum(sizes[self.pre_tokens]) - 1] = True
        return walls

    @cached_property
    def gap_ranks(self) -> GapRanks:
        """The gap ranks of the text, one per byte."""
        return self.history.gap_ranks_of(self.pre_tokens)
