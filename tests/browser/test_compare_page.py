"""The compare page in Chromium: every figure against the boundaries that tiktoken itself gives."""

import csv
import io
import json
from collections import Counter

import pytest
from playwright.sync_api import Page, expect

from bpeviz import compare, load_pretrained
from bpeviz.analysis.compare import tokenize
from bpeviz.browser.aligned_rows import aligned_rows
from bpeviz.runs.parallel_sample import LANGUAGES, parallel_sentences
from bpeviz.runs.samples import STANDARD_LIBRARY, read_sample
from tests.support import app_page as on
from tests.support.comparison import (
    CORPUS,
    MIXED,
    Expected,
    cells,
    encoding,
    expect_figures,
    expected,
    figure,
    go_to,
    gpt2,
    lock,
    open_merges,
    side,
    token_ends,
    tokenizer_of,
    tokens_of,
    tokens_on_show,
    type_merges,
    verdict,
)
from tests.support.prepared_session import open_comparison, sample_link, save_session
from tests.support.waiting import wait_for


def test_a_megabyte_against_gpt2_has_the_figures_of_tiktoken(page: Page) -> None:
    open_comparison(page, sample_link(STANDARD_LIBRARY.title))
    text = read_sample("Python standard library", 1_000_000)
    expect_figures(page, expected(text, 500, 50_000))
    go_to(page, 0, 123)
    go_to(page, 1, 4_567)
    expect_figures(page, expected(text, 123, 4_567))


@pytest.mark.gate
def test_the_page_begins_with_all_merges_and_one_tick_makes_the_vocabularies_equal(page: Page) -> None:
    open_comparison(page, save_session(CORPUS))
    own = len(tokenizer_of(CORPUS).merges)
    expect(lock(page)).not_to_be_checked()
    everything = expected(CORPUS, own, 50_000)
    expect_figures(page, everything)
    expect(page.locator(".verdict")).to_have_text(verdict(everything, (256 + own, 50_257)))
    lock(page).check()
    for place in (0, 1):
        expect(figure(page, place, "vocabulary")).to_have_text(f"{256 + own:,}")
    expect_figures(page, expected(CORPUS, own, own - 1))  # GPT-2 has <|endoftext|> too
    expect(page.locator(".verdict")).to_contain_text(f"with {256 + own:,} entries each.")
    type_merges(page, 0, 10)
    expect(figure(page, 0, "vocabulary")).to_have_text("266")
    expect(figure(page, 1, "vocabulary")).to_have_text("266")  # one of them is <|endoftext|>
    expect(side(page, 1).locator(".step")).to_have_value("9")
    expect_figures(page, expected(CORPUS, 10, 9))
    slider = page.get_by_role("slider", name="Merges of GPT-2")
    slider.press("ArrowRight")
    expect(figure(page, 0, "vocabulary")).to_have_text("267")
    slider.press("End")
    expect(side(page, 0).locator(".step")).to_have_value(str(own))
    lock(page).uncheck()
    expect_figures(page, everything)


def test_more_rows_are_added_below_the_two_and_removed(page: Page) -> None:
    open_comparison(page, save_session(MIXED * 3))
    page.get_by_role("button", name="Add a tokenizer").click()
    rows = page.locator(".aligned .block").first.locator(".tokens")
    for count, name in ((3, "cl100k_base"), (4, "o200k_base")):
        page.get_by_role("combobox", name="Add another").click()
        page.get_by_role("option", name=name).click()
        expect(rows).to_have_count(count, timeout=60_000)  # its file is read
        page.keyboard.press("Escape")  # the list; the menu stays open
    on.expect_settled(page)
    text = (MIXED * 3).encode()
    own = tokenizer_of(MIXED * 3)
    every = [own, gpt2(), load_pretrained("cl100k_base"), load_pretrained("o200k_base")]
    tokens = [tokens_of({0, *tokenize(MIXED * 3, each).boundaries + 1, len(text)} - {0}) for each in every]
    for place, each in enumerate(tokens):
        assert tokens_on_show(page, place) == each
        assert on.spelled(cells(page, place)) == (MIXED * 3).replace("\n", "")
        calm = page.locator(f".aligned .of-{place} .tok:not(.differs)").evaluate_all(
            "cells => cells.map(c => [c.token.start, c.token.end])"
        )
        assert {tuple(token) for token in calm} == set.intersection(*tokens)
    expect(page.locator(".order")).to_contain_text(f"4o200k_base {len(tokens[3])} tokens")
    expect_figures(page, expected(MIXED * 3, len(own.merges), 50_000))
    cells(page, 3).first.hover()
    expect(page.locator(".aligned .tip .chip").last).to_have_text("4o200k_base")
    page.get_by_role("button", name="Clear all").click()
    expect(rows).to_have_count(2, timeout=60_000)


