"""The main page in Chromium: what its cells, tiles, sentence and chart say, against the core's own answer."""

import pytest
from playwright.sync_api import Locator, Page, expect

from bpeviz.training.settings import TrainingSettings
from tests.support import app_page as on
from tests.support.prepared_session import open_run
from tests.support.trained import LOW, tokens, trained

STEPS = 14


@pytest.mark.usefixtures("first_page")
@pytest.mark.gate
def test_the_cells_are_the_tokens_at_every_step(page: Page) -> None:
    on.train_on(page, LOW)
    tokenizer = trained(LOW).tokenizer()
    assert on.cells(page) == list(LOW)
    for step in range(1, STEPS):
        page.get_by_role("button", name="Next merge", exact=True).click()
        on.expect_step(page, step)
        assert on.cells(page) == tokens(tokenizer.after(step), LOW)


@pytest.mark.gate
def test_playing_runs_to_the_end_and_scrubbing_goes_back(page: Page) -> None:
    open_run(page, LOW, panel="Tables")
    last = len(trained(LOW).merges)
    on.play(page, 60)
    on.expect_step(page, last)
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    assert on.cells(page) == tokens(trained(LOW).tokenizer(), LOW)
    curve = page.locator(".curve")
    box = curve.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] * 0.8, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.5, box["y"] + 20)
    page.mouse.up()
    half = int(on.step_field(page).input_value())
    assert abs(half - last / 2) <= 1
    assert on.cells(page) == tokens(trained(LOW).tokenizer().after(half), LOW)
    expect(page.get_by_text(f"Merges so far: {half}")).to_be_visible()


def test_a_button_pressed_while_the_player_reports_does_what_it_says(page: Page) -> None:
    open_run(page, LOW)
    for place, delay in enumerate((0, 100, 200, 300, 400)):
        page.keyboard.press("Shift+ArrowRight")
        page.wait_for_timeout(delay)
        panel = ("Word", "Pairs")[place % 2]
        tab = page.locator(".st-key-panels").get_by_role("tab", name=panel, exact=True)
        tab.click()
        expect(tab).to_have_attribute("aria-selected", "true")
        on.expect_settled(page)


@pytest.mark.gate
def test_a_cancelled_training_leaves_everything_as_it_was(page: Page) -> None:
    """One pre-token of 8 MB: no machine makes all merges before a person cancels."""
    open_run(page, LOW, TrainingSettings("minbpe-basic", num_merges=20_000))
    before = on.summary(page).inner_text()
    on.open_text_menu(page)
    page.get_by_role("button", name="8 MB").click()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("button", name="Cancel")).to_have_count(0, timeout=30_000)
    on.expect_settled(page)
    assert on.summary(page).inner_text().split() == before.split()


def card(page: Page) -> Locator:
    return page.get_by_role("region", name="Token", exact=True)


def find_token(page: Page, query: str) -> None:
    field = page.get_by_label("Find a token")
    field.fill(query)
    field.press("Enter")


def test_a_card_is_beside_its_token_and_a_new_run_keeps_a_token_that_it_has_only(page: Page) -> None:
    open_run(page, LOW)
    cell = page.locator(on.CELLS).nth(5)
    cell.click()
    expect(card(page)).to_be_in_viewport(ratio=1)
    box, token = card(page).bounding_box(), cell.bounding_box()
    assert box is not None
    assert token is not None
    assert 0 <= box["y"] - (token["y"] + token["height"]) <= 16
    page.keyboard.press("Escape")
    find_token(page, "low")
    expect(card(page).locator(".swatch")).to_have_text("low")
    other = "a low bow, a low bow, a low bow"
    on.train_on(page, other)
    ids = {token: i for i, token in trained(other).tokenizer().vocabulary.items()}
    expect(card(page).locator(".swatch")).to_have_text("low")
    expect(card(page).locator(".identity")).to_contain_text(f"id {ids[b'low']} ·")
    find_token(page, "bow")
    expect(card(page).locator(".swatch")).to_have_text("bow")
    assert b"bow" not in trained(LOW).tokenizer().vocabulary.values()
    on.train_on(page, LOW)
    expect(card(page)).to_have_count(0)
    assert on.marked(page, "picked") == []


@pytest.mark.gate
def test_glyphs_stay_off_on_the_other_pages_and_for_the_next_run(page: Page) -> None:
    open_run(page, "a b\tc\na b\tc\na b\tc\n")
    page.keyboard.press("g")
    expect(page.get_by_role("checkbox", name="Show spaces")).not_to_be_checked()
    hidden = "all => all.every(each => getComputedStyle(each, '::before').visibility === 'hidden')"
    page.get_by_role("link", name="Compare").click()
    expect(page.locator(".comparer .tok").first).to_be_visible()
    assert page.locator(".comparer .ws").evaluate_all(hidden)
    open_run(page, "a b a b")
    expect(page.get_by_role("checkbox", name="Show spaces")).not_to_be_checked()
    assert page.locator(".text .ws").evaluate_all(hidden)


def test_keys_are_letters_in_a_field_of_the_app(page: Page) -> None:
    open_run(page, LOW)
    on.open_rules(page)
    page.get_by_label("Merges", exact=True).click()
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("w")
    expect(page.get_by_role("checkbox", name="Show word ends", include_hidden=True)).not_to_be_checked()
    on.expect_step(page, 0)


def test_less_motion_means_slower_playback(page: Page) -> None:
    page.emulate_media(reduced_motion="reduce")
    open_run(page, LOW)
    expect(page.get_by_label("Merges per second")).to_have_value("2")
