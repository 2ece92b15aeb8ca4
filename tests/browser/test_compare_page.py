"""The second page in Chromium: both texts with their boundaries, figures and ids."""

import pytest
from playwright.sync_api import Page, expect

from bpeviz import Corpus, Trainer
from tests.browser import app_page as on

pytestmark = pytest.mark.browser

CORPUS = "This is some text. This text is some of the text that this is. " * 5


def open_comparison(page: Page, text: str) -> None:
    page.get_by_text("Compare with GPT-2").first.click()
    field = page.get_by_label("Text to compare on")
    field.fill(text)
    field.press("Control+Enter")


def test_gpt2_stands_beside_the_tokenizer_at_the_step_on_show(page: Page) -> None:
    on.train_on(page, CORPUS)
    on.rest_at(page, 7)
    open_comparison(page, "This is some text")
    trainer = Trainer(Corpus.from_text(CORPUS), "huggingface", num_merges=7)
    list(trainer.steps())
    tokenizer = trainer.tokenizer()
    ids = tokenizer.encode("This is some text")
    mine = on.panel(page, "Yours after 7 merges")
    expect(mine).to_have_text([tokenizer.token_bytes(i).decode() for i in ids])
    expect(on.panel(page, "GPT-2")).to_have_text(["This", " is", " some", " text"])
    codes = page.get_by_test_id("stCode")
    expect(codes.nth(0)).to_have_text(" ".join(map(str, ids)))
    expect(codes.nth(1)).to_have_text("1212 318 617 2420")
    values = page.get_by_test_id("stMetricValue")
    expect(values).to_have_text([str(len(ids)), f"{17 / len(ids):.2f}", "4", "4.25"])


def test_the_step_is_the_same_on_both_pages(page: Page) -> None:
    on.train_on(page, CORPUS)
    on.rest_at(page, 5)
    page.get_by_text("Compare with GPT-2").first.click()
    slider = page.get_by_role("slider", name="Merges of yours")
    expect(slider).to_have_value("5")
    slider.press("ArrowRight")
    expect(page.get_by_text("Yours after 6 merges").first).to_be_visible()
    page.get_by_text("Watch merges").first.click()
    on.expect_step(page, 6)


def test_both_panels_spell_the_same_text(page: Page) -> None:
    text = "naïve café, 灯台 🚢 <b>x</b>\u202eabc"
    on.train_on(page, CORPUS)
    open_comparison(page, text)
    expect(page.get_by_test_id("stCode").nth(1)).to_contain_text("2616")
    for title in ("Yours", "GPT-2"):
        assert on.spelled(on.panel(page, title)) == text
