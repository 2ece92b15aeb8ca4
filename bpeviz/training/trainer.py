"""Trainer: learns merges from a corpus, one at a time.

    trainer = Trainer(Corpus.from_text("aaabdaaabac", split="none"), "minbpe-basic", num_merges=3)
    [step.token for step in trainer.steps()]  ->  [b"aa", b"aaa", b"aaab"]

A corpus that no pattern has cut yet is cut by the recipe's, and counted once. A merge visits only the places
that hold its pair: the TokenChain replaces them and returns which counts changed, and the PairIndex keeps the
pairs in order.
"""

from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import replace
from typing import Any

import numpy as np

from bpeviz.core.base_vocabulary import BaseVocabulary
from bpeviz.core.pair_index import PairIndex
from bpeviz.core.ranked_pairs import RankedPairs
from bpeviz.core.token_chain import Pair, TokenChain
from bpeviz.core.whole_numbers import as_whole_number
from bpeviz.corpus.corpus import Corpus
from bpeviz.corpus.special_tokens import uncut_special_token
from bpeviz.errors import TrainingSettingsError
from bpeviz.shown import PlayerPage, player_of
from bpeviz.text.special_tokens import listed_special_tokens
from bpeviz.text.utf8 import check_text
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.tokenizer.vocabulary import no_token
from bpeviz.training.choice import Choice, checked_pair
from bpeviz.training.history import MergeHistory
from bpeviz.training.recipes import Recipe, get_recipe
from bpeviz.training.result import MergeStep, TrainingResult
from bpeviz.training.start import begin_with, byte_ids, tokens_of
from bpeviz.words import counted, how_often, in_short

__all__ = ["STOPS", "TOO_SMALL", "Trainer"]

#: Why a training stops. The trainer in the browser says it in the same words.
STOPS = {
    "start": "The tokenizer has no further merge for this text.",
    "merges": "Reached the requested {merges}.",
    "size": "The vocabulary reached the requested {size} tokens.",
    "empty": "The corpus is empty: there is nothing to learn from.",
    "rare": "The most frequent pair occurs {times}, fewer than the minimum frequency of {fewest}.",
    "vetoed": "No pair is left that was not vetoed.",
    "bytes": "No pair is left that the tokenizer’s library would merge: the others are bytes of characters.",
    "long": "No pair is left: any two neighbours together have more than {limit}.",
    "whole": "No pair is left: every pre-token is a single token.",
}
TOO_SMALL = (
    "vocab_size {size} is smaller than the base vocabulary with its special tokens: ask for at least {first}."
)


