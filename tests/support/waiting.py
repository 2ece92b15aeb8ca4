"""Waiting for an event: as long as no machine takes, and never longer than needed."""

from collections.abc import Callable

from playwright.sync_api import Page

__all__ = ["wait_for"]

TRIES, MILLISECONDS = 2_400, 50


def wait_for(page: Page, happened: Callable[[], bool], what: str) -> None:
    """Return once something is true that no locator can tell, such as of several elements together."""
    for _ in range(TRIES):
        if happened():
            return
        page.wait_for_timeout(MILLISECONDS)
    raise AssertionError(f"after {TRIES * MILLISECONDS / 1000:.0f} seconds still not: {what}")
