"""A model of the list that isn't on this machine: it comes from a Hub, and Cancel ends the wait for it."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from bpeviz.formats.known_models import KNOWN_MODELS
from tests.support import app_page as on
from tests.support.hub_server import HubServer, hub_server
from tests.support.server import running
from tests.support.tokenizer_files import ranks

KIMI = KNOWN_MODELS["Kimi K2"]
(RANKS,) = ranks({b"th": 256}).values()


@pytest.fixture(scope="module")
def hub() -> Iterator[HubServer]:
    with hub_server({KIMI.hub_id: {"tiktoken.model": RANKS}}) as server:
        yield server


@pytest.fixture(scope="module")
def own_site(hub: HubServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    cache: Path = tmp_path_factory.mktemp("cache")
    with running({"HF_ENDPOINT": hub.url, "HF_HUB_CACHE": str(cache)}) as server:
        yield server.url


@pytest.fixture
def site(own_site: str) -> str:
    return own_site


def test_a_model_is_got_after_a_click_and_cancel_ends_the_wait(page: Page, site: str, hub: HubServer) -> None:
    page.goto(f"{site}/encode")
    on.expect_settled(page)
    field = page.get_by_role("combobox", name="Tokenizer")
    field.fill("Kimi")
    page.get_by_role("option", name="Kimi K2 · from the Hub").click()
    get = page.get_by_role("button", name="Get Kimi K2")
    get.wait_for()
    hub.wait.clear()
    get.click()
    expect(page.get_by_text(re.compile(r"Getting Kimi K2, \d s so far"))).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("button", name="Cancel")).to_have_count(0)
    on.expect_settled(page)
    hub.wait.set()
    get.click()
    expect(field).to_have_value("Kimi K2 · your file")
    expect(page.locator(".encoder")).to_be_visible()
