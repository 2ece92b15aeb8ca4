"""The state of the page "Recipes": what is saved of it, and what is not."""

from dataclasses import dataclass, field
from typing import Annotated, ClassVar

import msgspec
from msgspec import Meta

from bpeviz.limits import limits
from bpeviz.runs.recipe_comparison import RecipeComparison
from bpeviz.runs.run import NamedText
from bpeviz.sessions.document import Name, Names
from bpeviz.sessions.page_fields import PageFields
from bpeviz.text.split_patterns import SPLIT_PATTERNS
from bpeviz.training.recipes import RECIPES
from bpeviz.training.settings import RECIPE_SPLIT, TrainingSettings
from bpeviz.ui.kit.compared_text import TextFields

__all__ = ["MOST_BYTES", "MOST_MERGES", "RecipesFields", "RecipesState"]

#: Limits for this page, because several recipes train on its text.
MOST_BYTES, MOST_MERGES = 1_000_000, 5_000
#: In the order of RECIPES, in which the page keeps them: a page that a person only looks at changes nothing.
FIRST_RECIPES = ("minbpe", "tiktoken-educational", "huggingface", "rustbpe", "subword-nmt")
FIRST_SPLIT = "gpt2"


class RecipesFields(PageFields, forbid_unknown_fields=True):
    """The fields of the page, as they are saved."""

    text: TextFields = msgspec.field(default_factory=TextFields)
    recipes: Names = FIRST_RECIPES
    num_merges: Annotated[int, Meta(ge=1, le=MOST_MERGES)] = 300
    #: Whether all recipes use ``split``.
    one_split: bool = False
    split: Name = FIRST_SPLIT
    #: The two recipes on show, None until the person picks some.
    pair: tuple[Name, Name] | None = None
    #: Whether the table has all merges, or only those around the divergence.
    all_merges: bool = False

    def __post_init__(self) -> None:
        # Of another version or server.
        self.recipes = tuple(dict.fromkeys(name for name in self.recipes if name in RECIPES))
        self.num_merges = min(self.num_merges, limits().max_merges)
        if self.split not in SPLIT_PATTERNS:
            self.split = FIRST_SPLIT

    @property
    def about(self) -> str:
        """What the text is."""
        return self.text.about

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


@dataclass
class RecipesState:
    """The state of the page."""

    address: ClassVar[str] = "recipes"

    saved: RecipesFields = field(default_factory=RecipesFields)
    #: How often two recipes were picked, so that chart and fields are drawn new.
    picks: int = 0
    #: The last result.
    comparison: RecipeComparison | None = None
    #: A training that the person cancelled, so that it does not start again by itself.
    declined: tuple[NamedText, tuple[TrainingSettings, ...]] | None = None

    def set_comparison(self, comparison: RecipeComparison) -> None:
        """Set the result to show; forget a declined training."""
        self.comparison, self.declined = comparison, None

    def pick(self, pair: tuple[str, str]) -> None:
        """Show two recipes."""
        self.saved.pair = pair
        self.picks += 1

    def picked(self, comparison: RecipeComparison) -> tuple[str, str]:
        """Return the two recipes on show. Without a choice: the first two that a tie rule tells apart."""
        pairs = comparison.divergences
        if (pair := self.saved.pair) is not None and pair in pairs:
            return pair
        tied = (pair for pair, divergence in pairs.items() if divergence and divergence.behind == "rules")
        return next(tied, next(iter(pairs)))
