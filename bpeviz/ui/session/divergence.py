"""The state of the page of divergences."""

from dataclasses import dataclass, field

from bpeviz.runs.recipe_comparison import RecipeComparison
from bpeviz.runs.run import NamedText
from bpeviz.training.recipes import RECIPES
from bpeviz.training.settings import RECIPE_SPLIT, TrainingSettings
from bpeviz.ui.session.compare import TextFields

__all__ = ["MOST_BYTES", "MOST_MERGES", "DivergenceState"]

#: Limits for this page, because several recipes train on its text.
MOST_BYTES, MOST_MERGES = 1_000_000, 5_000
#: In the order of RECIPES, in which the page keeps them: a page that a person only looks at changes nothing.
FIRST_RECIPES = ("minbpe", "tiktoken-educational", "huggingface", "rustbpe", "subword-nmt")


@dataclass
class DivergenceState:
    """The state of the page.

    - ``text``: where the text comes from; ``recipes``, ``num_merges``: what to train; ``one_split``: whether
      all recipes use ``split``;
    - ``pair``: the two recipes on show; ``picks``: how often two were picked, so that chart and fields are
      drawn new;
    - ``all_merges``: whether the table has all merges, or only those around the divergence;
    - ``comparison``: the last result; ``declined``: a training that the person cancelled, so that it does not
      start again by itself.
    """

    text: TextFields = field(default_factory=TextFields)
    recipes: tuple[str, ...] = FIRST_RECIPES
    num_merges: int = 300
    one_split: bool = False
    split: str = "gpt2"
    pair: tuple[str, str] | None = None
    picks: int = 0
    all_merges: bool = False
    comparison: RecipeComparison | None = None
    declined: tuple[NamedText, tuple[TrainingSettings, ...]] | None = None

    @property
    def settings(self) -> tuple[TrainingSettings, ...]:
        """The training settings that the fields ask for, one for each recipe."""
        split = self.split if self.one_split else RECIPE_SPLIT
        return tuple(
            TrainingSettings(
                name, split, num_merges=self.num_merges, min_frequency=RECIPES[name].min_frequency
            )
            for name in self.recipes
        )

    def set_comparison(self, comparison: RecipeComparison) -> None:
        """Set the result to show; forget a declined training."""
        self.comparison, self.declined = comparison, None

    def pick(self, pair: tuple[str, str]) -> None:
        """Show two recipes."""
        self.pair = pair
        self.picks += 1

    def picked(self, comparison: RecipeComparison) -> tuple[str, str]:
        """Return the two recipes on show. Without a choice: the first two that a tie rule tells apart."""
        pairs = comparison.divergences
        if self.pair and self.pair in pairs:
            return self.pair
        tied = (pair for pair, divergence in pairs.items() if divergence and divergence.behind == "rules")
        return next(tied, next(iter(pairs)))
