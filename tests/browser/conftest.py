"""The running app and a real Chromium.

Without a Chromium these tests skip and say so; with BPEVIZ_REQUIRE_BROWSER=1, as in .ci/run, they fail.
"""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.support.chromium import QUIET, find_chromium, serving
from tests.support.paths import ROOT

# A busy machine may be slow; only what fails waits this long.
expect.set_options(timeout=60_000)

PICTURES = ROOT / "test-results"
POLICY = "Content Security Policy"


# Playwright keeps an event loop running in this thread until it is closed: it ends with the last test of
# this folder, so that the tests after it can have their own.
@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    path = find_chromium()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(QUIET))
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def address() -> Iterator[str]:
    with serving() as url:
        yield url


@pytest.fixture
def page(chromium: Browser, address: str, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A new session on the first page.

    Afterwards: a picture of how the test ended, to be looked at; no script failed, nothing but the app
    was asked, and the page needed nothing that its security policy forbids.
    """
    context = chromium.new_context(
        viewport={"width": 1360, "height": 950}, permissions=["clipboard-read", "clipboard-write"]
    )
    context.set_default_timeout(60_000)
    page = context.new_page()
    failures: list[str] = []
    elsewhere: list[str] = []
    page.on("pageerror", lambda error: failures.append(str(error)))
    forbidden: list[str] = []
    page.on("console", lambda said: forbidden.append(said.text) if POLICY in said.text else None)
    page.on("request", lambda asked: elsewhere.append(asked.url))
    page.goto(address)
    yield page
    page.screenshot(path=PICTURES / f"{request.node.name}.png")
    context.close()
    assert failures == []
    assert forbidden == []
    assert [url for url in elsewhere if not url.startswith((address, "data:", "blob:"))] == []
