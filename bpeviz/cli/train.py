"""train: learn merges from files, say how it went, and save the tokenizer."""

from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

from bpeviz.cli.inputs import invalid_bytes
from bpeviz.cli.outputs import check_place, merges_csv, write_whole
from bpeviz.cli.parser import CommandParser, Commands, UsageError
from bpeviz.cli.progress import Progress
from bpeviz.cli.streams import Streams, printable, table
from bpeviz.cli.training import add_training, make_trainer, watched_steps
from bpeviz.corpus import Corpus
from bpeviz.formats import FILE_FORMATS, write_tokenizer
from bpeviz.recipes import get_recipe
from bpeviz.split_patterns import SPLIT_PATTERNS, SplitPattern, custom_split_pattern
from bpeviz.trainer import MergeStep, Trainer

__all__ = ["add_parser", "run"]

#: Formats of two files: --out names the folder that holds them.
PAIRS = ("gpt2", "llms-from-scratch")


def add_parser(commands: Commands) -> CommandParser:
    parser = commands.add_parser("train", help="learn merges from files", description=__doc__)
    add_training(parser)
    pattern = parser.add_mutually_exclusive_group()
    pattern.add_argument(
        "--split", metavar="NAME", help=f"{', '.join(SPLIT_PATTERNS)}; otherwise that of the recipe"
    )
    pattern.add_argument("--split-regex", metavar="REGEX", help="a split pattern of your own")
    parser.add_argument("--out", type=Path, metavar="PATH", help="save the tokenizer; a pair in a folder")
    parser.add_argument("--format", choices=list(FILE_FORMATS), help="of --out; otherwise huggingface")
    parser.add_argument("--merges-out", type=Path, metavar="PATH", help="save the merges as CSV")
    parser.add_argument("--json", action="store_true", help="print the summary as JSON")
    return parser


def run(arguments: Namespace, streams: Streams) -> int:
    _check_outputs(arguments)
    with Progress(streams.stderr) as progress:
        trainer = make_trainer(_corpus(arguments, streams, progress), arguments)
        if arguments.out is not None:
            write_tokenizer(trainer.tokenizer(), _format(arguments))  # what cannot be saved is told before
        progress.say("Merging …")
        steps = list(watched_steps(trainer, progress))
    if arguments.out is not None:
        trainer.tokenizer().save(arguments.out, format=_format(arguments))
    if arguments.merges_out is not None:
        write_whole(arguments.merges_out, merges_csv(steps, trainer.token_bytes))
    summary = _summary(trainer, steps, arguments)
    if arguments.json:
        streams.write_json(summary)
    else:
        streams.write_lines(table(_rows(summary)))
    return 0


def _corpus(arguments: Namespace, streams: Streams, progress: Progress) -> Corpus:
    split = _split(arguments)  # what cannot be split is told before anything is read
    progress.say("Counting pre-tokens …")
    counted = 0

    def say(characters: int) -> None:
        nonlocal counted
        counted += characters
        progress.say(f"Counting pre-tokens, {counted:,} characters …")

    files = [streams.awaited_stdin() if path == "-" else path for path in arguments.files or ["-"]]
    return Corpus.from_files(files, split, errors=invalid_bytes(arguments), on_counted=say)


def _split(arguments: Namespace) -> str | SplitPattern:
    if arguments.split_regex is not None:
        return custom_split_pattern(arguments.split_regex)
    return str(arguments.split or get_recipe(arguments.recipe).split)


def _format(arguments: Namespace) -> str:
    return str(arguments.format or "huggingface")


def _check_outputs(arguments: Namespace) -> None:
    """Nothing is read before it is known that the results have a place."""
    if arguments.format is not None and arguments.out is None:
        raise UsageError("--format says how --out is written: give --out too.")
    taken = {Path(path).resolve() for path in arguments.files if path != "-"}
    for path in filter(None, (arguments.out, arguments.merges_out)):
        if path.resolve() in taken:
            raise UsageError(f"{path} stands there twice: give each file a place of its own.")
        taken.add(path.resolve())
    if arguments.out is not None:
        check_place(arguments.out, folder=_format(arguments) in PAIRS)
    if arguments.merges_out is not None:
        check_place(arguments.merges_out, device=True)


def _summary(trainer: Trainer, steps: list[MergeStep], arguments: Namespace) -> dict[str, object]:
    total, corpus = trainer.token_total, trainer.corpus
    return {
        "recipe": trainer.recipe.name,
        "split": corpus.split.regex if corpus.split.name == "custom" else corpus.split.name,
        "special_tokens": list(trainer.special_tokens),
        "bytes": corpus.byte_total,
        "merges": len(steps),
        "ties": sum(step.tied > 1 for step in steps),
        "vocabulary_size": int(trainer.tokenizer().vocab_sizes[-1]),
        "tokens": total,
        "bytes_per_token": corpus.byte_total / total if total else 0.0,
        "stop_reason": trainer.stop_reason,
        "out": arguments.out and str(arguments.out),
        "left_out": (arguments.out and FILE_FORMATS[_format(arguments)].leaves_out) or None,
        "merges_out": arguments.merges_out and str(arguments.merges_out),
    }


def _rows(summary: dict[str, object]) -> Iterator[tuple[str, str]]:
    """What a person is told: a name and a value a line, without what is not there."""
    for name, value in summary.items():
        match value:
            case None | []:
                continue
            case float():
                shown = f"{value:.3f}"
            case int():
                shown = f"{value:,}"
            case list():
                shown = " ".join(map(str, value))
            case _:
                shown = str(value)
        yield name.replace("_", " "), printable(shown)
