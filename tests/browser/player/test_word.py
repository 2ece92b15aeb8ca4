"""The tabs of a saved page, and how a word grows there: computed in the browser, and equal to Python's."""

import re
from itertools import islice
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from bpeviz.browser.encoding import grown, pack_growth
from bpeviz.runs.picked_word import word_at
from bpeviz.runs.samples import read_sample
from bpeviz.training.recipes import RECIPES
from bpeviz.training.settings import TrainingSettings
from tests.support import app_page as on
from tests.support.saved_player import open_run
from tests.support.trained import LOW

MIXED = "low lower lowest newest widest, naïve 日本語 日本 🚢🚀 lowlowlow aaaa " * 6
WORDS = ".trees .label"


def open_word(page: Page) -> None:
    page.get_by_role("tab", name="Word").click()
    expect(page.locator(".biography .empty")).to_be_visible()
    assert page.locator(".biography .empty").inner_text().endswith("here you see how it grows.")


def shown_growth(page: Page) -> dict[str, Any]:
    growth: dict[str, Any] = page.evaluate("document.bpevizStage.word.data")
    return growth


@pytest.mark.gate
def test_with_the_tab_word_a_click_on_a_token_fills_it_and_with_pairs_it_opens_the_card(page: Page) -> None:
    open_run(page, LOW, step=6)
    expect(page.get_by_role("tab", selected=True)).to_have_text("Pairs")
    word = page.locator(f"{on.CELLS}:not(.one)").first
    word.click()
    expect(page.locator(".card.token")).to_be_visible()
    page.get_by_role("button", name="Show how its word grows").click()
    expect(page.get_by_role("tab", selected=True)).to_have_text("Word")
    expect(page.locator(".pairs .bars")).to_be_hidden()
    expect(page.locator(".biography .which")).to_have_text("How low grows")
    page.locator(f"{on.CELLS}:not(.one)").nth(9).click()
    expect(page.locator(".card.token")).to_be_hidden()
    expect(page.locator(".biography .which")).not_to_have_text("How low grows")
    page.get_by_label("Merges in the trees").fill("0")
    on.expect_step(page, 0)  # the player follows
    page.keyboard.press("Escape")
    page.locator(on.TEXT).click(position={"x": 2, "y": 2})
    page.keyboard.press("1")
    expect(page.locator(".pairs .bars")).to_be_visible()
    page.locator(on.CELLS).first.click()
    expect(page.locator(".card.token")).to_be_visible()


def test_the_arrows_walk_the_tabs(page: Page) -> None:
    open_run(page, LOW, step=6)
    page.get_by_role("tab", name="Pairs").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Word")).to_be_focused()
    expect(page.get_by_role("tabpanel")).to_have_accessible_name("Word")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Pairs")).to_be_focused()
    on.expect_step(page, 6)


@pytest.mark.parametrize(
    "recipe", ["huggingface", "minbpe", "rustbpe", "cs336", "subword-nmt", "sentencepiece"]
)
@pytest.mark.gate
def test_the_growth_of_a_word_equals_python_s(page: Page, recipe: str) -> None:
    text = MIXED + read_sample("Emoji chat")[:400]
    run = open_run(page, text, TrainingSettings(recipe=recipe, num_merges=120), step=40)
    assert recipe in RECIPES
    open_word(page)
    tokens = page.locator(on.CELLS).evaluate_all(
        "cells => cells.map(({ token }) => [token.start, token.end])"
    )
    seen = set()
    for start, end in islice(tokens, 0, 400, 3):
        word = word_at(run, start, end)
        if word in seen:
            continue
        seen.add(word)
        grow = "token => document.bpevizStage.player.grow(token)"
        page.evaluate(grow, {"start": start, "end": end})
        python = pack_growth(word, [grown("This run", run.tokenizer, word)], follows=1)
        shown = shown_growth(page)
        if recipe == "subword-nmt":  # the page has the colours of the text, which has no </w>
            for [growth] in (shown["growths"], python["growths"]):
                growth["tokens"] = {token: fields[2:] for token, fields in growth["tokens"].items()}
        assert (shown["growths"], shown["follows"]) == (python["growths"], 1), word
        assert shown["word"] == python["word"] or "\u200d" in word  # the page draws joined emoji
    assert len(seen) > 20
    expect(page.locator(WORDS).first).to_be_visible()
    expect(page.locator(".biography .which")).to_have_text(re.compile("^How .* grows$"))
