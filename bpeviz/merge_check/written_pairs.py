r"""Pairs as people write them: in JSON, as Python prints them, two tokens a line, in CSV, in logs.

written_pairs("merges.txt", "  t\n t h", ["  t", " t h"])    ->  [(" ", "t"), (" t", "h")]
written_pairs("pasted", "[(b'a', b'b')]", …)                 ->  [(b"a", b"b")]
"""

import ast
import csv
import re
from collections.abc import Sequence
from io import StringIO

from bpeviz.formats.bounds import MAX_TOKEN_BYTES, check_total
from bpeviz.formats.source import FaultError, parse_json, shown

__all__ = ["WHAT", "Half", "Pairs", "lines_of", "written_pairs"]

#: A half of a merge in a file: a text, the bytes, or an id.
Half = str | bytes | int
Pairs = list[tuple[Half, Half]]

#: What can be read, to end a message.
WHAT = (
    "Give two tokens a line with a space between them, CSV, a JSON list of pairs, a tokenizer.json or a "
    "minbpe .model file."
)
#: Python's own texts take a hundred times their size in memory while they are read.
MOST_PYTHON = 4_000_000
#: Above all ids.
MOST_ID = 2**31
#: More spaces in a line are not between and in two tokens.
MOST_SPACES = 200

_LITERAL = r"b?(?:'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")"
#: A line with two tokens as Python prints them.
_LITERALS = re.compile(rf"\(?\s*({_LITERAL})(?:\s*,)?\s*({_LITERAL})\s*\)?,?")
#: A line of minbpe's log, and of others that name two ids and the new one.
_LOG = re.compile(r"[^(\[{]*\((\d{1,9}), (\d{1,9})\)(?:\s*(?:->|=>|→|into|to|:|=)\s*\d.*)?,?")
_MINBPE_LOG = re.compile(r"merge \d+/\d+: \((\d{1,9}), (\d{1,9})\) -> \d.*")
#: What Python prints before dictionaries and parts of them.
_CLASSES = r"(?:Counter|OrderedDict|defaultdict|dict_keys|dict_items|mappingproxy|deque)"
_CLASS = re.compile(rf"\s*({_CLASSES})\((?:<[^>]*>,|None,)?(.*)\)\s*", re.DOTALL)
#: Lists and dictionaries, and those of Python that JSON doesn't know: with bytes, tuples or single quotes.
_STRUCTURED = re.compile(rf"\s*(?:[\[{{(]\s*[\[{{(\"'b\]}}0-9]|{_CLASSES}\()")
_PYTHON = re.compile(rf"\s*(?:[\[{{(][\[{{(\s]*(?:b['\"]|'|(?<=\())|{_CLASSES}\()")
_YAML = re.compile(r"\s*-\s+(?:\[.*,.*\]|\S+ \S+|([\"']).*\1)|---|merges:")
_COUNTED = re.compile(r"\S+ \S+ \d+")
_HEADS = {"left", "right", "first", "second", "token_a", "token_b", "token1", "token2"}


def lines_of(text: str) -> list[str]:
    """Return the lines that are not empty, without a heading."""
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    if lines and lines[0].startswith("#version"):
        del lines[0]
    return [line for line in lines if line]


def written_pairs(name: str, text: str, lines: Sequence[str]) -> Pairs | None:
    """Return the pairs in a file with that name, text and lines; None for a JSON object without merges, such
    as a tokenizer's. Raises FaultError."""
    if pairs := _of_growing(lines):
        return pairs  # before all formats that begin so: a merge may be of two brackets
    if all(map(_YAML.fullmatch, lines)):
        raise FaultError(
            "it is YAML, which isn't read here. Save the merges as JSON: json.dump(merges, file)."
        )
    if pairs := _of_log(lines):
        return pairs
    literals = [_LITERALS.fullmatch(line.strip()) for line in lines]
    if all(literals):
        return _of_python(f"[{','.join(f'({two[1]},{two[2]})' for two in literals if two)}]")
    if _STRUCTURED.match(text):
        return _of_python(text) if _PYTHON.match(text) else _of_json(parse_json(text))
    if name.endswith((".csv", ".tsv")) or len(_heads(lines[0].split(","))) > 1:
        return _of_csv(text)
    return _of_lines(lines)


# --- JSON and Python ---------------------------------------------------------------------------------------


def _of_json(value: object) -> Pairs | None:
    keys = list(value) if isinstance(value, dict | list) else []
    if keys and all(isinstance(key, str) and key.startswith("(") and key.endswith(")") for key in keys):
        return _of_python(f"[{','.join(keys)}]")
    if isinstance(value, dict):
        model = value.get("model")
        listed = (model if isinstance(model, dict) else value).get("merges")
        return _of_list(listed) if isinstance(listed, list) else None
    if isinstance(value, list):
        return _of_list(value)
    raise FaultError(f"its JSON is no list of merges. {WHAT}")


def _of_python(text: str) -> Pairs:
    """Return the pairs in a list, tuple or dictionary as Python prints it. Raises FaultError."""
    if len(text) > MOST_PYTHON:
        raise FaultError(
            f"it has {len(text):,} characters of Python's own text; at most {MOST_PYTHON:,} are read. Save "
            "the merges as JSON."
        )
    if named := _CLASS.fullmatch(text):
        if named[1] == "Counter":
            raise FaultError(
                "it is a Counter of Python, which prints pairs by their counts and not in the order of the "
                "merges. Give the list of merges."
            )
        text = named[2]
    try:
        value = ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        raise FaultError(f"it looks like Python's own text, but it is no list of pairs. {WHAT}") from None
    listed = list(value) if isinstance(value, list | tuple | dict) else []
    if len(listed) == 2 and all(isinstance(half, bytes) for half in listed):
        listed = [tuple(listed)]  # one line: b'a', b'b'
    return _of_list(listed)


