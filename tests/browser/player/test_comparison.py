"""A comparison as a page from the disk: every figure against the boundaries that tiktoken itself gives."""

import pytest
from playwright.sync_api import Page, expect

from bpeviz import load_pretrained
from bpeviz.browser.comparison_pack import Rival
from bpeviz.standalone.making import player_of_rivals
from tests.support import app_page as on
from tests.support.comparison import (
    CORPUS,
    MIXED,
    cells,
    expect_figures,
    expected,
    figure,
    go_to,
    gpt2,
    open_merges,
    tile,
    token_ends,
    tokenizer_of,
    tokens_of,
    tokens_on_show,
    verdict,
)
from tests.support.saved_player import open_comparison


@pytest.mark.gate
def test_every_boundary_and_figure_is_that_of_tiktoken(page: Page) -> None:
    open_comparison(page, CORPUS)
    for mine, theirs in [(20, 50_000), (3, 1_000), (0, 0), (20, 1)]:
        go_to(page, 0, mine)
        go_to(page, 1, theirs)
        want = expected(CORPUS, mine, theirs)
        expect_figures(page, want)
        for place, ends in enumerate((want.left, want.right)):
            assert tokens_on_show(page, place) == tokens_of(ends)
            assert on.spelled(cells(page, place)) == CORPUS
        expect(page.locator(".verdict")).to_have_text(verdict(want, (256 + mine, 257 + theirs)))


@pytest.mark.gate
def test_each_row_ends_with_its_tokens_which_add_up_to_those_of_the_text(page: Page) -> None:
    open_comparison(page, MIXED)
    for mine, theirs in [(None, None), (5, 300)]:
        if mine is not None and theirs is not None:
            go_to(page, 0, mine)
            go_to(page, 1, theirs)
        for place in (0, 1):
            rows = page.locator(f".aligned .tokens.of-{place}")
            counts = rows.evaluate_all("all => all.map(row => Number(row.dataset.tokens))")
            expect(figure(page, place, "tokens")).to_have_text(f"{sum(counts):,}")
            expect(page.locator(f".order .tokens-{place}")).to_have_text(f"{sum(counts):,} tokens")


@pytest.mark.gate
def test_ids_stand_under_the_tokens_of_each_row_on_demand(page: Page, tmp_path) -> None:
    text = CORPUS + MIXED
    own, others = tokenizer_of(CORPUS), [load_pretrained(name) for name in ("o200k_base", "cl100k_base")]
    rivals = [
        Rival(str(row), each, each.encode_text(text), len(each.merges))
        for row, each in enumerate((own, gpt2(), *others))
    ]
    player_of_rivals(text, (rivals[0], rivals[1]), rivals[2:], locked=False).write_html(tmp_path / "a.html")
    page.goto((tmp_path / "a.html").as_uri())
    expect(cells(page).first).to_be_visible()
    expect(page.locator(".aligned [data-id]")).to_have_count(0)
    plain = cells(page).all_text_contents()
    page.keyboard.press("i")
    expect(page.get_by_role("checkbox", name="Show ids")).to_be_checked()
    for merges in (len(own.merges), 5):
        go_to(page, 0, merges)
        for row, tokenizer in enumerate((own.after(merges), gpt2(), *others)):
            ids = page.locator(f".aligned .of-{row} [data-id]").evaluate_all(
                "all => all.map(e => e.dataset.id)"
            )
            assert [int(each) for each in ids] == tokenizer.encode(text)
    page.locator(".aligned .of-2 [data-id]").last.hover()
    expect(page.locator(".aligned .tip")).to_contain_text(f"id {others[0].encode(text)[-1]},")
    page.get_by_role("checkbox", name="Show ids").uncheck()
    expect(page.locator(".aligned [data-id]")).to_have_count(0)
    go_to(page, 0, len(own.merges))
    assert cells(page).all_text_contents() == plain


