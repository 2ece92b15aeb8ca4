"""player: one HTML page that plays the merges on a text. It needs no server and no network.

The merges are learned from the text by a recipe, or are those of a tokenizer.
"""

import os
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bpeviz.cli.inputs import (
    TOKENIZER_HELP,
    add_max_bytes,
    add_replace_invalid,
    add_split,
    load_tokenizer,
    texts_of_files,
)
from bpeviz.cli.outputs import check_distinct, check_place, write_whole
from bpeviz.cli.parser import CommandParser, Commands, UsageError, whole_number
from bpeviz.cli.progress import Progress
from bpeviz.cli.streams import Streams, printable
from bpeviz.cli.training import RECIPE, add_rules, make_trainer, recipe_split, watched_steps
from bpeviz.corpus.corpus import Corpus
from bpeviz.errors import PlayerError
from bpeviz.standalone.options import PANELS, SPEEDS, THEMES, read_options
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.training.recipes import get_recipe
from bpeviz.training.settings import TrainingSettings
from bpeviz.words import counted, in_short

if TYPE_CHECKING:
    from bpeviz.standalone.player import Player

__all__ = ["add_parser", "run"]

#: What a tokenizer leaves no room for.
_RULES = ("recipe", "vocab_size", "merges", "min_frequency", "special_token", "by_line")
_MERGES = TrainingSettings().num_merges
#: Names in some scripts need these two, although they print nothing.
_JOINERS = "\u200c\u200d"


def add_parser(commands: Commands) -> CommandParser:
    parser = commands.add_parser("player", help="a page that plays the merges on a text", description=__doc__)
    parser.add_argument("--text", default="-", metavar="PATH", help="the text; none or - is standard input")
    parser.add_argument(
        "--tokenizer",
        metavar="NAME_OR_PATH",
        help=f"replay its merges instead of training: {TOKENIZER_HELP}",
    )
    add_rules(parser)
    parser.set_defaults(recipe=None)  # to know whether it is given
    add_split(parser, "that of the recipe or the tokenizer")
    add_replace_invalid(parser)
    add_max_bytes(parser)
    parser.add_argument(
        "--out", type=Path, metavar="PATH", required=True, help="the page, such as merges.html"
    )
    _add_options(parser)
    return parser


def _add_options(parser: CommandParser) -> None:
    """How the page looks and begins."""
    parser.add_argument(
        "--step",
        type=whole_number,
        metavar="N",
        help="begin after N merges; otherwise 0, with --tokenizer all",
    )
    parser.add_argument(
        "--theme", choices=THEMES, default="auto", help="otherwise that of the reader's system"
    )
    parser.add_argument("--panels", metavar="LIST", help=f"some of {','.join(PANELS)}; otherwise all")
    parser.add_argument("--autoplay", action="store_true", help="play when the page opens")
    parser.add_argument(
        "--speed", type=whole_number, choices=SPEEDS, default=10, help="merges a second; otherwise 10"
    )
    parser.add_argument("--caption", default="", metavar="TEXT", help="a text below the player")


def run(arguments: Namespace, streams: Streams) -> int:
    check_distinct([arguments.text], [arguments.out])
    check_place(arguments.out, device=True)
    make = _player_of_tokenizer if arguments.tokenizer is not None else _player_of_training
    with _naming_options(arguments):
        player = make(arguments, streams, _options(arguments))
    data = player.to_html().encode("utf-8")
    write_whole(arguments.out, data)
    streams.write_lines(
        [f"{printable(str(arguments.out))}: {counted(player.last, 'merge')}, {len(data):,} bytes"]
    )
    return 0


def _options(arguments: Namespace) -> dict[str, Any]:
    """Return the options of the player, checked before anything is read."""
    given = {name: vars(arguments)[name] for name in ("theme", "autoplay", "speed", "caption")}
    given["caption"] = _as_typed(given["caption"])
    if arguments.panels is not None:
        given["panels"] = arguments.panels.split(",")
    read_options(**given)
    if arguments.step is not None and arguments.step < 0:
        raise UsageError(f"--step can't be {arguments.step}. Give a number of merges.")
    return {**given, "step": arguments.step}


def _player_of_tokenizer(arguments: Namespace, streams: Streams, options: dict[str, Any]) -> "Player":
    """Return the player of a tokenizer's merges on the text."""
    for name in _RULES:
        if vars(arguments)[name] is not None:
            raise UsageError(
                f"--tokenizer replays merges and trains nothing: leave --{name.replace('_', '-')} out."
            )
    tokenizer = _tokenizer(arguments)
    text = _text(arguments, streams)
    from bpeviz.standalone.making import player_of_tokenizer  # it imports pandas

    name = _short_name(arguments.tokenizer)
    return player_of_tokenizer(tokenizer, text, name=name, text_name=_text_name(arguments), **options)


def _tokenizer(arguments: Namespace) -> Tokenizer:
    return load_tokenizer(arguments.tokenizer, split=arguments.split, split_regex=arguments.split_regex)


def _player_of_training(arguments: Namespace, streams: Streams, options: dict[str, Any]) -> "Player":
    """Return the player of the merges that a recipe learns from the text."""
    recipe = get_recipe(arguments.recipe or RECIPE)
    split = recipe_split(arguments)
    limited = arguments.vocab_size is not None or arguments.merges is not None
    rules = {"recipe": recipe.name, "merges": arguments.merges if limited else _MERGES}
    text = _text(arguments, streams)
    from bpeviz.standalone.content import check_size  # it imports pandas
    from bpeviz.standalone.making import player_of_result

    check_size(text)
    with Progress(streams.stderr) as progress:
        progress.say("Counting pre-tokens …")
        trainer = make_trainer(Corpus.from_text(text, split), Namespace(**{**vars(arguments), **rules}))
        progress.say("Merging …")
        for _ in watched_steps(trainer, progress):
            pass
    if not trainer.merges:
        raise PlayerError(f"No merge was made. {trainer.stop_reason} Give a longer text.")
    return player_of_result(trainer.result(), text, text_name=_text_name(arguments), **options)


def _text(arguments: Namespace, streams: Streams) -> str:
    return next(texts_of_files([arguments.text], arguments, streams))


def _text_name(arguments: Namespace) -> str:
    return "standard input" if arguments.text == "-" else _short_name(arguments.text)


def _short_name(path: str) -> str:
    """Return the last part of a path, for the page's title."""
    return in_short(printable(_as_typed(Path(path).name or path), keep=_JOINERS))


def _as_typed(argument: str) -> str:
    """Return an argument without the halves of surrogate pairs that Python makes of bytes in no encoding."""
    return os.fsencode(argument).decode("utf-8", "replace")


@contextmanager
def _naming_options(arguments: Namespace) -> Iterator[None]:
    """Say of an option of the player how this command writes it."""
    try:
        yield
    except PlayerError as error:
        if not error.option:
            raise
        given = in_short(vars(arguments)[error.option])
        raise UsageError(f"--{error.option} can't be {given}. {error.remedy}") from None
