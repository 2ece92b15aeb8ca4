r"""Merges in a file or a pasted text, as pairs of bytes in the order of the file.

    Ġ t                       a text: two tokens a line, a space or a tab between them
    left,right                CSV
    [["Ġ", "t"], …]           JSON: pairs of texts, of lists of bytes, or of ids
    [(b' ', b't'), …]         what Python prints
    {"model": {"merges": …}}  tokenizer.json

GPT-2's characters, such as Ġ, are turned back into bytes where a file uses them. A minbpe model, a .tiktoken
file and the others are read as tokenizers. A pickle is never opened.
"""

import ast
import csv
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO

from bpeviz.core.base_vocabulary import GPT2_BYTE_CHARACTERS
from bpeviz.errors import TokenizerFileError
from bpeviz.formats.bounds import MAX_TOKEN_BYTES, check_total
from bpeviz.formats.reading import read_tokenizer
from bpeviz.formats.source import FaultError, check_size, in_file, parse_json, shown, unpacked
from bpeviz.merge_check.rules import Halves
from bpeviz.text.file_kinds import BEGINNING, kind_of_file, kind_of_pickle
from bpeviz.text.utf8 import text_of
from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = ["PICKLE_LINES", "Merges", "read_merges"]

#: What turns a pickle into a text that can be read.
PICKLE_LINES = (
    "import pathlib, pickle\n"
    'merges = pickle.loads(pathlib.Path("merges.pkl").read_bytes())\n'
    'pathlib.Path("merges.txt").write_text(ascii(list(merges)))'
)
#: Python's own texts take a hundred times their size in memory while they are read.
MOST_PYTHON = 4_000_000

#: A half of a merge in a file: a text, the bytes, or an id.
Half = str | bytes | int
Pairs = list[tuple[Half, Half]]

#: Lists and dictionaries, and those of Python that JSON doesn't know: with bytes, tuples or single quotes.
_STRUCTURED = re.compile(r"\s*[\[{(]\s*[\[{(\"'b\]}0-9]")
_PYTHON = re.compile(r"\s*[\[{(][\[{(\s]*(?:b['\"]|'|(?<=\())")
_LITERAL = r"b?(?:'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")"
_LITERALS = re.compile(rf"\(?\s*({_LITERAL})\s*,?\s*({_LITERAL})\s*\)?,?")
_TWO_TOKENS = re.compile(r"\S+ \S+")
_RANK = re.compile(r"[A-Za-z0-9+/]+=* \d{1,9}")
_COUNTED = re.compile(r"\S+ \S+ \d+")
_HEADS = {"left", "right", "first", "second", "a", "b", "token_a", "token_b", "token1", "token2"}
_BYTE_OF = {character: value for value, character in enumerate(GPT2_BYTE_CHARACTERS)}
_SUBSTITUTES = {character for character in GPT2_BYTE_CHARACTERS if character > "\xff"}
_WHAT = (
    "Give two tokens a line with a space between them, CSV, a JSON list of pairs, a tokenizer.json or a "
    "minbpe .model file."
)


@dataclass(frozen=True)
class Merges:
    """Merges that were read: pairs of bytes, an id as its digits; and the ``format`` in words."""

    halves: tuple[Halves, ...]
    format: str


def read_merges(files: Mapping[str, bytes]) -> Merges:
    """Return the merges in a file, or in the one of several that holds them; the others, such as vocab.json
    beside merges.txt, are not used. Raises TokenizerFileError."""
    faults: list[TokenizerFileError] = []
    for name, data in files.items():
        try:
            with in_file(name):
                if len(files) == 1 or not _is_vocabulary(data):
                    return _read(name, *unpacked(name, data))
        except TokenizerFileError as error:
            faults.append(error)
    raise next(iter(faults), TokenizerFileError(" and ".join(files) or "no file", f"no merges. {_WHAT}"))


def _is_vocabulary(data: bytes) -> bool:
    """Return whether a file is GPT-2's vocab.json, or another object without merges."""
    return data.lstrip()[:1] == b"{" and b'"merges"' not in data


def _read(given: str, name: str, data: bytes) -> Merges:
    _refuse_pickle(data)
    check_size(data)
    text = text_of(data.removeprefix(b"\xef\xbb\xbf"))
    lines = [] if text is None else _lines(text)
    if text is None or text.startswith("minbpe v") or _is_ranks(lines):
        kind = kind_of_file(data[:BEGINNING])
        if kind is not None and not data.startswith(b"GGUF"):
            raise FaultError(f"it is {kind.what}. {kind.remedy}")
        return _of_tokenizer(given, data)
    if not lines:
        raise FaultError(f"it is empty. {_WHAT}")
    if all(_LITERALS.fullmatch(line.strip()) for line in lines):
        return _made(_of_literals(lines), "Python's own text")
    if _STRUCTURED.match(text):
        try:
            return _of_structure(given, data, text)
        except FaultError:
            if len(lines) < 2 or not all(map(_TWO_TOKENS.fullmatch, lines)):
                raise  # else it only begins so: a merge may be of two brackets
    return _of_text(name, text, lines)


