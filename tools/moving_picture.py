"""Make the moving picture of the README from the real page: ``python -m tools.moving_picture``.

Ten seconds: the first visit plays its sample from merge 36 to 60, a token is clicked, and Compare opens.
"""

import io
import tempfile
import time

from PIL import Image
from playwright.sync_api import Page, ViewportSize, sync_playwright

from tests.support import app_page as on
from tests.support.chromium import QUIET, find_chromium
from tests.support.paths import ROOT
from tests.support.server import running

FILE = ROOT / "docs" / "bpeviz.webp"
WINDOW: ViewportSize = {"width": 1200, "height": 700}
#: What the file has of it, in pixels.
SIZE = (900, 525)
FRAME_SECONDS = 0.2
QUALITY = 60


class Film:
    """The frames of a page, each with the milliseconds that it stays."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._frames: list[Image.Image] = []
        self._milliseconds: list[int] = []

    def record(self, seconds: float) -> None:
        """Take frames for so long."""
        ends = time.monotonic() + seconds
        while (began := time.monotonic()) < ends:
            taken = Image.open(io.BytesIO(self._page.screenshot()))
            self._frames.append(taken.convert("RGB").resize(SIZE, Image.Resampling.LANCZOS))
            self._page.wait_for_timeout(max(0, FRAME_SECONDS - (time.monotonic() - began)) * 1000)
            self._milliseconds.append(round((time.monotonic() - began) * 1000))

    def save(self) -> None:
        """Write the file."""
        first, *others = self._frames
        first.save(
            FILE,
            save_all=True,
            append_images=others,
            duration=self._milliseconds,
            loop=0,
            quality=QUALITY,
            method=6,
        )


def main() -> None:
    with (
        tempfile.TemporaryDirectory() as data,
        running({"BPEVIZ_DATA": data}) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=list(QUIET))
        page = browser.new_page(viewport=WINDOW)
        page.goto(f"{server.url}/compare")  # what the server reads at first is no part of the film
        on.expect_settled(page)
        page = browser.new_page(viewport=WINDOW)
        page.goto(server.url)
        page.locator(on.CELLS).first.wait_for()
        film = Film(page)
        film.record(6)
        page.locator(f"{on.CELLS}:not(.one)").nth(9).click()
        film.record(1.6)
        page.get_by_role("link", name="Compare").click()
        page.get_by_text("Equal vocabulary size").first.wait_for()
        film.record(2.4)
        browser.close()
    film.save()
    print(FILE, f"{FILE.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
