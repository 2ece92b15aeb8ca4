"""The page of the installed wheel in Chromium."""

import socket
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from bpeviz.runs.samples import ENGLISH, read_sample
from tests.support import app_page as on
from tests.support.addresses import SOMEWHERE, answers, own_address
from tests.support.server import address_of, free_port, running_command
from tests.support.wheel import Installed, environment

pytestmark = pytest.mark.usefixtures("first_page")


@pytest.fixture(scope="module")
def site(installed: Installed) -> Iterator[str]:
    """In place of the checkout's server: that of the command ``bpeviz app``."""
    port = free_port()
    command = [installed.command, "app", "--port", str(port)]
    with running_command(command, port, environment(), installed.folder):
        yield address_of(port)


@pytest.mark.gate
def test_the_page_trains_on_a_sample_of_the_wheel(page: Page) -> None:
    title = ENGLISH.title
    on.train_on_sample(page, title)
    on.go_to(page, 3)
    text = read_sample(title).replace("\n", "")  # line ends are no cells
    assert text.startswith(on.spelled(page.locator(on.CELLS))[:100])
    page.get_by_role("link", name="Compare").click()
    expect(page.get_by_text("Equal vocabulary size").first).to_be_visible()


def test_a_long_text_trains_in_another_process(page: Page) -> None:
    on.open_text_menu(page)
    page.get_by_role("button", name="1 MB").click()
    expect(on.summary(page)).to_contain_text("Python standard library", timeout=120_000)


@pytest.mark.gate
def test_no_other_machine_reaches_it(site: str) -> None:
    port = int(site.rpartition(":")[2])
    assert answers(socket.AF_INET, "127.0.0.1", port)
    for family in SOMEWHERE:
        own = own_address(family)
        if own and own not in ("127.0.0.1", "::1"):
            assert not answers(family, own, port)
