"""What a person chose on the vocabulary page and for the batch of texts: kept while those are left."""

from dataclasses import dataclass, field
from typing import Literal

from bpeviz.runs.run import NamedText

__all__ = ["BATCH_SOURCES", "BatchSource", "TableChoices"]

BatchSource = Literal["All samples", "Upload files"]
BATCH_SOURCES: tuple[BatchSource, ...] = ("All samples", "Upload files")


@dataclass
class TableChoices:
    """As the widgets stand, or stood last.

    - ``search``, ``filters``, ``sort``: on the vocabulary page; ``token``: the one looked at there, by the
      key of its side and its id;
    - ``batch_source``: where the batch of texts comes from; ``with_library``: whether the standard library is
      among the samples; ``uploaded``: the files uploaded for it, decoded; ``refused``: why others were not.
    """

    search: str = ""
    filters: tuple[str, ...] = ()
    sort: str = "id"
    token: tuple[str, int] | None = None
    batch_source: BatchSource = "All samples"
    with_library: bool = False
    uploaded: list[NamedText] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
