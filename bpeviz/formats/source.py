"""Files from anywhere: bytes to text, text to JSON, with limits on size and errors that say where.

JSON takes more memory than its text, an empty list twenty times as much. So the numbers of its values and
lines are limited, not only the number of bytes.

Code that finds a fault in a file raises FaultError; ``in_file`` adds the name of the file.
"""

import gzip
import io
import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from bpeviz.errors import TokenizerFileError
from bpeviz.text.file_kinds import BEGINNING, encoding_of, kind_of_file
from bpeviz.text.token_text import shorten

__all__ = [
    "MAX_FILE_BYTES",
    "MAX_JSON_VALUES",
    "MAX_LINES",
    "MAX_TOKEN_ID",
    "FaultError",
    "JsonObject",
    "check_no_hole",
    "check_size",
    "check_token_id",
    "check_utf8",
    "decode",
    "in_file",
    "kind",
    "lines",
    "parse_json",
    "read_limited",
    "shown",
    "split_merge",
    "unpacked",
    "unpacked_beginning",
]

#: As much as the page takes in one upload. The largest real files have some 35 million bytes.
MAX_FILE_BYTES = 64 * 2**20
#: Enough for the allowed numbers of tokens and merges, with each merge a list of two texts.
MAX_JSON_VALUES = 4_000_000
#: Enough for the allowed numbers of merges and special tokens.
MAX_LINES = 750_000
#: Above the ids of any real tokenizer, and low enough for an array with a number for each id.
MAX_TOKEN_ID = 2_500_000

_GZIP = b"\x1f\x8b"

Value = TypeVar("Value", dict[str, object], list[object], str, int, bool)

_KINDS = {
    dict: "an object",
    list: "a list",
    str: "a text",
    bool: "true or false",
    int: "a whole number",
    float: "a number with a point",
    type(None): "null",
}


class FaultError(Exception):
    """What is wrong with a file, in sentences that end with the remedy."""


@contextmanager
def in_file(name: str) -> Iterator[None]:
    """Turn a FaultError into a TokenizerFileError that names the file."""
    try:
        yield
    except FaultError as fault:
        raise TokenizerFileError(name, str(fault)) from None


def kind(value: object) -> str:
    """Return the kind of a JSON value, in words. The value itself may be too large to print."""
    return _KINDS.get(type(value), "something else")


def shown(token: str) -> str:
    """Return a token of a file as a message can quote it: short, and always printable."""
    return repr(shorten(token, 40))


def decode(data: bytes) -> str:
    """Return the text of a file, without a byte order mark. Raises FaultError."""
    if kind := kind_of_file(data[:BEGINNING]):
        raise FaultError(f"it is {kind.what}. {kind.remedy}")
    check_size(data)
    encoding, mark = encoding_of(data)
    try:
        return data.decode(encoding).removeprefix("\ufeff") if mark else data.decode()
    except UnicodeDecodeError as error:
        raise FaultError(
            f"it is not {encoding.upper()}: the byte at offset {error.start:,} cannot be decoded. Tokenizer "
            "files are text; save it as UTF-8, or check that it is the right file."
        ) from None


def unpacked(name: str, data: bytes) -> tuple[str, bytes]:
    """Return the name and the content of a file that is compressed by gzip, of a large one only enough to
    show that it is; any other file as it is. Raises FaultError."""
    if not data.startswith(_GZIP):
        return name, data
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
            return name.removesuffix(".gz"), file.read(MAX_FILE_BYTES + 1)
    except (OSError, EOFError, zlib.error):
        raise FaultError(
            "it is compressed by gzip, and damaged or cut off. Copy or download it again."
        ) from None


def unpacked_beginning(data: bytes) -> bytes:
    """Return the same of the beginning of a file, which may end anywhere."""
    if not data.startswith(_GZIP):
        return data
    with suppress(zlib.error):
        return zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(data, 100_000)
    return b""


def read_limited(path: Path) -> bytes:
    """Return the contents of a file; of one that is too large, only enough to show that it is."""
    with path.open("rb") as file:
        return file.read(MAX_FILE_BYTES + 1)


def check_size(data: bytes) -> None:
    """Raise FaultError if a file is too large."""
    if len(data) > MAX_FILE_BYTES:
        raise FaultError(
            f"it has {len(data):,} bytes or more; at most {MAX_FILE_BYTES:,} are read, more than any common "
            "tokenizer needs. Check that it is the right file."
        )


