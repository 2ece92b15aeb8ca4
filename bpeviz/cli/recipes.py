"""recipes: the trainers that can be reproduced, and the rules in which they differ."""

from argparse import Namespace
from collections.abc import Iterator
from dataclasses import asdict

from bpeviz.cli.parser import CommandParser, Commands
from bpeviz.cli.streams import Streams, table
from bpeviz.training.recipes import RECIPES

__all__ = ["add_parser", "run"]


def add_parser(commands: Commands) -> CommandParser:
    parser = commands.add_parser("recipes", help="the trainers reproduced", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print a list of objects")
    return parser


def run(arguments: Namespace, streams: Streams) -> int:
    if arguments.json:
        streams.write_json([asdict(recipe) for recipe in RECIPES.values()])
    else:
        streams.write_lines(table(_rows()))
    return 0


def _rows() -> Iterator[tuple[str, ...]]:
    """Yield the rows, with the names of --json; the longest column comes last."""
    yield "recipe", "split", "among ties", "base vocabulary", "stops", "reproduces"
    for recipe in RECIPES.values():
        stops = f"count < {recipe.min_frequency}" if recipe.min_frequency > 1 else "no pair left"
        yield recipe.name, recipe.split, recipe.tie, recipe.base, stops, recipe.reproduces