@pytest.mark.gate
def test_a_side_has_one_badge_wherever_it_is_named(page: Page) -> None:
    """The browser draws those of the comparison, and Streamlit those of the panels below."""
    open_comparison(page, sample_link("English prose", merges=60))
    look = "e => ['color', 'backgroundColor', 'borderRadius'].map(name => getComputedStyle(e)[name])"
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        for letter in ("L", "R"):
            drawn = page.locator(".verdict .letter", has_text=letter)
            written = page.locator(".stMarkdownBadge", has_text=letter).first
            expect(written).to_have_text(letter)
            wait_for(
                page,
                lambda drawn=drawn, written=written: drawn.evaluate(look) == written.evaluate(look),
                f"both badges of {letter} look the same, {scheme}",
            )
    page.emulate_media(color_scheme="light")


@pytest.mark.gate
def test_ten_lines_are_in_sight_on_a_laptop(page: Page) -> None:
    """Ten lines with letters, each in two rows, and all that sets them, without scrolling."""
    page.set_viewport_size({"width": 1366, "height": 768})
    open_comparison(page, sample_link("English prose"))
    end = page.locator(".aligned .text").evaluate("e => e.getBoundingClientRect().bottom")
    for place in (0, 1):
        bottoms = page.locator(f".aligned .block:not(.blank) .of-{place} .tok").evaluate_all(
            "all => all.flatMap(cell => [...cell.getClientRects()]).map(box => box.bottom)"
        )
        assert len({round(bottom) for bottom in bottoms if bottom <= min(end, 768)}) >= 10
    for name in ("Left", "Right"):
        expect(page.get_by_role("combobox", name=name)).to_be_in_viewport(ratio=1)
    expect(page.locator(".merges summary")).to_have_text("All merges")
    expect(page.locator(".merges summary")).to_be_in_viewport(ratio=1)
    expect(page.locator(".verdict")).to_be_in_viewport(ratio=1)


