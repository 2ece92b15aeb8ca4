"""compare: how two tokenizers cut one text. Precision and recall compare left's boundaries with right's.

With --changes: the words of one or more texts whose numbers of tokens differ most.
With --tokenizer, two to six times: a table of metrics on one text, several files or the parallel sample.
"""

from argparse import Namespace
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from bpeviz.analysis.compare import Comparison, Disagreement, TextTokens, compare
from bpeviz.cli import compare_changes, compare_many
from bpeviz.cli.inputs import (
    TOKENIZER_OR_GPT2_HELP,
    add_text,
    add_tokenizer_split,
    load_tokenizer,
    read_texts,
)
from bpeviz.cli.parser import CommandParser, Commands, UsageError, whole_number
from bpeviz.cli.streams import Streams, printable, table
from bpeviz.standalone.token_rows import rows_of_comparison, tokens_in_terminal
from bpeviz.text.token_text import hex_bytes, visible
from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = ["add_parser", "run"]


def add_parser(commands: Commands) -> CommandParser:
    parser = commands.add_parser(
        "compare", help="two tokenizers on one text, or up to six on several", description=__doc__
    )
    add_text(parser)
    for side in ("left", "right"):
        parser.add_argument(f"--{side}", metavar="NAME_OR_PATH", help=TOKENIZER_OR_GPT2_HELP)
        add_tokenizer_split(parser, f"{side}-")
        parser.add_argument(
            f"--{side}-merges", type=whole_number, metavar="N", help="with only its first N merges"
        )
    parser.add_argument(
        "--disagreements", type=whole_number, default=10, metavar="N", help="print the longest N; else 10"
    )
    compare_changes.add_options(parser)
    compare_many.add_options(parser)
    shape = parser.add_mutually_exclusive_group()
    shape.add_argument("--json", action="store_true", help="print all of it as one JSON object")
    shape.add_argument("--color", action="store_true", help="print the tokens of both in colour too")
    return parser


def run(arguments: Namespace, streams: Streams) -> int:
    if compare_many.is_asked(arguments):
        return compare_many.run(arguments, streams)
    if arguments.left is None and arguments.right is None:
        raise UsageError("give --left or --right, or both; the other is gpt2.")
    if arguments.disagreements < 0:
        raise UsageError("--disagreements must be 0 or more.")
    changes = compare_changes.is_asked(arguments)
    left, right = _side(arguments, "left"), _side(arguments, "right")
    names = arguments.left or "gpt2", arguments.right or "gpt2"
    if changes:
        return compare_changes.run(arguments, streams, (left, right), names)
    texts = read_texts(arguments, streams)
    if len(texts) > 1:
        raise UsageError("give only one --file, or --changes for the words of several.")
    compared = compare(texts[0], left, right)
    longest = compared.disagreements(texts[0], arguments.disagreements)
    encoded = texts[0].encode("utf-8")
    if arguments.json:
        streams.write_json(_object(compared, longest, encoded, names))
    else:
        streams.write_lines(_report(compared, longest, encoded, names))
    if arguments.color:
        for row in rows_of_comparison(compared, (printable(names[0]), printable(names[1]))):
            for part in tokens_in_terminal(row):
                streams.write(part)
    return 0


def _side(arguments: Namespace, side: str) -> Tokenizer:
    options = vars(arguments)
    name, num_merges = options[side] or "gpt2", options[f"{side}_merges"]
    tokenizer = load_tokenizer(
        name, split=options[f"{side}_split"], split_regex=options[f"{side}_split_regex"]
    )
    return tokenizer if num_merges is None else tokenizer.after(num_merges)


def _object(
    compared: Comparison, longest: Sequence[Disagreement], encoded: bytes, names: Sequence[str]
) -> dict[str, object]:
    def side(name: str, tokens: TextTokens, only: npt.NDArray[np.intp]) -> dict[str, object]:
        return {
            "tokenizer": name,
            "merges": tokens.num_merges,
            "tokens": tokens.token_total,
            "bytes_per_token": tokens.bytes_per_token,
            "boundaries_only_here": len(only),
        }

    return {
        "bytes": compared.byte_total,
        "left": side(names[0], compared.a, compared.only_a),
        "right": side(names[1], compared.b, compared.only_b),
        "shared_boundaries": compared.shared_boundaries,
        "precision": compared.precision,
        "recall": compared.recall,
        "f1": compared.f1,
        "disagreements": [
            {
                "start": d.start,
                "end": d.end,
                "count": d.count,
                "left": [hex_bytes(piece) for piece in _pieces(encoded, d, compared.only_a)],
                "right": [hex_bytes(piece) for piece in _pieces(encoded, d, compared.only_b)],
            }
            for d in longest
        ],
    }


def _report(
    compared: Comparison, longest: Sequence[Disagreement], encoded: bytes, names: Sequence[str]
) -> Iterator[str]:
    a, b = compared.a, compared.b
    yield from table(
        [
            ("", *(printable(name) for name in names)),
            ("merges", f"{a.num_merges:,}", f"{b.num_merges:,}"),
            ("tokens", f"{a.token_total:,}", f"{b.token_total:,}"),
            ("bytes per token", f"{a.bytes_per_token:.3f}", f"{b.bytes_per_token:.3f}"),
            ("boundaries only in this one", f"{len(compared.only_a):,}", f"{len(compared.only_b):,}"),
        ]
    )
    yield f"boundaries shared            {compared.shared_boundaries:,}"
    yield f"precision {compared.precision:.3f}  recall {compared.recall:.3f}  F1 {compared.f1:.3f}"
    if longest:
        yield "longest disagreements (byte, times, left, right):"
    yield from table(
        [
            (
                f"{d.start:,}",
                f"{d.count:,}×",
                *(_cut(encoded, d, only) for only in (compared.only_a, compared.only_b)),
            )
            for d in longest
        ]
    )


def _cut(encoded: bytes, disagreement: Disagreement, only: npt.NDArray[np.intp]) -> str:
    return " | ".join(map(visible, _pieces(encoded, disagreement, only)))


def _pieces(encoded: bytes, disagreement: Disagreement, only: npt.NDArray[np.intp]) -> list[bytes]:
    """Return the bytes of a disagreement as one side cuts them; ``only`` are the boundaries that it alone
    has."""
    start, end = disagreement.start, disagreement.end
    first, last = np.searchsorted(only, [start, end])
    cuts = [start, *(only[first:last] + 1).tolist(), end]
    return [encoded[i:j] for i, j in pairwise(cuts)]
