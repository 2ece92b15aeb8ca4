"""Two runs on one text: the merges that differ, and the tokens and boundaries of each."""

from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from bpeviz.analysis.compare import compare_merges
from bpeviz.core.gap_ranks import is_token_end
from bpeviz.runs.run import Run
from bpeviz.text.token_text import visible

__all__ = ["ForkComparison"]


@dataclass(frozen=True)
class ForkComparison:
    """``run``, which the page shows, and ``other``, to compare it with."""

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
    def sentence(self) -> str:
        """The first merge that differs, and how many do, in words."""
        if self.differing.empty:
            return "Both made the same merges in the same order."
        only, beside = (int(self.differing[column].isna().sum()) for column in ("beside", "this"))
        first = int(self.differing[["this", "beside"]].min().min())
        moved = len(self.differing) - only - beside
        return (
            f"They part at merge {first:,}. {_merges(only)} only this run makes, {_merges(beside)} only the "
            f"other; {_merges(moved)} both make, but not at the same place."
        )

    def tokens(self, step: int) -> tuple[int, int]:
        """The token totals of both after ``step`` merges, or after the last if a run has fewer."""
        mine, others = (r.history.token_totals for r in (self.run, self.other))
        return int(mine[min(step, len(mine) - 1)]), int(others[min(step, len(others) - 1)])

    def boundaries(self, step: int) -> str:
        """How many token boundaries only one of them has after ``step`` merges, in words."""
        mine, others = (is_token_end(r.gap_ranks, min(step, len(r.steps))) for r in (self.run, self.other))
        only, beside = int((mine & ~others).sum()), int((others & ~mine).sum())
        return (
            f"In the text after {step:,} merges, {_count(only, 'token boundary', 'token boundaries')} only "
            f"this run has, {beside:,} only the other."
        )


def _merges(count: int) -> str:
    return _count(count, "merge", "merges")


def _count(count: int, one: str, several: str) -> str:
    return f"{count:,} {one if count == 1 else several}"
