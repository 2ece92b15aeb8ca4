"""The inputs of a command: texts from arguments, files or standard input, and tokenizers by name or file.

Wherever bytes come from, they are UTF-8; invalid ones are refused or replaced.
"""

import os
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Iterator, Sequence
from typing import BinaryIO

from bpeviz.cli.parser import UsageError, whole_number
from bpeviz.cli.progress import Progress
from bpeviz.cli.streams import Streams, naming
from bpeviz.corpus.corpus import Corpus
from bpeviz.errors import CorpusError
from bpeviz.formats.llms_from_scratch import NOTEBOOK_PATTERNS
from bpeviz.formats.pretrained import is_pretrained, load_pretrained, pretrained_names
from bpeviz.formats.storage import DiskFiles
from bpeviz.text.file_names import as_path
from bpeviz.text.split_patterns import SPLIT_PATTERNS, SplitPattern, custom_split_pattern, get_split_pattern
from bpeviz.text.utf8 import Errors, decode_utf8
from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = [
    "RUN_SUFFIX",
    "TOKENIZER_HELP",
    "TOKENIZER_OR_GPT2_HELP",
    "add_by_line",
    "add_files",
    "add_max_bytes",
    "add_replace_invalid",
    "add_split",
    "add_text",
    "add_tokenizer_split",
    "asked_split",
    "count_files",
    "invalid_bytes",
    "load_tokenizer",
    "read_stdin",
    "read_texts",
    "texts_of_files",
    "tokenizer_files",
]

#: A run that train --out saves for the page.
RUN_SUFFIX = ".bpeviz"
TOKENIZER_HELP = (
    f"one of {', '.join(pretrained_names())}, a file, several with commas between them, or a model's folder"
)
#: The same of an option that may be left out.
TOKENIZER_OR_GPT2_HELP = f"{TOKENIZER_HELP}; otherwise gpt2"
SPLIT_HELP = (
    f"of a tokenizer file that names no split pattern: {', '.join(SPLIT_PATTERNS)}; of “LLMs from scratch” "
    f"{' or '.join(NOTEBOOK_PATTERNS)}"
)

#: How much encode, decode, compare and parity read unless --max-bytes says otherwise: they hold everything in
#: memory, about 50 times as much with the ids.
MOST_BYTES = 100_000_000
_PART = 1_000_000


def _too_long(name: str, limit: int) -> CorpusError:
    """Return the error of more input than a command takes."""
    return CorpusError(
        f"{name} goes over the limit of {limit:,} bytes for all input. Give less, or raise the limit "
        "with --max-bytes if there is memory for it, about 50 bytes for each."
    )


def add_text(parser: ArgumentParser) -> None:
    """Let a command take texts: see read_texts."""
    parser.add_argument(
        "text", nargs="*", metavar="TEXT", help="the text, joined by spaces; none or - is standard input"
    )
    parser.add_argument(
        "--file", action="append", default=[], metavar="PATH", help="take the text from a file; repeatable"
    )
    add_replace_invalid(parser)
    add_max_bytes(parser)


def add_files(parser: ArgumentParser) -> None:
    """Let a command take files, each a separate text."""
    parser.add_argument("files", nargs="*", metavar="FILE", help="a text; none or - is standard input")


def add_split(parser: ArgumentParser, otherwise: str) -> None:
    """Let a command take a split pattern: see asked_split; ``otherwise`` names the default."""
    pattern = parser.add_mutually_exclusive_group()
    pattern.add_argument(
        "--split", metavar="NAME", help=f"{', '.join(SPLIT_PATTERNS)}; otherwise {otherwise}"
    )
    pattern.add_argument("--split-regex", metavar="REGEX", help="a custom split pattern")


def asked_split(arguments: Namespace, otherwise: str) -> SplitPattern:
    """Return the split pattern of add_split. Raises SplitPatternError."""
    if arguments.split_regex is not None:
        return custom_split_pattern(arguments.split_regex)
    return get_split_pattern(arguments.split or otherwise)


def add_by_line(parser: ArgumentParser) -> None:
    """Let a command split texts line by line."""
    parser.add_argument(
        "--by-line",
        action="store_true",
        default=None,  # as the other rules: not said
        help="split each line alone, as tokenizers' train([file]) does; otherwise whole texts",
    )


def add_replace_invalid(parser: ArgumentParser) -> None:
    """Let a command take bytes that are not UTF-8."""
    parser.add_argument(
        "--replace-invalid",
        action="store_true",
        help="replace bytes that are not UTF-8 by U+FFFD",
    )


