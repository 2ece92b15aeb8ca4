"""A person's text in a CSV file, which never becomes a formula in a spreadsheet.

A spreadsheet calculates a cell that begins like a formula, such as =1+1, and a formula may call programs. The
quotation marks of CSV don't help: they are gone once the file is read.
"""

import csv
import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["plain_cell", "plain_csv", "token_cell"]

#: The wide forms begin a formula where people type Japanese or Chinese.
_BEGINNINGS = tuple("=+-@\t\r\n＝＋－＠")


def token_cell(text: str) -> str:
    """Write a token's text as a JSON string: it begins with a quotation mark and keeps every character."""
    return json.dumps(text, ensure_ascii=False)


def plain_cell(text: str) -> str:
    """Put an apostrophe before a name or sentence that begins like a formula, as people do by hand."""
    return f"'{text}" if text.startswith(_BEGINNINGS) else text


def plain_csv(table: "pd.DataFrame", *names: str) -> str:
    """Write a table as CSV: plain cells in the columns called ``names`` that it has, and in its headings."""
    texts = [name for name in names if name in table]
    plain = table.assign(**{name: table[name].map(plain_cell) for name in texts}).rename(columns=plain_cell)
    # quoted, because some spreadsheets also split cells at semicolons
    return plain.to_csv(index=False, quoting=csv.QUOTE_NONNUMERIC)
