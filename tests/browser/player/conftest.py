"""The player as a page from the disk: certain, and several times faster than through the server."""

import pytest
from playwright.sync_api import Page


@pytest.fixture
def page(tab: Page) -> Page:
    """A tab without network, with nothing open yet."""
    return tab
