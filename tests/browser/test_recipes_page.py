"""The page of disagreements in Chromium: a person reads why two recipes part, picks two others, and cancels.

Streamlit draws tables on a canvas: what is in them is tested without a browser.
"""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.support import app_page as on


def open_disagreements(page: Page) -> None:
    page.goto("/recipes")
    expect_disagreements(page)


def expect_disagreements(page: Page) -> None:
    expect(page.get_by_text("Merges that two recipes share")).to_be_visible()
    expect(figures(page).first).to_be_visible()
    on.expect_settled(page)


def pick(page: Page, two: str) -> None:
    on.choose(page.get_by_role("combobox", name="Two recipes"), two, exact=False)


def sentence(page: Page, beginning: str) -> Locator:
    return page.get_by_test_id("stMarkdown").filter(has_text=re.compile(f"^{re.escape(beginning)}"))


def figures(page: Page) -> Locator:
    """The numbers in the cells, by row."""
    return page.get_by_role("figure", name="Merges that two recipes share").locator(".textpoint text")


@pytest.mark.gate
def test_a_cell_that_is_clicked_tells_why_its_two_part_and_others_are_picked(page: Page) -> None:
    open_disagreements(page)
    figures(page).first.click(force=True)
    told = sentence(page, "Both make the same 44 merges.")
    expect(told).to_contain_text(
        "They split the text into different pre-tokens: L minbpe by the pattern cl100k"
    )
    expect(page.get_by_test_id("stCode").first).to_have_text(
        "minbpe                ⏎⏎\ntiktoken-educational  ⏎ │ ⏎"
    )
    # and it stays after a visit elsewhere
    page.get_by_role("link", name="Vocabulary").click()
    expect(page.get_by_role("textbox", name="Search")).to_be_visible()
    page.get_by_role("link", name="Recipes").click()
    expect_disagreements(page)
    expect(told).to_be_visible()
    # two others, and these again
    pick(page, "huggingface and rustbpe")
    expect(told).to_have_count(0)
    on.expect_settled(page)
    pick(page, "minbpe and tiktoken-educational")
    expect(told).to_be_visible()
    on.expect_settled(page)
    page.get_by_text("All with one split pattern").click()
    expect(page.get_by_text("up to 300 merges, all split by gpt2.")).to_be_visible()
    expect(sentence(page, "Both make the same 300 merges.")).to_contain_text("give the same result")


def test_a_long_training_is_cancelled_and_begun_again(page: Page) -> None:
    open_disagreements(page)
    page.get_by_text("minbpe-basic", exact=True).click()
    expect(figures(page)).to_have_count(15)
    on.expect_settled(page)
    on.pick_text(page, "Sample: Python standard library")
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("The training was stopped. Train again")).to_be_visible()
    on.expect_settled(page)
    on.pick_text(page, "Sample: English prose")
    expect(figures(page)).to_have_count(15)


@pytest.mark.gate
def test_a_trainer_with_a_mistake_is_explained_and_both_futures_open_in_the_player(page: Page) -> None:
    page.goto("/recipes")
    page.get_by_role("tab", name="Check your trainer").click()
    page.get_by_role("button", name="Try a trainer with a mistake").click()
    result = page.locator(".st-key-check_result")
    expect(result).to_contain_text("The first 11 merges are equal. At merge 12 you merged ␣a + nd (57 times)")
    expect(result).to_contain_text("yours takes the one with the greatest ids")
    page.get_by_role("button", name="Show both futures in the player").click()
    expect(page.locator(on.CELLS).first).to_be_visible()
    on.expect_at(page, 12)
    expect(page.get_by_text("cs336", exact=True).first).to_be_visible()
    expect(page.get_by_role("button", name="Show the first difference")).to_be_visible()
    # and the check is there when the person comes back
    page.get_by_role("link", name="Recipes").click()
    expect(result).to_contain_text("This explains all your merges.")
