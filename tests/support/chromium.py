"""Chromium on this machine, and the running app for it."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.support.server import running

__all__ = ["ALL_CONTROLS", "QUIET", "find_chromium", "serving"]

NAMES = ("chromium", "chromium-browser", "google-chrome")
#: Options that keep Chromium from contacting other machines.
QUIET = ("--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-sync")

#: A person who has pressed "More" in the player once; a script for the start of each page.
ALL_CONTROLS = """
try {
  if (!localStorage.getItem("bpeviz-more")) localStorage.setItem("bpeviz-more", "on");
} catch {}
"""


def find_chromium() -> str:
    """The path of Chromium. Without it the test skips, or fails if BPEVIZ_REQUIRE_BROWSER=1."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found:
        return found
    reason = f"no Chromium on this machine (looked for {', '.join(NAMES)})"
    if os.environ.get("BPEVIZ_REQUIRE_BROWSER") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


@contextmanager
def serving() -> Iterator[str]:
    """The address of the running app."""
    with running() as server:
        yield server.url