def test_on_a_phone_nothing_goes_sideways_and_targets_are_large(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    open_comparison(page, save_session(CORPUS))
    page.get_by_text("Details", exact=True).click()
    open_merges(page)
    widths = page.evaluate(
        "[document.documentElement, document.querySelector('[data-testid=stMain]')].map(e => e.scrollWidth)"
    )
    assert max(widths) <= 390
    page_targets = page.locator(".st-key-compared").locator("button, [role=group]")
    targets = page.locator(".comparer").locator(".slide, .step, .lock, summary").or_(page_targets)
    heights = targets.evaluate_all("all => all.map(e => e.getBoundingClientRect().height)")
    assert len(heights) >= 12
    assert min(heights) >= 44


def test_the_chart_says_with_how_many_merges_the_right_does_the_same(page: Page) -> None:
    text = read_sample("English prose", 0)
    open_comparison(page, sample_link("English prose"))
    go_to(page, 0, 200)
    tokens = len(token_ends(tokenizer_of(text), 200, text))
    low, high = 0, 50_000
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if len(token_ends(gpt2(), middle, text)) <= tokens else (middle + 1, high)
    say = page.locator(".comparer .say")
    expect(say).to_contain_text(f"With {low:,} merges RGPT-2 needs as few tokens as")
    totals = [[len(token_ends(t, k, text)) for k in range(0, 400)] for t in (tokenizer_of(text), gpt2())]
    since = 1 + max(k for k in range(400) if totals[0][k] >= totals[1][k])
    expect(say).to_contain_text(f"From merge {since} on, LEnglish prose needs fewer tokens")


@pytest.mark.gate
def test_the_longest_disagreements_are_listed_and_found(page: Page) -> None:
    text = read_sample("English prose", 0)
    open_comparison(page, sample_link("English prose"))
    comparison = compare(text, tokenizer_of(text), gpt2())
    found = comparison.disagreements(text)
    places = sum(each.count for each in comparison.disagreements(text, most=len(text)))
    expect(page.locator(".how-many")).to_have_text(f"{places:,} places")
    encoded = text.encode()
    rows = page.locator(".disagreements li")
    expect(rows).to_have_count(20)
    for row, want in zip(rows.all(), found, strict=True):
        shown = encoded[want.start : want.end].decode()
        assert ["".join(cut.locator(".tok").all_text_contents()) for cut in row.locator(".cuts").all()] == [
            shown
        ] * 2
    several = next(i for i, d in enumerate(found) if d.count > 1)
    button = rows.nth(several).get_by_role("button")
    expect(button).to_have_text(f"Show 1 of {found[several].count}")
    button.click()
    marked = page.locator(".aligned .of-0 .tok.found")
    want = found[several]
    assert on.spelled(marked).encode() == encoded[want.start : want.end]
    assert marked.first.evaluate("cell => cell.token.start") == want.start
    expect(marked.first).to_be_in_viewport()
    expect(button).to_have_text(f"Show 2 of {want.count}")
    button.click()
    assert marked.first.evaluate("cell => cell.token.start") > want.start


def test_a_found_disagreement_is_below_the_row_of_the_pages(page: Page) -> None:
    page.set_viewport_size({"width": 1366, "height": 768})
    open_comparison(page, sample_link("English prose"))
    button = page.locator(".disagreements li").nth(3).get_by_role("button")
    button.evaluate("button => button.scrollIntoView({block: 'end'})")
    button.click()
    found = page.locator(".aligned .tok.found").first.bounding_box()
    bar = page.locator(".st-key-top").bounding_box()
    assert found is not None
    assert bar is not None
    assert found["y"] >= bar["y"] + bar["height"]
    assert found["y"] + found["height"] <= 768


def test_the_text_stays_at_its_place_when_the_sides_are_swapped(page: Page) -> None:
    open_comparison(page, sample_link("English prose"))
    text = page.locator(".aligned .text")
    at_top = """e => [...e.querySelectorAll('.block')].find(block =>
        block.getBoundingClientRect().bottom > e.getBoundingClientRect().top + 1).textContent"""
    text.evaluate("e => new Promise(drawn => { e.onscroll = () => drawn(); e.scrollTop = 1000; })")
    there = text.evaluate(at_top)
    assert "The Keeper of Words" not in there
    page.get_by_role("button", name="Swap").click()
    expect(side(page, 0).locator(".name")).to_have_text("GPT-2", timeout=60_000)
    assert text.evaluate(at_top) == there


@pytest.mark.gate
def test_a_tokenizer_that_is_brought_is_compared_and_changes_sides(page: Page) -> None:
    made = tokenizer_of(CORPUS)
    symbols = _gpt2_characters()
    spell = lambda token: "".join(symbols[b] for b in token)  # noqa: E731
    content = {
        "model": {
            "type": "BPE",
            "vocab": {spell(token): i for i, token in made.vocabulary.items()},
            "merges": [" ".join(spell(made.token_bytes(i)) for i in pair) for pair in made.merges],
        },
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False, "use_regex": True},
        "decoder": {"type": "ByteLevel"},
    }
    open_comparison(page, save_session(CORPUS))
    rows = page.locator(".aligned .block").first.locator(".tokens")
    before = side(page, 0).locator(".name").text_content() or "-"
    on.bring_tokenizer(page, "tokenizer.json", json.dumps(content).encode())
    expect(rows).to_have_count(3)  # in a row of its own
    expect(side(page, 0).locator(".name")).to_have_text(before)
    on.expect_settled(page)
    page.keyboard.press("Escape")
    on.choose(page.get_by_role("combobox", name="Left"), "tokenizer.json · your file")
    expect(side(page, 0).locator(".name")).to_have_text("tokenizer.json")
    left, right = (token_ends(each, len(each.merges), CORPUS) for each in (made, gpt2()))
    want = Expected(left, right, len(CORPUS.encode()))
    expect_figures(page, want)
    on.expect_settled(page)
    page.get_by_role("button", name="Swap").click()
    expect(side(page, 1).locator(".name")).to_have_text("tokenizer.json")
    on.expect_settled(page)
    page.get_by_role("combobox", name="Right").click()
    expect(page.get_by_role("option", name="tokenizer.json · your file")).to_be_visible()


