"""check: compare the merges of your trainer with a recipe's, and say which mistake explains them."""

from argparse import Namespace
from dataclasses import asdict

from bpeviz.cli.inputs import (
    add_by_line,
    add_max_bytes,
    add_replace_invalid,
    add_split,
    asked_split,
    texts_of_files,
)
from bpeviz.cli.parser import CommandParser, Commands, UsageError, whole_number
from bpeviz.cli.progress import Progress
from bpeviz.cli.streams import Streams, printable
from bpeviz.cli.training import RECIPE
from bpeviz.corpus.corpus import Corpus
from bpeviz.errors import BpevizError, CorpusError, TokenizerFileError
from bpeviz.formats.source import read_limited
from bpeviz.merge_check.check import check_merges
from bpeviz.merge_check.reading import read_merges
from bpeviz.merge_check.result import MergeCheck, PairCount
from bpeviz.text.file_names import as_path
from bpeviz.text.token_text import hex_bytes
from bpeviz.training.recipes import get_recipe

__all__ = ["add_parser", "run"]

_EXIT_CODES = {"equal": 0, "different": 1, "unchecked": 3}


def add_parser(commands: Commands) -> CommandParser:
    parser = commands.add_parser("check", help="check your trainer’s merges", description=__doc__)
    parser.add_argument(
        "merges",
        metavar="MERGES",
        help="your merges: two tokens a line, CSV, JSON, tokenizer.json or a minbpe .model. "
        "Of several files with commas between them, the one with merges is read.",
    )
    parser.add_argument(
        "--text",
        action="append",
        required=True,
        metavar="PATH",
        help="a text that it was trained on; - is standard input; repeatable",
    )
    parser.add_argument(
        "--recipe", default=RECIPE, metavar="NAME", help=f"whose rules, otherwise {RECIPE}: see recipes"
    )
    add_split(parser, "the recipe's own")
    parser.add_argument(
        "--special",
        action="append",
        metavar="TOKEN",
        help="a special token; replaces the recipe's own; repeatable",
    )
    parser.add_argument(
        "--min-frequency", type=whole_number, metavar="N", help="no pair is merged below this; see recipes"
    )
    parser.add_argument(
        "--merges", dest="num_merges", type=whole_number, metavar="N", help="how many merges were asked for"
    )
    add_by_line(parser)
    parser.add_argument("--json", action="store_true", help="print the result as a JSON object")
    add_replace_invalid(parser)
    add_max_bytes(parser)
    return parser


def run(arguments: Namespace, streams: Streams) -> int:
    try:
        check = _check(arguments, streams)
    except (CorpusError, TokenizerFileError, OSError) as error:
        streams.tell(_said(error))
        return _EXIT_CODES["unchecked"]
    except UsageError:
        raise
    except BpevizError as error:
        raise UsageError(str(error)) from None  # an unknown recipe or pattern
    if arguments.json:
        streams.write_json(_object(check))
    elif check.status == "unchecked":
        streams.tell(check.sentence)
    else:
        streams.write_lines(printable(line) for line in _lines(check))
    return _EXIT_CODES[check.status]


def _said(error: Exception) -> str:
    if isinstance(error, OSError):
        return f"{error.filename}: {error.strerror}." if error.filename else f"{error}."
    return str(error)


def _check(arguments: Namespace, streams: Streams) -> MergeCheck:
    recipe = get_recipe(arguments.recipe)
    split = asked_split(arguments, recipe.split)
    merges = read_merges(_files(arguments.merges))
    with Progress(streams.stderr) as progress:
        progress.say("Reading …")
        texts = list(texts_of_files(arguments.text, arguments, streams))
        return check_merges(
            merges.halves,
            Corpus.from_texts(texts),
            recipe,
            split=split.line_by_line() if arguments.by_line else split,
            num_merges=arguments.num_merges,
            min_frequency=arguments.min_frequency,
            special_tokens=arguments.special,
            on_progress=lambda share: progress.say(f"Trying mistakes, {share:.0%}"),
        )


def _files(name: str) -> dict[str, bytes]:
    """Return a file, or several with commas between them, by their names. Raises OSError."""
    several = "," in name and not as_path(name).exists()
    paths = map(as_path, name.split(",") if several else [name])
    return {path.name: read_limited(path) for path in paths}


def _lines(check: MergeCheck) -> list[str]:
    return [check.sentence, *check.cause_lines]


def _object(check: MergeCheck) -> dict[str, object]:
    return {
        "status": check.status,
        "recipe": check.recipe,
        "merges": check.merges,
        "same": check.same,
        "theirs": _pair(check.theirs),
        "rule": _pair(check.rule),
        "tie": check.is_tie,
        "tied": check.tied,
        "ties": check.ties,
        "impossible": check.impossible,
        "sentence": check.sentence,
        "cause": check.cause,
        "causes": [asdict(cause) for cause in check.causes],
    }


def _pair(pair: PairCount | None) -> dict[str, object] | None:
    if pair is None:
        return None
    left, right = map(hex_bytes, pair.halves)
    return {"left": left, "right": right, "count": pair.count}
