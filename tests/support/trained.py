"""Trainings in one call: by the trainer alone, as a run of the page, and for another process."""

from typing import Any

from bpeviz import Choice, Corpus, Recipe, Tokenizer, Trainer
from bpeviz.runs.recipe_comparison import train_recipes
from bpeviz.runs.run import NamedText, Run
from bpeviz.runs.run_training import run_request, train_run
from bpeviz.runs.training_words import Progress
from bpeviz.text.split_patterns import SplitPattern
from bpeviz.training.recipes import get_recipe
from bpeviz.training.result import TrainingResult
from bpeviz.training.settings import RECIPE_SPLIT, TrainingSettings
from bpeviz.training.text_training import Source, UncountedText

__all__ = ["LOW", "each_trained", "request", "run_of", "shown", "tokens", "trained"]

LOW = "low lower lowest slow slower slowest low lowlands " * 3


def trained(text: str = LOW, num_merges: int = 500) -> Trainer:
    """A trainer with the default settings of the page, after all its merges."""
    trainer = Trainer(Corpus.from_text(text), "huggingface", num_merges=num_merges, min_frequency=2)
    list(trainer.steps())
    return trainer


def tokens(tokenizer: Tokenizer, text: str = LOW) -> list[str]:
    """The tokens that the encoder gives; it does not use the gap ranks that the page draws."""
    return [tokenizer.token_bytes(i).decode() for i in tokenizer.encode(text)]


def shown(trainer: Trainer, pair: tuple[int, int]) -> str:
    """A pair as the page writes it."""
    left, right = (trainer.token_bytes(i).decode().replace(" ", "␣") for i in pair)
    return f"{left} + {right}"


def run_of(
    text: NamedText,
    settings: TrainingSettings,
    on_progress: Progress = lambda share, phase: None,
    *,
    like: Run | None = None,
) -> Run:
    """The run that the page trains on a text."""
    return train_run(run_request(text, settings, like), on_progress)


def request(
    source: str | Corpus,
    recipe: str | Recipe,
    split: SplitPattern,
    num_merges: int,
    *,
    min_frequency: int = 1,
    choices: tuple[Choice, ...] = (),
) -> tuple[Source, TrainingSettings]:
    """The arguments of train_text and train_in_worker."""
    settings = TrainingSettings(recipe, num_merges=num_merges, min_frequency=min_frequency, choices=choices)
    return UncountedText(source, split) if isinstance(source, str) else source, settings


def each_trained(
    text: str, *recipes: str | Recipe, num_merges: int, split: str | None = None, **given: Any
) -> list[TrainingResult]:
    """The result of each recipe on a text; ``given`` goes to train_recipes."""
    rules = [get_recipe(recipe) for recipe in recipes]
    split = split or RECIPE_SPLIT
    settings = [
        TrainingSettings(each, split, num_merges=num_merges, min_frequency=each.min_frequency)
        for each in rules
    ]
    return train_recipes(text, settings, **given)
