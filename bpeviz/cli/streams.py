r"""The three streams of a command: bytes in UTF-8, whatever the locale.

    printable("a\x1b[31mb")  ->  "a\u001b[31mb"

A terminal obeys control characters. Text from a person or a file reaches it only through ``printable`` or
``token_text.visible``.
"""

import io
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import BinaryIO

__all__ = ["STANDARD_OUTPUT", "Streams", "naming", "printable", "standard_streams", "summary_lines", "table"]

#: Its name in errors.
STANDARD_OUTPUT = "standard output"


@dataclass(frozen=True)
class Streams:
    """Standard input, output and error of a command."""

    stdin: BinaryIO
    stdout: BinaryIO
    stderr: BinaryIO

    def awaited_stdin(self) -> BinaryIO:
        """Return standard input; on a terminal, after a line that says that the command waits for it."""
        if self.stdin.isatty() and self.stderr.isatty():
            end = "Ctrl+Z, Enter" if sys.platform == "win32" else "Ctrl+D"
            self.stderr.write(f"\rReading from the terminal; end with {end}.\n".encode())
            self.stderr.flush()
        return self.stdin

    def write(self, text: str) -> None:
        """Write text to standard output."""
        self.write_bytes(text.encode("utf-8", "backslashreplace"))

    def write_bytes(self, data: bytes) -> None:
        """Write bytes to standard output."""
        with naming(STANDARD_OUTPUT):
            self.stdout.write(data)

    def flush(self) -> None:
        """Flush standard output."""
        with naming(STANDARD_OUTPUT):
            self.stdout.flush()

    def write_lines(self, lines: Iterable[str]) -> None:
        """Write lines to standard output."""
        for line in lines:
            self.write(f"{line}\n")

    def write_json(self, value: object) -> None:
        """Write one line of JSON in ASCII, so that control characters are escapes."""
        self.write(f"{json.dumps(value)}\n")

    def tell(self, message: str) -> None:
        """Write one line to standard error, if anybody is left to read it."""
        with suppress(OSError):
            self.stderr.write(f"bpeviz: {printable(message)}\n".encode())
            self.stderr.flush()


def standard_streams(
    stdin: BinaryIO | None = None, stdout: BinaryIO | None = None, stderr: BinaryIO | None = None
) -> Streams:
    """Return the given streams, and those of this process for the others; a closed one reads and writes
    nothing."""
    return Streams(
        stdin or (sys.stdin.buffer if sys.stdin else io.BytesIO()),
        stdout or (sys.stdout.buffer if sys.stdout else io.BytesIO()),
        stderr or (sys.stderr.buffer if sys.stderr else io.BytesIO()),
    )


@contextmanager
def naming(name: str) -> Iterator[None]:
    """Add the file's name to an OSError."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), name) from None


def printable(text: str, keep: str = "") -> str:
    """``text`` with unprintable characters as escapes, except those to ``keep``."""
    return "".join(c if c.isprintable() or c in keep else f"\\u{ord(c):04x}" for c in text)


def table(rows: Iterable[Sequence[str]]) -> list[str]:
    """Lines in which the columns of ``rows`` are aligned."""
    rows = list(rows)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]


def summary_lines(summary: Mapping[str, object]) -> list[str]:
    """Return the lines of a summary: a name and a value each, without missing values."""
    return table(_summary_rows(summary))


def _summary_rows(summary: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    for name, value in summary.items():
        match value:
            case None | []:
                continue
            case True:
                shown = "yes"
            case float():
                shown = f"{value:.3f}"
            case int():
                shown = f"{value:,}"
            case list():
                shown = " ".join(map(str, value))
            case _:
                shown = str(value)
        yield name.replace("_", " "), printable(shown)
