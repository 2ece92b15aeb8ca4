"""The page of disagreements in Chromium: a person reads why two recipes part, picks two others, and cancels.

Streamlit draws tables on a canvas: what is in them is tested without a browser.
"""

import re

import pytest
from playwright.sync_api import Dialog, Locator, Page, expect

from bpeviz.analysis.divergence import same_merges
from bpeviz.runs.samples import read_sample
from bpeviz.training.result import TrainingResult
from tests.support import app_page as on
from tests.support.prepared_session import save_session
from tests.support.trained import each_trained

CAT = "the cat in the hat"
FIRST = ("minbpe", "tiktoken-educational", "huggingface", "rustbpe", "subword-nmt")


def open_disagreements(page: Page) -> None:
    page.goto("/disagree")
    expect_disagreements(page)


def expect_disagreements(page: Page) -> None:
    expect(page.get_by_text("Merges that two recipes share")).to_be_visible()
    expect(figures(page).first).to_be_visible()
    on.expect_settled(page)


def type_text(page: Page, text: str) -> None:
    on.pick_text(page, "Type a text")
    field = page.get_by_role("textbox", name="Your text", exact=True)
    field.fill(text)
    field.press("Control+Enter")


def sentence(page: Page, beginning: str) -> Locator:
    return page.get_by_test_id("stMarkdown").filter(has_text=re.compile(f"^{re.escape(beginning)}"))


def figures(page: Page) -> Locator:
    """The numbers in the cells, by row."""
    return page.get_by_role("figure", name="Merges that two recipes share").locator(".textpoint text")


def trained(text: str, *recipes: str, num_merges: int = 300) -> list[TrainingResult]:
    return each_trained(text, *recipes, num_merges=num_merges)


def test_the_sample_s_cells_and_sentence_are_those_of_the_trainings(page: Page) -> None:
    open_disagreements(page)
    runs = trained(read_sample("English prose"), *FIRST)
    expected = [f"{same_merges(a, b)}" for i, a in enumerate(runs) for b in runs[i + 1 :]]
    expect(figures(page).first).to_have_text(f"{expected[0]} |")  # other pre-tokens
    assert [text.split()[0] for text in figures(page).all_text_contents()] == expected
    expect(sentence(page, "Both make the same 4 merges.")).to_contain_text(
        "At merge 5, L minbpe takes ␣ + s, and R huggingface takes i + n. "
        "It is a tie: both pairs occur 105 times. "
        "L minbpe takes the one seen first in the text. R huggingface takes the one with the smallest ids."
    )


@pytest.mark.gate
def test_a_cell_that_is_clicked_tells_why_its_two_part(page: Page) -> None:
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
    page.get_by_role("link", name="Why they disagree").click()
    expect_disagreements(page)
    expect(told).to_be_visible()


@pytest.mark.gate
def test_two_are_picked_by_keyboard_and_one_split_pattern_leaves_only_ties(page: Page) -> None:
    open_disagreements(page)
    field = page.get_by_role("combobox", name="Two recipes")
    on.scroll_to(field)
    field.click()
    page.get_by_role("option", name="minbpe and tiktoken-educational").click()
    expect(sentence(page, "Both make the same 44 merges.")).to_be_visible()
    on.expect_settled(page)
    page.get_by_text("All with one split pattern").click()
    expect(page.get_by_text("up to 300 merges, all split by gpt2.")).to_be_visible()
    expect(sentence(page, "Both make the same 300 merges.")).to_contain_text("give the same result")


def test_a_text_that_is_typed_is_trained_at_once(page: Page) -> None:
    open_disagreements(page)
    type_text(page, CAT)
    expect(sentence(page, "They differ from the start.")).to_contain_text(
        "At merge 1, L minbpe takes t + h, and R huggingface takes a + t. It is a tie: both pairs "
        "occur twice."
    )
    expect(page.get_by_text("typed text, 18 bytes, up to 300 merges")).to_be_visible()


def test_the_corpus_of_the_run_is_taken_and_its_markup_shown_letter_by_letter(page: Page) -> None:
    hostile = "<b>x</b> **x** :red[x] $x$ <img src=x onerror=alert(1)> " * 6
    dialogs: list[str] = []

    def note(dialog: Dialog) -> None:
        dialogs.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", note)
    page.goto(f"/disagree{save_session(hostile)}")
    expect_disagreements(page)
    expect(page.get_by_text(f"pasted text, {len(hostile)} bytes")).to_be_visible()
    figures(page).last.click(force=True)
    expect(page.get_by_text("L rustbpe and R subword-nmt", exact=True).first).to_be_visible()
    on.expect_settled(page)
    assert page.locator("[data-testid=stMarkdown] :is(b, img), [data-testid=stCode] img").count() == 0
    page.remove_listener("dialog", note)
    assert dialogs == []


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
