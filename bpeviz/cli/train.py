"""train: learn merges from files or counts, print a summary, and save a tokenizer, or a run for the page."""

from argparse import Namespace
from pathlib import Path

from bpeviz.cli.inputs import (
    MOST_BYTES,
    RUN_SUFFIX,
    TOKENIZER_HELP,
    add_split,
    count_files,
    load_tokenizer,
    texts_of_files,
    tokenizer_files,
)
from bpeviz.cli.outputs import check_distinct, check_place, merges_csv, write_whole
from bpeviz.cli.parser import CommandParser, Commands, UsageError
from bpeviz.cli.progress import Progress
from bpeviz.cli.run_file import check_counts, check_run, left_out, run_bytes
from bpeviz.cli.streams import Streams, summary_lines
from bpeviz.cli.training import add_training, make_trainer, recipe_split, watched_steps
from bpeviz.corpus.corpus import Corpus
from bpeviz.corpus.count_files import read_counts
from bpeviz.formats.continued_files import continued_files, takes_new_merges
from bpeviz.formats.storage import DiskFiles
from bpeviz.formats.writing import FILE_FORMATS, write_tokenizer
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.training.result import MergeStep
from bpeviz.training.special_text import special_text
from bpeviz.training.trainer import Trainer

__all__ = ["add_parser", "run"]

#: Formats of two files: --out names the folder that holds them.
PAIRS = ("gpt2", "llms-from-scratch")


def add_parser(commands: Commands) -> CommandParser:
    parser = commands.add_parser("train", help="learn merges from files or counts", description=__doc__)
    add_training(parser)
    parser.add_argument(
        "--counts", type=Path, metavar="PATH", help="pre-tokens counted before, CSV or Parquet: see count"
    )
    add_split(parser, "that of the recipe")
    parser.add_argument(
        "--start",
        metavar="NAME_OR_PATH",
        help=f"begin with this tokenizer; --merges are new ones after its own. {TOKENIZER_HELP}",
    )
    parser.add_argument(
        "--out",
        type=Path,
        metavar="PATH",
        help="save the tokenizer; a pair in a folder; if it ends in .bpeviz, the run for the page: see app",
    )
    parser.add_argument(
        "--format",
        choices=list(FILE_FORMATS),
        help="of --out; otherwise that of the file of --start, or huggingface",
    )
    parser.add_argument("--merges-out", type=Path, metavar="PATH", help="save the merges as CSV")
    parser.add_argument("--json", action="store_true", help="print the summary as JSON")
    return parser


def run(arguments: Namespace, streams: Streams) -> int:
    _check_counts(arguments)
    _check_outputs(arguments)
    start = _start(arguments)
    with Progress(streams.stderr) as progress:
        trainer = make_trainer(_corpus(arguments, streams, progress, start), arguments, start)
        if _is_run(arguments):
            check_counts(trainer.corpus)
        own = _own_files(arguments)
        if arguments.out is not None and not _is_run(arguments) and own is None:
            write_tokenizer(trainer.tokenizer(), _format(arguments))  # fail now, not after training
        progress.say("Merging …")
        steps = list(watched_steps(trainer, progress))
    if arguments.out is not None and _is_run(arguments):
        write_whole(arguments.out, run_bytes(trainer, arguments))
    elif arguments.out is not None and own is not None:
        new = [(step.pair, step.token_id) for step in trainer.result().new_steps]
        DiskFiles().write(continued_files(own, new), arguments.out)
    elif arguments.out is not None:
        DiskFiles().save(trainer.tokenizer(), arguments.out, _format(arguments))
    if arguments.merges_out is not None:
        write_whole(arguments.merges_out, merges_csv(steps, trainer.token_bytes))
    summary = _summary(trainer, steps, arguments)
    if arguments.json:
        streams.write_json(summary)
    else:
        streams.write_lines(summary_lines(summary))
        if arguments.out is None and arguments.merges_out is None:
            streams.write_lines(["Nothing is saved. To save the tokenizer, give --out PATH."])
    return 0