class Trainer:
    """Trains merge by merge by the rules of a recipe.

    ``vocab_size`` or ``num_merges`` says when to stop (neither: when no pair is left). ``min_frequency``,
    ``special_tokens`` and ``max_token_length`` (see Recipe) replace the recipe's own. ``made`` is an earlier
    training on the same corpus by the same rules: training continues after its merges, and its vetoes hold.

    ``start`` is a finished tokenizer to begin with: the training first makes its merges that occur, by rank.
    Then it makes new ones by the recipe; ``num_merges`` counts these alone, and each gets an id after the
    last. The start splits and spells the text, and has the special tokens; of the recipe count the rules for
    ties, for limits, and for tokens with the same bytes. Raises TrainingSettingsError.
    """

    def __init__(
        self,
        corpus: Corpus,
        recipe: str | Recipe = "huggingface",
        *,
        vocab_size: int | None = None,
        num_merges: int | None = None,
        min_frequency: int | None = None,
        special_tokens: Sequence[str] | None = None,
        max_token_length: int | None = None,
        made: TrainingResult | None = None,
        start: Tokenizer | None = None,
    ) -> None:
        _check_corpus(corpus)
        self.start = start
        self.recipe = get_recipe(recipe)
        if max_token_length is not None:
            longest = _whole_number("max_token_length", max_token_length, least=1)
            self.recipe = replace(self.recipe, max_token_length=longest)
        fewest = self.recipe.min_frequency if min_frequency is None else min_frequency
        self.min_frequency = max(1, _whole_number("min_frequency", fewest))
        self.vocab_size = None if vocab_size is None else _whole_number("vocab_size", vocab_size, least=0)
        self.num_merges = None if num_merges is None else _whole_number("num_merges", num_merges, least=0)
        if start is None:
            self._begin_by_recipe(corpus, special_tokens)
        else:
            self._begin_with(start, corpus, special_tokens, made)
        self._first_size = len(self._tokens)
        self._check_vocab_size()
        self._steps: list[MergeStep] = []
        #: How many merges were made so far that are none of the start's: all, without one.
        self.num_new = 0
        self._choices: list[Choice] = []
        self.stop_reason: str | None = None

        self._ids = self.recipe.ids_made_again(self._tokens, self.special_tokens)
        weights = np.fromiter(self.corpus.counts.values(), np.int64, len(self.corpus.counts))
        spelling = self.base.spell(self.corpus.pre_tokens)
        self._chain = TokenChain(spelling, weights)
        self._fewest_tokens = int(weights[spelling.lengths > 0].sum())
        if made is not None:
            self._make_first(made)
        self._index = PairIndex(self._chain, self.recipe.tie, self._tokens, self.recipe.length_limit)
        for choice in self._choices:
            if choice.action == "veto":
                self._index.exclude(choice.pair)
        self._ranked = None if start is None else RankedPairs(start.merge_of_pair, self._index)
        self._leave_out_bytes()
        self.token_total = self._chain.token_total

    def _begin_by_recipe(self, corpus: Corpus, special_tokens: Sequence[str] | None) -> None:
        self.special_tokens = (
            self.recipe.special_tokens if special_tokens is None else listed_special_tokens(special_tokens)
        )
        self.corpus = corpus.cut_by(self.recipe.split_pattern(special_tokens=self.special_tokens))
        self._check_special_tokens()
        self.base: BaseVocabulary = self.recipe.base_vocabulary(self.corpus, self.special_tokens)
        self._tokens = self.recipe.first_tokens(self.base, self.special_tokens)

    def _begin_with(
        self,
        start: Tokenizer,
        corpus: Corpus,
        special_tokens: Sequence[str] | None,
        made: TrainingResult | None,
    ) -> None:
        if special_tokens is not None:
            raise TrainingSettingsError(
                "A training that begins with a tokenizer keeps its special tokens. Leave special_tokens out."
            )
        if made is not None and made.start is start:
            self.corpus, self.base = made.corpus, made.base  # the text is spelled already
        else:
            self.corpus, self.base = begin_with(start, corpus)
        self.special_tokens = tuple(start.special_tokens)
        self._tokens = tokens_of(start)

    def _check_special_tokens(self) -> None:
        for token in self.special_tokens:
            check_text(token)
        if len(set(self.special_tokens)) < len(self.special_tokens) or "" in self.special_tokens:
            raise TrainingSettingsError("Special tokens must be different from each other and not empty.")
        if not self.recipe.cuts_at_special_tokens:
            return
        if (uncut := uncut_special_token(self.corpus, self.special_tokens)) is not None:
            raise TrainingSettingsError(
                f"The recipe {self.recipe.name} cuts texts at special tokens, but this corpus may hold "
                f"{in_short(repr(uncut))} without a cut. Split the texts by "
                "recipe.split_pattern(special_tokens=[…]).",
            )

    def _check_vocab_size(self) -> None:
        if self.vocab_size is not None and self.num_merges is not None:
            raise TrainingSettingsError("Give vocab_size or num_merges, not both: each says where to stop.")
        if self.vocab_size is not None and self.vocab_size < self._first_size:
            raise TrainingSettingsError(
                TOO_SMALL.format(size=f"{self.vocab_size:,}", first=f"{self._first_size:,}"),
            )

    def _make_first(self, made: TrainingResult) -> None:
        """Take the merges of an earlier training as made."""
        if not isinstance(made, TrainingResult):
            raise TrainingSettingsError(
                f"made is a {type(made).__name__}. Give the result of an earlier training, which "
                "Trainer.result returns.",
            )
        same_corpus = made.corpus is self.corpus or [*made.corpus.counts.items()] == [
            *self.corpus.counts.items()
        ]
        same_rules = (made.recipe, made.special_tokens) == (self.recipe, self.special_tokens)
        if not same_corpus or not same_rules or made.start is not self.start:
            raise TrainingSettingsError(
                "The merges made before are those of another corpus, recipe, start or special tokens. "
                "Use merges of the same four, or none.",
            )
        self._steps = list(made.steps)
        self.num_new = len(made.new_steps)
        self._choices = list(made.choices)
        self._tokens = list(made.tokens)
        if self.recipe.merges_alike:
            self._ids |= {step.token: step.token_id for step in made.steps}
        token_ids = np.fromiter((step.token_id for step in made.steps), np.int32, len(made.steps))
        self._chain.make_first(made.symbol_gap_ranks, token_ids)

    def _leave_out_bytes(self) -> None:
        """Never learn a pair of bytes of a character that the start's file lacks: its library joins none. All
        these pairs are there from the beginning."""
        single = byte_ids(self.start) if self.start else frozenset()
        for pair in [*self._index.counts] if single else ():
            if single.issuperset(pair):
                self._index.exclude(pair)

    def __copy__(self) -> "Trainer":
        """Return an independent trainer: a shallow copy would share the chain and the index with this one."""
        return deepcopy(self)

    def __repr__(self) -> str:
        return f"<Trainer: recipe {self.recipe.name!r}, {len(self._steps):,} merges so far, {self.corpus!r}>"

    @property
    def merges(self) -> list[tuple[Pair, int]]:
        """The pair and the token id of each merge made so far, by rank."""
        return [(step.pair, step.token_id) for step in self._steps]

    @property
    def current_vocab_size(self) -> int:
        """The vocabulary size now, as the recipe counts it towards ``vocab_size``."""
        if self.recipe.counts_repeats:
            return self._first_size + self.num_new
        return len(self._tokens)

    @property
    def most_merges(self) -> int | None:
        """How many merges there are at the limit, if each makes a new token; None without a limit."""
        if self.vocab_size is None:
            return self.num_merges
        return len(self._steps) + max(0, self.vocab_size - self.current_vocab_size)

    def steps(self) -> Iterator[MergeStep]:
        """Merge until a limit is reached or no pair is left; then ``stop_reason`` says why."""
        while (step := self.step()) is not None:
            yield step

    def step(self, pair: Pair | None = None) -> MergeStep | None:
        """Make one merge. Returns None if training has stopped; ``stop_reason`` says why.

        If ``pair`` is given, merge it, even if it is not the most frequent or a limit is reached. Raises
        TrainingSettingsError if it does not occur.
        """
        if pair is None:
            best = self._choose()
            return None if best is None else self._merge(best)
        given = checked_pair(pair)
        if given not in self._index.counts:
            raise TrainingSettingsError(
                f"The pair {in_short(given)} does not occur in the corpus at this step, so it cannot be "
                "merged. Choose one of top_pairs()."
            )
        if given != self._choose():  # also what the recipe would merge, had it not stopped
            self._choices.append(Choice(len(self._steps), given))
        return self._merge(given)

    def veto(self, pair: Pair) -> None:
        """Never choose ``pair`` from now on; ``step(pair)`` still merges it."""
        vetoed = checked_pair(pair)
        if any((choice.pair, choice.action) == (vetoed, "veto") for choice in self._choices):
            return  # a continued training hears of its vetoes again
        self._index.exclude(vetoed)
        self._choices.append(Choice(len(self._steps), vetoed, "veto"))

    def _choose(self) -> Pair | None:
        if self._ranked is not None and (by_rank := self._ranked.first()) is not None:
            self.stop_reason = None
            return by_rank
        best = self._index.best()
        self.stop_reason = self._reason_to_stop(best)
        return None if self.stop_reason else best

    def _reason_to_stop(self, best: Pair | None) -> str | None:
        if self.num_merges is not None and self.num_new >= self.num_merges:
            stop = STOPS["start" if self.start and not self.num_merges else "merges"]
            return stop.format(merges=counted(self.num_merges, "merge"))
        if self.vocab_size is not None and self.current_vocab_size >= self.vocab_size:
            return STOPS["size"].format(size=f"{self.vocab_size:,}")
        if not self.corpus.counts:
            return STOPS["empty"]
        if best is None:
            return self._no_pair_left()
        if (count := self._index.counts[best]) < self.min_frequency:
            return STOPS["rare"].format(times=how_often(count), fewest=f"{self.min_frequency:,}")
        return None

    def _no_pair_left(self) -> str:
        if self._index.counts:
            return STOPS["vetoed" if self._choices else "bytes"]
        if self.token_total > self._fewest_tokens:
            return STOPS["long"].format(limit=self.recipe.length_limit)
        return STOPS["whole"]

    def _merge(self, pair: Pair) -> MergeStep:
        rank = len(self._steps)
        token = self._tokens[pair[0]] + self._tokens[pair[1]]
        count = self._index.counts[pair]
        known = self.start.merge_of_pair.get(pair) if self.start else None
        tied = self._index.sharing(count) if known is None else 1
        token_id = self._id_for(token) if known is None else known[1]
        merged = self._chain.merge(pair, token_id, rank, self._index.remove(pair))
        self._index.update(merged)
        if self._ranked is not None:
            self._ranked.update(merged)
        self.token_total -= merged.replaced
        self.stop_reason = None
        step = MergeStep(rank, pair, token_id, token, count, tied, self.token_total)
        self._steps.append(step)
        self.num_new += known is None
        return step

    def _id_for(self, token: bytes) -> int:
        """Return the id of a new token, or of one with the same bytes if the recipe makes that one again."""
        known = self._ids.get(token)
        if known is not None:
            return known
        self._tokens.append(token)
        if self.recipe.merges_alike:
            self._ids[token] = len(self._tokens) - 1
        return len(self._tokens) - 1

    def top_pairs(self, n: int) -> list[tuple[Pair, int]]:
        """Return the first ``n`` pairs in the order in which the recipe chooses, with their counts now."""
        return self._index.top(_whole_number("n", n, least=0))

    def token_bytes(self, token_id: int) -> bytes:
        """Return the bytes of a token. Raises TokenizerError."""
        number = as_whole_number(token_id)
        if number is None or not 0 <= number < len(self._tokens):
            raise no_token(token_id, len(self._tokens))
        return self._tokens[number]

    def result(self) -> TrainingResult:
        """Return the outcome of the merges made so far, in plain values."""
        return TrainingResult(
            corpus=self.corpus,
            recipe=self.recipe,
            special_tokens=self.special_tokens,
            base=self.base,
            steps=tuple(self._steps),
            stop_reason=self.stop_reason or "",
            tokens=tuple(self._tokens),
            symbol_gap_ranks=self._chain.gap_ranks,
            choices=tuple(self._choices),
            start=self.start,
        )

    def tokenizer(self) -> Tokenizer:
        """Return a tokenizer with the merges made so far."""
        return self.result().tokenizer

    def history(self) -> MergeHistory:
        """Return the corpus after any number of the merges made so far."""
        return self.result().history

    def player(self, text: str | None = None, **options: Any) -> PlayerPage:
        """Return the merges made so far on ``text``, as a player: see bpeviz.standalone.

        If no merge is made yet, trains first. The corpus holds only counts: without a text the player shows
        its distinct pre-tokens, first seen first. ``options``: step, height, theme, panels, autoplay, speed,
        caption. Raises PlayerError.
        """
        if not self.merges:
            for _ in self.steps():
                pass
        return player_of(self.result(), text, **options)


def _check_corpus(corpus: object) -> None:
    if isinstance(corpus, Corpus):
        return
    raise TrainingSettingsError(
        f"Trainer takes a Corpus, not {type(corpus).__name__}. "
        "Make one with Corpus.from_text, from_texts, from_files or from_counts: "
        "Trainer(Corpus.from_text(text)).",
    )


def _whole_number(setting: str, value: object, least: int | None = None) -> int:
    number = as_whole_number(value)
    if number is None or (least is not None and number < least):
        bound = "" if least is None else f" of {least} or more"
        raise TrainingSettingsError(f"{setting} must be a whole number{bound}, not {in_short(repr(value))}.")
    return number
