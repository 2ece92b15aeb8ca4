"""Make pictures of every page, in both themes and three widths, as one sheet for looking.

``python -m tools.pictures`` writes ``sheet.png`` and each picture into ``test-results/pictures``.
A page is shown as a new visitor sees it, with the sample trained.
"""

import base64
import html
import sys
import tempfile
from itertools import product
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from tests.support import app_page as on
from tests.support.chromium import QUIET, find_chromium
from tests.support.paths import ROOT
from tests.support.server import running

__all__ = ["PAGES", "SIZES", "take_pictures"]

#: The path of each page.
PAGES = {
    "Watch": "",
    "Learn": "learn",
    "Compare": "compare",
    "Recipes": "recipes",
    "Encode": "encode",
    "Vocabulary": "vocabulary",
}
#: A laptop, a tablet and a phone.
SIZES: tuple[ViewportSize, ...] = (
    {"width": 1366, "height": 768},
    {"width": 820, "height": 1180},
    {"width": 390, "height": 844},
)
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
FOLDER = ROOT / "test-results" / "pictures"
#: How wide a picture is on the sheet, in pixels.
ON_SHEET = 420
STYLE = "body { display: grid; grid-template-columns: repeat(6, max-content); font: 13px sans-serif }"


def take_pictures(address: str, browser: Browser, folder: Path) -> dict[str, Path]:
    """Take a picture of each page in each theme and size; return the files by what they show."""
    folder.mkdir(parents=True, exist_ok=True)
    taken = {}
    for theme, size in product(THEMES, SIZES):
        with browser.new_context(base_url=address, viewport=size, color_scheme=theme) as context:
            context.set_default_timeout(60_000)
            page = context.new_page()
            page.emulate_media(reduced_motion="reduce")  # the sample stands still
            for name, path in PAGES.items():
                _open(page, path)
                file = folder / f"{name}-{theme}-{size['width']}.png"
                page.screenshot(path=file)
                taken[f"{name}, {theme}, {size['width']} pixels"] = file
    return taken


def _open(page: Page, path: str) -> None:
    page.goto(f"/{path}")
    page.wait_for_load_state("networkidle")
    on.expect_settled(page)
    page.wait_for_timeout(500)  # charts are painted after the page has settled


def sheet(pictures: dict[str, Path]) -> str:
    """Return a page with all pictures, each under its name."""
    figures = "".join(
        f'<figure><figcaption>{html.escape(name)}</figcaption><img src="data:image/png;base64,'
        f'{base64.b64encode(file.read_bytes()).decode()}" width="{ON_SHEET}"></figure>'
        for name, file in pictures.items()
    )
    return f"<!doctype html><meta charset=utf-8><style>{STYLE}</style>{figures}"


def main() -> None:
    with (
        tempfile.TemporaryDirectory() as data,
        running({"BPEVIZ_DATA": data}) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=list(QUIET))
        pictures = take_pictures(server.url, browser, FOLDER)
        page = browser.new_page(viewport={"width": 6 * (ON_SHEET + 20), "height": 800})
        page.set_content(sheet(pictures))
        page.screenshot(path=FOLDER / "sheet.png", full_page=True)
        browser.close()
    print(FOLDER / "sheet.png", file=sys.stdout)


if __name__ == "__main__":
    main()
