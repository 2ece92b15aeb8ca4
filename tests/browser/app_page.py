"""What a person does and reads on the page, by name."""

from pathlib import Path

from playwright.sync_api import Locator, Page, expect

CELLS = ".text .tok"


def train_on(page: Page, text: str) -> None:
    paste(page, "Text to learn from", text)
    page.get_by_role("button", name="Train and watch").click()
    expect(page.get_by_role("button", name="Next merge")).to_be_visible(timeout=60_000)
    expect(page.locator(CELLS).first).to_be_visible()


def paste(page: Page, label: str, text: str) -> None:
    """Replace what is in a field from the clipboard, as a person does with a long text."""
    field = page.get_by_label(label)
    field.focus()
    page.keyboard.press("Control+A")
    page.evaluate("text => navigator.clipboard.writeText(text)", text)
    page.keyboard.press("Control+V")
    expect(field).to_have_value(text)


def train_on_sample(page: Page, title: str) -> None:
    page.get_by_text("Pick a sample").click()
    page.get_by_text(title, exact=True).click()
    expect(page.get_by_text("and", exact=False).first).to_be_visible()
    page.get_by_role("button", name="Train and watch").click()
    expect(page.locator(CELLS).first).to_be_visible(timeout=60_000)


def go_to(page: Page, step: int) -> None:
    field = page.get_by_label("Merges made")
    field.fill(str(step))
    field.press("Enter")
    expect_step(page, step)


def expect_step(page: Page, step: int) -> None:
    """The step on the tile, which the player writes."""
    expect(page.locator("[data-tile=merges]")).to_have_text(f"{step:,}")


def cells(page: Page) -> list[str]:
    """The text of every cell on show."""
    return page.locator(CELLS).all_text_contents()


def marked(page: Page, kind: str) -> list[str]:
    return page.locator(f"{CELLS}.{kind}").all_text_contents()


def chart_counts(page: Page) -> list[int]:
    """The counts written beside the bars, highest first."""
    texts = page.locator(".js-plotly-plot .bars .point text").all_text_contents()
    return sorted((int(text.replace(",", "")) for text in texts), reverse=True)


def panel(page: Page, title: str) -> Locator:
    """The cells of the text panel with this title."""
    return page.locator(".card", has=page.locator(".title", has_text=title)).locator(".tok")


def screenshot(page: Page, name: str) -> None:
    """Keep a picture to be looked at."""
    folder = Path(__file__).parents[2] / "test-results"
    folder.mkdir(exist_ok=True)
    page.screenshot(path=folder / f"{name}.png")
