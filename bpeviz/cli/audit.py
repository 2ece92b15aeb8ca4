"""audit: which tokens of a vocabulary are unreachable, unused, cut, too long, or there several times."""

from argparse import ArgumentTypeError, Namespace
from collections.abc import Iterator, Mapping
from pathlib import Path

from bpeviz.audit.audit import FINDINGS, VocabularyAudit, audit_tokenizer
from bpeviz.audit.report import audit_html
from bpeviz.cli.inputs import (
    TOKENIZER_HELP,
    add_max_bytes,
    add_replace_invalid,
    add_tokenizer_split,
    load_tokenizer,
    texts_of_files,
)
from bpeviz.cli.outputs import check_distinct, check_place, write_whole
from bpeviz.cli.parser import CommandParser, Commands, UsageError, whole_number
from bpeviz.cli.progress import Progress
from bpeviz.cli.streams import Streams, printable, table
from bpeviz.text.token_text import visible
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.words import counted

__all__ = ["add_parser", "run"]

#: How many tokens of a finding are printed, how much of each, and how many words.
MOST_PRINTED, MOST_CHARACTERS, MOST_WORDS = 4, 16, 10
#: Findings that say nothing but how many there are.
_COUNTS_ONLY = ("base", "merged", "whole")


def add_parser(commands: Commands) -> CommandParser:
    parser = commands.add_parser("audit", help="find what is wrong with a vocabulary", description=__doc__)
    parser.add_argument("tokenizer", metavar="TOKENIZER", help=TOKENIZER_HELP)
    add_tokenizer_split(parser)
    parser.add_argument("--text", metavar="PATH", help="count the tokens of a text; - is standard input")
    parser.add_argument("--against", metavar="NAME_OR_PATH", help="an earlier vocabulary, to compare with")
    add_tokenizer_split(parser, "against-")
    parser.add_argument("--html", type=Path, metavar="PATH", help="write a report that needs no program")
    parser.add_argument("--json", action="store_true", help="print one JSON object, with the ids")
    parser.add_argument(
        "--fail-on",
        type=_bounds,
        default={},
        metavar="NAME=N,…",
        help=f"end with status 1 if a figure is above N; the names: {', '.join(FINDINGS)}",
    )
    add_replace_invalid(parser)
    add_max_bytes(parser)
    return parser


def _bounds(written: str) -> dict[str, int]:
    """``"unreachable=13,moved-ids=0"`` -> the most that each figure may be."""
    bounds: dict[str, int] = {}
    for part in written.split(","):
        name, equals, number = part.partition("=")
        if name not in FINDINGS or not equals:
            raise ArgumentTypeError(f"{part!r} is no figure with a number. The names: {', '.join(FINDINGS)}")
        bounds[name] = whole_number(number)
    return bounds


def run(arguments: Namespace, streams: Streams) -> int:
    _check(arguments)
    tokenizer = load_tokenizer(arguments.tokenizer, split=arguments.split, split_regex=arguments.split_regex)
    earlier = arguments.against and load_tokenizer(
        arguments.against, split=arguments.against_split, split_regex=arguments.against_split_regex
    )
    text = next(iter(texts_of_files([arguments.text], arguments, streams))) if arguments.text else None
    with Progress(streams.stderr) as progress:
        found = audit_tokenizer(
            tokenizer, text, against=earlier, on_step=lambda step: progress.say(f"{step} …")
        )
    if arguments.html is not None:
        name = Path(arguments.tokenizer).name
        against = (Path(arguments.against).name, earlier) if earlier else None
        report = audit_html(found, tokenizer, name, text=text, against=against)
        write_whole(arguments.html, report.encode("utf-8"))
    if arguments.json:
        streams.write_json(_object(found, arguments))
    else:
        streams.write_lines(_report(found, tokenizer, earlier, arguments))
    return _status(found.figures, arguments.fail_on, streams)


def _check(arguments: Namespace) -> None:
    """Raise UsageError for figures that nothing is counted for, OSError for a report that can't be
    written."""
    for name in arguments.fail_on:
        needs = FINDINGS[name].needs
        if needs and getattr(arguments, needs) is None:
            raise UsageError(f"--fail-on {name} needs --{needs}.")
    if arguments.html is not None:
        read = [arguments.text, arguments.tokenizer, arguments.against]
        check_distinct(filter(None, read), [arguments.html])
        check_place(arguments.html)


def _status(figures: Mapping[str, int], bounds: Mapping[str, int], streams: Streams) -> int:
    """Say which figures are too high; return the exit status."""
    above = {name: most for name, most in bounds.items() if figures[name] > most}
    for name, most in above.items():
        streams.tell(f"{name} is {figures[name]:,}, above {most:,}.")
    return 1 if above else 0


def _report(
    found: VocabularyAudit, tokenizer: Tokenizer, earlier: Tokenizer | None, arguments: Namespace
) -> Iterator[str]:
    yield f"{counted(found.token_total, 'token')} in {printable(arguments.tokenizer)}"
    yield from table(_rows(found, tokenizer, earlier))
    if found.difference is not None:
        before, after = found.difference.shares
        yield (
            f"{counted(found.difference.common, 'token')} in common: {before:.1%} of those in "
            f"{printable(arguments.against)}, {after:.1%} of those here"
        )
        words = found.difference.words
        for each in words.words[:MOST_WORDS] if words else ():
            yield f"{visible(each.word.encode(), 40)}: {each.change:+,} in {counted(each.count, 'place')}"
    if arguments.html is not None:
        yield f"report: {printable(str(arguments.html))}"


def _rows(
    found: VocabularyAudit, tokenizer: Tokenizer, earlier: Tokenizer | None
) -> Iterator[tuple[str, ...]]:
    """Yield a row for each finding: its name, its figure, that of the earlier vocabulary, and examples."""
    for name, count in found.figures.items():
        source = earlier if name == "removed" and earlier else tokenizer
        first = [] if name in _COUNTS_ONLY else found.ids[name][:MOST_PRINTED].tolist()
        shown = " ".join(visible(source.token_bytes(i), MOST_CHARACTERS) for i in first)
        more = " …" if count > len(first) > 0 else ""
        there = f"{found.against.figures[name]:,}" if found.against and name in found.against.figures else ""
        yield name, f"{count:,}", *((there,) if found.against else ()), shown + more


def _object(found: VocabularyAudit, arguments: Namespace) -> dict[str, object]:
    difference = found.difference
    return {
        "tokenizer": arguments.tokenizer,
        "tokens": found.token_total,
        "text_tokens": found.uses and found.uses.token_total,
        "families": found.families,
        "figures": found.figures,
        "ids": {name: ids.tolist() for name, ids in found.ids.items() if name not in _COUNTS_ONLY},
        "against": found.against
        and difference
        and {
            "tokenizer": arguments.against,
            "tokens": found.against.token_total,
            "figures": found.against.figures,
            "common": difference.common,
            "moved": difference.moved.tolist(),
            "words": [
                {"word": each.word, "count": each.count, "before": each.a, "after": each.b}
                for each in (difference.words.words if difference.words else ())
            ],
        },
    }
