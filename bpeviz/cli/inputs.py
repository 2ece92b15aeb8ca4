"""What a person gives a command: texts from arguments, files or standard input, and tokenizers by name or
file. Where the bytes come from changes nothing: they are UTF-8, and refused or replaced where they are not.
"""

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path

from bpeviz.cli.parser import UsageError
from bpeviz.cli.progress import Progress
from bpeviz.cli.streams import Streams
from bpeviz.corpus import Corpus
from bpeviz.pretrained import PRETRAINED, load_pretrained
from bpeviz.split_patterns import SPLIT_PATTERNS, SplitPattern, custom_split_pattern, get_split_pattern
from bpeviz.tokenizer import Tokenizer
from bpeviz.utf8 import Errors, decode_utf8

__all__ = [
    "SPLIT_HELP",
    "TOKENIZER_HELP",
    "add_files",
    "add_replace_invalid",
    "add_split",
    "add_text",
    "asked_split",
    "count_files",
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


def add_files(parser: ArgumentParser) -> None:
    """Let a command take files, each a text of its own."""
    parser.add_argument("files", nargs="*", metavar="FILE", help="a text; none or - is standard input")


def add_split(parser: ArgumentParser, otherwise: str) -> None:
    """Let a command take a split pattern: see asked_split; ``otherwise`` says which it is without."""
    pattern = parser.add_mutually_exclusive_group()
    pattern.add_argument(
        "--split", metavar="NAME", help=f"{', '.join(SPLIT_PATTERNS)}; otherwise {otherwise}"
    )
    pattern.add_argument("--split-regex", metavar="REGEX", help="a split pattern of your own")


def asked_split(arguments: Namespace, otherwise: str) -> SplitPattern:
    """The split pattern of add_split. Raises SplitPatternError."""
    if arguments.split_regex is not None:
        return custom_split_pattern(arguments.split_regex)
    return get_split_pattern(arguments.split or otherwise)


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


def count_files(arguments: Namespace, split: SplitPattern, streams: Streams, progress: Progress) -> Corpus:
    """The corpus of the files of add_files, while the line of progress follows the counting."""
    progress.say("Counting pre-tokens …")
    counted = 0

    def say(characters: int) -> None:
        nonlocal counted
        counted += characters
        progress.say(f"Counting pre-tokens, {counted:,} characters …")

    files = [streams.awaited_stdin() if path == "-" else path for path in arguments.files or ["-"]]
    return Corpus.from_files(files, split, errors=invalid_bytes(arguments), on_counted=say)


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