def add_max_bytes(parser: ArgumentParser) -> None:
    """Let a command raise the limit of what it reads: see MOST_BYTES."""
    parser.add_argument(
        "--max-bytes",
        type=_byte_count,
        default=MOST_BYTES,
        metavar="N",
        help=f"read at most N bytes in all; otherwise {MOST_BYTES:,}",
    )


def _byte_count(written: str) -> int:
    if (number := whole_number(written)) < 0:
        raise ArgumentTypeError(f"{number} is below 0")
    return number


def read_texts(arguments: Namespace, streams: Streams) -> list[str]:
    """Return the text of the arguments, or of each file, or of standard input."""
    if arguments.text and arguments.file:
        raise UsageError("give the text as arguments or as --file, not both.")
    if arguments.text in ([], ["-"]):
        return list(texts_of_files(arguments.file, arguments, streams))
    # Python decodes the arguments by the locale; this gives the bytes that the person typed
    data = os.fsencode(" ".join(arguments.text))
    if len(data) > arguments.max_bytes:
        raise _too_long("the text given", arguments.max_bytes)
    return [_decode(data, "the text given", arguments)]


def count_files(arguments: Namespace, split: SplitPattern, streams: Streams, progress: Progress) -> Corpus:
    """Return the corpus of the files of add_files; a line of progress follows the counting."""
    progress.say("Counting pre-tokens …")
    counted = 0

    def say(characters: int) -> None:
        nonlocal counted
        counted += characters
        progress.say(f"Counting pre-tokens, {counted:,} characters …")

    for path in arguments.files:
        if path.endswith(RUN_SUFFIX):
            raise UsageError(f"{path} is a run, not a text. “bpeviz app {path}” opens it.")
    files = [streams.awaited_stdin() if path == "-" else path for path in arguments.files or ["-"]]
    return Corpus.from_files(files, split, errors=invalid_bytes(arguments), on_counted=say)


def texts_of_files(paths: Sequence[str], arguments: Namespace, streams: Streams) -> Iterator[str]:
    """Yield the text of each file; ``-``, or no file at all, is standard input."""
    total = 0
    for path in paths or ["-"]:
        if path == "-":
            name, data = "standard input", read_stdin(streams, arguments.max_bytes, total)
        else:
            with as_path(path).open("rb") as file:
                name, data = path, _read(file, path, arguments.max_bytes, total)
        total += len(data)
        yield _decode(data, name, arguments)


def read_stdin(streams: Streams, limit: int, before: int = 0) -> bytes:
    """All of standard input. Raises CorpusError if that and ``before`` are more than ``limit`` bytes."""
    return _read(streams.awaited_stdin(), "standard input", limit, before)


def _read(file: BinaryIO, name: str, limit: int, before: int) -> bytes:
    """All of a file, which may have no end: see read_stdin. Raises OSError that names the file."""
    parts: list[bytes] = []
    total = before
    with naming(name):
        while part := file.read(_PART):
            total += len(part)
            if total > limit:
                raise _too_long(name, limit)
            parts.append(part)
    return b"".join(parts)


def _decode(data: bytes, name: str, arguments: Namespace) -> str:
    return decode_utf8(data, name, invalid_bytes(arguments))


def invalid_bytes(arguments: Namespace) -> Errors:
    """Return what to do with bytes that are not UTF-8: see add_replace_invalid."""
    return "replace" if arguments.replace_invalid else "strict"


def add_tokenizer_split(parser: ArgumentParser, side: str = "") -> None:
    """Let a command take the split pattern of a tokenizer file; ``side`` is put before the options."""
    pattern = parser.add_mutually_exclusive_group()
    pattern.add_argument(f"--{side}split", metavar="NAME", help=SPLIT_HELP)
    pattern.add_argument(f"--{side}split-regex", metavar="REGEX", help="the same, as a custom pattern")


def load_tokenizer(name: str, *, split: str | None = None, split_regex: str | None = None) -> Tokenizer:
    """Return a pretrained tokenizer by its name, or the one in a file, in several with commas between them,
    or in a folder: see Tokenizer.load."""
    if not is_pretrained(name):
        pattern = None if split_regex is None else custom_split_pattern(split_regex)
        return DiskFiles().load(_paths(name), pattern or split)
    if split is not None or split_regex is not None:
        raise UsageError(f"{name} has its own split pattern: give no other.")
    return load_pretrained(name)


def tokenizer_files(name: str) -> dict[str, bytes]:
    """Return the files that load_tokenizer reads, by their names; none for a pretrained tokenizer."""
    return {} if is_pretrained(name) else DiskFiles().read(_paths(name))


def _paths(name: str) -> str | list[str]:
    """Return the path of a tokenizer, or several that have commas between them."""
    several = "," in name and not os.path.exists(name)  # noqa: PTH110 - Path refuses some texts
    return name.split(",") if several else name
