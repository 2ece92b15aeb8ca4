"""Terms explain themselves in running text: on hover, focus and tap, within the window."""

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

from bpeviz.glossary import GLOSSARY

SIZES: list[ViewportSize] = [{"width": 1366, "height": 768}, {"width": 390, "height": 844}]


def open_recipes(page: Page) -> Locator:
    """The term "merge" in the sentence above the recipes."""
    page.goto("/recipes")
    return page.locator(".term", has_text="merge").first


def expect_explained(page: Page, term: Locator, name: str) -> None:
    """The meaning is shown, whole."""
    meaning = term.locator(".meaning")
    expect(meaning).to_be_visible()
    expect(meaning).to_have_text(GLOSSARY[name])
    box, size = meaning.bounding_box(), page.viewport_size
    assert box
    assert size
    assert box["x"] >= 0
    assert box["y"] >= 0
    assert box["x"] + box["width"] <= size["width"]
    assert box["y"] + box["height"] <= size["height"]


@pytest.mark.parametrize("size", SIZES, ids=["laptop", "phone"])
@pytest.mark.gate
def test_a_term_explains_itself_to_a_pointer_and_the_keyboard(page: Page, size: ViewportSize) -> None:
    page.set_viewport_size(size)
    term = open_recipes(page)
    expect(term.locator(".meaning")).to_be_hidden()
    term.hover()
    expect_explained(page, term, "merge")
    page.mouse.move(0, 0)
    expect(term.locator(".meaning")).to_be_hidden()
    term.focus()
    expect_explained(page, term, "merge")
    page.keyboard.press("Tab")
    expect(term.locator(".meaning")).to_be_hidden()
    page.keyboard.press("Shift+Tab")
    expect_explained(page, term, "merge")