def test_arrow_keys_on_a_slider_go_merge_by_merge(page: Page) -> None:
    open_comparison(page, CORPUS)
    open_merges(page)
    slider = page.get_by_role("slider", name="Merges of GPT-2")
    slider.press("Home")
    for _ in range(3):
        slider.press("ArrowRight")
    expect(slider).to_have_attribute("aria-valuetext", "3 merges")
    expect(figure(page, 1, "tokens")).to_have_text(f"{len(token_ends(gpt2(), 3, CORPUS)):,}")
    slider.press("End")
    expect(figure(page, 1, "vocabulary")).to_have_text("50,257")


def test_a_drag_of_a_slider_repaints_the_text(page: Page) -> None:
    open_comparison(page, CORPUS)
    open_merges(page)
    slider = page.get_by_role("slider", name="Merges of GPT-2")
    box = slider.bounding_box()
    assert box is not None
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] - 8, y)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2, y, steps=6)
    page.mouse.up()
    merges = int((slider.get_attribute("aria-valuetext") or "").split()[0].replace(",", ""))
    assert 50 < merges < 1_000  # half of a logarithmic slider of 50,000
    own = len(tokenizer_of(CORPUS).merges)
    want = expected(CORPUS, own, merges)
    expect_figures(page, want)
    assert tokens_on_show(page, 1) == tokens_of(want.right)


def test_precision_and_the_like_wait_under_details(page: Page) -> None:
    open_comparison(page, CORPUS)
    expect(tile(page, "precision")).to_be_hidden()
    page.get_by_text("Details", exact=True).click()
    expect(tile(page, "precision")).to_be_visible()
    page.get_by_role("button", name="precision").hover()
    expect(page.get_by_text("Of the left tokenizer's boundaries, the share")).to_be_visible()


def test_tokens_that_only_one_side_has_are_marked_by_more_than_colour(page: Page) -> None:
    open_comparison(page, CORPUS)
    go_to(page, 0, 20)
    want = expected(CORPUS, 20, 50_000)
    mine, theirs = tokens_of(want.left), tokens_of(want.right)
    for place, tokens in enumerate((mine, theirs)):
        shown = cells(page, place).evaluate_all(
            """cells => cells.map(c => [
                c.token.start, c.classList.contains('differs'), getComputedStyle(c).borderBottomWidth
            ])"""
        )
        only = tokens - (mine & theirs)
        for start, differs, line in shown:
            assert differs == any(begin <= start < end for begin, end in only)
            assert line == ("2px" if differs else "0px")


@pytest.mark.gate
def test_the_rows_of_a_line_have_the_same_letters_at_the_same_place(page: Page) -> None:
    """Also where a line breaks, with cut and invisible characters, and from right to left."""
    page.set_viewport_size({"width": 600, "height": 768})
    open_comparison(page, (MIXED + "snake_case and weathering in the lighthouse " * 3) * 2)
    rows = [
        cells(page, place).evaluate_all(
            """cells => cells.map(c =>
                [...c.getClientRects()].map(({ left, width, height, top }) => [left, width, height, top]))"""
        )
        for place in (0, 1)
    ]
    assert len(rows[0]) == len(rows[1])
    for upper, lower in zip(*rows, strict=True):
        assert [box[:3] for box in upper] == [box[:3] for box in lower]
        assert {below[3] - above[3] for above, below in zip(upper, lower, strict=True)} in ({21}, {9})


def test_a_character_that_a_side_cuts_is_shown_whole_in_both_rows(page: Page) -> None:
    text = "灯台 🚢 café\n" * 3
    open_comparison(page, text)
    go_to(page, 1, 0)
    for place in (0, 1):
        box = page.locator(f".aligned .of-{place} .char").first
        assert box.evaluate("e => getComputedStyle(e, '::before').content") == '"灯"'
        parts = box.locator(".tok")
        expect(parts).to_have_count(3)
        widths = parts.evaluate_all("all => all.map(part => part.getBoundingClientRect().width)")
        assert widths == [9, 9, 9]
        assert on.spelled(cells(page, place)) == text.replace("\n", "")
        assert parts.first.evaluate("e => getComputedStyle(e).color") == "rgba(0, 0, 0, 0)"


