"""TrainingSettings: how to train, on any text."""

from dataclasses import dataclass, replace

from bpeviz.text.split_patterns import (
    DEFAULT_TIMEOUT_SECONDS,
    SplitPattern,
    custom_split_pattern,
)
from bpeviz.training.choice import Choice
from bpeviz.training.recipes import Recipe, get_recipe
from bpeviz.training.start import Start

__all__ = ["CUSTOM_SPLIT", "RECIPE_SPLIT", "TrainingSettings"]

RECIPE_SPLIT = "the recipe's own"
CUSTOM_SPLIT = "custom"


@dataclass(frozen=True)
class TrainingSettings:
    """How to train. The defaults suit a first try.

    - ``recipe``: the rules of one trainer, or their name;
    - ``split``: the name of a split pattern; RECIPE_SPLIT is the recipe's own, CUSTOM_SPLIT is
      ``custom_pattern``, a regular expression;
    - ``num_merges``, ``min_frequency``: training stops after so many merges, or when the most frequent pair
      occurs less often;
    - ``vocab_size``: training also stops at this size;
    - ``special_tokens``, ``max_token_length``: None for the recipe's own;
    - ``by_line``: whether a text is split line by line, as tokenizers' train([file]) reads it;
    - ``start``: the tokenizer that training begins with, which splits the text too; ``num_merges`` are those
      after its own;
    - ``choices``: merges that a person chooses or vetoes, whatever the recipe says.
    """

    recipe: str | Recipe = "huggingface"
    split: str = RECIPE_SPLIT
    custom_pattern: str = ""
    num_merges: int = 500
    min_frequency: int = 2
    vocab_size: int | None = None
    special_tokens: tuple[str, ...] | None = None
    max_token_length: int | None = None
    by_line: bool = False
    start: Start | None = None
    choices: tuple[Choice, ...] = ()

    @property
    def recipe_name(self) -> str:
        """The name of the recipe."""
        return self.recipe.name if isinstance(self.recipe, Recipe) else self.recipe

    @property
    def complete(self) -> bool:
        """Whether a text can be trained on: a custom pattern may still be empty."""
        return self.start is not None or self.split != CUSTOM_SPLIT or bool(self.custom_pattern)

    def same_rules(self, other: "TrainingSettings") -> bool:
        """Return whether two trainings differ only in when they stop and in the choices."""
        return self._rules == other._rules

    @property
    def _rules(self) -> "TrainingSettings":
        return replace(self, num_merges=0, vocab_size=None, min_frequency=0, choices=())

    def split_pattern(self, timeout: float = DEFAULT_TIMEOUT_SECONDS) -> SplitPattern:
        """Return the split pattern; a custom one may take ``timeout`` seconds on a text.

        Raises SplitPatternError for one that is unknown or can't be used, and TrainingSettingsError.
        """
        if self.start is not None:
            return self.start.tokenizer.pre_token_split
        split: str | SplitPattern | None = None if self.split == RECIPE_SPLIT else self.split
        if self.split == CUSTOM_SPLIT:
            split = custom_split_pattern(self.custom_pattern, timeout=timeout)
        pattern = get_recipe(self.recipe).split_pattern(split, self.special_tokens)
        return pattern.line_by_line() if self.by_line else pattern
