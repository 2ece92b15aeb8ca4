"""parity: train the same texts with the real library, and say whether every merge is the same."""

from argparse import ArgumentTypeError, Namespace

from bpeviz.cli.inputs import add_max_bytes, texts_of_files
from bpeviz.cli.parser import CommandParser, Commands, whole_number
from bpeviz.cli.progress import Progress
from bpeviz.cli.streams import Streams, printable
from bpeviz.cli.training import add_training, make_trainer, watched_steps
from bpeviz.corpus.corpus import Corpus
from bpeviz.parity import LIBRARIES, Parity, check_parity
from bpeviz.text.token_text import hex_bytes
from bpeviz.training.recipes import get_recipe
from bpeviz.words import duration

__all__ = ["add_parser", "run"]

_EXIT_CODES = {"identical": 0, "different": 1, "failed": 1, "missing": 3, "unchecked": 3}


def add_parser(commands: Commands) -> CommandParser:
    parser = commands.add_parser(
        "parity",
        help="check against the real library",
        description=f"{__doc__} These recipes have one: {', '.join(LIBRARIES)}.",
    )
    add_training(parser)
    parser.add_argument(
        "--timeout", type=_seconds, default=120, metavar="SECONDS", help="for the library; otherwise 120"
    )
    parser.add_argument("--json", action="store_true", help="print the result as a JSON object")
    add_max_bytes(parser)
    return parser


def _seconds(written: str) -> int:
    if (number := whole_number(written)) < 1:
        raise ArgumentTypeError(f"{number} is below 1")
    return number


def run(arguments: Namespace, streams: Streams) -> int:
    parity = _check(arguments, streams)
    if arguments.json:
        streams.write_json(_object(parity))
    elif parity.status in ("identical", "different"):
        streams.write_lines([printable(parity.sentence)])
    else:
        streams.tell(parity.sentence)
    return _EXIT_CODES[parity.status]


def _check(arguments: Namespace, streams: Streams) -> Parity:
    """Train here, then there."""
    with Progress(streams.stderr) as progress:
        progress.say("Counting pre-tokens …")
        texts = list(texts_of_files(arguments.files, arguments, streams))
        split = get_recipe(arguments.recipe).split_pattern(special_tokens=arguments.special_token)
        split = split.line_by_line() if arguments.by_line else split
        corpus = Corpus.from_texts(texts, split)
        trainer = make_trainer(corpus, arguments)
        limit = trainer.most_merges
        for _ in watched_steps(trainer, progress):
            pass
        return check_parity(
            texts,
            trainer.recipe,
            trainer.merges,
            num_merges=limit,
            min_frequency=arguments.min_frequency,
            special_tokens=arguments.special_token,
            split=split,
            timeout=arguments.timeout,
            on_wait=lambda seconds: progress.say(f"Training with the library, {duration(seconds)}"),
        )


def _object(parity: Parity) -> dict[str, object]:
    difference = parity.difference
    return {
        "status": parity.status,
        "recipe": parity.recipe,
        "library": parity.library,
        "version": parity.version,
        "merges": parity.merges,
        "sentence": parity.sentence,
        "difference": difference
        and {
            "kind": difference.kind,
            "rank": difference.rank,
            "ours": difference.ours and [hex_bytes(half) for half in difference.ours],
            "theirs": difference.theirs and [hex_bytes(half) for half in difference.theirs],
            "why": difference.why,
        },
    }
