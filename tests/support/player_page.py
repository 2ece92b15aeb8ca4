"""A figure's page taken apart: its policy, its data, and what people read without JavaScript."""

import base64
import gzip
import json
import re
import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from html.parser import HTMLParser
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from bpeviz import Tokenizer

__all__ = ["FigurePage", "brute_spans", "digest", "read_pack", "read_player_page", "spans_at"]

Span = tuple[int, int]
_TYPES = {"u1": "<u1", "u2": "<u2", "i4": "<i4", "f8": "<f8"}
#: In gap ranks of two bytes: the values that are no ranks (see pack.js).
_SHORT = {0xFFFC: -1, 0xFFFD: 2**31 - 3, 0xFFFE: 2**31 - 2, 0xFFFF: 2**31 - 1}


@dataclass
class FigurePage(HTMLParser):
    """What a page holds, read by Python's parser of HTML."""

    source: str
    policy: str = ""
    #: Scripts that run; the data is in scripts of another type.
    scripts: list[str] = field(default_factory=list)
    data: dict[str, bytes] = field(default_factory=dict)
    tags: set[str] = field(default_factory=set)
    attributes: list[tuple[str, str | None]] = field(default_factory=list)
    title: str = ""
    caption: str | None = None
    paragraphs: list[str] = field(default_factory=list)
    #: The texts with marks for every second token: each piece of it, and its mark ("", "b" or "i").
    texts: list[list[tuple[str, str]]] = field(default_factory=list)
    #: The cells of the table of merges, row by row.
    rows: list[list[str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._open: list[str] = []
        self._data_id: str | None = None
        self._packed = False
        self.feed(self.source)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.tags.add(tag)
        self.attributes += attrs
        self._open.append(tag)
        match tag:
            case "meta" if given.get("http-equiv") == "Content-Security-Policy":
                self.policy = given["content"] or ""
            case "script":
                self._data_id = given.get("id")
                self._packed = given.get("type") == "application/gzip"
                if self._data_id is None:
                    self.scripts.append("")
            case "pre":
                self.texts.append([])
            case "p":
                self.paragraphs.append("")
            case "tr":
                self.rows.append([])
            case "td" | "th":
                self.rows[-1].append("")
            case "figcaption":
                self.caption = ""

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop() != tag:  # cells and rows are closed by their table
            pass

    def handle_data(self, data: str) -> None:
        inside = self._open[-1] if self._open else ""
        if inside == "script" and self._data_id is not None:
            packed = base64.b64decode(data, validate=True) if self._packed else b""
            self.data[self._data_id] = gzip.decompress(packed) if self._packed else data.encode()
        elif inside == "script":
            self.scripts[-1] += data
        elif "pre" in self._open:
            text = self.texts[-1]
            if not text:
                data = data.removeprefix("\n")  # as browsers do
            if data:
                mark = "".join(tag for tag in ("b", "i") if tag in self._open)
                text.append((data, mark))
        elif inside == "p":
            self.paragraphs[-1] += data
        elif inside in ("td", "th"):
            self.rows[-1][-1] += data.removesuffix("\n")
        elif inside == "figcaption":
            assert self.caption is not None
            self.caption += data
        elif inside == "title":
            self.title += data

    @property
    def settings(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.data["settings"])
        return found

    @property
    def program(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.data["program"])
        return found

    @property
    def allowed(self) -> list[str]:
        """The digests of scripts that the policy allows."""
        return re.findall(r"'sha256-([^']*)'", self.policy)

    def pack(self, name: str) -> dict[str, Any]:
        start = 0
        for each, size in self.settings["packs"].items():
            if each == name:
                return read_pack(self.data["packs"][start : start + size])
            start += size
        raise KeyError(name)

    def text_bytes(self, number: int = 0) -> bytes:
        """The bytes of a text without JavaScript."""
        return b"".join(
            bytes.fromhex(piece) if "i" in mark else piece.encode() for piece, mark in self.texts[number]
        )

    def edges(self, number: int = 0) -> set[int]:
        """The offsets at which a marked token begins or ends."""
        edges: set[int] = set()
        offset, before = 0, False
        for piece, mark in self.texts[number]:
            if ("b" in mark) != before:
                edges.add(offset)
            before = "b" in mark
            offset += len(bytes.fromhex(piece)) if "i" in mark else len(piece.encode())
        return edges - {0}


def read_player_page(source: str) -> FigurePage:
    return FigurePage(source)


def digest(script: str) -> str:
    """As a policy names a script."""
    return base64.b64encode(sha256(script.encode()).digest()).decode()


def read_pack(data: bytes) -> dict[str, Any]:
    """The header and the arrays of a pack; gap ranks in full."""
    (length,) = struct.unpack("<I", data[:4])
    found: dict[str, Any] = json.loads(data[4 : 4 + length])
    offset = 4 + length
    for array in found["arrays"]:
        values = np.frombuffer(data, _TYPES[array["type"]], array["length"], offset)
        offset += values.nbytes
        found[array["name"]] = _long(values) if array["type"] == "u2" else values
    assert offset == len(data)
    return found


def _long(values: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    return np.array([_SHORT.get(value, value) for value in values.tolist()], np.int64)


def brute_spans(tokenizer: Tokenizer, text: str, num_merges: int) -> list[Span]:
    """Where each token of the first merges starts and ends in the text: the pair of lowest rank first, the
    leftmost of these, until none is known. It uses no gap ranks."""
    ranks: dict[tuple[int, int], tuple[int, int]] = {}
    for rank, (pair, made) in enumerate(tokenizer.paired[:num_merges]):
        ranks.setdefault(pair, (rank, made))
    spans: list[Span] = []
    for pre_token in tokenizer.spelled(text):
        parts = [
            (symbol, *span)
            for symbol, span in zip(pre_token.symbols, pairwise(pre_token.offsets), strict=True)
        ]
        while (found := _lowest([part[0] for part in parts], ranks)) is not None:
            place, made = found
            (_, start, _), (_, _, end) = parts[place : place + 2]
            parts[place : place + 2] = [(made, start, end)]
        spans += [(start, end) for _, start, end in parts]
    return spans


def _lowest(ids: Sequence[int], ranks: dict[tuple[int, int], tuple[int, int]]) -> tuple[int, int] | None:
    known = [(*ranks[pair], place) for place, pair in enumerate(pairwise(ids)) if pair in ranks]
    if not known:
        return None
    rank = min(rank for rank, _, _ in known)
    return next((place, made) for each, made, place in known if each == rank)


def spans_at(gaps: npt.NDArray[np.int64], step: int) -> list[Span]:
    """Where each token starts and ends at a step, by gap ranks; a loop as plain as the idea."""
    skipped = 2**31 - 2
    spans: list[Span] = []
    start = 0
    for offset, rank in enumerate(gaps.tolist()):
        if rank < step:
            continue
        if rank != skipped:
            spans.append((start, offset + 1))
        start = offset + 1
    return spans
