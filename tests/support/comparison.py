"""A comparison with GPT-2 on the page: what a person does and reads, and what tiktoken itself says of it."""

from dataclasses import dataclass
from functools import cache
from itertools import accumulate, pairwise

import tiktoken
from playwright.sync_api import Locator, Page, expect
from tiktoken_ext.openai_public import r50k_pat_str

from bpeviz import Tokenizer, load_pretrained
from tests.support.trained import trained

CORPUS = "This is some text. This text is some of the text that this is, there and elsewhere. " * 5
MIXED = "naïve café, 灯台の灯 🚢👩‍🚀 <b>x</b>\u202eabc مرحبا بالعالم\n"


@cache
def tokenizer_of(text: str) -> Tokenizer:
    return trained(text).tokenizer()


@cache
def gpt2() -> Tokenizer:
    return load_pretrained("gpt2")


@cache
def encoding(tokenizer: Tokenizer, merges: int) -> tiktoken.Encoding:
    """Tiktoken's encoding with the first merges of a tokenizer of ours."""
    tokens = [tokenizer.token_bytes(i) for i in tokenizer.merge_token_ids[:merges]]
    ranks = {bytes([value]): value for value in range(256)} | {t: 256 + i for i, t in enumerate(tokens)}
    return tiktoken.Encoding("", pat_str=r50k_pat_str, mergeable_ranks=ranks, special_tokens={})


def token_ends(tokenizer: Tokenizer, merges: int, text: str) -> set[int]:
    """Where tokens end, by the bytes that tiktoken says its tokens have."""
    made = encoding(tokenizer, merges)
    ids = made.encode_ordinary(text)
    return set(accumulate(len(made.decode_single_token_bytes(i)) for i in ids))


@dataclass(frozen=True)
class Expected:
    """What the page must tell of a text cut in two ways."""

    left: set[int]
    right: set[int]
    size: int

    @property
    def tiles(self) -> dict[str, str]:
        shared = len(self.left & self.right) - 1
        only = len(self.left - self.right), len(self.right - self.left)
        precision, recall = shared / (shared + only[0]), shared / (shared + only[1])
        return {
            "shared": f"{shared:,}",
            "only-0": f"{only[0]:,}",
            "only-1": f"{only[1]:,}",
            "precision": f"{precision:.3f}",
            "recall": f"{recall:.3f}",
            "f1": f"{2 * precision * recall / (precision + recall):.3f}",
        }


def expected(text: str, merges: int, merges_of_gpt2: int) -> Expected:
    left = token_ends(tokenizer_of(text), merges, text)
    return Expected(left, token_ends(gpt2(), merges_of_gpt2, text), len(text.encode()))


def cells(page: Page, place: int = 0) -> Locator:
    """The cells of one side's rows; all sides' rows have the same cells."""
    return page.locator(f".aligned .of-{place} .tok")


def side(page: Page, place: int) -> Locator:
    return page.locator(f'.side[data-side="{place}"]')


def go_to(page: Page, place: int, merges: int) -> None:
    """Set one side's merges, whatever the other has."""
    lock(page).uncheck()
    type_merges(page, place, merges)


def lock(page: Page) -> Locator:
    return page.get_by_role("checkbox", name="Equal vocabulary size")


def open_merges(page: Page) -> None:
    """Open the row with the sliders, unless it is open."""
    if page.locator(".merges").get_attribute("open") is None:
        page.locator(".merges summary").click()


def type_merges(page: Page, place: int, merges: int) -> None:
    open_merges(page)
    field = side(page, place).locator(".step")
    field.fill(str(merges))
    field.press("Enter")
    counted = "1 merge" if merges == 1 else f"{merges:,} merges"
    expect(side(page, place).locator(".slide")).to_have_attribute("aria-valuetext", counted)


def figure(page: Page, place: int, name: str) -> Locator:
    return page.locator(f'.comparer tr[data-side="{place}"] [data-figure="{name}"]')


def tile(page: Page, name: str) -> Locator:
    return page.locator(f'.comparer [data-tile="{name}"]')


def expect_figures(page: Page, want: Expected) -> None:
    for name, value in want.tiles.items():
        expect(tile(page, name)).to_have_text(value)
    for place, ends in enumerate((want.left, want.right)):
        expect(figure(page, place, "tokens")).to_have_text(f"{len(ends):,}")
        expect(figure(page, place, "ratio")).to_have_text(f"{want.size / len(ends):.2f}")


def tokens_on_show(page: Page, place: int) -> set[tuple[int, int]]:
    """The tokens that a side's rows show, each as its first byte and the byte after its last."""
    data = cells(page, place).evaluate_all(
        "cells => cells.map(c => [c.token.start, c.token.end, c.classList.contains('rest')])"
    )
    starts = [start for start, _, is_rest in data if not is_rest]
    return set(zip(starts, [*starts[1:], data[-1][1]], strict=True))


def tokens_of(ends: set[int]) -> set[tuple[int, int]]:
    return set(pairwise([0, *sorted(ends)]))


def verdict(want: Expected, sizes: tuple[int, int]) -> str:
    """What the page says of huggingface and GPT-2 with vocabularies of these ``sizes``."""
    if want.left == want.right:
        return (
            f"Both need {len(want.left):,} tokens for this text and cut it the same way, "
            f"with {sizes[0]:,} entries against {sizes[1]:,}."
        )
    sides = ("Lhuggingface", len(want.left), sizes[0]), ("RGPT-2", len(want.right), sizes[1])
    (fewer, least, smaller), (more, most, size) = sorted(sides, key=lambda side: side[1])
    share = round(100 * (most - least) / least)
    return (
        f"{fewer} needs {least:,} tokens for this text, {more} {most:,}: {share}\u00a0% more, "
        f"with {size:,} entries against {smaller:,}."
    )