def _of_structure(given: str, data: bytes, text: str) -> Merges:
    if _PYTHON.match(text):
        return _made(_of_python(text), "Python's own text")
    return _of_json(given, data, parse_json(text))


def _of_text(name: str, text: str, lines: Sequence[str]) -> Merges:
    if name.endswith(".csv") or _is_csv(lines):
        return _made(_of_csv(text), "CSV")
    return _made(_of_lines(lines), "text")


def _refuse_pickle(data: bytes) -> None:
    kind = kind_of_file(data[:BEGINNING])
    pickled = kind is not None and kind.what in ("a pickle of Python", "a checkpoint of PyTorch")
    if pickled or kind_of_pickle(data):
        raise FaultError(
            "it is a pickle of Python. Opening one can run any program in it, so bpeviz never does. These "
            f"three lines turn your own into a text:\n{PICKLE_LINES}"
        )


def _is_ranks(lines: Sequence[str]) -> bool:
    """Return whether lines are a .tiktoken file: tokens in base64 with ranks that count up."""
    if not all(map(_RANK.fullmatch, lines[:300])):
        return False
    ranks = [line.rpartition(" ")[2] for line in lines[:300]]
    return len(ranks) > 1 and all(int(rank) == place for place, rank in enumerate(ranks, int(ranks[0])))


def _of_tokenizer(name: str, data: bytes) -> Merges:
    tokenizer = read_tokenizer({name: data}, split="gpt2")
    return Merges(tuple(_halves_of(tokenizer)), "tokenizer")


def _halves_of(tokenizer: Tokenizer) -> Iterable[Halves]:
    for pair in tokenizer.merges:
        if pair is not None:
            yield tokenizer.token_bytes(pair[0]), tokenizer.token_bytes(pair[1])


# --- JSON and Python ---------------------------------------------------------------------------------------


def _of_json(name: str, data: bytes, value: object) -> Merges:
    if isinstance(value, dict):
        model = value.get("model")
        listed = model.get("merges") if isinstance(model, dict) else value.get("merges")
        if not isinstance(listed, list):
            return _of_tokenizer(name, data)
        written = data.decode("utf-8", "replace")
        if '"Metaspace"' in written:
            return _made(_pairs(listed), "tokenizer.json", lambda half: half.replace("▁", " ").encode())
        return _made(_pairs(listed), "tokenizer.json" if isinstance(model, dict) else "JSON")
    if isinstance(value, list):
        return _made(_pairs(value), "JSON")
    raise FaultError(f"its JSON is no list of merges. {_WHAT}")


def _of_python(text: str) -> Pairs:
    if len(text) > MOST_PYTHON:
        raise FaultError(
            f"it has {len(text):,} characters of Python's own text; at most {MOST_PYTHON:,} are read. Save "
            "the merges as JSON."
        )
    try:
        value = ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        raise FaultError(f"it looks like Python's own text, but it is no list of pairs. {_WHAT}") from None
    listed = list(value) if isinstance(value, list | tuple | dict) else []
    if len(listed) == 2 and all(isinstance(half, bytes) for half in listed):
        listed = [tuple(listed)]  # one line: b'a', b'b'
    return _pairs(listed)


def _pairs(listed: Sequence[object]) -> Pairs:
    check_total(merges=len(listed))
    return [_pair(rank, item) for rank, item in enumerate(listed, 1)]


def _pair(rank: int, item: object) -> tuple[Half, Half]:
    if isinstance(item, dict):
        item = item.get("pair")  # as “LLMs from scratch” saves them
    if isinstance(item, str):
        item = item.split(" ") if item.count(" ") == 1 else None
    if isinstance(item, list | tuple) and len(item) == 2:
        left, right = map(_half, item)
        if left is not None and right is not None:
            return left, right
    raise FaultError(f"merge {rank:,} is no pair of tokens. {_WHAT}")


def _half(half: object) -> Half | None:
    """Return a half: a text, bytes, an id, or a list of byte values or characters."""
    if isinstance(half, str | bytes) or (isinstance(half, int) and not isinstance(half, bool) and half >= 0):
        return half
    if isinstance(half, list | tuple):
        if half and all(type(value) is int and 0 <= value < 256 for value in half):
            return bytes(half)
        if half and all(isinstance(value, str) for value in half):
            return "".join(half)
    return None


# --- lines and CSV -----------------------------------------------------------------------------------------


def _lines(text: str) -> list[str]:
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    if lines and lines[0].startswith("#version"):
        del lines[0]
    return [line for line in lines if line]


def _of_literals(lines: Sequence[str]) -> Pairs:
    """Return the pairs of lines such as b' t' b'h'."""
    found = [match.groups() for line in lines if (match := _LITERALS.fullmatch(line.strip()))]
    pairs = (f"({left},{right})" for left, right in found)
    return _of_python(f"[{','.join(pairs)}]")


