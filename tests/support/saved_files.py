"""The files that the player's menu saves, and what is in them."""

import re
import struct
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Locator, Page, expect

PAIRS = "Most frequent pairs"
CURVES = ("Bytes per token", "Count of each merged pair", "Vocabulary size and tokens")
POLICY = "default-src 'none'; style-src 'unsafe-inline'"
SVG = "{http://www.w3.org/2000/svg}"


def menu(page: Page) -> Locator:
    """What the browser makes of the app's menu Export, if that is open; elsewhere the player's menu."""
    return page.locator(".export:visible")


def open_menu(page: Page) -> None:
    if not menu(page).count():
        page.get_by_role("button", name="Export", exact=True).click()
    elif (summary := menu(page).locator("summary")).count() and menu(page).get_attribute("open") is None:
        summary.click()
    expect(menu(page).get_by_role("button", name=re.compile("^Text.* as HTML")).first).to_be_visible()


def save(page: Page, what: str, folder: Path) -> Path:
    """Choose from the menu and wait for the file."""
    open_menu(page)
    with page.expect_download(timeout=60_000) as download:
        menu(page).get_by_role("button", name=what, exact=True).click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    expect(menu(page).get_by_role("status")).to_have_text(f"Saved as {path.name}")
    return path


class SavedText(HTMLParser):
    """The cells of a saved text: each its bytes and its title; and every tag and attribute there is."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.cells: list[tuple[bytes, str]] = []
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.policies: list[str | None] = []
        self.depth = 0  # inside a cell
        self.is_hex = False
        self.feed(source)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        attributes = dict(attrs)
        self.attributes.update(attributes)
        if tag == "meta" and "http-equiv" in attributes:
            self.policies.append(attributes["content"])
        classes = (attributes.get("class") or "").split()
        if tag == "span" and "tok" in classes:
            self.is_hex = "hex" in classes
            if "rest" not in classes:
                self.cells.append((b"", attributes["title"] or ""))
            self.depth = 1
        elif self.depth:
            self.depth += 1
            if "end" in classes:
                self.add({"⏎": b"\n", "␍": b"\r"}[attributes["data-glyph"] or ""])

    def handle_endtag(self, tag: str) -> None:
        self.depth = max(0, self.depth - 1)

    def handle_data(self, data: str) -> None:
        if self.depth:
            self.add(bytes.fromhex(data) if self.is_hex else data.encode())

    def add(self, data: bytes) -> None:
        before, title = self.cells[-1]
        self.cells[-1] = before + data, title


def texts_of(svg: Path) -> list[str]:
    return ["".join(text.itertext()) for text in ElementTree.parse(svg).iter(f"{SVG}text")]


def slug(name: str) -> str:
    return re.sub(r"\W+", "-", name.lower())


#: The size of a PNG, how many colours it has, and what share of its pixels is its most frequent one.
READ_PNG = """
async bytes => {
  const image = await createImageBitmap(new Blob([new Uint8Array(bytes)], { type: "image/png" }));
  const canvas = new OffscreenCanvas(image.width, image.height);
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0);
  const pixels = new Uint32Array(context.getImageData(0, 0, image.width, image.height).data.buffer);
  const counts = new Map();
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  return [image.width, image.height, counts.size, Math.max(...counts.values()) / pixels.length];
}
"""


def expect_png(page: Page, path: Path, shown: Any) -> None:
    """The picture has twice the size of what is shown and a margin, and is neither empty nor one colour."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    size = struct.unpack(">II", data[16:24])
    assert size == pytest.approx((shown["width"] * 2 + 48, shown["height"] * 2 + 48), abs=2)
    width, height, colours, most = page.evaluate(READ_PNG, list(data))
    assert (width, height) == size
    assert colours > 20
    assert 0.3 < most < 0.99


def expect_harmless_chart(page: Page, path: Path, name: str) -> None:
    """The saved chart shows its labels, and runs nothing when it is opened."""
    saved = SavedText(path.read_text("utf-8"))
    assert saved.policies == [POLICY]
    assert not saved.tags & {"script", "img", "iframe", "foreignobject", "link"}
    page.goto(path.as_uri())
    assert page.title() == name
    assert page.evaluate("window.ran") is None
    expect(page.locator("svg text").first).to_be_visible()
