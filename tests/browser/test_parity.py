"""The badge of parity in Chromium: checked in the real library, cancelled, and the player left alone."""

from playwright.sync_api import Page, expect

from bpeviz.runs.samples import STANDARD_LIBRARY, read_sample
from bpeviz.training.settings import TrainingSettings
from tests.support import app_page as on
from tests.support.prepared_session import open_run
from tests.support.trained import LOW, trained


def test_a_run_is_checked_against_the_real_library_while_the_player_stands(page: Page) -> None:
    open_run(page, LOW, step=4)
    page.get_by_role("button", name="Same merges as tokenizers?").click()
    badge = page.get_by_text("Identical for all")
    expect(badge).to_have_text(
        f"check_circle Identical for all {len(trained(LOW).merges)} merges: tokenizers 0.23.3"
    )
    expect(page.get_by_role("button", name="Cancel")).to_have_count(0)
    on.expect_one_player(page)
    on.expect_step(page, 4)
    on.stop_at(page, 6)
    expect(badge).to_be_visible()


def test_a_check_that_is_cancelled_can_be_begun_again(page: Page) -> None:
    # a trainer that takes some seconds, so that there is something to cancel
    text = read_sample(STANDARD_LIBRARY.title, 30_000)
    open_run(page, text, TrainingSettings("tiktoken-educational"))
    start = page.get_by_role("button", name="Same merges as tiktoken?")
    start.click()
    page.get_by_role("button", name="Cancel").click()
    expect(start).to_be_visible()
    on.expect_settled(page)
    expect(page.get_by_text("Identical for all")).to_have_count(0)
    start.click()
    expect(page.get_by_text("Identical for all")).to_be_visible()


def test_a_check_goes_on_when_the_player_reports_a_step(page: Page) -> None:
    text = read_sample(STANDARD_LIBRARY.title, 30_000)  # it takes some seconds
    open_run(page, text, TrainingSettings("tiktoken-educational"))
    page.get_by_role("button", name="Same merges as tiktoken?").click()
    expect(page.get_by_role("button", name="Cancel")).to_be_visible()
    on.stop_at(page, 3)
    expect(page.get_by_text("Identical for all")).to_be_visible()
    on.expect_step(page, 3)
