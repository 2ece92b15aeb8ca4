"""count: count the pre-tokens of files and save the counts, for train --counts, here or elsewhere."""

from argparse import Namespace
from pathlib import Path

from bpeviz.cli.inputs import add_by_line, add_files, add_replace_invalid, add_split, asked_split, count_files
from bpeviz.cli.outputs import check_distinct, check_place
from bpeviz.cli.parser import CommandParser, Commands
from bpeviz.cli.progress import Progress
from bpeviz.cli.streams import Streams, summary_lines
from bpeviz.corpus.count_files import COUNT_FILES, check_counts_name, write_counts

__all__ = ["add_parser", "run"]


def add_parser(commands: Commands) -> CommandParser:
    parser = commands.add_parser("count", help="count the pre-tokens of files", description=__doc__)
    add_files(parser)
    parser.add_argument(
        "--out",
        type=Path,
        required=True,
        metavar="PATH",
        help=f"a file that ends in {' or '.join(COUNT_FILES)}",
    )
    add_split(parser, "gpt2")
    add_by_line(parser)
    add_replace_invalid(parser)
    parser.add_argument("--json", action="store_true", help="print the summary as JSON")
    return parser


def run(arguments: Namespace, streams: Streams) -> int:
    split = asked_split(arguments, "gpt2")
    split = split.line_by_line() if arguments.by_line else split
    # before anything is read
    check_counts_name(arguments.out)
    check_place(arguments.out)
    check_distinct(arguments.files, [arguments.out])
    with Progress(streams.stderr) as progress:
        corpus = count_files(arguments, split, streams, progress)
        progress.say("Writing counts …")
        write_counts(corpus, arguments.out)
    summary = {
        "split": split.regex if split.name == "custom" else split.name,
        **({"by_line": True} if split.by_line else {}),
        "bytes": corpus.byte_total,
        "pre_tokens": corpus.pre_token_total,
        "distinct_pre_tokens": len(corpus.counts),
        "out": str(arguments.out),
    }
    if arguments.json:
        streams.write_json(summary)
    else:
        streams.write_lines(summary_lines(summary))
    return 0