def _gpt2_characters() -> dict[int, str]:
    """The character that GPT-2's files write for each byte."""
    shown = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [b for b in range(256) if b not in shown]
    return {b: chr(b) for b in shown} | {b: chr(256 + i) for i, b in enumerate(others)}


# Below the text

KNOWN = ("cl100k_base", "o200k_base")


def test_several_tokenizers_are_measured_on_every_language_and_the_chart_is_saved(page: Page) -> None:
    open_comparison(page, save_session(CORPUS, others=KNOWN))
    page.get_by_role("tab", name="All tokenizers").click()
    page.get_by_role("radio", name="36 languages").click()
    expect(page.get_by_text("The same 12 sentences in 36 languages and 17 scripts.")).to_be_visible()
    expect(page.locator(".js-plotly-plot .ytick text")).to_have_count(len(LANGUAGES))
    with page.expect_download() as download:
        page.get_by_role("button", name="Tokens relative to one tokenizer as SVG").click()
    picture = download.value.path().read_text("utf-8")
    assert download.value.suggested_filename == "bpeviz-tokens-relative-to-one-tokenizer.svg"
    assert all(language.name in picture for language in LANGUAGES.values())
    with page.expect_download() as download:
        page.get_by_role("button", name="Metrics as CSV").click()
    rows = list(csv.DictReader(io.StringIO(download.value.path().read_text("utf-8"))))
    assert [row["tokenizer"] for row in rows] == [
        "pasted text",
        "GPT-2",
        "cl100k_base",
        "o200k_base",
    ]
    sentences = [sentence for code in LANGUAGES for sentence in parallel_sentences(code)]
    assert int(rows[1]["tokens"]) == sum(map(len, encoding(gpt2(), 50_000).encode_ordinary_batch(sentences)))


def test_one_line_is_cut_by_each_tokenizer_and_differences_are_marked(page: Page) -> None:
    line = MIXED.removesuffix("\n")
    open_comparison(page, save_session(MIXED * 3, others=KNOWN))
    page.get_by_role("tab", name="All tokenizers").click()
    rows = page.locator(".boundary-rows tr")
    expect(rows).to_have_count(4)
    tokenizers = [tokenizer_of(MIXED * 3), gpt2(), *map(load_pretrained, ("cl100k_base", "o200k_base"))]
    for place, row in enumerate(aligned_rows(line, tokenizers).rows):
        found = rows.nth(place).locator("td")
        expect(found).to_have_count(len(row.tokens))
        expect(rows.nth(place).locator("small")).to_have_text(f"{row.token_total} tokens")
        assert on.spelled(found.locator(".tok")) == line
        shown = found.evaluate_all("all => all.map(cell => [cell.colSpan, cell.className === 'differs'])")
        assert shown == [[token.pieces, token.differs] for token in row.tokens]
    assert page.locator(".boundary-rows b").count() == 0


def test_the_ids_follow_the_sliders(page: Page) -> None:
    open_comparison(page, save_session(CORPUS))
    go_to(page, 0, 4)
    page.get_by_role("tab", name="Token ids").click()
    codes = page.get_by_test_id("stCode")
    expect(codes.first).to_have_text(" ".join(map(str, tokenizer_of(CORPUS).after(4).encode(CORPUS))))
    assert Counter((codes.nth(1).text_content() or "").split()) == Counter(map(str, gpt2().encode(CORPUS)))
