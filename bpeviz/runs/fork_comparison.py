"""Two runs on one text: the merges that differ, and the tokens and boundaries of each."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from bpeviz.analysis.compare import compare_merges
from bpeviz.cached import cached_property
from bpeviz.core.gap_ranks import is_token_end
from bpeviz.runs.run import Run
from bpeviz.text.token_text import visible
from bpeviz.words import counted

__all__ = ["ForkComparison"]

Counts = npt.NDArray[np.int64]


@dataclass(frozen=True)
class ForkComparison:
    """``run``, which the page shows, and ``other``, to compare it with.

    Sentences name the runs; a caller can give other names, such as chips in markdown.
    """

    run: Run
    other: Run

    @cached_property
    def merges(self) -> pd.DataFrame:
        """Every merge of both, identified by its bytes: columns ``left``, ``right``, and ``this`` and
        ``beside``, its number in each run from 1 on, <NA> if the run does not make it."""
        merges = compare_merges(self.run.tokenizer, self.other.tokenizer)
        return pd.DataFrame(
            {
                "left": merges["left"].map(visible),
                "right": merges["right"].map(visible),
                "this": merges["rank_a"] + 1,
                "beside": merges["rank_b"] + 1,
            }
        )

    @cached_property
    def differing(self) -> pd.DataFrame:
        """The merges that only one makes, or that they make at different ranks."""
        same = (self.merges["this"] == self.merges["beside"]).fillna(False).astype(bool)
        return self.merges[~same]

    @cached_property
    def _totals(self) -> tuple[Counts, Counts]:
        """The token totals of both after 0, 1, … merges, as far as both go."""
        mine, others = (r.history.token_totals for r in (self.run, self.other))
        both = min(len(mine), len(others))
        return mine[:both], others[:both]

    @property
    def always_equal(self) -> bool:
        """Whether both need the same number of tokens at every step."""
        return bool(np.array_equal(*self._totals))

    def verdict(self, run: str = "", other: str = "") -> str:
        """Which run needs fewer tokens in the end, in words. ``run`` and ``other`` are how to name them."""
        mine, others = self._totals
        merges, more = len(mine) - 1, int(mine[-1] - others[-1])
        if self.differing.empty:
            return "Both made the same merges in the same order."
        if self.always_equal:
            why = "tie" if self._tied else "choice"
            return f"Same number of tokens at every step: the {why} didn't matter here."
        if not more:
            return f"With {counted(merges, 'merge')} both need the same number of tokens, {int(mine[-1]):,}."
        tokens = counted(abs(more), "token")
        run, other = run or self.run.name, other or self.other.name
        than = f"{'more' if more > 0 else 'fewer'} than {other}"
        return f"With {counted(merges, 'merge')} {run} needs {tokens} {than}."

    @property
    def _tied(self) -> bool:
        """Whether the first pairs that differ occur equally often."""
        for mine, other in zip(self.run.steps, self.other.steps, strict=False):
            if (mine.pair, mine.token_id) != (other.pair, other.token_id):
                return mine.count == other.count
        return False

    @cached_property
    def parting(self) -> tuple[int, int] | None:
        """After how many merges the text on show first differs, and the byte at which it does; None if it
        never does."""
        mine, others = (np.minimum(r.gap_ranks, len(r.steps)) for r in (self.run, self.other))
        closed = np.minimum(mine, others)
        differ = np.flatnonzero((mine != others) & (closed < min(len(self.run.steps), len(self.other.steps))))
        if not len(differ):
            return None
        first = differ[np.argmin(closed[differ])]
        return int(closed[first]) + 1, int(first)

    def tokens_now(self, step: int, run: str = "", other: str = "") -> str:
        """Return the tokens of both after ``step`` merges, in words."""
        mine, others = self.tokens(step)
        run, other = run or self.run.name, other or self.other.name
        return f"Now, after {counted(step, 'merge')}: {mine:,} tokens in {run}, {others:,} in {other}."

    def sentence(self, run: str = "", other: str = "") -> str:
        """Return the first merge that differs, and how many do, in words; empty if none does."""
        if self.differing.empty:
            return ""
        only, beside = (int(self.differing[column].isna().sum()) for column in ("beside", "this"))
        first = int(self.differing[["this", "beside"]].min().min())
        moved = len(self.differing) - only - beside
        parts = [f"Merge {first:,} is the first that differs."]
        if only or beside:
            run, other = run or self.run.name, other or self.other.name
            parts.append(f"Only {run} makes {counted(only, 'merge')}, only {other} {beside:,}.")
        if moved:
            parts.append(f"Both make {counted(moved, 'merge')} at different places in the order.")
        return " ".join(parts)

    def tokens(self, step: int) -> tuple[int, int]:
        """Return the token totals of both after ``step`` merges, or after the last if a run has fewer."""
        mine, others = (r.history.token_totals for r in (self.run, self.other))
        return int(mine[min(step, len(mine) - 1)]), int(others[min(step, len(others) - 1)])

    def boundaries(self, step: int, run: str = "", other: str = "") -> str:
        """How many token boundaries only one of them has after ``step`` merges, in words."""
        mine, others = (is_token_end(r.gap_ranks, min(step, len(r.steps))) for r in (self.run, self.other))
        only, beside = int((mine & ~others).sum()), int((others & ~mine).sum())
        after = f"After {counted(step, 'merge')}"
        if not only and not beside:
            return f"{after} both cut the text the same way."
        run, other = run or self.run.name, other or self.other.name
        return f"{after} only {run} has {counted(only, 'boundary', 'boundaries')}, only {other} {beside:,}."
