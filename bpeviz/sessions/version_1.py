"""Documents of version 1, which knew a run by its place and had the fields of all pages at its top."""

from collections.abc import Callable
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from bpeviz.decoders import json_decoder
from bpeviz.sessions.document import (
    MOST_PART_CHARACTERS,
    Digest,
    Few,
    FileKey,
    Many,
    Name,
    NameByName,
    Names,
    Number,
    SavedFile,
    SavedSettings,
    SavedText,
    SavedTokenizer,
)
from bpeviz.training.choice import Choice

__all__ = ["from_version_1"]


class _Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of a document. A field that is missing has the value of a new session."""


class _Run(_Part, frozen=True, forbid_unknown_fields=True):
    name: Name
    text: SavedText
    settings: SavedSettings
    choices: Annotated[tuple[Choice, ...], Many] = ()
    counts: SavedFile | None = None


class _Training(_Part, frozen=True, forbid_unknown_fields=True):
    parent: Number | None = None  # a place


class _TextFields(_Part, frozen=True, forbid_unknown_fields=True):
    source: Name | None = None
    typed: Digest | None = None
    sample: Name = ""
    uploaded: SavedText | None = None


class _Compare(_Part, frozen=True, forbid_unknown_fields=True):
    text: _TextFields = _TextFields()
    merges: Annotated[tuple[tuple[Name, Name, Number], ...], Many] = ()
    others: Names = ()
    locked: bool = False
    several_sides: Names | None = None
    several_baseline: Name = ""
    several_source: Name = ""
    several_part: Number = 0
    several_line: Number = 1


class _Recipes(_Part, frozen=True, forbid_unknown_fields=True):
    text: _TextFields = _TextFields()
    recipes: Names | None = None
    num_merges: Number | None = None
    one_split: bool = False
    split: Name = ""
    pair: tuple[Name, Name] | None = None
    all_merges: bool = False


class _Encode(_Part, frozen=True, forbid_unknown_fields=True):
    text: Digest | None = None
    special: bool = False
    num_merges: Annotated[tuple[tuple[Number, Number], ...], Many] = ()  # by place
    ids: Digest | None = None
    part: Annotated[str, Meta(max_length=MOST_PART_CHARACTERS)] | None = None


class _Session(_Part, frozen=True, forbid_unknown_fields=True, kw_only=True):
    version: Literal[1] = 1
    runs: Annotated[tuple[_Run, ...], Few]
    shared: bool = False
    training: _Training | None = None
    typed: Digest | None = None
    settings: SavedSettings = SavedSettings()
    shown: Number | None = None
    beside: Number | None = None
    step: Number = 0
    pair: tuple[Number, Number] | None = None
    panels: Names | None = None
    race_length: Number = 0
    sides: NameByName = {}
    tokenizers: Annotated[dict[FileKey, SavedTokenizer], Few] = {}
    splits: NameByName = {}
    compare: _Compare = _Compare()
    disagree: _Recipes = _Recipes()
    encode: _Encode = _Encode()


def from_version_1(data: str | bytes) -> bytes:
    """Return a document of version 1 as one of version 2, in JSON. The run at place 0 gets the number 1.

    Raises msgspec.MsgspecError if it is none.
    """
    old = json_decoder(_Session).decode(data)
    places = range(len(old.runs))

    def number(place: int | None) -> int | None:
        return None if place is None or place not in places else place + 1

    def key(old_key: str) -> str:
        """run-0 -> run-1; empty for a run that is not there."""
        head, _, place = old_key.partition("run-")
        if head or not place:
            return old_key
        return f"run-{int(place) + 1}" if place.isdecimal() and int(place) in places else ""

    fields = {
        name: getattr(old, name) for name in ("shared", "typed", "settings", "tokenizers", "splits", "step")
    }
    parent = old.training and number(old.training.parent)
    return msgspec.json.encode(
        {
            **fields,
            "version": 2,
            "runs": [{"number": place + 1, **_fields(run)} for place, run in enumerate(old.runs)],
            "training": {"parent": parent} if old.training else None,
            "shown": number(old.shown),
            "beside": number(old.beside),
            "sides": {field: new for field, each in old.sides.items() if (new := key(each))},
            "pages": {
                "watch": _page({"pair": old.pair, "panels": old.panels, "race_length": old.race_length}),
                "compare": _compare(old.compare, key),
                "recipes": _recipes(old.disagree),
                "encode": _encode(old.encode, number),
            },
        }
    )


def _fields(part: msgspec.Struct) -> dict[str, Any]:
    return {name: getattr(part, name) for name in part.__struct_fields__}


def _page(fields: dict[str, Any], *texts: str | None, about: str = "") -> dict[str, Any]:
    """Return a page; a field without a value has that of a new session."""
    given = {name: value for name, value in fields.items() if value not in (None, "")}
    return {"fields": given, "texts": [digest for digest in dict.fromkeys(texts) if digest], "about": about}


def _text(fields: _TextFields) -> dict[str, Any]:
    uploaded = fields.uploaded
    given = {
        "source": fields.source,
        "typed": fields.typed,
        "sample": fields.sample,
        "uploaded": uploaded and {"name": uploaded.name, "text": uploaded.digest},
    }
    return {name: value for name, value in given.items() if value}


def _digests(fields: _TextFields) -> list[str | None]:
    return [fields.typed, fields.uploaded.digest if fields.uploaded else None]


def _about(fields: _TextFields) -> str:
    """Return the name of the text: how it begins is not in the document."""
    if fields.typed:
        return "typed text"
    return fields.uploaded.name if fields.uploaded else fields.sample if fields.source == "Sample" else ""


def _compare(old: _Compare, key: Callable[[str], str]) -> dict[str, Any]:
    sides = old.several_sides
    several = {
        "sides": None if sides is None else [new for each in sides if (new := key(each))],
        "baseline": key(old.several_baseline),
        "source": old.several_source,
        "part": old.several_part,
        "line": old.several_line,
    }
    fields = {
        "text": _text(old.text),
        "merges": [(field, new, n) for field, each, n in old.merges if (new := key(each))],
        "others": [new for each in old.others if (new := key(each))],
        "locked": old.locked,
        "several": {name: value for name, value in several.items() if value not in (None, "")},
    }
    return _page(fields, *_digests(old.text), about=_about(old.text))


def _recipes(old: _Recipes) -> dict[str, Any]:
    fields = {**_fields(old), "text": _text(old.text)}
    return _page(fields, *_digests(old.text), about=_about(old.text))


def _encode(old: _Encode, number: Callable[[int | None], int | None]) -> dict[str, Any]:
    made = {str(new): n for place, n in old.num_merges if (new := number(place))}
    return _page(
        {**_fields(old), "num_merges": made}, old.text, old.ids, about="text to encode" if old.text else ""
    )
