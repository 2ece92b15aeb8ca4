"""Keep a person's text in CSV files from becoming a formula in a spreadsheet.

A spreadsheet calculates a cell that begins like a formula, such as =1+1, and a formula may call programs. The
quotation marks of CSV don't help: they are gone once the file is read.
"""

import json

__all__ = ["plain_cell", "token_cell"]

#: The wide forms begin a formula where people type Japanese or Chinese.
_BEGINNINGS = tuple("=+-@\t\r\n＝＋－＠")


def token_cell(text: str) -> str:
    """Write a token's text as a JSON string: it begins with a quotation mark and keeps every character."""
    return json.dumps(text, ensure_ascii=False)


def plain_cell(text: str) -> str:
    """Put an apostrophe before a name or sentence that begins like a formula, as people do by hand."""
    return f"'{text}" if text.startswith(_BEGINNINGS) else text
