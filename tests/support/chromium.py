"""Chromium on this machine, and the running app for it."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.support.server import running

__all__ = ["QUIET", "find_chromium", "serving"]

NAMES = ("chromium", "chromium-browser", "google-chrome")
#: Options that keep it from asking other machines anything.
QUIET = ("--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-sync")


def find_chromium() -> str:
    """The path of Chromium. Without one the test skips, or fails with BPEVIZ_REQUIRE_BROWSER=1."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found:
        return found
    reason = f"no Chromium on this machine (looked for {', '.join(NAMES)})"
    if os.environ.get("BPEVIZ_REQUIRE_BROWSER") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


@contextmanager
def serving() -> Iterator[str]:
    """The running app; gives its address."""
    with running() as server:
        yield server.url
