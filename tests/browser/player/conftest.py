"""The player as a page from the disk: certain, and several times faster than through the server."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from bpeviz.standalone.playground import write_playground
from tests.support import app_page as on


@pytest.fixture
def page(tab: Page) -> Page:
    """A tab without network, with nothing open yet."""
    return tab


@pytest.fixture
def phone(chromium: Browser, address: str) -> Iterator[Page]:
    """The playground on a phone, with its first run drawn."""
    context = chromium.new_context(
        offline=True, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    page = context.new_page()
    page.goto(address)
    expect(page.locator(on.CELLS).first).to_be_visible()
    yield page
    context.close()


@pytest.fixture(scope="package")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Where the playground is on the disk."""
    path = tmp_path_factory.mktemp("playground") / "playground.html"
    path.write_text(write_playground(), "utf-8")
    return path.as_uri()


@pytest.fixture
def playground(page: Page, address: str) -> Callable[[], Page]:
    """Open the playground, and wait until its first run is drawn."""

    def opened() -> Page:
        page.goto(address)
        expect(page.locator(on.CELLS).first).to_be_visible()
        expect(page.locator(".pairs .bars")).to_be_attached()
        return page

    return opened
