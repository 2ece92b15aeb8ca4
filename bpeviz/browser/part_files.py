"""The file of each part for the app: script, HTML and styles as one module that the browser keeps.

Streamlit sends what a component is made of again with every run. So the app sends the name of this file
instead, and the browser fetches it once; the name has the digest of what is in it.
"""

import hashlib
import json
from dataclasses import dataclass
from functools import cache

from bpeviz.browser.parts import PARTS, joined_script

__all__ = ["FOLDER", "PartFile", "part_file", "part_loader"]

#: Beside the page, at any address that the page has.
FOLDER = "parts"


@dataclass(frozen=True)
class PartFile:
    """A module with the default export of a part's script, ``html`` and ``css``."""

    name: str
    content: str

    @property
    def path(self) -> str:
        """Where it is, beside the page: "parts/player.0123456789abcdef.js"."""
        return f"{FOLDER}/{self.name}"


@cache
def part_file(name: str) -> PartFile:
    """Return the file of a part: ``part_file("player")``."""
    part = PARTS[name]
    drawn = f"export const html = {json.dumps(part.html)}, css = {json.dumps(part.css)};\n"
    content = f"{joined_script(part.script)}\n{drawn}"
    return PartFile(f"{name}.{hashlib.sha256(content.encode()).hexdigest()[:16]}.js", content)


def part_loader(name: str) -> str:
    """Return the script that Streamlit sends for a part: it fetches the part's file, and draws it."""
    loader = joined_script("app_page/load_part.js")
    return f'{loader}\nexport default partIn("{part_file(name).path}");\n'
