"""The playground and its lessons for people who use a screen reader, another theme, a phone or paper."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

from tests.browser.player.test_playground_lessons import answer_rightly, expect_stop, open_lesson
from tests.browser.test_accessibility import AXE, FIND_FAULTS, GATE_LOOKS, OTHER_LOOKS, Theme
from tests.browser.test_standalone_pages import OVERFLOW
from tests.support import app_page as on
from tests.support.chromium import ALL_CONTROLS

#: The gate has one of these in each test, and .ci/full all.
LOOKS = (*GATE_LOOKS, *OTHER_LOOKS)


def looks(gate: int) -> list[Any]:
    """A theme and a size for each test; the one of this number is in the gate."""
    return [
        pytest.param(*look, marks=pytest.mark.gate if i == gate else pytest.mark.full)
        for i, look in enumerate(LOOKS)
    ]


@pytest.fixture
def page_of(chromium: Browser, address: str) -> Iterator[Callable[[Theme, ViewportSize], Page]]:
    """Open the playground in a theme and a size, with axe in it."""
    if not AXE.exists():
        pytest.skip("no axe-core: run npm ci in tests/javascript")
    contexts = []

    def opened(theme: Theme, size: ViewportSize) -> Page:
        context = chromium.new_context(
            bypass_csp=True, reduced_motion="reduce", color_scheme=theme, offline=True, viewport=size
        )
        contexts.append(context)
        context.add_init_script(ALL_CONTROLS)
        page = context.new_page()
        page.goto(address)
        expect(page.locator(on.CELLS).first).to_be_visible()
        page.add_script_tag(path=AXE)
        return page

    yield opened
    for context in contexts:
        context.close()


def expect_no_fault(page: Page, view: str) -> None:
    """Axe finds nothing, and the page is as wide as the window."""
    scrolled, inner = page.evaluate(OVERFLOW)
    assert scrolled <= inner, view
    assert page.evaluate(FIND_FAULTS) == [], view


def menu(page: Page, name: str) -> Locator:
    return page.locator(f"{name} summary").first


@pytest.mark.parametrize(("theme", "size"), looks(0))
def test_axe_finds_no_fault_in_the_form_and_its_menus(
    page_of: Callable[[Theme, ViewportSize], Page], theme: Theme, size: ViewportSize
) -> None:
    page = page_of(theme, size)
    for name in (".learn", ".needs", ".rules", "#below"):
        menu(page, name).click()
        if name == "#below":  # the chart comes after the text
            expect(page.get_by_role("img", name=re.compile("^Tokens against merges"))).to_be_visible()
        expect_no_fault(page, name)
        menu(page, name).click()


@pytest.mark.parametrize(("theme", "size"), looks(1))
def test_axe_finds_no_fault_in_a_lesson(
    page_of: Callable[[Theme, ViewportSize], Page], theme: Theme, size: ViewportSize
) -> None:
    page = page_of(theme, size)
    slug = "what-if-it-is-a-tie"
    open_lesson(page, slug)
    expect_stop(page, slug, 0)
    expect_no_fault(page, "a guess of a pair")
    answer_rightly(page, slug, 0)
    expect_no_fault(page, "an answer, and the pairs")
    page.locator("section.lesson .leave").click()
    page.keyboard.press("Escape")
    slug = "why-is-arithmetic-hard"
    open_lesson(page, slug)
    answer_rightly(page, slug, 0)
    for place in range(1, 6):
        page.keyboard.press("PageDown")
        expect_stop(page, slug, place)
    expect_no_fault(page, "rows of tokens, at the last stop")


@pytest.mark.gate
def test_a_lesson_goes_by_keyboard_and_keeps_the_focus(page: Page, playground: Callable[[], Page]) -> None:
    playground()
    open_lesson(page, "why-does-a-trailing-space-matter")
    expect_stop(page, "why-does-a-trailing-space-matter", 0)
    forward = page.locator("section.lesson .forward")
    forward.focus()
    page.keyboard.press("Enter")
    expect(forward).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("section.lesson .place")).to_have_text("Stop 3 of 5")
    page.locator("section.lesson .answers .key").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("section.lesson .verdict")).to_contain_text("Right: It is a token by itself.")
    expect(forward).to_be_focused()
    page.keyboard.press("PageUp")
    expect(page.locator("section.lesson .place")).to_have_text("Stop 2 of 5")
    page.locator("section.lesson .leave").focus()
    page.keyboard.press("Enter")
    expect(menu(page, ".learn")).to_be_focused()


@pytest.mark.gate
def test_a_lesson_on_paper_is_its_text_and_its_merges(page: Page, playground: Callable[[], Page]) -> None:
    playground()
    open_lesson(page, "what-is-a-merge")
    expect_stop(page, "what-is-a-merge", 0)
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(page.locator("#readable h1")).to_have_text("What is a merge?")
    assert (page.locator("#tokens").text_content() or "").strip() == "aaabdaaabac"
    expect(page.locator("#readable tr")).to_have_count(1 + 3)
    expect(page.locator("section.lesson")).to_be_hidden()
