"""app: open the page, for this machine alone."""

import errno
import os
import socket
from argparse import ArgumentTypeError, Namespace
from pathlib import Path

from bpeviz.cli.inputs import RUN_SUFFIX
from bpeviz.cli.parser import CommandParser, Commands, UsageError, whole_number
from bpeviz.cli.streams import Streams, naming
from bpeviz.corpus.corpus_files import CorpusFiles
from bpeviz.errors import ServerSettingError
from bpeviz.limits import HOSTED, limits
from bpeviz.text.file_names import as_path

__all__ = ["add_parser", "run"]

_FIRST_PORT = 8501
_TRIED_PORTS = 100


def add_parser(commands: Commands) -> CommandParser:
    parser = commands.add_parser(
        "app",
        help="open the page",
        description="Serve the page to this machine alone, and open it in a browser. Ctrl+C stops it.",
        epilog="STREAMLIT_SERVER_HEADLESS=true in the environment opens no browser.",
    )
    parser.add_argument(
        "files",
        nargs="*",
        type=Path,
        metavar="FILE",
        help="texts to offer as a corpus, of any size; or one run that train or the page saved: run.bpeviz",
    )
    parser.add_argument(
        "--port",
        type=_port,
        default=os.environ.get("STREAMLIT_SERVER_PORT") or None,
        metavar="N",
        help=f"the port to serve it on; otherwise the first free one from {_FIRST_PORT}",
    )
    return parser


def run(arguments: Namespace, streams: Streams) -> int:
    if arguments.files and limits().hosted:
        raise UsageError(f"This is a public server ({HOSTED}), so it can't open files. Leave them out.")
    runs = [file for file in arguments.files if file.suffix == RUN_SUFFIX]
    texts = [file for file in arguments.files if file.suffix != RUN_SUFFIX]
    if len(runs) > 1:
        raise UsageError(f"The page opens one run: give one file that ends in {RUN_SUFFIX}.")
    files = CorpusFiles.of(texts) if texts else None
    port = _first_free_port() if arguments.port is None else arguments.port
    _try(port)
    # only this command imports Streamlit
    from bpeviz.ui.server.launch import serve
    from bpeviz.ui.session.saving import save_file

    query = f"?{save_file(_contents(runs[0]), runs[0].name)}" if runs else ""
    if query:
        streams.write_lines([f"{runs[0].name} opens at http://localhost:{port}/{query}"])
        streams.flush()
    return serve(port, files, query)


def _contents(path: Path) -> bytes:
    """Return a file, or as much of it as shows that it is too large. Raises OSError that names the file."""
    with naming(str(path)), as_path(path).open("rb") as file:
        return file.read(limits().max_upload_bytes + 1)


def _port(written: str) -> int:
    """``"8501"`` -> 8501."""
    port = whole_number(written)
    if not 1 <= port <= 65535:
        raise ArgumentTypeError(f"{written!r} is not a port. Give a number from 1 to 65535")
    return port


def _first_free_port() -> int:
    for port in range(_FIRST_PORT, _FIRST_PORT + _TRIED_PORTS):
        try:
            _try(port)
        except ServerSettingError:
            continue
        return port
    return _FIRST_PORT


def _try(port: int) -> None:
    """Listen on a port of this machine for a moment. Raises ServerSettingError."""
    with socket.socket() as tried:
        if os.name != "nt":  # on Windows it would let two programs share a port
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            tried.bind(("localhost", port))
            tried.listen()
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise _unusable(port, "is in use") from None
            raise _unusable(port, f"can't be used: {error.strerror}") from None


def _unusable(port: int, why: str) -> ServerSettingError:
    return ServerSettingError(f"Port {port} {why}. Give another one with --port.")
