"""encode: the token ids of texts, a line for each text."""

import json
from argparse import Namespace
from collections.abc import Callable, Sequence
from typing import Literal, get_args

from bpeviz.cli.inputs import (
    TOKENIZER_OR_GPT2_HELP,
    add_text,
    add_tokenizer_split,
    load_tokenizer,
    read_texts,
)
from bpeviz.cli.parser import CommandParser, Commands
from bpeviz.cli.streams import Streams
from bpeviz.standalone.token_rows import row_of, tokens_in_terminal
from bpeviz.text.token_text import hex_bytes, visible
from bpeviz.text.utf8 import text_of
from bpeviz.tokenizer.encoder import EncodingOrder
from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = ["add_parser", "run", "token_object"]

#: How many ids to write at once.
_IDS = 10_000


def add_parser(commands: Commands) -> CommandParser:
    parser = commands.add_parser("encode", help="texts to token ids", description=__doc__)
    add_text(parser)
    parser.add_argument("--tokenizer", default="gpt2", metavar="NAME_OR_PATH", help=TOKENIZER_OR_GPT2_HELP)
    add_tokenizer_split(parser)
    parser.add_argument(
        "--allowed-special",
        action="append",
        default=[],
        metavar="TOKEN",
        help="treat this special token in the text as one token; all takes every one; repeatable",
    )
    parser.add_argument("--order", choices=get_args(EncodingOrder), default="merge-rank", help="of merges")
    shape = parser.add_mutually_exclusive_group()
    shape.add_argument("--tokens", action="store_true", help="print one id and its token per line")
    shape.add_argument("--json", action="store_true", help="print one object with ids and tokens per line")
    shape.add_argument("--color", action="store_true", help="print the tokens in colour, for a terminal")
    return parser


def run(arguments: Namespace, streams: Streams) -> int:
    tokenizer = load_tokenizer(arguments.tokenizer, split=arguments.split, split_regex=arguments.split_regex)
    special = arguments.allowed_special
    allowed: list[str] | Literal["all"] = "all" if "all" in special else special
    for text in read_texts(arguments, streams):
        ids = tokenizer.encode(text, allowed_special=allowed, order=arguments.order)
        if arguments.json:
            streams.write('{"ids": [')
            _write_list(streams, ", ", ids, str)
            streams.write('], "tokens": [')
            _write_list(streams, ", ", ids, lambda i: json.dumps(token_object(tokenizer, i)))
            streams.write("]}\n")
        elif arguments.color:
            for part in tokens_in_terminal(row_of(ids, tokenizer.token_bytes)):
                streams.write(part)
        elif arguments.tokens:
            width = len(f"{max(ids, default=0)}")
            streams.write_lines(f"{i:>{width}}  {visible(tokenizer.token_bytes(i))}" for i in ids)
        else:
            _write_list(streams, " ", ids, str)
            streams.write("\n")
    return 0


def _write_list(streams: Streams, between: str, ids: Sequence[int], written: Callable[[int], str]) -> None:
    """Write a list in parts: as one string it takes more memory than the text and its ids."""
    for start in range(0, len(ids), _IDS):
        streams.write(between if start else "")
        streams.write(between.join(map(written, ids[start : start + _IDS])))


def token_object(tokenizer: Tokenizer, token_id: int) -> dict[str, object]:
    """Return a token for JSON: its text (null if its bytes are not whole characters) and its bytes."""
    token = tokenizer.token_bytes(token_id)
    return {"id": token_id, "text": text_of(token), "bytes": hex_bytes(token)}
