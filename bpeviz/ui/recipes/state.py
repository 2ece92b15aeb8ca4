"""The state of the page "Recipes": what is saved of it, and what is not."""

from dataclasses import dataclass, field
from typing import Annotated, ClassVar

import msgspec
from msgspec import Meta

from bpeviz.limits import limits
from bpeviz.merge_check.in_worker import Checked, CheckRequest
from bpeviz.runs.recipe_comparison import RecipeComparison
from bpeviz.runs.run import NamedText
from bpeviz.sessions.document import Name, Names
from bpeviz.sessions.page_fields import PageFields, Text
from bpeviz.text.split_patterns import SPLIT_PATTERNS
from bpeviz.training.recipes import RECIPES
from bpeviz.training.settings import RECIPE_SPLIT, TrainingSettings
from bpeviz.ui.kit.compared_text import TextFields

__all__ = ["MOST_BYTES", "MOST_MERGES", "PASTED", "CheckFields", "RecipesFields", "RecipesState"]

#: Limits for this page, because several recipes train on its text.
MOST_BYTES, MOST_MERGES = 1_000_000, 5_000
#: In the order of RECIPES, in which the page keeps them: a page that a person only looks at changes nothing.
FIRST_RECIPES = ("minbpe", "tiktoken-educational", "huggingface", "rustbpe", "subword-nmt")
FIRST_SPLIT = "gpt2"
#: The recipe to check against at first: students of CS336 ask most.
FIRST_CHECKED = "cs336"
#: The name of merges that are pasted.
PASTED = "your merges"


class CheckFields(msgspec.Struct, forbid_unknown_fields=True):
    """The fields of "Check your trainer", as they are saved."""

    #: The merges, pasted or of a file, and the file's name.
    merges: Text | None = None
    name: Name = ""
    #: What the trainer read.
    text: TextFields = msgspec.field(default_factory=lambda: TextFields(source="Sample"))
    recipe: Name = FIRST_CHECKED
    split: Name = RECIPE_SPLIT

    def __post_init__(self) -> None:
        if self.recipe not in RECIPES:  # of another version
            self.recipe = FIRST_CHECKED
        if self.split not in SPLIT_PATTERNS:
            self.split = RECIPE_SPLIT

    def request(self, merges: str, text: NamedText) -> CheckRequest:
        """Return the check that the fields ask for."""
        return CheckRequest(
            {self.name or PASTED: merges.encode("utf-8")},
            text.text,
            self.recipe,
            None if self.split == RECIPE_SPLIT else self.split,
            limits().max_merges,
            limits().check_seconds,
        )


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
    #: None until the person checks a trainer.
    check: CheckFields | None = None

    def __post_init__(self) -> None:
        # Of another version or server.
        self.recipes = tuple(dict.fromkeys(name for name in self.recipes if name in RECIPES))
        self.num_merges = min(self.num_merges, limits().max_merges)
        if self.split not in SPLIT_PATTERNS:
            self.split = FIRST_SPLIT

    @property
    def about(self) -> str:
        """What the text is."""
        return self.text.about or (self.check.text.about if self.check else "")

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
    #: Whether the tab "Check your trainer" is open.
    checks: bool = False
    #: The last check with its request, and one that the person cancelled.
    checked: tuple[CheckRequest, Checked] | None = None
    check_declined: CheckRequest | None = None
    #: Grows when the field of the merges must show others than the person left there.
    merges_number: int = 0
    #: A training that the person cancelled, so that it does not start again by itself.
    declined: tuple[NamedText, tuple[TrainingSettings, ...]] | None = None

    def set_comparison(self, comparison: RecipeComparison) -> None:
        """Set the result to show; forget a declined training."""
        self.comparison, self.declined = comparison, None

    @property
    def check(self) -> CheckFields:
        """The fields of the check; they are saved once the person has changed them."""
        if not self.saved.check:
            return CheckFields()
        return self.saved.check

    def set_check(self, request: CheckRequest, checked: Checked) -> None:
        """Set the result of a check to show; forget a declined one."""
        self.checked, self.check_declined = (request, checked), None

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
