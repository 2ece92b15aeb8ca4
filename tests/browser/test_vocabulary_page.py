"""The vocabulary page in Chromium: a person searches, picks, and takes the table away.

Streamlit draws tables on a canvas: what is in them is read from what they are downloaded as.
"""

import csv
import io
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from bpeviz.analysis.vocabulary import token_uses
from bpeviz.formats.reading import read_tokenizer
from bpeviz.text.token_text import hex_bytes, visible
from tests.support import app_page as on
from tests.support.prepared_session import save_session
from tests.support.trained import trained

CORPUS = "This is some text. This text is <b>some</b> of the text that this is.\n" * 5


def open_vocabulary(page: Page) -> None:
    page.get_by_role("link", name="Vocabulary").click()
    expect_vocabulary(page)


def expect_vocabulary(page: Page) -> None:
    expect(page.get_by_role("textbox", name="Search")).to_be_visible()
    on.expect_settled(page)


def search(page: Page, query: str) -> None:
    field = page.get_by_role("textbox", name="Search")
    field.fill(query)
    field.press("Enter")


def choose(page: Page, label: str, option: str) -> None:
    on.choose(page.get_by_role("combobox", name=label), option)


def expect_counted(page: Page, words: str) -> None:
    expect(page.get_by_test_id("stCaptionContainer").filter(has_text="Uses are counted")).to_contain_text(
        words
    )


def expect_row(page: Page, place: int, token: bytes) -> None:
    # the table is painted; for screen readers it is written out too, below a row of headings
    row = page.get_by_test_id("stDataFrame").locator("canvas tr").nth(place + 1)
    expect(row).to_contain_text(hex_bytes(token))
    on.expect_settled(page)


def pick_row(page: Page, place: int, token: bytes) -> None:
    """Tick the box at the left of a row, once the table shows this token there."""
    expect_row(page, place, token)
    page.get_by_test_id("stDataFrame").click(position={"x": 20, "y": 36 + 35 * place + 17})


def downloaded(page: Page, button: str) -> str:
    on.expect_settled(page)
    with page.expect_download() as download:
        page.get_by_role("button", name=button).click()
    return Path(download.value.path()).read_bytes().decode("utf-8")


@pytest.mark.gate
def test_a_token_is_picked_searched_for_and_downloaded(page: Page) -> None:
    page.goto(f"/vocabulary{save_session(CORPUS)}")
    expect_vocabulary(page)
    tokenizer = trained(CORPUS).tokenizer()
    expect_counted(
        page,
        f"{tokenizer.n_vocab:,} tokens: {len(tokenizer.merges)} made by merges, 256 base symbols. "
        f"Uses are counted in pasted text, {len(CORPUS)} bytes",
    )
    choose(page, "Sort by", "Length, longest first")
    second = sorted(tokenizer.vocabulary, key=lambda i: -len(tokenizer.token_bytes(i)))[1]
    pick_row(page, 1, tokenizer.token_bytes(second))
    codes = page.get_by_test_id("stCode")
    expect(codes.nth(0)).to_have_text(hex_bytes(tokenizer.token_bytes(second)))
    boxes = page.locator(".trees .label")
    expect(boxes.filter(has_text=visible(tokenizer.token_bytes(second)))).to_have_count(1)
    expect(boxes).to_have_count(2 * len(tokenizer.token_bytes(second)) - 1)  # its letters, and a merge less
    expect(page.get_by_text(f"Id {second}, ")).to_be_visible()
    expect(page.get_by_text("In pasted text:")).to_be_visible()
    expect(page.get_by_text("**")).to_have_count(0)  # the token is marked in it, and not by stars
    # the choice is still there after a visit elsewhere
    page.get_by_role("link", name="Watch", exact=True).click()
    on.expect_step(page, 0)
    open_vocabulary(page)
    expect(codes.nth(0)).to_have_text(hex_bytes(tokenizer.token_bytes(second)))
    # what is listed is what is downloaded
    search(page, "is")
    found = [i for i, token in tokenizer.vocabulary.items() if b"is" in token]
    expect_counted(page, f"{len(found)} of {tokenizer.n_vocab} tokens")
    choose(page, "Sort by", "Id")
    expect_row(page, 0, tokenizer.token_bytes(found[0]))
    uses = token_uses(tokenizer, CORPUS)
    rows = list(csv.DictReader(io.StringIO(downloaded(page, "as CSV"), newline="")))
    assert [(int(r["id"]), r["bytes"], int(r["uses"])) for r in rows] == [
        (i, hex_bytes(tokenizer.token_bytes(i)), int(uses[i])) for i in found
    ]
    page.get_by_test_id("stButtonGroup").get_by_text("Not UTF-8").click()
    expect(page.get_by_text("No token matches")).to_be_visible()


@pytest.mark.gate
def test_a_picked_token_is_dropped_and_the_rest_is_downloaded(page: Page) -> None:
    page.goto(f"/vocabulary{save_session(CORPUS)}")
    expect_vocabulary(page)
    tokenizer = trained(CORPUS).tokenizer()
    choose(page, "Sort by", "Length, longest first")
    shortest = tokenizer.merge_token_ids[0]
    search(page, str(shortest))
    token = tokenizer.token_bytes(shortest)
    expect_row(page, 0, token)
    page.get_by_text("Drop tokens", exact=True).click()
    page.get_by_role("button", name="Drop ", exact=False).first.click()
    left = tokenizer.without([shortest])
    gone = len(tokenizer) - len(left)
    expect(page.get_by_text(f"1 token dropped, {gone - 1:,} fall with them.")).to_be_visible()
    # after a reload the session has it too
    on.expect_settled(page)
    page.reload()
    page.get_by_text("Drop tokens", exact=True).click()
    expect(page.get_by_text(f"1 token dropped, {gone - 1:,} fall with them.")).to_be_visible()
    page.get_by_role("button", name="Export").click()
    file = downloaded(page, "Hugging Face tokenizer.json")
    assert read_tokenizer({"tokenizer.json": file.encode()}).encode(CORPUS) == left.encode(CORPUS)
