"""The common part of the commands that train: corpus, recipe and limits, and the line of progress."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator

from bpeviz.cli.inputs import add_by_line, add_files, add_replace_invalid, asked_split
from bpeviz.cli.parser import whole_number
from bpeviz.cli.progress import Progress
from bpeviz.corpus.corpus import Corpus
from bpeviz.text.split_patterns import SplitPattern
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.training.recipes import get_recipe
from bpeviz.training.result import MergeStep
from bpeviz.training.trainer import Trainer

__all__ = [
    "RECIPE",
    "add_rules",
    "add_training",
    "make_trainer",
    "recipe_split",
    "watched_steps",
]

#: Whose rules a training follows unless --recipe says so.
RECIPE = "huggingface"


def add_training(parser: ArgumentParser) -> None:
    """Let a command take a corpus and the settings of a trainer: see make_trainer."""
    add_files(parser)
    add_rules(parser)
    add_replace_invalid(parser)


def add_rules(parser: ArgumentParser) -> None:
    """Let a command take the settings of a trainer: see make_trainer."""
    parser.add_argument(
        "--recipe", default=RECIPE, metavar="NAME", help=f"whose rules, otherwise {RECIPE}: see recipes"
    )
    limit = parser.add_mutually_exclusive_group()
    limit.add_argument("--vocab-size", type=whole_number, metavar="N", help="stop at this many tokens")
    limit.add_argument("--merges", type=whole_number, metavar="N", help="stop after this many merges")
    parser.add_argument(
        "--min-frequency", type=whole_number, metavar="N", help="stop when no pair occurs as often as this"
    )
    parser.add_argument(
        "--special-token", action="append", metavar="TOKEN", help="replaces the recipe's own; repeatable"
    )
    parser.add_argument(
        "--max-token-length",
        type=whole_number,
        metavar="N",
        help="how long a token may be: see docs/recipes.md",
    )
    add_by_line(parser)


def recipe_split(arguments: Namespace) -> SplitPattern:
    """Return the split pattern of add_split and add_rules. Raises SplitPatternError,
    TrainingSettingsError."""
    recipe = get_recipe(arguments.recipe or RECIPE)
    split = recipe.split_pattern(asked_split(arguments, recipe.split), arguments.special_token)
    return split.line_by_line() if arguments.by_line else split


def make_trainer(corpus: Corpus, arguments: Namespace, start: Tokenizer | None = None) -> Trainer:
    """Return a trainer with the settings of add_rules, which begins with ``start``."""
    return Trainer(
        corpus,
        arguments.recipe,
        vocab_size=arguments.vocab_size,
        num_merges=arguments.merges,
        min_frequency=arguments.min_frequency,
        special_tokens=arguments.special_token,
        max_token_length=arguments.max_token_length,
        start=start,
    )


def watched_steps(trainer: Trainer, progress: Progress) -> Iterator[MergeStep]:
    """Yield the steps of a trainer; the line of progress follows them."""
    total = None if trainer.start else trainer.most_merges
    for step in trainer.steps():
        yield step
        progress.report(step.rank + 1, total)
