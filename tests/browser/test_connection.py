"""What the page says while its server doesn't answer, and what it shows before the player is there."""

import os
import re
import signal
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.support import app_page as on
from tests.support.server import Server, running

BAR = "#bpeviz-connection"


@pytest.fixture
def server() -> Iterator[Server]:
    """One that the test may stop."""
    with running() as started:
        yield started


@pytest.fixture
def visit(chromium: Browser, server: Server) -> Iterator[Page]:
    context = chromium.new_context(viewport={"width": 1366, "height": 768})
    page = context.new_page()
    page.goto(server.url)
    expect(page.locator(on.CELLS).first).to_be_visible(timeout=60_000)
    on.expect_settled(page)
    yield page
    context.close()


def test_a_still_picture_gives_way_to_the_player(visit: Page) -> None:
    expect(visit.locator("#bpeviz-picture")).to_have_count(0)
    visit.reload(wait_until="commit")
    expect(visit.locator("#bpeviz-picture span").first).to_be_visible()
    expect(visit.locator("#bpeviz-picture")).to_have_count(0, timeout=60_000)
    expect(visit.locator(on.CELLS).first).to_be_visible()


def test_a_browser_that_is_too_old_gets_a_sentence(page: Page) -> None:
    page.add_init_script("delete HTMLElement.prototype.popover")
    page.goto("/")
    expect(page.locator(BAR)).to_contain_text("This browser is too old. The page needs Chrome or Edge 123")


def test_a_part_that_does_not_come_is_asked_for_again(chromium: Browser, server: Server) -> None:
    """A cut connection, or a proxy that answers 429, must not leave a hole until a reload."""
    context = chromium.new_context(viewport={"width": 1366, "height": 768})
    page, asked = context.new_page(), list[str]()

    def answer(route: Route) -> None:
        asked.append(route.request.url)
        if len(asked) > 2:
            route.continue_()
        else:
            route.abort()

    page.route("**/parts/player.*", answer)
    page.goto(server.url)
    expect(page.locator(on.CELLS).first).to_be_visible(timeout=60_000)
    assert "?again=" in asked[-1]
    context.close()


def test_a_server_that_hangs_is_said_and_then_no_more(visit: Page, server: Server) -> None:
    os.kill(server.process_id, signal.SIGSTOP)
    try:
        visit.get_by_role("tab", name="Word").click()
        expect(visit.locator(BAR)).to_have_text(re.compile("hasn't answered for .* Your session is saved"))
        visit.get_by_role("button", name="Next merge").click()  # the player needs no server
    finally:
        os.kill(server.process_id, signal.SIGCONT)
    expect(visit.locator(BAR)).to_be_hidden()


def test_while_the_server_is_away_only_our_own_words_are_shown(visit: Page, server: Server) -> None:
    os.kill(server.process_id, signal.SIGKILL)
    expect(visit.locator(BAR)).to_have_text(re.compile("^The server is away. Your session is saved"))
    visit.get_by_role("button", name="Next merge").click()  # stops the sample, which plays by itself
    step = int(on.step_field(visit).input_value())
    visit.get_by_role("button", name="Next merge").click()
    expect(on.step_field(visit)).to_have_value(str(step + 1))
    visit.wait_for_timeout(15_000)  # Streamlit says it after some tries
    expect(visit.locator("[role=dialog]")).to_have_count(0)