def _of_lines(lines: Sequence[str]) -> Pairs:
    check_total(merges=len(lines))
    if all("\t" in line.strip("\t") for line in lines):
        return [_two(number, line.split("\t")[:2]) for number, line in enumerate(lines, 1)]
    if all(map(_COUNTED.fullmatch, lines)):
        return [_two(number, line.split(" ")[:2]) for number, line in enumerate(lines, 1)]
    made: set[str] = set()
    pairs: Pairs = []
    for number, line in enumerate(lines, 1):
        left, right = _cut(number, line, made)
        made.add(left + right)
        pairs.append((left, right))
    return pairs


def _cut(number: int, line: str, made: set[str]) -> tuple[str, str]:
    """Cut a line at the space between two tokens, which may have spaces too: both are single characters or
    made before."""
    cuts = [(line[:i], line[i + 1 :]) for i, character in enumerate(line) if character == " "]
    cuts = [(left, right) for left, right in cuts if left and right]
    if len(cuts) > 1:
        known = [cut for cut in cuts if all(len(half) == 1 or half in made for half in cut)]
        cuts = known or [cut for cut in cuts if " " not in cut[0].strip(" ") + cut[1].strip(" ")]
    if not cuts:
        raise FaultError(
            f"line {number:,} is {shown(line)}, not two tokens with a space between them. If tokens have "
            "spaces or line ends, write them as Python prints bytes: b' t' b'h'."
        )
    return cuts[0]


def _two(number: int, parts: Sequence[str]) -> tuple[Half, Half]:
    if len(parts) < 2 or not parts[0] or not parts[1]:
        raise FaultError(f"line {number:,} has no two tokens. {_WHAT}")
    return parts[0], parts[1]


def _is_csv(lines: Sequence[str]) -> bool:
    """Return whether a text without a name is CSV: no line is two tokens with a space, all have a comma."""
    first = lines[:50]
    if [cell.strip().lower() for cell in first[0].split(",")][:2] == ["left", "right"]:
        return True
    return all("," in line[1:-1] for line in first) and not all(_TWO_TOKENS.fullmatch(line) for line in first)


def _of_csv(text: str) -> Pairs:
    dialect = csv.excel_tab if "\t" in text and "," not in text else csv.excel
    try:
        rows = [row for row in csv.reader(StringIO(text, newline=""), dialect) if row]
    except csv.Error as error:
        raise FaultError(f"it is not valid CSV: {error}. {_WHAT}") from None
    check_total(merges=len(rows))
    head = [cell.strip().lower() for cell in rows[0]] if rows else []
    columns = [place for place, cell in enumerate(head) if cell in _HEADS]
    if len(columns) >= 2:
        del rows[0]
    elif rows and len(head) > 2 and all(row[0].isdigit() for row in rows):
        columns = [1, 2]  # the first one counts
    else:
        columns = [0, 1]
    width = max(columns[:2]) + 1
    return [
        _two(number, [row[columns[0]], row[columns[1]]] if len(row) >= width else [])
        for number, row in enumerate(rows, 1)
    ]


# --- to bytes ----------------------------------------------------------------------------------------------


def _made(pairs: Pairs, format: str, encode: Callable[[str], bytes] | None = None) -> Merges:
    """Return merges as bytes. ``encode`` turns texts into bytes; by default GPT-2's characters are turned
    back if the texts use them."""
    if not pairs:
        raise FaultError(f"it has no merges. {_WHAT}")
    texts = [half for pair in pairs for half in pair if isinstance(half, str)]
    if encode is None:
        encode = _from_gpt2 if texts and _uses_gpt2_characters(texts) else _in_utf8
    halves = tuple((_bytes(left, encode), _bytes(right, encode)) for left, right in pairs)
    longest = max(len(half) for pair in halves for half in pair)
    if longest > MAX_TOKEN_BYTES:
        raise FaultError(f"a token has {longest:,} bytes; at most {MAX_TOKEN_BYTES:,} are read.")
    return Merges(halves, format)


def _bytes(half: Half, encode: Callable[[str], bytes]) -> bytes:
    if isinstance(half, bytes):
        return half
    return str(half).encode() if isinstance(half, int) else encode(half)


def _in_utf8(half: str) -> bytes:
    return half.encode("utf-8", "surrogatepass")


def _from_gpt2(half: str) -> bytes:
    return bytes(map(_BYTE_OF.__getitem__, half))


def _uses_gpt2_characters(texts: Sequence[str]) -> bool:
    """Return whether texts are in GPT-2's characters: all are, and some has one that no other text has."""
    used = set().union(*texts)
    if not used <= _BYTE_OF.keys():
        return False
    if used & _SUBSTITUTES:
        return True
    apart = [_from_gpt2(text) for text in texts if not text.isascii()]
    return any(len(half) > 1 and text_of(half) is not None for half in apart)
