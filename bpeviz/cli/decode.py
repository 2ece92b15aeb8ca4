r"""decode: the bytes that token ids spell, exactly; on a terminal, with control characters made visible."""

import re
from argparse import Namespace
from collections.abc import Iterator

from bpeviz.cli.inputs import TOKENIZER_OR_GPT2_HELP, add_max_bytes, load_tokenizer, read_stdin
from bpeviz.cli.parser import CommandParser, Commands
from bpeviz.cli.streams import Streams, printable
from bpeviz.errors import BpevizError
from bpeviz.formats.pretrained import is_pretrained
from bpeviz.text.token_text import hex_bytes, shorten
from bpeviz.text.utf8 import decode_utf8
from bpeviz.tokenizer.id_list import id_words

__all__ = ["add_parser", "read_ids", "run"]

_ID = re.compile(r"[+-]?[0-9]{1,18}")


def add_parser(commands: Commands) -> CommandParser:
    parser = commands.add_parser("decode", help="token ids to bytes", description=__doc__)
    parser.add_argument(
        "ids", nargs="*", metavar="ID", help="with spaces, commas or brackets; none or - is standard input"
    )
    parser.add_argument("--tokenizer", default="gpt2", metavar="NAME_OR_PATH", help=TOKENIZER_OR_GPT2_HELP)
    parser.add_argument("--json", action="store_true", help="print an object with ids, text and bytes")
    add_max_bytes(parser)
    return parser


def run(arguments: Namespace, streams: Streams) -> int:
    name = arguments.tokenizer
    # decoding needs no split pattern, so a file that says none gets any
    tokenizer = load_tokenizer(name, split=None if is_pretrained(name) else "none")
    written = " ".join(arguments.ids)
    if arguments.ids in ([], ["-"]):
        written = decode_utf8(read_stdin(streams, arguments.max_bytes), "standard input")
    ids = list(read_ids(written))
    data = tokenizer.decode_bytes(ids)
    if arguments.json:
        streams.write_json({"ids": ids, "text": data.decode("utf-8", "replace"), "bytes": hex_bytes(data)})
    elif streams.stdout.isatty():
        streams.write_lines([printable(data.decode("utf-8", "backslashreplace"), keep="\n\t")])
    else:
        streams.write_bytes(data)
    return 0


def read_ids(written: str) -> Iterator[int]:
    """``"[15496, 995]"`` -> 15496, 995. Raises BpevizError for anything that is not a whole number."""
    for word in id_words(written):
        if not _ID.fullmatch(word):
            raise BpevizError(
                f"“{shorten(word, 24)}” is not a token id. Give whole numbers, such as 15496 995."
            )
        yield int(word)
