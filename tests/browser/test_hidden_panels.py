"""The main page in Chromium with panels hidden: it steps, picks and forks as with all of them."""

import pytest
from playwright.sync_api import Page, expect

from bpeviz.ui.session.merges import PANELS_TO_SHOW
from tests.support import app_page as on
from tests.support.prepared_session import open_run
from tests.support.trained import LOW
from tests.support.waiting import wait_for

STEP = 3
PAIRS = PANELS_TO_SHOW.index("Pairs") + 1


def hide(page: Page, number: int) -> None:
    """Hide a panel by its key."""
    on.expect_settled(page)
    page.keyboard.press(str(number))
    pill = page.locator(".st-key-panels button").nth(number - 1)
    expect(pill).to_have_attribute("aria-pressed", "false")
    if PANELS_TO_SHOW[number - 1] == "Pairs":
        expect(page.locator(".pairs")).to_have_count(0)
    on.expect_settled(page)


def step_on(page: Page, step: int) -> None:
    """Step, and see that the server has followed without an error."""
    page.keyboard.press("ArrowRight")
    on.expect_at(page, step)
    expect(page.get_by_test_id("stException")).to_have_count(0)


@pytest.mark.parametrize("number", range(1, len(PANELS_TO_SHOW) + 1))
def test_the_player_steps_with_a_panel_hidden(page: Page, number: int) -> None:
    open_run(page, LOW, step=STEP)
    hide(page, number)
    step_on(page, STEP + 1)


@pytest.mark.gate
def test_the_player_steps_with_all_panels_hidden(page: Page) -> None:
    open_run(page, LOW, step=STEP)
    for number in range(1, len(PANELS_TO_SHOW) + 1):
        hide(page, number)
    step_on(page, STEP + 1)


def test_a_fork_steps_with_the_pairs_hidden(page: Page) -> None:
    open_run(page, LOW, step=STEP)
    on.fork(page, 3)
    hide(page, PAIRS)
    step_on(page, STEP + 1)
    expect(page.locator(".st-key-two_futures")).to_contain_text(f"Now, after {STEP + 1} merges")


def test_with_the_pairs_hidden_their_keys_do_nothing(page: Page) -> None:
    open_run(page, LOW, step=STEP)
    hide(page, PAIRS)
    for key in ("b", "Enter", "m"):
        page.keyboard.press(key)
    step_on(page, STEP + 1)
    expect(page.locator(".card.other:visible")).to_have_count(0)
    expect(on.looked_at(page)).to_have_count(0)
    on.expect_settled(page)
    page.keyboard.press(f"{PAIRS}")
    expect(page.locator(".pairs:not(.waiting) .bars")).to_be_attached()
    expect(on.looked_at(page)).to_be_visible()


def test_a_pair_picked_in_a_table_is_looked_at_once_the_pairs_show_again(page: Page) -> None:
    open_run(page, LOW, step=STEP)
    hide(page, PAIRS)
    page.get_by_role("tab", name="All pairs").click()
    on.expect_settled(page)
    table = page.get_by_test_id("stDataFrame").last
    on.scroll_to(table)
    table.click(position={"x": 20, "y": 36 * 2.5})  # the second row
    wait_for(page, lambda: page.evaluate("document.bpevizStage.drawn.pair") is not None, "a pair is picked")
    on.expect_settled(page)
    expect(page.get_by_test_id("stException")).to_have_count(0)
    page.keyboard.press(f"{PAIRS}")
    expect(on.looked_at(page)).not_to_have_value("")
