"""compare --changes: the words whose numbers of tokens differ most between two tokenizers, in many texts."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence

from bpeviz.analysis.word_changes import WordChange, WordChanges, cut_in_words, word_changes
from bpeviz.cli.inputs import read_texts
from bpeviz.cli.parser import UsageError, whole_number
from bpeviz.cli.streams import Streams, printable, table
from bpeviz.spreadsheet import plain_csv
from bpeviz.text.token_text import hex_bytes, visible
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.words import in_short

__all__ = ["add_options", "is_asked", "run"]


def add_options(parser: ArgumentParser) -> None:
    """Let compare list the words that change from --left to --right."""
    changes = parser.add_argument_group("what changes from --left to --right")
    changes.add_argument(
        "--changes",
        type=whole_number,
        metavar="N",
        help="print the N words whose numbers of tokens differ most. --file is repeatable",
    )
    changes.add_argument("--csv", action="store_true", help="print them as CSV")


def is_asked(arguments: Namespace) -> bool:
    """Return whether the words are to be listed. Raises UsageError for options that don't go together."""
    if arguments.csv and arguments.changes is None:
        raise UsageError("--csv needs --changes.")
    if arguments.changes is None:
        return False
    if arguments.changes < 1:
        raise UsageError("--changes must be 1 or more.")
    if arguments.color or (arguments.csv and arguments.json):
        raise UsageError("give one of --csv, --json and --color with --changes; --color is for one text.")
    return True


def run(
    arguments: Namespace, streams: Streams, sides: tuple[Tokenizer, Tokenizer], names: tuple[str, str]
) -> int:
    """Count the tokens of every word and print those that change most."""
    found = word_changes(read_texts(arguments, streams), *sides)
    words = found.words[: arguments.changes]
    if arguments.json:
        streams.write_json(_object(found, words, names))
    elif arguments.csv:
        streams.write(_csv(words, names))
    else:
        streams.write_lines(_report(found, words, [printable(name) for name in names]))
    return 0


def _object(found: WordChanges, words: Sequence[WordChange], names: Sequence[str]) -> dict[str, object]:
    return {
        "left": {"tokenizer": names[0], "tokens": found.a},
        "right": {"tokenizer": names[1], "tokens": found.b},
        "words": found.word_total,
        "words_that_change": len(found.words),
        "changes": [
            {
                "word": each.word,
                "count": each.count,
                "left": each.a,
                "right": each.b,
                "change": each.change,
                "left_cut": [hex_bytes(piece) for piece in each.cut_a],
                "right_cut": [hex_bytes(piece) for piece in each.cut_b],
            }
            for each in words
        ],
    }


def _csv(words: Sequence[WordChange], names: Sequence[str]) -> str:
    import pandas as pd

    rows = pd.DataFrame(
        {
            "word": [each.word for each in words],
            "times": [each.count for each in words],
            f"{names[0]}: tokens": [each.a for each in words],
            f"{names[1]}: tokens": [each.b for each in words],
            "change": [each.change for each in words],
        }
    )
    return plain_csv(rows, "word")


def _report(found: WordChanges, words: Sequence[WordChange], names: Sequence[str]) -> Iterator[str]:
    yield f"tokens  {names[0]} {found.a:,}  {names[1]} {found.b:,}  change {found.b - found.a:+,}"
    yield f"words   {found.word_total:,}, of which {len(found.words):,} different ones change"
    if words:
        yield from table(
            [("word", "times", *names, "change", *(f"as {name} cuts it" for name in names))]
            + [_row(each) for each in words]
        )


def _row(each: WordChange) -> tuple[str, ...]:
    figures = f"{each.count:,}", f"{each.a:,}", f"{each.b:,}", f"{each.change:+,}"
    cuts = (in_short(cut_in_words(cut)) for cut in (each.cut_a, each.cut_b))
    return in_short(visible(each.word.encode("utf-8")), 40), *figures, *cuts
