"""Hostile content by name, each a function of its size in bytes.

Text for fields, files for uploads, values for widgets and components, and links. The content has about the
given size, and as nearly as possible if the size does the harm (one long token, deep JSON).
"""

import base64
import json
from collections.abc import Callable, Mapping, Sequence
from itertools import count, islice, product
from typing import Any
from urllib.parse import urlencode

from bpeviz.formats.bounds import MAX_TOKENS

__all__ = ["COMPONENT_STATES", "FILES", "LINKS", "PATTERNS", "RUN", "TEXTS", "VALUES", "Files", "filled"]

Files = Mapping[str, bytes]

_HTML = "<img src=x onerror=alert(1)><script>alert(1)</script><style>*{display:none}</style>"
_MARKDOWN = "![x](http://evil.example/x) [j](javascript:alert(1)) :material/skull: $x^2$ | a | # h\n"
_FORMULA = '=HYPERLINK("http://evil.example";"x")\t+1+1\t@SUM(A1)\t-2\n'


def filled(unit: str, size: int) -> str:
    """``unit`` repeated, at most ``size`` bytes of UTF-8."""
    return unit * max(1, size // len(unit.encode()))


def nested_groups(size: int) -> str:
    """Groups in groups, each repeated: each level doubles the compiled pattern."""
    depth = max(1, (size - 1) // 3)
    return "(" * depth + "a" + ")+" * depth


def numbered(size: int, word: str = " {}") -> str:
    """Different words, as many as fit."""
    words: list[str] = []
    left = size
    while left > 0:
        words.append(word.format(len(words)))
        left -= len(words[-1])
    return "".join(words)


TEXTS: Mapping[str, Callable[[int], str]] = {
    "one letter": lambda size: filled("a", size),
    "spaces": lambda size: filled(" ", size),
    "line ends": lambda size: filled("\r\n", size),
    "hex with a gap": lambda size: "0x" + " " * max(1, size - 3) + "z",
    "hex": lambda size: "0x" + "0" * size,
    "escapes": lambda size: filled("\\u0041\\uD800\\", size),
    "ids": numbered,
    "unknown ids": lambda size: filled("99999999 -1 1e9 ", size),
    "one number": lambda size: "9" * size,
    "different words": lambda size: numbered(size, " w{}"),
    "deep JSON": lambda size: "[" * (size // 2) + "]" * (size // 2),
    "nested groups": nested_groups,
    "backtracking": lambda size: filled("(a*)*", size) + "b",
    "bidi and joiners": lambda size: filled("\u202e\u2066\u200d\ufeff\u2069", size),
    "combining marks": lambda size: "e" + filled("\u0301", size),
    "emoji": lambda size: filled("👩‍👩‍👧‍👦", size),
    "no characters": lambda size: filled("\uffff\U0010ffff\ue000", size),
    "NUL and control": lambda size: filled("\x00\x1b[31m\x07\x08\x7f\x85", size),
    "HTML": lambda size: filled(_HTML, size),
    "Markdown": lambda size: filled(_MARKDOWN, size),
    "formulas": lambda size: filled(_FORMULA, size),
}

#: Split patterns that are short enough for every limit on their length.
PATTERNS: Mapping[str, str] = {
    "nested groups": nested_groups(61),
    "nested and lazy": "(" * 20 + "a" + ")+?" * 20,
    "nested and possessive": "(?:" * 20 + "a" + ")++" * 20,
    "nested stars": "(" * 20 + "a" + ")*" * 20,
    "nested counts": "(" * 6 + "a" + "){1,40}" * 6,
    "optional in optional": "(" * 60 + "a" + ")?" * 60,
    "look behind": "(?<=" * 20 + "a" + ")" * 20 + "b",
    "backtracking": r"(?:(?:a+)+)+$|\p{L}+|[^\p{L}]",
    "fuzzy": "(?:abcdefghijklmnopqrstuvwxyz){e<=20}",
    "recursive": "(a(?R)?b)|.",
    "back reference": r"(.*)\1\1\1\1z|.",
    "classes": "[" + "".join(f"\\U{i:08x}" for i in range(0x10000, 0x10020)) + "]+|.",
    "case folds": "(?if)" + "ßſKİ" * 50 + "|.",
    "named lists": "(?P<a>.)" * 60,
    "empty": "|" * 300,
    "open": "(" * 400,
}


# --- files -----------------------------------------------------------------------------------------------

_CHARACTERS = {byte: chr(byte) for byte in (*range(33, 127), *range(161, 173), *range(174, 256))}
_CHARACTERS |= {b: chr(256 + i) for i, b in enumerate(b for b in range(256) if b not in _CHARACTERS)}


def _tokenizer_json(vocab: Mapping[str, int], merges: Sequence[object], **more: object) -> Files:
    base = {_CHARACTERS[byte]: byte for byte in range(256)}
    return _json(
        {
            "version": "1.0",
            "added_tokens": [],
            "normalizer": None,
            "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False, "use_regex": True},
            "post_processor": None,
            "decoder": {"type": "ByteLevel"},
            "model": {"type": "BPE", "vocab": {**base, **vocab}, "merges": merges},
            **more,
        }
    )


def _json(value: object) -> Files:
    return {"tokenizer.json": json.dumps(value, separators=(",", ":")).encode()}


def _added_tokens(size: int) -> Files:
    """As many special tokens as fit."""
    return _tokenizer_json(
        {}, [], added_tokens=[{"id": 300 + i, "content": f"<{i}>"} for i in range(size // 34)]
    )


def _split_by(pattern: str) -> Files:
    to_bytes = {"type": "ByteLevel", "add_prefix_space": False, "use_regex": False}
    split = {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}
    return _tokenizer_json({}, [], pre_tokenizer={"type": "Sequence", "pretokenizers": [split, to_bytes]})


def _longer_tokens(size: int) -> Files:
    """Merges that make tokens of two and three characters: as many as fit and the app reads."""
    letters = [chr(code) for code in range(33, 127) if chr(code) not in '"\\']
    pairs = [(a, b) for a in letters for b in letters] + [
        (a + b, c) for a in letters for b in letters for c in letters
    ]
    merges = pairs[: min(size // 21, MAX_TOKENS - 256)]
    vocab = {left + right: 256 + i for i, (left, right) in enumerate(merges)}
    return _tokenizer_json(vocab, [f"{left} {right}" for left, right in merges])


def _doubling(size: int) -> Files:
    """Merges that each double a token of one letter."""
    merges, token = [], "a"
    while 2 * len(token) < size // 4:
        merges.append([token, token])
        token *= 2
    return _tokenizer_json({left + right: 300 + i for i, (left, right) in enumerate(merges)}, merges)


def _ranks(tokens: Mapping[bytes, int], size: int = 0) -> Files:
    """A rank file with ``tokens`` and as many others of two and three bytes as fit."""
    singles = {bytes([byte]): byte for byte in range(256)}
    longer = (bytes(token) for length in (2, 3) for token in product(range(255), repeat=length))
    others = zip(islice(longer, max(0, size // 15 - 256)), count(256), strict=False)
    ranks = {**singles, **dict(others), **tokens}
    lines = (f"{base64.b64encode(token).decode()} {rank}" for token, rank in ranks.items())
    return {"hostile.tiktoken": "\n".join(lines).encode()}


def _minbpe(*lines: str, pattern: str = "", specials: Sequence[str] = ()) -> Files:
    head = ["minbpe v1", pattern, str(len(specials)), *specials]
    return {"hostile.model": "\n".join([*head, *lines, ""]).encode()}


def _minbpe_chain(size: int) -> Files:
    """As many merges as fit, each of a different pair."""
    return _minbpe(*(f"{i // 256} {i % 256}" for i in range(size // 9)))


def _saved(size: int) -> Files:
    """A saved session that lacks most of its fields."""
    text = {"0" * 64: "a" * max(0, size - 200)}
    document = {"version": 4, "runs": [], "source": "Paste", "step": 10**18}
    return {"session.json": json.dumps({"document": document, "texts": text}).encode()}


def _deep(size: int) -> str:
    return '{"a":' * (size // 6) + "1" + "}" * (size // 6)


#: The highest token id that the app reads.
HIGH_ID = 9_999_999

FILES: Mapping[str, Callable[[int], Files]] = {
    "one letter": lambda size: {"a.txt": b"a" * size},
    "different words": lambda size: {"words.txt": numbered(size, " w{}").encode()},
    "spaces": lambda size: {"spaces.txt": b" " * size},
    "NUL": lambda size: {"nul.txt": b"\x00" * size},
    "invalid UTF-8": lambda size: {"invalid.txt": b"\xff\xfe\xed\xa0\x80\xc0" * (size // 6)},
    "marks": lambda size: {"<img src=x>\u202e.txt": filled("e\u0301\u200d", size).encode()},
    "deep JSON": lambda size: {"tokenizer.json": _deep(size).encode()},
    "JSON of lists": lambda size: {"tokenizer.json": b"[" + b"[]," * (size // 3) + b"0]"},
    "one number": lambda size: {"tokenizer.json": b'{"model":' + b"9" * size + b"}"},
    "lone surrogates": lambda size: {"tokenizer.json": b'{"model":"' + b"\\ud800" * (size // 6) + b'"}'},
    "many added tokens": _added_tokens,
    "doubling tokens": _doubling,
    "one long token": lambda size: _tokenizer_json({"a" * size: 300}, []),
    "longer tokens": _longer_tokens,
    "many tokens": lambda size: _tokenizer_json({f"a{i}": 300 + i for i in range(size // 16)}, []),
    **{f"high ids {i}": (lambda _, i=i: _ranks({b"a%c" % i: HIGH_ID - i})) for i in range(6)},
    "long rank token": lambda size: _ranks({b"a" * (size * 3 // 4): 256}),
    "ranks": lambda size: _ranks({}, size),
    "high special": lambda size: _minbpe("97 98", specials=[f"<s> {HIGH_ID}"]),
    "many merges": _minbpe_chain,
    "minbpe, nested groups": lambda size: _minbpe("97 98", pattern=nested_groups(61)),
    "JSON, nested groups": lambda size: _split_by(nested_groups(61)),
    "JSON, long pattern": lambda size: _split_by(nested_groups(size)),
    "saved session": _saved,
    "deep session": lambda size: {"session.json": b'{"texts":{},"document":' + _deep(size).encode() + b"}"},
}


# --- forged values ----------------------------------------------------------------------------------------

#: A value of every type that a message can hold; most are wrong for a given widget.
VALUES: Mapping[str, Mapping[str, Any]] = {
    "trigger": {"trigger_value": True},
    "bool": {"bool_value": True},
    "infinity": {"double_value": float("inf")},
    "not a number": {"double_value": float("nan")},
    "huge": {"double_value": 1e308},
    "negative": {"double_value": -1.0},
    "int": {"int_value": 2**62},
    "text": {"string_value": "no option of it"},
    "long text": {"string_value": "x" * 100_000},
    "number as text": {"string_value": "9" * 5_000},
    "numbers": {"double_array_value": {"data": [1e308, -1e308, float("nan")]}},
    "no numbers": {"double_array_value": {"data": []}},
    "ints": {"int_array_value": {"data": [2**62, -1]}},
    "texts": {"string_array_value": {"data": ["no option of it", ""]}},
    "many texts": {"string_array_value": {"data": ["x"] * 10_000}},
    "JSON": {"json_value": '{"at": {"step": 1e999}}'},
    "JSON trigger": {"json_trigger_value": '[{"event": "at", "value": {}}]'},
    "bytes": {"bytes_value": b"\xff\x00"},
    "selection": {
        "string_value": '{"selection": {"rows": [-1, 10000000000], "columns": ["x"], "cells": []}}'
    },
    "points": {"string_value": '{"selection": {"points": [{"x": "y"}, {}], "point_indices": [1e9]}}'},
    "file": {"file_uploader_state_value": {"uploaded_file_info": [{"name": "x", "size": 1, "file_id": "x"}]}},
}

_ODD = (
    "null",
    "[]",
    "{}",
    "-1",
    "1e999",
    "NaN",
    "true",
    '"1"',
    '"' + "9" * 5_000 + '"',
    "9" * 4_000,
    "1.5",
    '"\\ud800"',
    "[" * 500 + "]" * 500,
)

#: Stands for the number of the run on the page.
RUN = "{run}"
#: Reports of components as JSON: every field of the player's and the comparer's state with odd values.
COMPONENT_STATES: Sequence[str] = (
    *_ODD,
    *(f'{{"at": {odd}}}' for odd in _ODD),
    *(f'{{"at": {{"step": {odd}, "number": {number}}}}}' for odd in _ODD for number in (RUN, odd)),
    *(f'{{"word": {odd}}}' for odd in _ODD),
    *(f'{{"word": {{"start": 0, "end": {odd}, "number": {RUN}}}}}' for odd in _ODD),
    *(f'{{"page": {odd}}}' for odd in _ODD),
    *(f'{{"page": {{"step": 1, "asked": {odd}, "number": {RUN}}}}}' for odd in _ODD),
    *(f'{{"page": {{"step": {odd}, "asked": 1, "number": {RUN}}}}}' for odd in _ODD),
    *(f'{{"page": {{"step": 1, "asked": {asked}, "number": {RUN}}}}}' for asked in range(1, 20)),
    *(f'{{"picked": {odd}}}' for odd in _ODD),
    *(f'{{"picked": {{"left": {odd}, "right": 1, "step": 1}}}}' for odd in _ODD),
    *(f'{{"picked": {{"left": 1, "right": {odd}, "step": {odd}}}}}' for odd in _ODD),
    *(f'{{"at": {{"left": {odd}, "right": 1, "locked": false, "serial": 1}}}}' for odd in _ODD),
    *(f'{{"at": {{"left": 1, "right": {odd}, "locked": {odd}, "serial": {odd}}}}}' for odd in _ODD),
    "{" * 100_000,
    "[" * 100_000,
    '{"at": "' + "x" * 1_000_000 + '"}',
    "not JSON",
)


# --- links ------------------------------------------------------------------------------------------------


def _link(**parameters: str) -> str:
    return urlencode({"sample": "English prose", "recipe": "huggingface", "split": "custom", **parameters})


LINKS: Mapping[str, str] = {
    **{f"pattern: {name}": _link(pattern=pattern) for name, pattern in PATTERNS.items()},
    "long pattern": _link(pattern=nested_groups(30_000)),
    "step": _link(split="", step="9" * 5_000),
    "merges": _link(split="", merges="999999999", megabytes="8"),
    "sample": urlencode({"sample": "x" * 100_000}),
    "session": urlencode({"session": "../../" + "x" * 100_000}),
    "no UTF-8": "sample=%ff%fe&session=%00",
    "many": "&".join(f"p{i}={i}" for i in range(10_000)),
}