def _start(arguments: Namespace) -> Tokenizer | None:
    """Return the tokenizer to begin with, if any."""
    if arguments.start is None:
        return None
    if arguments.merges is None and arguments.vocab_size is None:
        raise UsageError("--start begins with a tokenizer: say with --merges how many new merges to learn.")
    if arguments.special_token or arguments.by_line:
        raise UsageError(
            "--start has its special tokens and its split: leave --special-token and --by-line out."
        )
    if _is_run(arguments):
        raise UsageError(
            "a .bpeviz file holds no run that begins with a tokenizer: give --out another ending."
        )
    return load_tokenizer(arguments.start, split=arguments.split, split_regex=arguments.split_regex)


def _own_files(arguments: Namespace) -> dict[str, bytes] | None:
    """Return the files of the start if the result is saved as they are, with all else that they say."""
    if arguments.start is None or arguments.format is not None or arguments.out is None:
        return None
    files = tokenizer_files(arguments.start)
    return files if files and takes_new_merges(files) else None


def _corpus(arguments: Namespace, streams: Streams, progress: Progress, start: Tokenizer | None) -> Corpus:
    if start is not None and start.pipeline is not None:
        if arguments.counts is not None:
            raise UsageError(
                "a library prepares texts for this tokenizer, so --counts can't be used with it."
            )
        return Corpus.from_texts(
            list(texts_of_files(arguments.files, Namespace(**vars(arguments), max_bytes=MOST_BYTES), streams))
        )
    # an invalid split pattern fails before anything is read
    split = recipe_split(arguments) if start is None else start.pre_token_split
    if arguments.counts is None:
        return count_files(arguments, split, streams, progress)
    progress.say("Reading counts …")
    # nobody says whether special tokens cut the counts: the trainer looks
    return read_counts(arguments.counts, split.between_special_tokens)


def _is_run(arguments: Namespace) -> bool:
    """Return whether --out is a run for the page."""
    return arguments.out is not None and arguments.out.suffix == RUN_SUFFIX


def _format(arguments: Namespace) -> str:
    return str(arguments.format or "huggingface")


def _check_counts(arguments: Namespace) -> None:
    if arguments.counts is None:
        return
    if arguments.files or arguments.replace_invalid:
        raise UsageError("--counts replaces the texts: give neither files nor --replace-invalid.")
    if arguments.split is None and arguments.split_regex is None:
        raise UsageError("a file of counts does not say which pattern cut them: give --split too.")


def _check_outputs(arguments: Namespace) -> None:
    """Check, before anything is read, that the results can be written."""
    if arguments.format is not None and arguments.out is None:
        raise UsageError("--format says how --out is written: give --out too.")
    if _is_run(arguments):
        check_run(arguments)
    read = [*arguments.files, arguments.counts or "-"]
    check_distinct(read, filter(None, (arguments.out, arguments.merges_out)))
    if arguments.out is not None:
        check_place(arguments.out, folder=not _is_run(arguments) and _format(arguments) in PAIRS)
    if arguments.merges_out is not None:
        check_place(arguments.merges_out, device=True)


def _summary(trainer: Trainer, steps: list[MergeStep], arguments: Namespace) -> dict[str, object]:
    total, corpus, caution = trainer.token_total, trainer.corpus, special_text(trainer.result())
    return {
        **({"start": arguments.start} if trainer.start else {}),
        "recipe": trainer.recipe.name,
        "split": corpus.split.regex if corpus.split.name == "custom" else corpus.split.name,
        **({"by_line": True} if corpus.split.by_line else {}),
        "special_tokens": list(trainer.special_tokens),
        "bytes": corpus.byte_total,
        "merges": trainer.num_new,
        "ties": sum(step.tied > 1 for step in steps),
        "vocabulary_size": int(trainer.tokenizer().vocab_sizes[-1]),
        "tokens": total,
        "bytes_per_token": corpus.byte_total / total if total else 0.0,
        "stop_reason": trainer.stop_reason,
        "out": arguments.out and str(arguments.out),
        "left_out": _left_out(arguments, trainer),
        "merges_out": arguments.merges_out and str(arguments.merges_out),
        **({"caution": caution} if caution else {}),
    }


def _left_out(arguments: Namespace, trainer: Trainer) -> str | None:
    if arguments.out is None:
        return None
    if _is_run(arguments):
        return left_out(trainer)
    return FILE_FORMATS[_format(arguments)].leaves_out or None
