"""The rows of a vocabulary table as a CSV or JSON file. Another process writes many rows: while one of its
threads writes, a server answers late.

A new column of the table has its place in COLUMNS; one that is computed here, in ``_exported``.
"""

import csv
import io
from collections.abc import Iterator
from typing import Literal

import msgspec
import pandas as pd

from bpeviz.spreadsheet import token_cell
from bpeviz.text.token_text import hex_bytes
from bpeviz.workers import workers
from bpeviz.workers.task import Limit, OnEvent, Task

__all__ = ["WRITE", "FileForm", "write_rows"]

FileForm = Literal["CSV", "JSON"]
#: The columns of the table that the files need.
COLUMNS = (
    "id",
    "token",
    "length",
    "kind",
    "rank",
    "left",
    "right",
    "uses",
    "valid_utf8",
    "unreachable",
    "cut",
)
#: More rows go to another process. A part of a file has as many: pandas needs several times its size.
ROWS_HERE = 2_000
#: Arrow reserves more addresses than it uses.
LIMIT = Limit(seconds=30.0, memory_bytes=3 * 2**30)


class _Request(msgspec.Struct, frozen=True):
    """A table in Arrow's file format."""

    form: FileForm
    table: bytes


def write_rows(rows: pd.DataFrame, form: FileForm) -> bytes:
    """Return rows of vocabulary_table, with their ``uses``, as a file. Raises WorkerError."""
    rows = rows[list(COLUMNS)].reset_index(drop=True)
    if len(rows) <= ROWS_HERE:
        return _written(rows, form)
    table = io.BytesIO()
    rows.to_feather(table)
    return workers().run(WRITE, _Request(form, table.getvalue()), LIMIT)


def _work(request: _Request, _tell: OnEvent) -> bytes:
    return _written(pd.read_feather(io.BytesIO(request.table)), request.form)


WRITE = Task("bpeviz.analysis.vocabulary_files:WRITE", _Request, bytes, _work)


def _written(rows: pd.DataFrame, form: FileForm) -> bytes:
    return _csv(rows) if form == "CSV" else _json(rows)


def _exported(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the table for files: the text unchanged, bytes in hexadecimal, ranks from 0."""
    texts = [
        token.decode("utf-8") if valid else None
        for token, valid in zip(rows["token"], rows["valid_utf8"], strict=True)
    ]
    return pd.DataFrame(
        {
            "id": rows["id"],
            "text": pd.Series(texts, index=rows.index, dtype=object),
            "bytes": rows["token"].map(hex_bytes),
            **{name: rows[name] for name in COLUMNS[2:]},
        }
    )


def _parts(rows: pd.DataFrame) -> Iterator[pd.DataFrame]:
    """Yield the table for files in parts."""
    for begin in range(0, len(rows) or 1, ROWS_HERE):
        yield _exported(rows.iloc[begin : begin + ROWS_HERE])


def _csv(rows: pd.DataFrame) -> bytes:
    written = io.BytesIO()
    for table in _parts(rows):
        table["text"] = table["text"].map(token_cell, na_action="ignore")
        # quoted, because a carriage return in a text would end its row
        lines = table.to_csv(index=False, header=not written.tell(), quoting=csv.QUOTE_NONNUMERIC)
        written.write(lines.encode())
    return written.getvalue()


def _json(rows: pd.DataFrame) -> bytes:
    written = io.BytesIO()
    for table in _parts(rows):
        listed = table.to_json(orient="records", force_ascii=False)
        written.write(b"," if written.tell() else b"[")
        written.write(listed[1:-1].encode())
    written.write(b"]")
    return written.getvalue()
