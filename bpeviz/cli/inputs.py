"""What a person gives a command: texts from arguments, files or standard input, and tokenizers by name or
file. Where the bytes come from changes nothing: they are UTF-8, and refused or replaced where they are not.
"""

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path

from bpeviz.cli.parser import UsageError
from bpeviz.cli.streams import Streams
from bpeviz.pretrained import PRETRAINED, load_pretrained
from bpeviz.split_patterns import SPLIT_PATTERNS
from bpeviz.tokenizer import Tokenizer
from bpeviz.utf8 import Errors, decode_utf8

__all__ = [
    "SPLIT_HELP",
    "TOKENIZER_HELP",
    "add_replace_invalid",
    "add_text",
    "invalid_bytes",
    "load_tokenizer",
    "read_texts",
    "texts_of_files",
]

TOKENIZER_HELP = (
    f"one of {', '.join(PRETRAINED)}, or a tokenizer file, or the folder of a pair of files; otherwise gpt2"
)
SPLIT_HELP = f"of a tokenizer file that names no split pattern: {', '.join(SPLIT_PATTERNS)}"


def add_text(parser: ArgumentParser) -> None:
    """Let a command take texts: see read_texts."""
    parser.add_argument(
        "text", nargs="*", metavar="TEXT", help="the text, joined by spaces; none or - is standard input"
    )
    parser.add_argument(
        "--file", action="append", default=[], metavar="PATH", help="take the text from a file; repeatable"
    )
    add_replace_invalid(parser)


def add_replace_invalid(parser: ArgumentParser) -> None:
    """Let a command take bytes that are not UTF-8."""
    parser.add_argument(
        "--replace-invalid",
        action="store_true",
        help="make U+FFFD of bytes that are not UTF-8, in place of refusing them",
    )


def read_texts(arguments: Namespace, streams: Streams) -> list[str]:
    """The text of the arguments, or of each file, or of standard input."""
    if arguments.text and arguments.file:
        raise UsageError("give the text as arguments or as --file, not both.")
    if arguments.text in ([], ["-"]):
        return list(texts_of_files(arguments.file, arguments, streams))
    # Python has decoded the arguments by the locale; this gives the bytes that were typed
    return [_decode(os.fsencode(" ".join(arguments.text)), "the text given", arguments)]


def texts_of_files(paths: Sequence[str], arguments: Namespace, streams: Streams) -> Iterator[str]:
    """The text of each file; ``-``, or no file at all, is standard input."""
    for path in paths or ["-"]:
        if path == "-":
            yield _decode(streams.read(), "standard input", arguments)
        else:
            yield _decode(Path(path).read_bytes(), path, arguments)


def _decode(data: bytes, name: str, arguments: Namespace) -> str:
    return decode_utf8(data, name, invalid_bytes(arguments))


def invalid_bytes(arguments: Namespace) -> Errors:
    """What becomes of bytes that are not UTF-8: see add_replace_invalid."""
    return "replace" if arguments.replace_invalid else "strict"


def load_tokenizer(name: str, *, split: str | None = None) -> Tokenizer:
    """A pretrained tokenizer by its name, or the one in a file or a folder: see Tokenizer.load."""
    if name not in PRETRAINED:
        return Tokenizer.load(name, split=split)
    if split is not None:
        raise UsageError(f"{name} has its own split pattern, and is used with no other.")
    return load_pretrained(name)
