"""The tokens of a training after so many merges, from its gap ranks."""

from collections import Counter

import numpy as np

from bpeviz.core.gap_ranks import tokens_at
from bpeviz.training.result import TrainingResult

__all__ = ["tokens_in"]


def tokens_in(result: TrainingResult, k: int) -> Counter[int]:
    """How often each token occurs after k steps, from the gap ranks."""
    spelling = result.base.spell(result.corpus.pre_tokens)
    made = np.array([step.token_id for step in result.steps], np.int32)
    ids, ends = tokens_at(spelling.ids, result.symbol_gap_ranks, made, k)
    weights = np.repeat(np.array([*result.corpus.counts.values()], np.int64), spelling.lengths)
    found: Counter[int] = Counter()
    for token_id, end in zip(ids.tolist(), ends.tolist(), strict=True):
        found[token_id] += int(weights[end])
    return found
