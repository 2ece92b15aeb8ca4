"""The biography of a word in Chromium: its trees, the scrubber, and the picture."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.support import app_page as on
from tests.support.prepared_session import open_run, save_session

CORPUS = "the cat in the hat and the cat on the mat. " * 5


def open_word(page: Page, word: str, link: str = "") -> None:
    """Open the page and encode one word."""
    page.goto(f"/encode{link}")
    expect(page.locator(".trees svg")).to_be_visible()
    on.expect_settled(page)
    field = page.get_by_label("Text to encode", exact=True)
    field.fill(word)
    field.press("Control+Enter")
    field.blur()
    expect(page.locator(".biography .which")).to_have_text(f"How {word.replace(' ', '␣')} grows")
    on.expect_settled(page)


def tokens(page: Page) -> list[str]:
    """The tokens on show, of all trees, the letters too."""
    return page.locator(".trees .token:not(.unborn) .label").all_text_contents()


def scrub(page: Page, stop: int) -> None:
    page.locator(".biography .when").evaluate(
        "(range, stop) => { range.value = stop; range.dispatchEvent(new Event('input')); }", stop
    )


def said(page: Page) -> Locator:
    return page.locator(".biography .said")


@pytest.mark.gate
def test_a_word_grows_from_its_letters_and_each_merge_says_what_it_took(page: Page) -> None:
    open_word(page, "hotel")
    assert tokens(page) == ["h", "o", "t", "e", "l", "ot", "el", "hot"]
    expect(page.locator(".biography .made")).to_have_text("After all merges")
    expect(said(page)).to_have_text("GPT-2: last change: merge 8,685 makes hot. It ends as 2 tokens.")
    scrub(page, 0)
    assert tokens(page) == ["h", "o", "t", "e", "l"]
    expect(page.locator(".biography .made")).to_have_text("Before any merge")
    scrub(page, 1)
    assert tokens(page) == ["h", "o", "t", "e", "l", "ot"]
    expect(page.locator(".biography .made")).to_have_text("After 58 merges")
    expect(said(page)).to_have_text(
        "GPT-2: merge 58 makes ot. ot takes o: h + o (merge 8,618) can’t join. "
        "ot takes t: t + e (merge 405) can’t join. Its next change is merge 162."
    )
    expect(page.locator(".trees .lost:not(.unborn)")).to_have_count(2)
    page.get_by_role("button", name="Grow").click()
    expect(page.locator(".biography .made")).to_have_text("After all merges")
    expect(page.get_by_role("button", name="Grow")).to_be_visible()
    assert tokens(page)[-1] == "hot"


def test_the_same_word_grows_in_gpt2_beside_it(page: Page) -> None:
    page.goto(f"/encode{save_session(CORPUS)}")
    expect(page.locator(".trees svg")).to_be_visible(timeout=120_000)
    on.expect_settled(page)
    titles = page.locator(".trees .title")
    expect(titles).to_have_count(2)
    expect(titles.nth(1)).to_contain_text("GPT-2")
    page.locator(".chip").nth(2).click()
    expect(page.locator(".biography .which")).to_have_text("How ␣keeper grows")
    expect(said(page).locator("li").nth(1)).to_contain_text("makes ␣keeper. It becomes one token.")
    left, right = (title.bounding_box() for title in titles.all())
    assert left
    assert right
    assert left["y"] == right["y"]
    assert left["x"] < right["x"]


@pytest.mark.parametrize("format", ["SVG", "PNG"])
def test_the_tree_is_saved_as_a_picture(page: Page, tmp_path: Path, format: str) -> None:
    open_word(page, "hotel")
    with page.expect_download() as download:
        page.get_by_role("button", name=f"Save as {format}").click()
    assert download.value.suggested_filename == f"bpeviz-how-hotel-grows.{format.lower()}"
    path = tmp_path / "picture"
    download.value.save_as(path)
    if format == "PNG":
        assert path.read_bytes().startswith(b"\x89PNG")
    else:
        texts = [text.text for text in ElementTree.parse(path).iter("{http://www.w3.org/2000/svg}text")]
        assert [text for text in texts if text in ("ot", "el", "hot")] == ["ot", "el", "hot"]
        assert texts[-3:] == [
            "How hotel grows in GPT-2",
            "Number: the merge that made the token. Thick frame: the last change.",
            "✕: a neighbour took one of two tokens that could join here.",
        ]
    expect(page.locator(".biography .saved")).to_have_text(re.compile("^Saved as bpeviz-how-hotel-grows"))


@pytest.mark.parametrize("word", ["灯台守", "unhappily", "🚢🚀"])
def test_on_a_phone_a_word_s_tree_fits(page: Page, word: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    open_word(page, word)
    widths = page.get_by_test_id("stMain").evaluate("e => [e.scrollWidth, e.clientWidth]")
    assert widths[0] <= widths[1]
    for name in ("Grow", "Save as SVG", "Save as PNG"):
        box = page.get_by_role("button", name=name).bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 44


def test_a_word_too_long_to_draw_says_so(page: Page) -> None:
    page.goto("/encode")
    expect(page.locator(".trees svg")).to_be_visible()
    field = page.get_by_label("Text to encode", exact=True)
    field.fill("x" * 100)
    field.press("Control+Enter")
    expect(said(page)).to_have_text("GPT-2: this word is too long to draw.")
    expect(page.locator(".biography .time")).to_be_hidden()


def click_token(page: Page, text: str) -> None:
    page.locator(on.CELLS, has_text=text).first.click()


def test_with_the_panel_open_the_first_click_on_a_word_fills_it(page: Page) -> None:
    open_run(page, CORPUS, panel="Word")
    expect(page.locator(".biography .empty")).to_have_text(
        re.compile("a word in the text: here you see how it")
    )
    expect(page.locator(".biography .grown")).to_be_hidden()
    click_token(page, "t")
    expect(page.locator(".biography .which")).to_have_text("How the grows")
    expect(page.locator(".biography .empty")).to_be_hidden()
    expect(page.locator(".trees .title")).to_have_count(2)
    expect(page.get_by_role("region", name="Token", exact=True)).to_have_count(0)  # it could lie on the panel


@pytest.mark.parametrize(("width", "height"), [(1366, 768), (390, 844)])
def test_the_card_s_button_closes_the_card_and_goes_to_the_word(page: Page, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    open_run(page, CORPUS)
    for _ in range(2):
        on.open_panel(page, "Pairs")
        click_token(page, "t")
        page.get_by_role("button", name="How its word grows").click()
        which = page.locator(".biography .which")
        expect(which).to_have_text("How the grows")
        expect(which).to_be_focused()
        expect(which).to_be_in_viewport()
        expect(page.locator(".trees .title").first).to_be_in_viewport()
        expect(page.get_by_role("region", name="Token", exact=True)).to_have_count(0)
        page.get_by_test_id("stMain").evaluate("e => e.scrollTo(0, 0)")


def test_the_trees_and_the_player_are_at_the_same_step(page: Page) -> None:
    open_run(page, CORPUS, step=3, panel="Word")
    click_token(page, "t")
    made = page.locator(".biography .made")
    totals = page.locator(".trees .total")
    last = page.evaluate("document.bpevizStage.player.last")
    expect(made).to_have_text("After 3 merges")
    expect(totals).to_have_text([f"3 of {last} merges", "3 of 50,000 merges"])
    expect(page.locator(".biography .matched")).to_contain_text("equally many merges: as many as the player")
    page.keyboard.press("Escape")
    on.go_to(page, last)
    expect(made).to_have_text(f"After {last} merges")
    expect(totals).to_have_text([f"all {last} merges", f"{last} of 50,000 merges"])
    scrub(page, 1)
    step = page.evaluate("document.bpevizStage.player.step")
    assert 0 < step < last
    expect(made).to_have_text(re.compile(rf"After {step} merges?$"))
    on.expect_at(page, step)


def test_growing_moves_the_player_and_goes_past_its_end_in_gpt2_alone(page: Page) -> None:
    open_run(page, CORPUS, panel="Word")
    click_token(page, "t")
    expect(page.locator(".biography .which")).to_have_text("How the grows")
    page.keyboard.press("Escape")
    last = page.evaluate("document.bpevizStage.player.last")
    page.get_by_role("button", name="Grow", exact=True).click()
    expect(page.locator(".biography .made")).to_have_text("After all merges of GPT-2")
    expect(page.locator(".trees .total")).to_have_text([f"all {last} merges", "all 50,000 merges"])
    expect(page.locator(".biography .matched")).to_have_text(f"pasted text has only {last} merges.")
    on.expect_step(page, last)
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".biography .made")).to_have_text(f"After {last - 1} merges")


def test_on_the_main_page_a_clicked_word_grows_with_the_player(page: Page) -> None:
    open_run(page, CORPUS)
    page.locator(".card.main .tok").first.click()
    page.get_by_role("button", name="Show how its word grows").click()
    expect(page.locator(".biography .which")).to_have_text("How the grows")
    titles = page.locator(".trees .title")
    expect(titles).to_have_count(2)
    expect(titles.nth(1)).to_contain_text("GPT-2")
    page.keyboard.press("Escape")
    page.keyboard.press("Home")
    expect(page.locator(".biography .made")).to_have_text("Before any merge")
    assert sorted(tokens(page)) == sorted("the" * 2)
    page.keyboard.press("End")
    last = page.evaluate("document.bpevizStage.player.last")
    expect(page.locator(".biography .made")).to_have_text(f"After {last} merges")
    assert "the" in tokens(page)
    page.keyboard.press("Escape")
    page.locator(".card.main .tok", has_text="cat").first.click()
    expect(page.locator(".biography .which")).to_have_text("How ␣cat grows")