def _of_list(listed: Sequence[object]) -> Pairs:
    """Return the pairs in a list. Raises FaultError."""
    check_total(merges=len(listed))
    return [_pair(rank, item) for rank, item in enumerate(listed, 1)]


def _pair(rank: int, item: object) -> tuple[Half, Half]:
    if isinstance(item, dict):
        item = item.get("pair")  # as “LLMs from scratch” saves them
    if isinstance(item, tuple) and len(item) == 2 and isinstance(item[0], tuple):
        item = item[0]  # a pair and its id, as an OrderedDict prints them
    if isinstance(item, str):
        item = item.split(" ") if item.count(" ") == 1 else None
    if isinstance(item, list | tuple) and len(item) == 2:
        left, right = map(_half, item)
        if left is not None and right is not None:
            return left, right
    raise FaultError(f"merge {rank:,} is no pair of tokens. {WHAT}")


def _half(half: object) -> Half | None:
    """Return a half: a text, bytes, an id, or a list of byte values or characters."""
    if isinstance(half, str | bytes) or (type(half) is int and 0 <= half < MOST_ID):
        return half
    if isinstance(half, list | tuple):
        if half and all(type(value) is int and 0 <= value < 256 for value in half):
            return bytes(half)
        if half and all(isinstance(value, str) for value in half):
            return "".join(half)
    return None


# --- lines -------------------------------------------------------------------------------------------------


def _of_log(lines: Sequence[str]) -> Pairs:
    """Return the pairs in what a trainer prints for each merge: bytes for minbpe, whose ids are known, else
    ids; none if it is no such log. Raises FaultError."""
    if found := [match for line in lines if (match := _MINBPE_LOG.match(line.strip()))]:
        return _of_minbpe([(int(match[1]), int(match[2])) for match in found])
    found = [match for line in lines if (match := _LOG.fullmatch(line.strip()))]
    return [(int(match[1]), int(match[2])) for match in found] if len(found) == len(lines) else []


def _of_minbpe(ids: Sequence[tuple[int, int]]) -> Pairs:
    """Return the bytes of ids: those of single bytes are their values, and merges follow from 256 on."""
    tokens = [bytes([value]) for value in range(256)]
    pairs: Pairs = []
    for left, right in ids:
        if max(left, right) >= len(tokens) or len(tokens[left]) + len(tokens[right]) > MAX_TOKEN_BYTES:
            raise FaultError(
                f"merge {len(pairs) + 1:,} of the log takes ({left}, {right}), which no line before makes. "
                "Give the log from its first merge on."
            )
        pairs.append((tokens[left], tokens[right]))
        tokens.append(tokens[left] + tokens[right])
    return pairs


def _of_growing(lines: Sequence[str]) -> Pairs:
    """Return the pairs of lines in which each half is one character, or made by a line before; else none."""
    try:
        pairs = _of_lines(lines)
    except FaultError:
        return []
    made: set[str] = set()
    for pair in pairs:
        left, right = map(str, pair)
        if not all(half in made or len(half.removesuffix("</w>")) == 1 for half in (left, right)):
            return []
        made.add(left + right)
    return pairs


def _of_lines(lines: Sequence[str]) -> Pairs:
    """Return the pairs of lines with two tokens each, and perhaps a count. Raises FaultError."""
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
    spaces = [i for i, character in enumerate(line) if character == " "][: MOST_SPACES + 1]
    cuts = [(line[:i], line[i + 1 :]) for i in spaces] if len(spaces) <= MOST_SPACES else []
    cuts = [(left, right) for left, right in cuts if left and right]
    if len(cuts) > 1:
        known = [cut for cut in cuts if all(len(half) == 1 or half in made for half in cut)]
        cuts = known or [cut for cut in cuts if " " not in cut[0].strip(" ") + cut[1].strip(" ")]
    if not cuts:
        raise FaultError(
            f"line {number:,} is {shown(line)}, not two tokens with a space between them. If tokens have "
            "spaces or line ends, write them as Python prints bytes: b' t' b'h'. If it is CSV, its first "
            "line is left,right."
        )
    return cuts[0]


def _two(number: int, parts: Sequence[str]) -> tuple[Half, Half]:
    if len(parts) < 2 or not parts[0] or not parts[1]:
        raise FaultError(f"line {number:,} has no two tokens. {WHAT}")
    return parts[0], parts[1]


def _heads(cells: Sequence[str]) -> list[int]:
    """Return the columns whose heading says that they hold half of a pair. Commas alone are none: they may be
    tokens."""
    return [column for column, cell in enumerate(cells) if cell.strip().lower() in _HEADS]


def _of_csv(text: str) -> Pairs:
    """Return the pairs of rows, of the columns left and right if there are such. Raises FaultError."""
    dialect = csv.excel_tab if "\t" in text and "," not in text else csv.excel
    try:
        rows = [row for row in csv.reader(StringIO(text, newline=""), dialect) if row]
    except csv.Error as error:
        raise FaultError(f"it is not valid CSV: {error}. {WHAT}") from None
    check_total(merges=len(rows))
    columns = _heads(rows[0])[:2] if rows else []
    if len(columns) == 2:
        del rows[0]
    elif rows and len(rows[0]) > 2 and all(row[0].isdigit() for row in rows):
        columns = [1, 2]  # the first one counts
    else:
        columns = [0, 1]
    return [
        _two(number, [row[column] for column in columns if column < len(row)])
        for number, row in enumerate(rows, 1)
    ]
