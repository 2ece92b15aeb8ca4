"""The example page that README.md links is the one that the code makes today."""

import base64
import gzip
import re
from pathlib import Path

from tests.support.example_page import EXAMPLE, example

DATA = re.compile(r'(<script type="application/gzip" id="(\w+)">)([^<]*)')


def parts(page: Path) -> dict[str, bytes]:
    """The page without its data, which has the text and the merges, and the program. Compressed, both may
    differ between two versions of Python."""
    source = page.read_text("utf-8")
    data = {name: gzip.decompress(base64.b64decode(packed)) for _, name, packed in DATA.findall(source)}
    return {"page": DATA.sub(r"\1", source).encode(), "program": data["program"]}


def test_the_example_page_is_up_to_date(tmp_path: Path) -> None:
    example().write_html(tmp_path / "page.html")
    today, saved = parts(tmp_path / "page.html"), parts(EXAMPLE)
    differing = [name for name in today if today[name] != saved[name]]
    assert differing == [], "write it again: python -m tests.support.example_page"
