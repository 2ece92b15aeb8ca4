"""The size of the text, and the player on a projector."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from bpeviz.runs.samples import read_sample
from tests.support import app_page as on
from tests.support.saved_player import open_run
from tests.support.trained import LOW

SIZE = "e => parseFloat(getComputedStyle(e).fontSize)"
SCROLLS = "e => e.scrollHeight > e.clientHeight + 1"
SENTENCE = "A short sentence that somebody pastes, 日本語 and all, is as large as the window has room for. "


def size(page: Page, place: str = on.TEXT) -> float:
    found: float = page.locator(place).evaluate(SIZE)
    return found


@pytest.mark.parametrize("width", [390, 820, 1366, 1920])
@pytest.mark.gate
def test_a_short_text_is_as_large_as_fits_and_never_scrolls(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    run = open_run(page, SENTENCE)
    large = size(page)
    assert 14 < large <= 48
    for step in (0, len(run.steps) // 2, len(run.steps)):
        on.go_to(page, step)
        assert not page.locator(on.TEXT).evaluate(SCROLLS)
        assert size(page) == large
    open_run(page, SENTENCE * 4)
    assert size(page) < large


@pytest.mark.parametrize(("width", "height"), [(390, 844), (820, 1180)])
def test_where_the_panels_stand_below_the_text_has_two_fifths_of_the_height(
    page: Page, width: int, height: int
) -> None:
    page.set_viewport_size({"width": width, "height": height})
    open_run(page, SENTENCE * 60, step=3)
    box = page.locator(on.TEXT).bounding_box()
    assert box
    assert 0.3 * height < box["height"] <= 0.4 * height + 2


def test_eleven_letters_have_the_largest_type_in_one_row(page: Page) -> None:
    page.set_viewport_size({"width": 1366, "height": 768})
    open_run(page, "aaabdaaabac", step=3)
    assert size(page) == 48
    tops = page.locator(on.CELLS).evaluate_all("all => all.map(e => e.getBoundingClientRect().top)")
    assert len({round(top) for top in tops}) == 1


def test_in_a_wide_window_the_type_grows_and_no_row_has_more_than_90_letters(page: Page) -> None:
    page.set_viewport_size({"width": 1366, "height": 900})
    open_run(page, read_sample("English prose"))
    laptop = size(page)
    page.set_viewport_size({"width": 1920, "height": 1080})
    expect(page.locator(on.TEXT)).not_to_have_css("font-size", f"{laptop}px")
    wide = size(page)
    assert 14 < laptop < wide < 24
    letters = page.locator(on.TEXT).evaluate("e => e.clientWidth") / (wide * 0.602)
    assert letters == pytest.approx(90, abs=1)


def test_the_transport_the_scrubber_and_the_speed_share_one_row_over_text_and_pairs(page: Page) -> None:
    page.set_viewport_size({"width": 1366, "height": 768})
    open_run(page, read_sample("English prose"), step=60)
    boxes = page.locator(".player .row > *").evaluate_all(
        "all => all.map(e => e.getBoundingClientRect()).map(b => [b.left, b.right, (b.top + b.bottom) / 2])"
    )
    assert len(boxes) == 3
    assert max(middle for *_, middle in boxes) - min(middle for *_, middle in boxes) <= 4
    assert boxes[-1][1] > 1340  # up to the window's edge
    says, figures = (page.locator(place).bounding_box() for place in (".say", ".tiles"))
    assert says is not None
    assert figures is not None
    assert figures["x"] > says["x"] + says["width"] - 1
    assert abs((says["y"] + says["height"] / 2) - (figures["y"] + figures["height"] / 2)) <= 6
    pairs = page.locator(".pairs .bars").bounding_box()
    assert pairs is not None
    assert pairs["y"] > figures["y"] + figures["height"]


@pytest.mark.gate
def test_on_a_projector_plus_and_minus_change_the_type_and_1_shows_the_bars(page: Page) -> None:
    page.set_viewport_size({"width": 1366, "height": 768})
    open_run(page, SENTENCE * 30)
    bars, ends = page.locator(".pairs .bars"), page.locator(".player .ends")
    expect(bars).to_be_visible()
    expect(ends).to_be_hidden()
    page.keyboard.press("-")  # not on a projector: the page keeps its type
    small = size(page)
    page.keyboard.press("f")
    expect(bars).to_be_hidden()
    expect(ends).to_have_text("Esc ends")
    large = size(page)
    assert large >= 1.5 * small
    page.keyboard.press("+")
    assert size(page) > large
    page.keyboard.press("-")
    page.keyboard.press("-")
    assert size(page) < large
    page.keyboard.press("1")
    expect(bars).to_be_visible()
    page.keyboard.press("1")
    expect(bars).to_be_hidden()
    expect(ends).to_be_hidden()  # after two seconds
    page.keyboard.press("Escape")
    expect(bars).to_be_visible()
    assert size(page) == small


@pytest.mark.parametrize("size", [{"width": 1366, "height": 768}, {"width": 390, "height": 844}])
def test_what_a_figure_means_covers_no_button_that_steps(page: Page, size: Any) -> None:
    page.set_viewport_size(size)
    open_run(page, LOW)
    bar = page.locator(".transport").bounding_box()
    assert bar
    for term in page.locator(".tiles .term").all():
        term.hover()
        box = term.locator(".meaning").bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= size["width"]
        assert box["y"] >= bar["y"] + bar["height"] or box["y"] + box["height"] <= bar["y"]