def test_an_underscore_is_clear_of_the_line_below_it(page: Page) -> None:
    open_comparison(page, "snake_case_name and __init__\n" * 3)
    go_to(page, 1, 0)
    room = page.locator(".aligned .of-0 .tok.differs").first.evaluate(
        """cell => {
            const style = getComputedStyle(cell);
            const canvas = document.createElement("canvas").getContext("2d");
            canvas.font = `${style.fontSize} ${style.fontFamily}`;
            const letters = canvas.measureText("_");
            const below = letters.fontBoundingBoxDescent - letters.actualBoundingBoxDescent;
            return below + parseFloat(style.paddingBottom);
        }"""
    )
    assert room >= 2  # whole pixels, rounded down


def test_invisible_characters_have_their_names_in_line_with_the_letters(page: Page) -> None:
    open_comparison(page, "a\x00b \x07 c\x1b[0m \x7f d\u200be \u202eabc\n" * 3)
    line = page.locator(".aligned .block .of-0").first
    names = line.locator(".char").evaluate_all("all => all.map(box => box.dataset.char)")
    assert [name.strip("␣") for name in names] == [
        f"U+{code}" for code in ("0000", "0007", "001B", "007F", "200B", "202E")
    ]
    bars = line.locator(".tok").evaluate_all(
        "all => all.map(cell => cell.getBoundingClientRect()).map(box => `${box.top}, ${box.bottom}`)"
    )
    assert len(set(bars)) == 1


def test_the_name_of_a_space_and_an_invisible_character_has_room(page: Page) -> None:
    """GPT-2's first merges join the space to the first bytes of the character."""
    open_comparison(page, "x \u202eabc \u202eabc\n" * 3)
    box = page.locator(".aligned .char").first
    expect(box).to_have_attribute("data-char", "␣U+202E")
    hidden = box.evaluate(
        """box => {
            const style = getComputedStyle(box, "::before");
            const canvas = document.createElement("canvas").getContext("2d");
            canvas.font = `${style.fontSize} ${style.fontFamily}`;
            return canvas.measureText(box.dataset.char).width - box.getBoundingClientRect().width;
        }"""
    )
    assert hidden <= 0


def test_a_cell_tells_of_the_tokens_of_both_sides(page: Page) -> None:
    open_comparison(page, CORPUS)
    go_to(page, 0, 0)
    go_to(page, 1, 50_000)
    own = tokenizer_of(CORPUS)
    cells(page).nth(1).hover()
    tip = page.locator(".aligned .tip")
    expect(tip.locator("div").nth(0)).to_have_text("Lhuggingface")
    expect(tip.locator("div").nth(1)).to_have_text("h")
    expect(tip.locator("div").nth(2)).to_have_text(f"1 byte, id {own.encode('h')[0]}, base vocabulary")
    expect(tip.locator("div").nth(3)).to_have_text("RGPT-2")
    expect(tip.locator("div").nth(4)).to_have_text("This")
    rank = gpt2().merge_token_ids.index(1212)
    expect(tip.locator("div").nth(5)).to_have_text(f"4 bytes, id 1212, merge {rank + 1:,}")


def test_keys_walk_through_the_cells(page: Page) -> None:
    open_comparison(page, CORPUS)
    page.locator(".aligned .text").focus()
    page.keyboard.press(".")
    page.keyboard.press(".")
    expect(page.locator(".aligned .tip")).to_be_visible()
    assert cells(page).nth(1).evaluate("c => c === c.getRootNode().activeElement")
    page.keyboard.press("Escape")
    expect(page.locator(".aligned .tip")).to_be_hidden()


def test_any_script_and_markup_keeps_its_bytes(page: Page) -> None:
    open_comparison(page, MIXED * 3)
    assert on.spelled(cells(page)) == (MIXED * 3).replace("\n", "")
    own = len(tokenizer_of(MIXED * 3).merges)
    want = expected(MIXED * 3, own, 50_000)
    expect_figures(page, want)
    for place, ends in enumerate((want.left, want.right)):
        assert tokens_on_show(page, place) == tokens_of(ends)
        assert on.spelled(cells(page, place)) == (MIXED * 3).replace("\n", "")
    assert page.locator(".aligned b").count() == 0