def parse_json(text: str) -> object:
    """Return the value of a JSON text. A key that is twice in an object is an error, and so is NaN.

    Raises FaultError.
    """
    if sum(map(text.count, ",[{")) > MAX_JSON_VALUES:
        raise FaultError(
            f"it holds more than {MAX_JSON_VALUES:,} JSON values, which is more than any common tokenizer "
            "needs. Check that it is the right file."
        )

    def distinct(pairs: list[tuple[str, object]]) -> dict[str, object]:
        made: dict[str, object] = {}
        for key, value in pairs:
            if key in made:
                raise FaultError(
                    f"the key {shown(key)} occurs twice in one JSON object. Remove one of the two."
                )
            made[key] = value
        return made

    def no_constant(constant: str) -> object:
        raise FaultError(f"it holds {constant}, which is not JSON. Write a whole number there.")

    try:
        value: object = json.loads(text, object_pairs_hook=distinct, parse_constant=no_constant)
    except RecursionError:
        raise FaultError(
            "its JSON is nested too deeply for a tokenizer. Check that it is the right file."
        ) from None
    except json.JSONDecodeError as error:
        raise FaultError(
            f"it is not valid JSON: {error.msg} at line {error.lineno:,}, column {error.colno:,}. "
            "It may have been cut off; copy or download it again."
        ) from None
    except ValueError:  # Python refuses to convert a number of more than 4,300 digits
        raise FaultError(
            "it holds a number of thousands of digits. Check that it is the right file."
        ) from None
    return value


def lines(text: str) -> list[tuple[int, str]]:
    """Return the lines of a text that are not empty, with their numbers from 1; only a newline ends a line.

    Raises FaultError.
    """
    if text.count("\n") > MAX_LINES:
        raise FaultError(
            f"it has more than {MAX_LINES:,} lines, which is more than any common tokenizer needs. "
            "Check that it is the right file."
        )
    numbered = enumerate((line.removesuffix("\r") for line in text.split("\n")), 1)
    return [(number, line) for number, line in numbered if line]


def split_merge(line: str, place: str) -> tuple[str, str]:
    """``"Ġ t"`` -> ``("Ġ", "t")``. Raises FaultError, which names the place."""
    parts = line.split(" ")
    if len(parts) != 2 or not all(parts):
        raise FaultError(
            f"{place} is {shown(line)}, which is not two tokens with one space between them. "
            "It may have been edited or cut off; export it again."
        )
    return parts[0], parts[1]


def check_token_id(token: str, value: object) -> int:
    """``value`` if it can be a token id. Raises FaultError."""
    if type(value) is not int:
        raise FaultError(
            f"the id of the token {shown(token)} is {kind(value)}. Ids must be whole numbers from 0 on."
        )
    if not 0 <= value <= MAX_TOKEN_ID:
        fault = "negative" if value < 0 else f"above {MAX_TOKEN_ID:,}"
        raise FaultError(f"the id of the token {shown(token)} is {fault}. Number the tokens from 0 on.")
    return value


def check_no_hole(what: str, tokens: Sequence[tuple[int, str]], remedy: str) -> None:
    """Raise FaultError if the ids of ``tokens``, in ascending order, have a gap."""
    for expected, (token_id, token) in enumerate(tokens, tokens[0][0] if tokens else 0):
        if token_id != expected:
            raise FaultError(
                f"the ids of its single {what} have a hole: {shown(token)} has {token_id:,} where "
                f"{expected:,} would be next. {remedy}"
            )


def check_utf8(text: str, what: str) -> None:
    """Raise FaultError, which says ``what`` the text is, if it has no UTF-8 form."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        why = f"{what} holds half of a surrogate pair, which UTF-8 cannot hold. Remove it."
        raise FaultError(why) from None


@dataclass(frozen=True)
class JsonObject:
    """An object of a JSON file: its ``values``, and its ``place`` in the file for errors."""

    place: str
    values: Mapping[str, object]

    def required(self, key: str, kind_of_value: type[Value]) -> Value:
        """Return the value of a required key. Raises FaultError if it is missing or of another type."""
        value = self.values.get(key)
        if type(value) is not kind_of_value:
            have = kind(value) if key in self.values else "missing"
            raise self.fault(f"{key} is {have}; it must be {_KINDS[kind_of_value]}")
        return value

    def optional(self, key: str, default: Value) -> Value:
        """Return the value of a key, or ``default`` if it is missing or null. Raises FaultError."""
        return default if self.values.get(key) is None else self.required(key, type(default))

    def inner(self, key: str) -> "JsonObject":
        """Return the object under a key. Raises FaultError."""
        return JsonObject(f"{self.place}.{key}".lstrip("."), self.required(key, dict))

    def objects(self, key: str) -> list["JsonObject"]:
        """Return the objects of the list under a key; a list that is missing is empty. Raises FaultError."""
        found: list[JsonObject] = []
        for i, item in enumerate(self.optional(key, [])):
            if not isinstance(item, dict):
                raise self.fault(f"{key}[{i}] is {kind(item)}; it must be an object")
            found.append(JsonObject(f"{self.place}.{key}[{i}]".lstrip("."), item))
        return found

    def fault(self, what: str, remedy: str = "Export the file again.") -> FaultError:
        """Return the error that says ``what`` is wrong at this place, and the remedy."""
        return FaultError(f"{self.place}: {what}. {remedy}".removeprefix(": "))
