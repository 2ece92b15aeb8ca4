"""What is saved of the pages whose own folder does not say it yet: Watch, Compare and Recipes."""

from typing import Annotated

import msgspec
from msgspec import Meta

from bpeviz.sessions.document import Name, Names, Number
from bpeviz.sessions.page_fields import Text

__all__ = ["CompareFields", "RecipesFields", "SavedTextFields", "SavedUpload", "WatchFields"]

TokenId = Annotated[int, Meta(ge=0, lt=2**31)]
Many = Meta(max_length=10_000)


class _Fields(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A field that is missing has the value of a new session."""


class WatchFields(_Fields, frozen=True, forbid_unknown_fields=True):
    """The fields of the main page, besides those of its text and its rules."""

    pair: tuple[TokenId, TokenId] | None = None
    panels: Names | None = None
    race_length: Number = 0


class SavedUpload(_Fields, frozen=True, forbid_unknown_fields=True):
    """An uploaded text with the name of its file."""

    name: Name
    text: Text


class SavedTextFields(_Fields, frozen=True, forbid_unknown_fields=True):
    """The fields of the pages that compare on a text: see TextFields of the page."""

    source: Name | None = None
    typed: Text | None = None
    sample: Name = ""
    uploaded: SavedUpload | None = None


class SavedSeveral(_Fields, frozen=True, forbid_unknown_fields=True):
    """The fields for up to six tokenizers: see SeveralFields."""

    sides: Names | None = None
    baseline: Name = ""
    source: Name = ""
    part: Number = 0
    line: Number = 1


class CompareFields(_Fields, frozen=True, forbid_unknown_fields=True):
    """The fields of the page "Compare"."""

    text: SavedTextFields = SavedTextFields()
    merges: Annotated[tuple[tuple[Name, Name, Number], ...], Many] = ()
    others: Names = ()
    locked: bool = False
    several: SavedSeveral = SavedSeveral()


class RecipesFields(_Fields, frozen=True, forbid_unknown_fields=True):
    """The fields of the page "Recipes"."""

    text: SavedTextFields = SavedTextFields()
    recipes: Names | None = None
    num_merges: Number | None = None
    one_split: bool = False
    split: Name = ""
    pair: tuple[Name, Name] | None = None
    all_merges: bool = False
