"""The running app and a real Chromium: one server, one browser and one tab for each worker.

Without a Chromium these tests skip and say so; with BPEVIZ_REQUIRE_BROWSER=1, as in .ci/run, they fail.
"""

from collections.abc import Generator, Iterator

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Error,
    Page,
    Request,
    ViewportSize,
    expect,
    sync_playwright,
)

from tests.support.app_page import CELLS, expect_settled
from tests.support.chromium import ALL_CONTROLS, QUIET, find_chromium, serving
from tests.support.paths import ROOT

# A busy machine may be slow; only what fails waits this long.
WAIT_MILLISECONDS = 15_000
expect.set_options(timeout=WAIT_MILLISECONDS)

PICTURES = ROOT / "test-results"
POLICY = "Content Security Policy"
WINDOW: ViewportSize = {"width": 1360, "height": 950}


#: Set on a test that has failed.
FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.failed:
        item.stash[FAILED] = True
    return report


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


@pytest.fixture(scope="package")
def window(chromium: Browser, address: str) -> BrowserContext:
    """The window whose tab all tests use: a new tab loads the app's scripts again, which takes seconds."""
    window = chromium.new_context(
        base_url=address, viewport=WINDOW, permissions=["clipboard-read", "clipboard-write"]
    )
    window.set_default_timeout(WAIT_MILLISECONDS)
    window.add_init_script(ALL_CONTROLS)
    window.tracing.start()  # what was done and asked; with pictures it takes twice as long
    return window


@pytest.fixture
def site(address: str) -> str:
    """The address of the app under test."""
    return address


@pytest.fixture
def page(window: BrowserContext, site: str, request: pytest.FixtureRequest) -> Iterator[Page]:
    """The tab, with nothing of the app open yet.

    Afterwards: a picture of how the test ended, to be looked at, and the trace of a test that failed. No
    script failed, nothing but the app was asked, and the page needed nothing that its security policy
    forbids.
    """
    page = window.pages[0] if window.pages else window.new_page()
    window.tracing.start_chunk()
    failures: list[str] = []
    elsewhere: list[str] = []
    forbidden: list[str] = []

    def note_failure(error: Error) -> None:
        failures.append(str(error))

    def note_forbidden(said: ConsoleMessage) -> None:
        if POLICY in said.text:
            forbidden.append(said.text)

    def note_request(asked: Request) -> None:
        if not asked.url.startswith((site, "data:", "blob:")):
            elsewhere.append(asked.url)

    page.on("pageerror", note_failure)
    page.on("console", note_forbidden)
    page.on("request", note_request)
    yield page
    page.screenshot(path=PICTURES / f"{request.node.name}.png")
    failed = request.node.stash.get(FAILED, False) or failures or forbidden or elsewhere
    window.tracing.stop_chunk(path=PICTURES / f"{request.node.name}.zip" if failed else None)
    clear(page, site)
    page.remove_listener("pageerror", note_failure)
    page.remove_listener("console", note_forbidden)
    page.remove_listener("request", note_request)
    assert failures == []
    assert forbidden == []
    assert elsewhere == []


def clear(page: Page, site: str) -> None:
    """Leave the app, and make the tab like a new one.

    The page that it goes to is of the same site: for an empty one Chromium would start another process.
    """
    page.goto(f"{site}/_stcore/health")
    page.evaluate("localStorage.clear(); sessionStorage.clear()")
    page.context.clear_cookies()
    page.set_viewport_size(WINDOW)
    page.emulate_media(color_scheme="light", reduced_motion="no-preference", forced_colors="none")
    page.mouse.move(0, 0)


#: What a page from the disk must not do: need what its policy forbids, or open a dialog or a window.
WATCH = """
window.violations = [];
addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI, sample }) =>
  window.violations.push([violatedDirective, blockedURI, sample].join(" ")));
for (const name of ["alert", "confirm", "prompt", "open"]) window[name] = () => { window.ran = name; };
"""


@pytest.fixture(scope="package")
def offline(chromium: Browser) -> BrowserContext:
    """A window without network, for pages from the disk."""
    context = chromium.new_context(viewport=WINDOW, offline=True)
    context.set_default_timeout(30_000)
    context.add_init_script(WATCH)
    context.add_init_script(ALL_CONTROLS)
    return context


@pytest.fixture
def tab(offline: BrowserContext, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A tab without network. Afterwards: it asked for nothing but files and its own blobs, said nothing, no
    script failed, the policy forbade nothing, and no hostile text ran."""
    tab = offline.new_page()
    requests: list[str] = []
    said: list[str] = []

    def note_request(asked: Request) -> None:
        if not asked.is_navigation_request() and not asked.url.startswith("blob:"):
            requests.append(asked.url)

    tab.on("request", note_request)
    tab.on("console", lambda message: said.append(f"{message.type}: {message.text}"))
    tab.on("pageerror", lambda error: said.append(str(error)))
    yield tab
    if request.node.stash.get(FAILED, False):
        tab.screenshot(path=PICTURES / f"{request.node.name}.png")
    ran = [frame.evaluate("window.ran") for frame in tab.frames]
    violations = [each for frame in tab.frames for each in frame.evaluate("window.violations ?? []")]
    if tab.url.startswith(
        "file:"
    ):  # pages from the disk share what they keep, and this one keeps it a moment later
        tab.evaluate("() => { localStorage.clear(); Storage.prototype.setItem = () => {}; }")
    tab.close()
    assert requests == []
    assert said == []
    assert violations == []
    assert [each for each in ran if each] == []


@pytest.fixture
def saved_page(chromium: Browser) -> Iterator[Page]:
    """A page to open saved files in."""
    context = chromium.new_context()
    yield context.new_page()
    context.close()


@pytest.fixture
def first_page(page: Page, site: str) -> Page:
    """The tab, with a new session."""
    page.goto(site)
    expect(page.locator(CELLS).first).to_be_visible()
    expect_settled(page)
    return page


@pytest.fixture
def curves_open(page: Page, site: str) -> None:
    """The tab, which remembers that the curves are open."""
    page.goto(f"{site}/_stcore/health")
    page.evaluate("sessionStorage.setItem('bpeviz-curves', 'open')")
