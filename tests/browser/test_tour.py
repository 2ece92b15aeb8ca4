"""The tour in Chromium: ten cards drive the player, by keyboard, and put everything back."""

import re

import pytest
from playwright.sync_api import Page, expect

from bpeviz.lessons.prepared import prepared
from bpeviz.runs.samples import FIRST_STOP
from tests.support import app_page as on


def expect_card(page: Page, number: int) -> None:
    expect(page.get_by_text(f"Card {number} of 10")).to_be_visible()
    on.expect_settled(page)


def outlined(page: Page) -> list[str]:
    """The parts of the page that have the outline of a spotlight."""
    parts = {"text": on.TEXT, "sentence": ".player .say", "pairs": ".panel .pairs"}
    style = "parts => parts.map(e => getComputedStyle(e).outlineStyle)"
    return [name for name, part in parts.items() if "solid" in page.locator(part).evaluate_all(style)]


@pytest.mark.gate
def test_the_tour_goes_by_keyboard_from_the_first_page_and_back(page: Page) -> None:
    page.goto("/")
    on.expect_step(page, FIRST_STOP)
    before = on.summary(page).inner_text()
    page.get_by_role("button", name="Take the tour").click()
    tour = prepared("tour")
    for place, stop in enumerate(tour.lesson.stops):
        expect_card(page, place + 1)
        expect(page).to_have_url(re.compile(rf"/\?card={place + 1}$"))
        _, step = tour.material_at(place)
        on.expect_step(page, step)
        assert outlined(page) == [stop.spotlight] * (stop.spotlight in ("text", "sentence", "pairs"))
        if stop.action and stop.action.step is not None:
            page.keyboard.press("PageDown")
            on.expect_step(page, stop.action.step)
            expect(page.get_by_role("button", name="Next card")).to_be_visible()
            on.expect_settled(page)
        page.keyboard.press("PageDown")
    expect(page.get_by_label(on.FIELD)).to_be_focused()
    on.expect_step(page, FIRST_STOP)  # a key stops the first run on its way there
    page.keyboard.press("Escape")
    expect(page.get_by_label(on.FIELD)).to_have_count(0)
    on.expect_step(page, FIRST_STOP)
    assert on.summary(page).inner_text() == before
    assert page.url.endswith("/")  # nothing was saved


def test_a_card_opens_by_its_link_and_the_tour_goes_on_there(page: Page) -> None:
    page.goto("/?card=9")
    expect_card(page, 9)
    page.get_by_role("button", name="Encode it").click()
    on.expect_step(page, 13)
    assert on.cells(page) == ["the", " light", "er", " weather"]
    page.get_by_role("button", name="Leave the tour").click()
    expect(on.summary(page)).to_contain_text("English prose")
    on.expect_settled(page)
    page.get_by_role("button", name="Continue the tour at card 9").click()
    expect_card(page, 9)
    on.expect_step(page, 0)  # the card puts it back


def test_whoever_wants_less_motion_sees_each_result_at_once(page: Page) -> None:
    page.emulate_media(reduced_motion="reduce")
    page.goto("/?card=8")
    expect_card(page, 8)
    page.get_by_role("button", name="Play 30 merges").click()
    on.expect_step(page, 30)
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    assert page.locator(".player .say").evaluate("e => getComputedStyle(e).animationName") == "none"
