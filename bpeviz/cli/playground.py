"""playground: one HTML page that trains on any text in the browser. It needs no server and no network."""

from argparse import Namespace
from pathlib import Path

from bpeviz.cli.outputs import check_place, write_whole
from bpeviz.cli.parser import CommandParser, Commands
from bpeviz.cli.streams import Streams, printable
from bpeviz.standalone.options import THEMES

__all__ = ["add_parser", "run"]


def add_parser(commands: Commands) -> CommandParser:
    parser = commands.add_parser(
        "playground", help="a page that trains on any text, without a server", description=__doc__
    )
    parser.add_argument(
        "--out",
        metavar="PATH",
        required=True,
        help="the page, such as playground.html; or a folder/ for a web server",
    )
    parser.add_argument(
        "--theme", choices=THEMES, default="auto", help="otherwise that of the reader's system"
    )
    return parser


def run(arguments: Namespace, streams: Streams) -> int:
    out = Path(arguments.out)
    in_folder = arguments.out.endswith("/") or out.is_dir()
    check_place(out, folder=in_folder, device=not in_folder)
    from bpeviz.standalone.playground import write_playground, write_playground_folder  # they import pandas

    if not in_folder:
        files = {out: write_playground(arguments.theme).encode("utf-8")}
    else:
        files = {out / name: data for name, data in write_playground_folder(arguments.theme).items()}
        out.mkdir(parents=True, exist_ok=True)
    for path, data in files.items():
        check_place(path, device=True)
        write_whole(path, data)
        streams.write_lines([f"{printable(str(path))}: {len(data):,} bytes"])
    return 0
