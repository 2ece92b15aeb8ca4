"""trim: drop tokens and all that falls with them, say what it costs on a text, and save the tokenizer."""

from argparse import Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path

from bpeviz.analysis.drop_rules import DropRule, tokens_of_rule
from bpeviz.cli.inputs import (
    TOKENIZER_HELP,
    add_max_bytes,
    add_replace_invalid,
    add_tokenizer_split,
    load_tokenizer,
    texts_of_files,
    tokenizer_files,
)
from bpeviz.cli.outputs import check_distinct, check_place
from bpeviz.cli.parser import CommandParser, Commands, UsageError, whole_number
from bpeviz.cli.streams import Streams, printable
from bpeviz.formats.storage import DiskFiles
from bpeviz.formats.trimmed_files import keeps_its_format, trimmed_files
from bpeviz.formats.writing import FILE_FORMATS
from bpeviz.text.split_patterns import custom_split_pattern
from bpeviz.text.token_text import visible
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.tokenizer.trimming import Fall, Trimming
from bpeviz.words import counted, in_short

__all__ = ["add_parser", "run"]

#: How many of the tokens that fall are printed, and how much of each.
MOST_PRINTED, MOST_CHARACTERS = 8, 24
#: Formats of several files: --out names the folder that holds them.
PAIRS = ("gpt2", "llms-from-scratch")


def add_parser(commands: Commands) -> CommandParser:
    parser = commands.add_parser(
        "trim", help="drop tokens, and all that falls with them", description=__doc__
    )
    parser.add_argument("tokenizer", metavar="TOKENIZER", help=TOKENIZER_HELP)
    add_tokenizer_split(parser)
    chosen = parser.add_argument_group("the tokens to drop: those named, and those that meet all conditions")
    chosen.add_argument(
        "--drop", action="append", default=[], metavar="TOKEN", help='its text, such as " the"; repeatable'
    )
    chosen.add_argument(
        "--drop-id", action="append", default=[], type=whole_number, metavar="ID", help="repeatable"
    )
    chosen.add_argument(
        "--never-used-in",
        metavar="PATH",
        help="tokens that this text doesn't need, not even as parts of others; - is standard input",
    )
    chosen.add_argument("--longer-than", type=whole_number, metavar="N", help="tokens of more than N bytes")
    chosen.add_argument("--script", metavar="NAME", help="tokens whose first letter is of a script: Han")
    parser.add_argument(
        "--ids",
        choices=("closed", "holes"),
        default="closed",
        help="closed: the others move up; holes: each keeps its id; otherwise closed",
    )
    parser.add_argument("--file", metavar="PATH", help="a text to count tokens on, before and after")
    add_replace_invalid(parser)
    add_max_bytes(parser)
    parser.add_argument("--out", type=Path, metavar="PATH", help="save the tokenizer; a pair in a folder")
    parser.add_argument(
        "--format", choices=list(FILE_FORMATS), help="of --out; otherwise that of the file, or huggingface"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    return parser


def run(arguments: Namespace, streams: Streams) -> int:
    read = list(dict.fromkeys(filter(None, (arguments.never_used_in, arguments.file))))
    _check(arguments, read)
    whole = load_tokenizer(arguments.tokenizer, split=arguments.split, split_regex=arguments.split_regex)
    texts = dict(zip(read, texts_of_files(read, arguments, streams), strict=True)) if read else {}
    trimming = Trimming(whole)
    rule = DropRule(texts.get(arguments.never_used_in), arguments.longer_than, arguments.script)
    named = [trimming.id_of(token) for token in (*arguments.drop, *arguments.drop_id)]
    fall = trimming.fall({*named, *tokens_of_rule(whole, trimming, rule)})
    left = whole.trimmed(trimming, fall, arguments.ids)
    if arguments.out is not None:
        _save(left, fall, arguments)
    costs = {name: (len(whole.encode(text)), len(left.encode(text))) for name, text in texts.items()}
    if arguments.json:
        streams.write_json(_object(whole, left, fall, costs, arguments))
    else:
        streams.write_lines(_report(whole, left, fall, costs, arguments))
    return 0


def _check(arguments: Namespace, read: Sequence[str]) -> None:
    """Raise UsageError if nothing says what to drop, or how to save; check that the result can be saved."""
    conditions = arguments.never_used_in, arguments.longer_than, arguments.script
    if not arguments.drop and not arguments.drop_id and all(each is None for each in conditions):
        raise UsageError("say what to drop: --drop, --drop-id, --never-used-in, --longer-than or --script.")
    if arguments.longer_than is not None and arguments.longer_than < 0:
        raise UsageError("--longer-than must be 0 or more.")
    if arguments.out is None:
        if arguments.format is not None:
            raise UsageError("--format says how --out is written: give --out too.")
        return
    check_distinct([*read, arguments.tokenizer], [arguments.out])
    check_place(arguments.out, folder=arguments.format in PAIRS)


def _save(left: Tokenizer, fall: Fall, arguments: Namespace) -> None:
    """Write the tokenizer, in the format of its file if that can be kept."""
    files = tokenizer_files(arguments.tokenizer)
    if arguments.format is None and files and keeps_its_format(files):
        regex = arguments.split_regex
        split = arguments.split if regex is None else custom_split_pattern(regex)
        written = trimmed_files(files, fall.dropped, ids=arguments.ids, split=split)
        DiskFiles().write(written, arguments.out)
    else:
        DiskFiles().save(left, arguments.out, arguments.format or "huggingface")


def _report(
    whole: Tokenizer,
    left: Tokenizer,
    fall: Fall,
    costs: dict[str, tuple[int, int]],
    arguments: Namespace,
) -> Iterator[str]:
    yield (
        f"{counted(len(fall.dropped), 'token')} dropped, {len(fall.fallen):,} with them; "
        f"{len(left):,} of {len(whole):,} left{_listed(whole, fall)}"
    )
    for name, (before, after) in costs.items():
        change = f", {(after - before) / before:+.1%}" if before else ""
        yield f"{printable(name)}: {before:,} tokens before, {after:,} after{change}"
    yield f"saved: {printable(str(arguments.out))}" if arguments.out else "Nothing is saved. Give --out PATH."


def _listed(whole: Tokenizer, fall: Fall) -> str:
    """Return the first tokens that fall, to print after the numbers."""
    first = sorted(fall.fallen)[:MOST_PRINTED]
    shown = ", ".join(in_short(visible(whole.token_bytes(i)), MOST_CHARACTERS) for i in first)
    more = ", …" if len(fall.fallen) > len(first) else ""
    return f"; with them: {shown}{more}" if shown else ""


def _object(
    whole: Tokenizer,
    left: Tokenizer,
    fall: Fall,
    costs: dict[str, tuple[int, int]],
    arguments: Namespace,
) -> dict[str, object]:
    return {
        "tokens": len(whole),
        "left": len(left),
        "dropped": sorted(fall.dropped),
        "fallen": sorted(fall.fallen),
        "ids": arguments.ids,
        "texts": [
            {"file": name, "before": before, "after": after} for name, (before, after) in costs.items()
        ],
        "out": arguments.out and str(arguments.out),
    }
