"""JupyterLab, installed and started once, and a Chromium."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.jupyter.lab import Lab, install_lab, running_lab
from tests.support.chromium import QUIET, find_chromium
from tests.support.paths import ROOT

# A busy machine may be slow; only what fails waits this long.
expect.set_options(timeout=60_000)

PICTURES = ROOT / "test-results"


@pytest.fixture(scope="package")
def window() -> Iterator[BrowserContext]:
    path = find_chromium()
    with sync_playwright() as playwright:
        browser: Browser = playwright.chromium.launch(executable_path=path, args=list(QUIET))
        window = browser.new_context(viewport={"width": 1280, "height": 1500})
        window.set_default_timeout(60_000)
        yield window
        browser.close()


@pytest.fixture(scope="package")
def lab(window: BrowserContext, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    with running_lab(install_lab(tmp_path_factory.mktemp("lab"))) as lab:
        yield lab


@pytest.fixture
def page(window: BrowserContext, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A tab. Afterwards: a picture of how the test ended, and no script of a player failed."""
    page = window.new_page()
    failures: list[str] = []
    page.on("pageerror", lambda error: failures.append(str(error)))
    yield page
    page.screenshot(path=PICTURES / f"{request.node.name}.png")
    page.close()
    assert failures == []
