"""A hosted app in Chromium, where every name is this machine: alone, and in a frame of another site."""

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import BrowserType, Frame, Page, expect

from tests.support.app_page import CELLS
from tests.support.chromium import QUIET, find_chromium

__all__ = ["expect_app", "expect_refused", "framed", "tab_with_names"]

#: Every name leads here, as if it were a public server, and a page of HTTPS may frame one of plain HTTP.
OPTIONS = (
    "--host-resolver-rules=MAP * 127.0.0.1",
    "--ip-address-space-overrides=127.0.0.0/8=public",
    "--allow-running-insecure-content",
)
TEXT = b"the cat in the hat and the rat"


@contextmanager
def tab_with_names(chromium: BrowserType) -> Iterator[Page]:
    """A tab in which every name leads to this machine."""
    browser = chromium.launch(executable_path=find_chromium(), args=[*QUIET, *OPTIONS])
    page = browser.new_page(viewport={"width": 1366, "height": 950}, reduced_motion="reduce")
    page.set_default_timeout(30_000)
    yield page
    browser.close()


def framed(tab: Page, site: str, address: str) -> Frame:
    """The frame in which the page of a site, such as "https://example.org", shows an address."""
    frame = f'<!doctype html><iframe src="{address}" width="1300" height="900"></iframe>'
    tab.route(f"{site}/", lambda route: route.fulfill(body=frame, content_type="text/html"))
    tab.goto(f"{site}/")
    content = tab.locator("iframe").element_handle().content_frame()
    assert content is not None
    return content


def expect_app(shown: Page | Frame) -> None:
    """The app draws its player, steps, and takes a file."""
    expect(shown.locator(CELLS).first).to_be_visible(timeout=60_000)
    field = shown.get_by_label("Merges made")
    field.fill("3")
    field.press("Enter")
    expect(shown.locator(".bpeviz.player .step")).to_have_value("3", timeout=30_000)
    shown.locator(".st-key-drop_zone input[type=file]").set_input_files(
        {"name": "cat.txt", "mimeType": "text/plain", "buffer": TEXT}
    )
    expect(shown.locator(".st-key-run_summary")).to_contain_text(f"{len(TEXT)} bytes", timeout=30_000)


def expect_refused(frame: Frame) -> None:
    """The browser shows nothing of the server in the frame."""
    frame.wait_for_load_state()
    assert frame.url.startswith("chrome-error:")
