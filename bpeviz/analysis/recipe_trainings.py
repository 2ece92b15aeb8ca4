"""One text trained by several recipes.

    settings = [TrainingSettings("course"), TrainingSettings("minbpe")]
    course, minbpe = train_recipes("the cat in the hat", settings)
    course.merged_bytes == minbpe.merged_bytes

bpeviz.analysis.divergence says why two of them differ.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import numpy.typing as npt

from bpeviz.corpus.corpus import Corpus
from bpeviz.text.split_patterns import SplitPattern
from bpeviz.training.result import TrainingResult
from bpeviz.training.settings import TrainingSettings
from bpeviz.training.text_training import Train, TrainingProgress, UncountedText, train_text

__all__ = ["train_recipes"]


def train_recipes(
    text: str,
    settings: Sequence[TrainingSettings],
    *,
    on_progress: Callable[[int, TrainingProgress], object] = lambda _, __: None,
    train: Train = train_text,
) -> list[TrainingResult]:
    """Train on ``text`` by each of the settings in turn, as ``train`` does. Those with the same split pattern
    share a corpus. ``on_progress`` gets the index of the settings and the progress of their training.

    Raises CorpusError, SplitPatternError, TrainingSettingsError, and what ``on_progress`` and ``train``
    raise.
    """
    counted: dict[SplitPattern, tuple[Corpus, npt.NDArray[np.int64]]] = {}
    results = []
    for place, each in enumerate(settings):
        pattern, report = each.split_pattern(), partial(on_progress, place)
        if pattern in counted:
            corpus, pre_tokens = counted[pattern]
            results.append(replace(train(corpus, each, report), pre_tokens=pre_tokens))
        else:
            results.append(train(UncountedText(text, pattern), each, report))
            counted[pattern] = results[-1].corpus, results[-1].pre_tokens
    return results
