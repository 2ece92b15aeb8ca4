"""One text trained by several recipes, and the first merge in which each two of them differ.

Nothing here draws. Training reports its progress through a callback.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

from bpeviz.analysis.divergence import Divergence, find_divergence
from bpeviz.analysis.recipe_trainings import RecipeProgress, TrainedRecipe, train_recipes
from bpeviz.runs.run import NamedText, trainer_for
from bpeviz.runs.training_words import Progress

__all__ = ["RecipeComparison", "RecipeComparisonSettings", "compare_recipes"]

#: What of the progress is training; the rest is to find out where they part.
TRAINING = 0.85


@dataclass(frozen=True)
class RecipeComparisonSettings:
    """Which ``recipes`` train, how many merges, and the one ``split`` pattern of all, None where each has
    its own."""

    recipes: tuple[str, ...]
    num_merges: int = 300
    split: str | None = None


@dataclass(frozen=True, eq=False)
class RecipeComparison:
    """``runs`` by the name of their recipe; ``divergences`` for each two of them, in their order: None where
    they make the same merges."""

    text: NamedText
    settings: RecipeComparisonSettings
    runs: Mapping[str, TrainedRecipe]
    divergences: Mapping[tuple[str, str], Divergence | None]

    def same(self, pair: tuple[str, str]) -> int:
        """How many merges both make before they part."""
        divergence = self.divergences[pair]
        return divergence.rank if divergence else len(self.runs[pair[0]].steps)


def compare_recipes(
    text: NamedText, settings: RecipeComparisonSettings, on_progress: Progress
) -> RecipeComparison:
    """Train ``text`` by each recipe; ``on_progress(share, phase)`` is called several times a second and may
    raise to cancel. Raises BpevizError for a text that cannot be trained with."""
    runs = _train(text, settings, on_progress)
    pairs = list(combinations(runs, 2))
    divergences: dict[tuple[str, str], Divergence | None] = {}
    for place, (a, b) in enumerate(pairs):
        on_progress(TRAINING + (1 - TRAINING) * place / len(pairs), f"Where {a} and {b} part")
        divergences[a, b] = find_divergence(runs[a], runs[b])
    return RecipeComparison(text, settings, runs, divergences)


def _train(
    text: NamedText, settings: RecipeComparisonSettings, on_progress: Progress
) -> dict[str, TrainedRecipe]:
    """In another process where the text is long, since in this one everybody's page would wait."""

    def tell(told: RecipeProgress) -> None:
        now = told.now
        share = (told.place + now.made / now.asked) / len(settings.recipes)
        match now.phase:
            case "merging":
                phase = f"merge {now.made:,} of {now.asked:,}"
            case "waiting":
                phase = "waiting for other trainings"
            case _:
                phase = "splitting and counting"
        on_progress(TRAINING * share, f"{told.recipe.name}: {phase}")

    made = train_recipes(
        text.text,
        settings.recipes,
        num_merges=settings.num_merges,
        split=settings.split,
        on_progress=tell,
        train=trainer_for(text),
    )
    return {run.recipe.name: run for run in made}
