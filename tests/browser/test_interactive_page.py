"""Pages saved from the app in Chromium: opened without a network, they show what the app shows."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from bpeviz.training.settings import TrainingSettings
from tests.support import app_page as on
from tests.support.comparison import open_merges
from tests.support.prepared_session import open_comparison, open_run, open_sample, save_session
from tests.support.saved_files import open_menu
from tests.support.trained import LOW

ROW = "Interactive page (.html) as HTML"
TILES = ("vocabulary", "tokens", "ratio")


@pytest.fixture
def offline(page: Page) -> Iterator[Page]:
    """A tab without a network. Afterwards: it asked for nothing but files from disk, and no script failed."""
    assert page.context.browser is not None
    context = page.context.browser.new_context(offline=True, viewport={"width": 1360, "height": 950})
    opened = context.new_page()
    asked: list[str] = []
    said: list[str] = []
    opened.on("request", lambda request: asked.append(request.url))
    opened.on("console", lambda message: said.append(message.text))
    opened.on("pageerror", lambda error: said.append(str(error)))
    yield opened
    assert [url for url in asked if not url.startswith(("file:", "blob:", "data:"))] == []
    assert len([url for url in asked if url.startswith("file:")]) == 1
    assert said == []
    context.close()


def save(page: Page, folder: Path) -> Path:
    """Save the player as a page from its menu."""
    open_menu(page)
    menu = page.locator(".export:visible")
    with page.expect_download(timeout=60_000) as download:
        menu.get_by_role("button", name=ROW, exact=True).click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    expect(menu.get_by_role("status")).to_have_text(f"Saved as {path.name}")
    expect(menu.get_by_role("progressbar")).to_be_hidden()
    expect(menu.get_by_role("button", name=ROW, exact=True)).to_be_enabled()
    page.keyboard.press("Escape")
    return path


def opened(offline: Page, path: Path) -> Page:
    offline.goto(path.as_uri())
    expect(offline.locator("html.live")).to_be_attached()
    return offline


def texts(place: Locator) -> list[str]:
    return place.all_text_contents()


def seen(page: Page) -> dict[str, object]:
    """What a person reads of the run or of both: figures, the sentence, titles, tokens, pairs, forks."""
    return {
        **{name: on.tile(page, name).text_content() for name in TILES},
        "merges": on.step_field(page).input_value(),
        "of": page.locator(".bpeviz.player .of").text_content(),
        "says": page.locator(".bpeviz.player .say").text_content(),
        "titles": texts(page.locator(".bpeviz.player .card:visible .title")),
        "text": texts(page.locator(on.CELLS)),
        "outlined": texts(page.locator(f"{on.CELLS}.new")),
        "beside": texts(page.locator(".card.other .tok")),
        "only": texts(page.locator(".card .tok.only")),
        "pairs": on.pairs_on_show(page)[:5],  # the window's height says how many there are
        "forks": page.locator(".bpeviz.player .track [class*=fork]").count(),
    }


@pytest.mark.gate
def test_a_run_is_saved_at_its_step(page: Page, offline: Page, tmp_path: Path) -> None:
    open_run(page, LOW, step=3)
    for step in (3, 5, 0):
        on.stop_at(page, step)
        path = save(page, tmp_path)
        assert path.name == f"bpeviz-interactive-page-{step}.html"
        there = seen(page)
        assert there["merges"] == str(step)
        if step == 5:
            assert seen(opened(offline, path)) == there
            offline.get_by_role("button", name="Next merge", exact=True).click()
            page.get_by_role("button", name="Next merge", exact=True).click()
            expect(on.step_field(offline)).to_have_value("6")
            assert seen(offline) == seen(page)
    expect(offline).to_have_title(re.compile("^pasted text: recipe huggingface, "))
    expect(offline.locator("figcaption")).to_have_text(
        f"Text: pasted text, {len(LOW.encode()):,} bytes. Recipe huggingface, split pattern gpt2."
    )


def test_a_saved_page_offers_no_page_that_it_cannot_make(page: Page, offline: Page, tmp_path: Path) -> None:
    open_run(page, LOW, step=2)
    opened(offline, save(page, tmp_path))
    offline.locator(".export summary").click()
    expect(offline.get_by_role("button", name="Text as HTML")).to_be_visible()
    expect(offline.get_by_role("button", name=ROW)).to_have_count(0)


def test_a_fork_is_saved_with_both_futures(page: Page, offline: Page, tmp_path: Path) -> None:
    open_run(page, LOW, step=3)
    on.fork(page, 3)
    on.stop_at(page, 6)
    there = seen(page)
    titles: list[str] = there["titles"]
    assert (titles[0][-5:], titles[1]) == (" at 4", "pasted text")
    assert there["beside"]
    assert there["beside"] != there["text"]
    path = save(page, tmp_path)
    assert seen(opened(offline, path)) == there
    expect(offline).to_have_title(f"pasted text: {titles[0]} and {titles[1]}, recipe huggingface")
    on.go_to(offline, 3)
    expect(offline.locator(".say")).to_contain_text("You chose it, not the recipe.")


def test_a_page_arrives_although_the_step_goes_on(page: Page, offline: Page, tmp_path: Path) -> None:
    """The server may be interrupted while it makes the page, and the menu may be closed."""
    open_sample(page, "English prose", step=40)
    open_menu(page)
    menu = page.locator(".export:visible")
    with page.expect_download(timeout=60_000) as download:
        menu.get_by_role("button", name=ROW, exact=True).click()
        page.keyboard.press("Escape")
        for _ in range(6):
            page.keyboard.press("ArrowRight")
            page.wait_for_timeout(300)
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    assert path.name == "bpeviz-interactive-page-40.html"
    expect(on.step_field(opened(offline, path))).to_have_value("40")
    on.expect_at(page, 46)


def test_a_player_that_plays_stops_at_the_step_that_is_saved(page: Page, tmp_path: Path) -> None:
    open_sample(page, "English prose")
    on.play(page, 10)
    expect(on.step_field(page)).to_have_value(re.compile("[2-9]"))
    path = save(page, tmp_path)
    assert path.name == f"bpeviz-interactive-page-{on.step_field(page).input_value()}.html"
    expect(page.get_by_role("button", name="Play")).to_be_visible()


def compared(page: Page) -> dict[str, object]:
    """What a person reads of a comparison."""
    tiles = ("shared", "only-0", "only-1", "precision", "recall", "f1")
    sides = [page.locator(f".comparer [data-side='{side}']") for side in (0, 1)]
    return {
        "verdict": page.locator(".comparer .verdict").text_content(),
        "names": [side.locator("h3").text_content() for side in sides],
        "merges": [side.locator(".step").input_value() for side in sides],
        "figures": [texts(side.locator("[data-figure]")) for side in sides],
        "tiles": [page.locator(f".comparer [data-tile={name}]").text_content() for name in tiles],
        "locked": page.locator(".comparer .lock input").is_checked(),
        "note": page.locator(".comparer .note").text_content(),
        "tokens": [texts(page.locator(f".aligned .{part}")) for part in ("above", "blocks", "below")],
        "disagreements": texts(page.locator(".disagreements li")),
        "says": page.locator(".rivals .say").text_content(),
    }


def save_comparison(page: Page, folder: Path) -> Path:
    page.get_by_role("button", name="Export").click()
    with page.expect_download(timeout=60_000) as download:
        page.get_by_role("button", name="Interactive page (.html)").click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    page.keyboard.press("Escape")
    return path


def set_merges(page: Page, side: int, merges: int) -> None:
    """Type how many merges a side has; then the server knows it."""
    open_merges(page)
    field = page.locator(f".comparer [data-side='{side}'] .step")
    field.fill(str(merges))
    field.press("Enter")
    page.wait_for_timeout(600)
    on.expect_settled(page)


def test_a_comparison_is_saved_where_both_sides_rest(page: Page, offline: Page, tmp_path: Path) -> None:
    open_comparison(page, save_session(LOW, TrainingSettings(num_merges=60)))
    page.locator(".comparer .lock").click()
    set_merges(page, 0, 25)
    there = compared(page)
    assert there["locked"]
    path = save_comparison(page, tmp_path)
    assert path.name == "bpeviz-comparison.html"
    assert compared(opened(offline, path)) == there
    expect(offline).to_have_title("pasted text and GPT-2 on one text")
    expect(offline.locator("figcaption")).to_have_text(f"Text: pasted text, {len(LOW.encode()):,} bytes.")


def test_a_comparison_is_saved_with_the_lock_off_and_after_a_swap(
    page: Page, offline: Page, tmp_path: Path
) -> None:
    open_comparison(page, save_session(LOW, TrainingSettings(num_merges=60)))
    set_merges(page, 0, 7)
    set_merges(page, 1, 1234)
    page.get_by_role("button", name="Swap").click()
    expect(page.locator(".comparer [data-side='0'] h3")).to_contain_text("GPT-2")
    on.expect_settled(page)
    there = compared(page)
    assert there["merges"] == ["1234", "7"]
    assert not there["locked"]
    assert compared(opened(offline, save_comparison(page, tmp_path))) == there
