"""The check of a person's own pattern in Chromium, while they type."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.support import app_page as on
from tests.support.prepared_session import open_run


def begin(page: Page, text: str) -> Locator:
    """Train on a text and choose to write a pattern; returns its field."""
    open_run(page, text)
    on.open_rules(page)
    on.choose(page.get_by_role("combobox", name="Split pattern"), "custom")
    field = page.get_by_label("Custom pattern")
    expect(field).to_be_visible()
    expect(said(page)).to_have_text("Type a pattern: you see here how it cuts your text.")
    on.expect_settled(page)
    return field


def said(page: Page) -> Locator:
    return page.locator(".pattern-check .said")


def pieces(page: Page) -> list[tuple[str, bool]]:
    cells = page.locator(".pattern-check .pieces span")
    return [(cell.inner_text(), "tok" in (cell.get_attribute("class") or "")) for cell in cells.all()]


@pytest.mark.gate
def test_each_key_is_answered_without_leaving_the_field(page: Page) -> None:
    field = begin(page, "the cat, 灯台\n" * 3)
    field.press_sequentially("[a-z]+")
    expect(said(page)).to_have_text(
        "Misses 18 characters, such as ␣, ,, 灯. A pattern must cover every character."
    )
    assert pieces(page)[:4] == [("the", True), ("␣", False), ("cat", True), (",␣灯台⏎", False)]
    assert len(pieces(page)) == 10
    expect(field).to_be_focused()
    field.press_sequentially("(")
    expect(said(page)).to_contain_text("does not compile")
    assert pieces(page) == []
    field.press("Backspace")
    expect(said(page)).to_contain_text("Misses 18 characters")
    page.get_by_role("button", name="Add a catch-all").click()
    on.expect_settled(page)
    expect(page.get_by_label("Custom pattern").first).to_have_value(r"[a-z]+|[\s\S]")
    # for a moment the old field and its check are still there
    all_covered = page.locator(".pattern-check").get_by_text(
        "24 pre-tokens. The pattern covers every character.", exact=True
    )
    expect(all_covered).to_be_visible()
    expect(said(page)).to_have_count(1)
    expect(page.locator(".pattern-check .formats")).to_contain_text("Can be saved as")
    on.expect_settled(page)
    expect(on.summary(page)).to_contain_text("custom split")


def test_a_pattern_with_much_to_nest_is_refused_while_another_visitor_works(page: Page) -> None:
    field = begin(page, "the cat " * 9)
    field.fill("(" * 30 + "a" + "+)" * 30)
    expect(said(page)).to_contain_text("does not compile in the memory")
    field.fill(r"(?:t|th|the)+x|[\s\S]")
    expect(said(page)).to_contain_text("The pattern covers every character.")


def test_a_key_does_not_train_the_shown_run_again(page: Page) -> None:
    open_run(page, "the cat in the hat " * 9)
    on.open_rules(page)
    on.choose(page.get_by_role("combobox", name="Split pattern"), "custom")
    on.expect_settled(page)
    field = page.get_by_label("Custom pattern")
    field.press_sequentially(r"\w+|\W")
    expect(said(page)).to_contain_text("The pattern covers every character.")
    expect(on.summary(page)).to_contain_text("gpt2 split")
    field.press("Enter")
    expect(on.summary(page)).to_contain_text("custom split")
