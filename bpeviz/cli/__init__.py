"""The command line: ``bpeviz app``, ``train``, ``count``, ``encode`` and the others.

    0    done                                  1    it could not be done: one line says why
    2    the command was written wrongly       3    parity, check: there is nothing to compare
    130  stopped with Ctrl+C

``python -m bpeviz`` is the same. Each command has a file: ``add_parser`` says what it takes, ``run`` runs it.
Streams are parameters, so tests run in the same process. The library does the work; a command calls it and
prints the result.
"""

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from io import StringIO
from typing import Any, BinaryIO, cast

from bpeviz import __version__
from bpeviz.cli import (
    app,
    audit,
    check,
    compare,
    count,
    decode,
    encode,
    parity,
    player,
    playground,
    recipes,
    train,
    trim,
)
from bpeviz.cli.parser import CommandParser, UsageError
from bpeviz.cli.streams import STANDARD_OUTPUT, Streams, standard_streams
from bpeviz.errors import BpevizError, CorpusWarning, TokenizerFileWarning

__all__ = ["main"]

DONE, FAILED, MISUSED = 0, 1, 2
_WARNINGS = (CorpusWarning, TokenizerFileWarning)
_COMMANDS = (
    app,
    train,
    count,
    encode,
    decode,
    compare,
    audit,
    trim,
    player,
    playground,
    recipes,
    check,
    parity,
)


def main(
    argv: Sequence[str] | None = None,
    stdin: BinaryIO | None = None,
    stdout: BinaryIO | None = None,
    stderr: BinaryIO | None = None,
    *,
    program: str = "python -m bpeviz",
) -> int:
    """Run one command and return its exit code. Arguments and streams default to those of this process;
    ``program`` is the name of the command line in help and errors. Raises KeyboardInterrupt after Ctrl+C."""
    streams = standard_streams(stdin, stdout, stderr)
    try:
        code = _run(argv, streams, program)
        streams.flush()
        return code
    except BpevizError as error:
        return _fail(streams, str(error), MISUSED if isinstance(error, UsageError) else FAILED)
    except OSError as error:
        if isinstance(error, BrokenPipeError) and error.filename in (None, STANDARD_OUTPUT):
            return FAILED  # the reader has closed the pipe, as head does
        where = f"{error.filename}: " if error.filename is not None else ""
        return _fail(streams, f"{where}{error.strerror or error}.", FAILED)
    except MemoryError:
        return _fail(streams, "memory ran out. Give a shorter text, or fewer files at once.", FAILED)


def _run(argv: Sequence[str] | None, streams: Streams, program: str) -> int:
    help_text = StringIO()
    try:
        with redirect_stdout(help_text):  # argparse prints its help itself
            arguments = _parser(program).parse_args(argv)
    except SystemExit:
        streams.write(help_text.getvalue())
        return DONE
    with _warnings_printed(streams):
        code: int = arguments.run(arguments, streams)
    return code


@contextmanager
def _warnings_printed(streams: Streams) -> Iterator[None]:
    """Print our warnings as lines on standard error."""
    with warnings.catch_warnings():
        for ours in _WARNINGS:
            warnings.simplefilter("always", ours)
        show = warnings.showwarning

        def print_line(message: Warning | str, category: type[Warning], *where: Any) -> None:
            if issubclass(category, _WARNINGS):
                streams.tell(str(message))
            else:
                show(message, category, *where)

        warnings.showwarning = cast(Any, print_line)
        yield


def _parser(program: str) -> CommandParser:
    parser = CommandParser(
        prog=program,
        description="Train byte-pair tokenizers by the rules of many trainers; encode, decode, compare.",
        epilog="Run a command with --help for more.",
    )
    parser.add_argument("--version", action="version", version=f"bpeviz {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for command in _COMMANDS:
        command.add_parser(commands).set_defaults(run=command.run)
    return parser


def _fail(streams: Streams, message: str, code: int) -> int:
    streams.tell(message)
    return code
