"""The page from end to end, once: train, step, compare, reload."""

import pytest
from playwright.sync_api import Page, expect

from tests.support import app_page as on

pytestmark = pytest.mark.usefixtures("first_page")


@pytest.mark.gate
def test_a_text_is_trained_on_stepped_through_compared_and_still_there_after_a_reload(page: Page) -> None:
    on.train_on(page, "the cat in the hat and the cat on the mat. " * 3)
    on.stop_at(page, 3)
    page.get_by_role("link", name="Compare").click()
    verdict = page.get_by_role("heading", name="Both need 37 tokens for this text")
    expect(verdict).to_be_visible()
    on.expect_settled(page)
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    page.reload()
    expect(verdict).to_be_visible()
    assert said == []
    page.get_by_role("link", name="Watch", exact=True).click()
    expect(page.locator(on.CELLS).first).to_be_visible()
    on.expect_step(page, 3)
