"""The line of the run in Chromium, above the player: what it says, its menus and its height."""

import re
from itertools import pairwise

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.support import app_page as on
from tests.support.prepared_session import open_run, open_sample
from tests.support.trained import LOW, trained


def choose_recipe(page: Page, recipe: str) -> None:
    """Train with another recipe from the menu for the rules, and leave it open."""
    on.open_rules(page)
    on.choose_recipe(page, recipe)
    expect(page.locator(".card.other .tok").first).to_be_visible()
    on.expect_settled(page)


def test_the_split_pattern_of_another_recipe_is_named_in_its_field(page: Page) -> None:
    open_sample(page, "German", merges=60, step=9)
    choose_recipe(page, "minbpe")
    expect(page.locator(".st-key-run_summary")).to_contain_text("cl100k split")
    field = page.get_by_role("combobox", name="Split pattern")
    expect(field).to_have_value("the recipe's own (cl100k)")
    field.click()
    expect(page.get_by_role("option", name="the recipe's own")).to_have_text("the recipe's own (cl100k)")


LAPTOP: ViewportSize = {"width": 1366, "height": 768}


def height(page: Page) -> float:
    """Of the run line; it is in one row."""
    box = page.locator(".st-key-run_line").bounding_box()
    assert box is not None
    return box["height"]


@pytest.mark.gate
def test_all_menus_are_in_the_window_at_a_zoom_of_200_percent(page: Page) -> None:
    page.set_viewport_size({"width": 683, "height": 384})
    open_sample(page, "English prose", merges=500, step=0)
    box = page.locator(".st-key-export_place").get_by_role("button", name="Export").bounding_box()
    assert box is not None
    assert box["x"] + box["width"] <= 683


@pytest.mark.gate
def test_a_long_name_of_a_file_takes_one_line(page: Page) -> None:
    page.set_viewport_size(LAPTOP)
    open_sample(page, "English prose", merges=5, step=0)
    on.drop(page, "x" * 190 + ".txt", b"the cat in the hat and the cat")
    expect(on.summary(page)).to_contain_text("xxx")
    assert height(page) <= 52


def places(page: Page) -> list[object]:
    """Where the buttons and the text are, and how high their row is. Beside two futures the scrubber is
    shorter, because their verdict stands at its right."""
    boxes = [page.locator(f".deck [data-go={name}]").bounding_box() for name in ("first", "play", "last")]
    deck, text = (page.locator(part).bounding_box() for part in (".deck", ".card.main"))
    assert deck
    assert text
    return [*boxes, deck["x"], deck["y"], deck["height"], text["x"], text["y"]]


@pytest.mark.gate
def test_another_recipe_neither_moves_nor_replaces_the_player(page: Page) -> None:
    page.set_viewport_size(LAPTOP)
    open_sample(page, "English prose", merges=500, step=87)
    top = places(page)
    page.locator(".bpeviz.player").evaluate("player => { player.dataset.seen = 'before' }")
    assert height(page) <= 52
    choose_recipe(page, "minbpe")
    assert height(page) <= 52
    assert places(page) == top
    expect(page.locator(".bpeviz.player")).to_have_attribute("data-seen", "before")
    on.expect_step(page, 87)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Rename or delete").click()
    page.get_by_role("button", name=re.compile("^(delete)?Delete ")).click()
    expect(page.locator(".card.other:visible")).to_have_count(0)
    expect(page.locator(".bpeviz.player")).to_have_attribute("data-seen", "before")


def test_the_menus_of_the_run_stand_beside_each_other_on_a_phone(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    open_sample(page, "English prose", merges=500, step=87)
    sides = page.locator(".st-key-run_line").evaluate(
        """line => [...line.querySelectorAll("button")].map(each => each.getBoundingClientRect())
            .filter(box => box.width).map(({ left, right }) => [left, right])"""
    )
    assert len(sides) == 4
    assert sides[-1][1] <= 390
    assert all(right <= left for (_, right), (left, _) in pairwise(sides))


def test_the_run_line_says_in_short_that_no_merge_is_left(page: Page) -> None:
    page.set_viewport_size(LAPTOP)
    open_sample(page, "English prose", merges=500, step=87)
    says = page.get_by_text("This text allows 476 merges.")
    expect(says).to_be_visible()
    assert says.evaluate("e => e.closest('p').scrollWidth <= e.closest('p').clientWidth")
    expect(on.summary(page)).to_contain_text("up to 500 merges")
    expect(page.get_by_role("button", name="Take the tour")).to_be_visible()
    for _ in range(2):  # at the first time Streamlit only loads its tooltips
        page.mouse.move(5, 700)
        page.wait_for_timeout(300)
        page.locator("[data-testid=stCaptionContainer]").get_by_role("button", name="Help").hover()
        page.wait_for_timeout(300)
    expect(page.get_by_role("tooltip")).to_contain_text("occurs once, fewer than the minimum frequency of 2.")


def test_a_step_counts_again_after_a_shorter_run_was_shown(page: Page) -> None:
    """The server hears of a step that it has heard of before, because the run came again."""
    open_run(page, LOW, step=3)
    on.open_rules(page)
    field = page.get_by_role("spinbutton", name="Merges", exact=True)
    last = len(trained(LOW).merges)
    page.keyboard.press("Escape")
    on.stop_at(page, last)
    on.open_rules(page)
    field.fill("5")
    field.press("Enter")
    expect(page.locator(".of")).to_have_text("5")
    on.expect_at(page, 5)
    page.keyboard.press("Escape")
    on.choose(page.get_by_label("Run shown"), "pasted text")
    expect(page.locator(".of")).to_have_text(f"{last}")
    on.expect_settled(page)
    on.stop_at(page, last)


def test_a_special_token_is_typed_and_training_stops_at_a_vocabulary_size(page: Page) -> None:
    open_run(page, LOW, step=3)
    on.open_rules(page)
    page.get_by_role("combobox", name="Special tokens").fill("<|end|>")
    expect(page.get_by_role("option")).to_contain_text(["<|end|>"])  # Enter takes what is in the list
    page.keyboard.press("Enter")
    on.expect_settled(page)
    page.get_by_role("radiogroup", name="Stop at").get_by_text("vocabulary size").click()
    size = page.get_by_role("spinbutton", name="Vocabulary size")
    expect(size).to_have_value(str(257 + len(trained(LOW).merges)))
    size.fill("262")
    size.press("Enter")
    expect(page.locator(".of")).to_have_text("5")
    expect(on.summary(page)).to_contain_text("262 tokens")
    on.expect_at(page, 3)
