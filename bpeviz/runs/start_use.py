"""What the merges of a start do on the text of a run, and what the new merges after them save."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bpeviz.cached import cached_property
from bpeviz.runs.run import Run
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.training.special_text import special_text
from bpeviz.words import counted

__all__ = ["Shares", "StartUse"]

Ints = npt.NDArray[np.int64]
Shares = npt.NDArray[np.float64]

#: How many of the first merges a sentence is about.
EARLY = 1_000
#: How many of the merges with the rarest pairs are named.
MOST_WORST = 5
#: New merges pay until they have saved this share of what all of them save.
PAYS = 0.9


@dataclass(frozen=True, eq=False)
class StartUse:
    """A ``run`` that begins with a finished tokenizer.

    StartUse(run).unused_early    how many of its first 1,000 merges the text never uses
    StartUse(run).ranks           for each of its merges on the text, the rank of its pair among all pairs
    """

    run: Run

    @property
    def start(self) -> Tokenizer:
        """The tokenizer that the run begins with. Raises ValueError for a run that begins with nothing."""
        if self.run.result.start is None:
            raise ValueError("the run begins with nothing")
        return self.run.result.start

    @cached_property
    def used(self) -> Ints:
        """The ranks in the start of the merges that the text uses, ascending."""
        ranks = self.run.start_ranks
        return np.unique(ranks[ranks >= 0]).astype(np.int64)

    @property
    def early(self) -> int:
        """How many merges are the first ones: EARLY, or all."""
        return min(EARLY, len(self.start.paired))

    @property
    def unused_early(self) -> int:
        """How many of the first merges the text never uses."""
        # tokens that only a whole pre-token becomes have ranks too, and are no merges
        ranks = [rank for rank, (pair, _) in enumerate(self.start.ranked) if pair is not None]
        return self.early - int(np.isin(ranks[: self.early], self.used).sum())

    @property
    def sentence(self) -> str:
        """How many merges of the start the text uses, and how many are new."""
        name = self.run.start.name if self.run.start else ""
        said = (
            f"The text uses {len(self.used):,} of the {len(self.start.paired):,} merges of {name}. "
            f"{self.unused_early:,} of its first {self.early:,} are never used."
        )
        new = len(self.run.result.new_steps)
        said = f"{said} Then {counted(new, 'new merge')}." if new else said
        return f"{said} {special_text(self.run.result)}".rstrip()

    @property
    def of_start(self) -> Ints:
        """The steps that merge by rank, not the new ones."""
        return np.flatnonzero(self.run.start_ranks >= 0)

    @cached_property
    def ranks(self) -> Ints:
        """The rank by count, among all pairs at that moment, of the pair that each step merges."""
        return self.run.history.merged_ranks.ranks

    @property
    def worst(self) -> Ints:
        """The steps by rank whose pairs were the rarest, the rarest first."""
        steps = self.of_start
        return steps[np.argsort(-self.ranks[steps], kind="stable")[:MOST_WORST]]

    @property
    def best_total(self) -> int:
        """At how many steps the start merges a pair that is the most frequent here."""
        return int((self.ranks[self.of_start] == 1).sum())

    @property
    def first_new(self) -> int | None:
        """The step of the first new merge; None if there is none."""
        new = np.flatnonzero(self.run.start_ranks < 0)
        return int(new[0]) if len(new) else None

    @cached_property
    def saved(self) -> Shares:
        """What the new merges save on this text after 0, 1, … of them, in percent of the tokens before."""
        first = self.first_new
        totals = self.run.history.token_totals[len(self.run.steps) if first is None else first :]
        return _saved(totals)

    def saved_on(self, text: str) -> Shares:
        """Return the same of another text. Raises what encoding it raises."""
        tokenizer, first = self.run.tokenizer, len(self.start.ranked)
        encoded = tokenizer.encode_text(text)
        ranks = np.r_[encoded.gap_ranks, encoded.hidden_ranks]
        new = ranks[(ranks >= first) & (ranks < len(tokenizer.ranked))] - first
        closed = np.bincount(new, minlength=len(tokenizer.ranked) - first)
        return _saved(encoded.token_total(first) - np.r_[0, np.cumsum(closed)])

    @staticmethod
    def pays_until(saved: Shares) -> int:
        """Return how many of the new merges save PAYS of what all of them save."""
        return int(np.argmax(saved >= PAYS * saved[-1]))


def _saved(totals: Ints) -> Shares:
    saved: Shares = 100.0 * (totals[0] - totals) / max(1, int(totals[0]))
    return saved
