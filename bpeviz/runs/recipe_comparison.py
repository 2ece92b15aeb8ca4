"""Several recipes trained on one text, and the first merge in which each two of them differ.

bpeviz.analysis.divergence says why two of them differ.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations

import numpy as np
import numpy.typing as npt

from bpeviz.analysis.divergence import Divergence, find_divergence
from bpeviz.corpus.corpus import Corpus
from bpeviz.runs.run import NamedText
from bpeviz.runs.run_training import choose_train_function
from bpeviz.runs.training_words import Progress
from bpeviz.text.split_patterns import SplitPattern
from bpeviz.training.result import TrainingResult
from bpeviz.training.settings import TrainingSettings
from bpeviz.training.text_training import Train, TrainingProgress, UncountedText, train_text

__all__ = ["RecipeComparison", "compare_recipes", "train_recipes"]

#: The share of the progress that is training; the rest is the search for the differences.
TRAINING = 0.85


@dataclass(frozen=True, eq=False)
class RecipeComparison:
    """The results of training on ``text`` with each of the ``settings``.

    ``results`` are by the name of the recipe, ``divergences`` by the names of each two; None if they make the
    same merges.
    """

    text: NamedText
    settings: tuple[TrainingSettings, ...]
    results: Mapping[str, TrainingResult]
    divergences: Mapping[tuple[str, str], Divergence | None]

    def same(self, pair: tuple[str, str]) -> int:
        """How many merges two recipes make before the first that differs."""
        divergence = self.divergences[pair]
        return divergence.rank if divergence else len(self.results[pair[0]].steps)


def compare_recipes(
    text: NamedText, settings: tuple[TrainingSettings, ...], on_progress: Progress
) -> RecipeComparison:
    """Train on ``text`` by each recipe and compare the results. ``on_progress(share, phase)`` is called
    several times a second and may raise to cancel. Raises BpevizError if the text cannot be trained on."""
    results = _train_each_recipe(text, settings, on_progress)
    pairs = list(combinations(results, 2))
    divergences: dict[tuple[str, str], Divergence | None] = {}
    for place, (a, b) in enumerate(pairs):
        on_progress(TRAINING + (1 - TRAINING) * place / len(pairs), f"Comparing {a} and {b}")
        divergences[a, b] = find_divergence(results[a], results[b])
    return RecipeComparison(text, settings, results, divergences)


def _train_each_recipe(
    text: NamedText, settings: tuple[TrainingSettings, ...], on_progress: Progress
) -> dict[str, TrainingResult]:
    def report(place: int, now: TrainingProgress) -> None:
        share = (place + now.made / now.asked) / len(settings)
        match now.phase:
            case "merging":
                phase = f"merge {now.made:,} of {now.asked:,}"
            case "waiting":
                phase = "waiting for other trainings"
            case _:
                phase = "splitting and counting"
        on_progress(TRAINING * share, f"{settings[place].recipe_name}: {phase}")

    results = train_recipes(text.text, settings, on_progress=report, train=choose_train_function(text))
    return {result.recipe.name: result for result in results}


def train_recipes(
    text: str,
    settings: Sequence[TrainingSettings],
    *,
    on_progress: Callable[[int, TrainingProgress], object] = lambda _, __: None,
    train: Train = train_text,
) -> list[TrainingResult]:
    """Train on ``text`` by each of the settings in turn, as ``train`` does. Those with the same split pattern
    share a corpus. ``on_progress`` gets the index of the settings and the progress of their training.

        settings = [TrainingSettings("course"), TrainingSettings("minbpe")]
        course, minbpe = train_recipes("the cat in the hat", settings)
        course.merged_bytes == minbpe.merged_bytes

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
