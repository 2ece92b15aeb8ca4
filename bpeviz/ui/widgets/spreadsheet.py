"""A person's text in CSV that is opened in a spreadsheet, which takes for a formula what begins like one.

=1+1 of a file name would be calculated, and such a formula may call programs. Quotation marks of CSV do not
help: they are gone once the file is read.
"""

import json

__all__ = ["plain_cell", "token_cell"]

#: The wide forms are taken for formulas where Japanese or Chinese is typed.
_BEGINNINGS = tuple("=+-@\t\r\n＝＋－＠")


def token_cell(text: str) -> str:
    """The text of a token as a JSON string: its quotation mark comes first, and every character is kept."""
    return json.dumps(text, ensure_ascii=False)


def plain_cell(text: str) -> str:
    """A name or sentence; an apostrophe, as a person would type it, before what begins like a formula."""
    return f"'{text}" if text.startswith(_BEGINNINGS) else text
