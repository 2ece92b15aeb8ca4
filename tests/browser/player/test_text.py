"""The text in Chromium: tokens by keyboard, characters of several tokens, white space, walls, order, keys."""

import json
from itertools import accumulate, pairwise
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from bpeviz import Tokenizer
from tests.support import app_page as on
from tests.support.saved_player import open_run
from tests.support.trained import LOW, trained
from tests.support.waiting import wait_for

JAPANESE = "灯台の灯は台の下 灯台の灯り 台灯と灯台の灯\n" * 4
ARABIC = "الكتاب على الطاولة والكتب في المكتبة الكبيرة " * 6
OTHER_KEYS = {"→": "ArrowRight", "←": "ArrowLeft", "space": "Space", "Esc": "Escape"}


def after(text: str, step: int) -> Tokenizer:
    return trained(text).tokenizer().after(step)


def pieces(text: str, step: int) -> list[bytes]:
    """The tokens by the encoder, which knows nothing of gap ranks."""
    tokenizer = after(text, step)
    return [tokenizer.token_bytes(i) for i in tokenizer.encode(text)]


def words(text: str, step: int) -> list[str]:
    return [piece.decode() for piece in pieces(text, step)]


def piece_at(tokens: list[bytes], offset: int) -> bytes:
    ends = accumulate(map(len, tokens))
    return next(token for token, end in zip(tokens, ends, strict=True) if offset < end)


def region(page: Page) -> Locator:
    return page.get_by_role("region", name="Text with token boundaries")


def focused(page: Page) -> Locator:
    return page.locator(f"{on.CELLS}:focus")


def tip(page: Page) -> Locator:
    return page.locator(".tip:visible div")


def press(page: Page, key: str, times: int = 1) -> None:
    for _ in range(times):
        page.keyboard.press(key)


def style(cells: Locator, pseudo: str, name: str) -> set[str]:
    """All values of a style that cells, or pseudo-elements of theirs, are drawn with."""
    script = "(cells, [pseudo, name]) => cells.map(c => getComputedStyle(c, pseudo)[name])"
    values: set[str] = set()

    def drawn() -> bool:
        values.clear()
        values.update(cells.evaluate_all(script, [pseudo, name]))
        return bool(values) and "" not in values

    wait_for(cells.page, drawn, f"every cell has a value of {name}")
    return values


# Tokens by keyboard


@pytest.mark.gate
def test_keys_walk_from_token_to_token_and_tell_what_each_is(page: Page) -> None:
    open_run(page, LOW, step=6)
    tokenizer = after(LOW, 6)
    ids = tokenizer.encode(LOW)
    tokens = words(LOW, 6)
    merges = trained(LOW).merges
    for token_id, token in zip(ids[:8], tokens[:8], strict=True):
        page.keyboard.press(".")
        expect(focused(page)).to_have_text(token)
        lines = [
            f"token {token.replace(' ', '␣')}",
            f"{len(token)} {'byte' if len(token) == 1 else 'bytes'} {token.encode().hex(' ').upper()}",
            f"id {token_id}, {ids.count(token_id)} in the text now",
            "in the base vocabulary",
        ]
        rank = next((r for r, (_, made) in enumerate(merges) if made == token_id), None)
        if rank is not None:
            left, right = (tokenizer.token_bytes(i).decode().replace(" ", "␣") for i in merges[rank][0])
            lines[-1] = f"merge {rank + 1}: {left} + {right}"
        expect(tip(page)).to_have_text(lines)
        assert focused(page).get_attribute("role") == "button"
        described = page.locator(f"#{focused(page).get_attribute('aria-describedby')}")
        expect(described).to_have_text("".join(lines))
    page.keyboard.press(",")
    expect(focused(page)).to_have_text(tokens[6])
    assert style(focused(page), "", "outlineStyle") == {"solid"}


def test_escape_leaves_the_token_for_the_text(page: Page) -> None:
    open_run(page, LOW)
    press(page, ".", 3)
    expect(focused(page)).to_have_text(LOW[2])
    page.keyboard.press("Escape")
    expect(tip(page)).to_have_count(0)
    expect(region(page)).to_be_focused()
    page.keyboard.press(".")
    expect(focused(page)).to_have_text(LOW[0])


@pytest.mark.gate
def test_the_focus_stays_on_the_byte_while_merges_come_and_go(page: Page) -> None:
    open_run(page, JAPANESE)
    press(page, ".", 5)
    offset = 4  # every byte is a token at first
    last = len(trained(JAPANESE).merges)
    steps = [*range(1, 8), *range(6, 2, -1)]
    keys = ["ArrowRight"] * 7 + ["ArrowLeft"] * 4
    for key, step in [*zip(keys, steps, strict=True), ("End", last), ("Home", 0)]:
        page.keyboard.press(key)
        on.expect_step(page, step)
        token = piece_at(pieces(JAPANESE, step), offset)
        assert on.spelled_bytes(focused(page)) == token
        expect(tip(page).nth(1)).to_contain_text(token.hex(" ").upper())
        count = pieces(JAPANESE, step).count(token)
        expect(tip(page).nth(2)).to_contain_text(f", {count} in the text now")


def test_the_focus_stays_on_the_byte_during_playback(page: Page) -> None:
    open_run(page, LOW)
    press(page, ".", 7)
    page.get_by_label("Merges per second").select_option("60")
    page.keyboard.press("Escape")
    press(page, ".", 7)
    page.keyboard.press("Space")
    last = len(trained(LOW).merges)
    on.expect_step(page, last)
    expect(focused(page)).to_have_text(piece_at(pieces(LOW, last), 6).decode())


def test_keys_walk_past_what_is_drawn(page: Page) -> None:
    text = "".join(f"line {n} of the weather, the whether, the wether\n" for n in range(300))
    open_run(page, text, step=40)
    tokens = words(text, 40)
    drawn = len(on.cells(page))
    box = region(page).bounding_box()
    assert box is not None
    for number in range(0, drawn + 200, 50):
        press(page, ".", 50)
        expect(focused(page)).to_have_text(tokens[number + 49].rstrip("\n"))
        cell = focused(page).bounding_box()
        assert cell is not None
        assert cell["y"] >= box["y"]
        assert cell["y"] + cell["height"] <= box["y"] + box["height"] + 1
    press(page, ",", 100)
    expect(focused(page)).to_have_text(tokens[number + 49 - 100].rstrip("\n"))


def test_the_walk_begins_at_the_first_token_in_view(page: Page) -> None:
    lines = [f"line {n}: the weather, the whether, the wether\n" for n in range(300)]
    open_run(page, "".join(lines))
    region(page).evaluate("e => { e.scrollTop = 3000 }")
    on.expect_painted(page)
    block = region(page).locator(".block").nth(6)
    top = on.spelled(block.locator(".tok"))
    block.evaluate(
        "b => { const e = b.closest('.text'); const top = x => x.getBoundingClientRect().top;"
        "e.scrollTop += top(b) - top(e) }"
    )
    on.expect_painted(page)
    assert int(top.split()[1].rstrip(":")) > 80
    page.keyboard.press(".")
    expect(focused(page)).to_have_text("l")
    assert on.spelled(focused(page).locator("xpath=ancestor::div[1]").locator(".tok")) == top


def test_a_token_scrolled_out_of_sight_gives_its_focus_to_the_text(page: Page) -> None:
    open_run(page, "".join(f"line {n}\n" for n in range(300)))
    page.keyboard.press(".")
    expect(focused(page)).to_have_text("l")
    region(page).evaluate("e => { e.scrollTop = 3000 }")
    expect(region(page)).to_be_focused()
    expect(tip(page)).to_have_count(0)


# Picking


def test_enter_picks_the_token_and_marks_it_wherever_it_stands(page: Page) -> None:
    open_run(page, LOW, step=6)
    tokens = words(LOW, 6)
    press(page, ".", 2)
    page.keyboard.press("Enter")
    expect(focused(page)).to_have_text(tokens[1])
    assert on.marked(page, "picked") == [tokens[1]] * tokens.count(tokens[1])
    page.keyboard.press("End")
    on.expect_step(page, len(trained(LOW).merges))
    at_the_end = words(LOW, len(trained(LOW).merges))
    assert on.marked(page, "picked") == [tokens[1]] * at_the_end.count(tokens[1])
    page.keyboard.press("Home")
    on.go_to(page, 6)
    assert on.marked(page, "picked") == [tokens[1]] * tokens.count(tokens[1])


@pytest.mark.gate
def test_a_click_picks_a_token_but_selecting_text_does_not(page: Page) -> None:
    open_run(page, LOW, step=6)
    tokens = words(LOW, 6)
    cell = page.locator(on.CELLS).nth(4)
    expect(cell).to_have_text(tokens[4])
    box = cell.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 2, box["y"] + 8)
    page.mouse.down()
    page.mouse.move(box["x"] + 120, box["y"] + 8)
    page.mouse.up()
    assert on.marked(page, "picked") == []
    cell.click()
    assert on.marked(page, "picked") == [tokens[4]] * tokens.count(tokens[4])


# Characters of several tokens


def groups(page: Page) -> list[tuple[str, list[str]]]:
    script = """groups => groups.map(g => [g.dataset.char,
      [...g.querySelectorAll('.tok')].map(c => c.textContent)])"""
    return [(char, cells) for char, cells in page.locator(".text .char").evaluate_all(script)]


def expected_groups(tokens: list[bytes]) -> list[tuple[str, list[str]]]:
    """Runs of tokens, as short as can be, that are whole characters while their tokens are not."""
    found = []
    run: list[bytes] = []
    for token in tokens:
        run.append(token)
        try:
            characters = b"".join(run).decode()
        except UnicodeDecodeError:
            continue
        if len(run) > 1:
            found.append((characters.replace(" ", "␣"), [part.hex(" ").upper() for part in run]))
        run = []
    return found


@pytest.mark.parametrize(
    "text", [JAPANESE, "👍🏽 👍🏿 👩‍🚀 👩‍🔬 " * 4 + "naïve café"], ids=["Japanese", "emoji"]
)
def test_tokens_that_share_characters_stand_together_under_them(page: Page, text: str) -> None:
    open_run(page, text)
    seen = 0
    for step in range(0, len(trained(text).merges) + 1, 3):
        on.go_to(page, step)
        shown = [(char.replace("U+200D", "\u200d"), cells) for char, cells in groups(page)]
        expected = expected_groups(pieces(text, step))
        assert shown == expected
        seen += len(expected)
        # a whole joiner is a cell of hex too, but of one character
        alone = set(page.locator(f"{on.CELLS}.hex:not(.char .tok)").all_text_contents())
        assert alone <= {"E2 80 8D"}
    assert seen > 40


def test_the_character_is_shown_before_its_cells_and_is_no_part_of_them(page: Page) -> None:
    open_run(page, JAPANESE)
    group = page.locator(".text .char").first
    expect(group).to_have_text("E781AF")
    assert style(group, "::before", "content") == {'"灯"'}
    assert style(group, "", "borderTopStyle") == {"solid"}


def test_marks_and_parts_of_a_picture_have_cells_of_their_own(page: Page) -> None:
    text = "e\u0301e\u0301e\u0301 שָׁלוֹם שָׁלוֹם 👍🏽👍🏽👍🏽 🇫🇷🇫🇷🇫🇷 " * 2
    open_run(page, text)
    for step in range(0, len(trained(text).merges) + 1, 4):
        on.go_to(page, step)
        assert on.spelled(page.locator(on.CELLS)) == text
        widths = page.locator(on.CELLS).evaluate_all(
            "cells => cells.map(c => c.getBoundingClientRect().width)"
        )
        assert min(widths) >= 3


# White space and walls


@pytest.mark.gate
def test_glyphs_can_be_switched_off_and_stay_off(page: Page) -> None:
    open_run(page, "a b\tc\na b\tc\na b\tc\n")
    glyphs = page.locator(".text .ws")
    contents = glyphs.evaluate_all("all => all.map(g => getComputedStyle(g, '::before').content)")
    assert contents[:3] == ['"·"', '"⇥"', '"⏎"']
    box = page.get_by_role("checkbox", name="Show spaces")
    expect(box).to_be_checked()
    assert style(glyphs, "::before", "visibility") == {"visible"}
    page.keyboard.press("g")
    expect(box).not_to_be_checked()
    assert style(glyphs, "::before", "visibility") == {"hidden"}
    assert "".join(on.cells(page)) == "a b\tca b\tca b\tc"
    open_run(page, "a b a b")
    expect(page.get_by_role("checkbox", name="Show spaces")).not_to_be_checked()
    assert style(page.locator(".text .ws"), "::before", "visibility") == {"hidden"}
    page.get_by_role("checkbox", name="Show spaces").check()
    assert style(page.locator(".text .ws"), "::before", "visibility") == {"visible"}


@pytest.mark.gate
@pytest.mark.parametrize("text", [LOW, "naïve 灯台の灯 灯台の灯 naïve\n" * 4])
def test_ids_stand_under_tokens_on_demand(page: Page, text: str) -> None:
    open_run(page, text)
    on.go_to(page, 3)
    plain = on.cells(page)
    ids = page.locator(".card.main .with-id .id")
    expect(ids).to_have_count(0)
    page.keyboard.press("i")
    expect(page.get_by_role("checkbox", name="Show ids")).to_be_checked()
    for step in (3, 7):
        on.go_to(page, step)
        assert ids.all_text_contents() == [str(i) for i in after(text, step).encode(text)]
    assert style(ids, "", "userSelect") == {"none"}  # a copy has the text alone
    on.go_to(page, 3)
    assert on.cells(page) == plain
    page.get_by_role("checkbox", name="Show ids").uncheck()
    expect(ids).to_have_count(0)


@pytest.mark.gate
def test_walls_stand_after_every_pre_token(page: Page) -> None:
    text = "low lower, lowest: slow slower\nlow  low" * 3
    open_run(page, text)
    width = "borderRightWidth"
    walls = page.locator(f"{on.CELLS}.wall")
    for step in (0, 5, 11):
        on.go_to(page, step)
        tokens = words(text, step)
        ends = set(accumulate(len(part) for part in after(text, step).split.split(text)))
        expected = [t for t, end in zip(tokens, accumulate(map(len, tokens)), strict=True) if end in ends]
        assert walls.all_text_contents() == [token.replace("\n", "") for token in expected]
        assert style(walls, "::after", "content") == {"none"}
        page.keyboard.press("w")
        expect(page.get_by_role("checkbox", name="Show word ends")).to_be_checked()
        assert style(walls, "::after", width) == {"2px"}
        assert style(page.locator(f"{on.CELLS}:not(.wall)"), "::after", "content") == {"none"}
        page.keyboard.press("w")


# Colours and order

CONTRASTS = """cell => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const over = (...colours) => {
    for (const colour of colours) { canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); }
    const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map(x => x / 255)
      .map(x => x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  const panel = getComputedStyle(cell.closest('.card')).backgroundColor;
  const edge = () => getComputedStyle(cell).boxShadow.replace(/ -?[0-9.]+px.*/, '');
  const worst = { text: 99, glyph: 99, edge: 99, picked: 99, single: 99 };
  const note = (name, value) => { worst[name] = Math.min(worst[name], value); };
  const glyph = cell.querySelector('.ws');
  for (let hue = 0; hue < 360; hue++) {
    cell.style.setProperty('--hue', hue);
    cell.className = 'tok';
    const tint = getComputedStyle(cell).backgroundColor;
    note('text', ratio(over(panel, tint), over(panel, tint, getComputedStyle(cell).color)));
    note('glyph', ratio(over(panel, tint), over(panel, tint, getComputedStyle(glyph, '::before').color)));
    note('edge', ratio(over(panel, tint), over(panel, edge())));
    note('edge', ratio(over(panel), over(panel, edge())));
    cell.className = 'tok picked';
    const marked = getComputedStyle(cell).backgroundColor;
    note('picked', ratio(over(panel, marked), over(panel, marked, getComputedStyle(cell).color)));
  }
  cell.className = 'tok one';
  note('single', ratio(over(panel), over(panel, edge())));
  return worst;
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_and_edges_stand_out_on_every_tint(page: Page, scheme: Any) -> None:
    page.emulate_media(color_scheme=scheme)
    open_run(page, LOW, step=6)
    cell = page.locator(on.CELLS, has=page.locator(".ws")).first
    worst = cell.evaluate(CONTRASTS)
    print(scheme, json.dumps(worst))
    assert worst["text"] >= 4.5
    assert worst["picked"] >= 4.5
    assert worst["glyph"] >= 4.5
    assert worst["edge"] >= 2.5
    assert worst["single"] >= 1.5


def first_row(page: Page) -> list[dict[str, Any]]:
    """The cells of the first row of text, in the order of the text."""
    script = """cells => {
      const boxes = cells.map(c => [c, c.getClientRects()[0]]);
      const end = boxes.findIndex(([, box]) => box.top > boxes[0][1].bottom);
      return boxes.slice(0, end < 0 ? boxes.length : end)
        .map(([c, box]) => ({ text: c.textContent, left: box.left, right: box.right }));
    }"""
    row: list[dict[str, Any]] = page.locator(on.CELLS).evaluate_all(script)
    return row


@pytest.mark.gate
def test_right_to_left_text_runs_from_the_right(page: Page) -> None:
    open_run(page, ARABIC)
    page.get_by_role("button", name="Last").click()
    row = first_row(page)
    tokens = words(ARABIC, len(trained(ARABIC).merges))
    assert [cell["text"] for cell in row[:6]] == tokens[:6]
    assert all(a["left"] >= b["right"] - 1 for a, b in pairwise(row[:6]))
    on.go_to(page, 0)
    assert on.cells(page)[:4] == ["D8", "A7", "D9", "84"]
    assert all(a["left"] >= b["right"] - 1 for a, b in pairwise(first_row(page)))


def test_a_right_to_left_mark_stays_with_its_word_in_a_line_from_the_left(page: Page) -> None:
    text = "abc שלוםֿ xyz " * 4
    open_run(page, text)
    steps = range(len(trained(text).merges) + 1)
    step = next(s for s in steps if "\u05bf".encode() in pieces(text, s))
    on.go_to(page, step)
    mark = page.locator(f"{on.CELLS}.mark").first
    expect(mark).to_have_text("\u05bf")
    boxes = page.locator(on.CELLS).evaluate_all(
        "cells => cells.map(c => [c.textContent, c.getBoundingClientRect().left])"
    )
    at = next(i for i, (cell, _) in enumerate(boxes) if cell == "\u05bf")
    word = [left for cell, left in boxes[at - 4 : at] if cell.strip()]
    assert boxes[at][1] < min(word)  # the last to be read, so leftmost


def test_a_long_line_without_a_space_keeps_its_order_and_can_be_scrolled(page: Page) -> None:
    text = "灯台の灯は夜の海を照らす" * 250 + "終"
    open_run(page, text)
    page.get_by_role("button", name="Last").click()
    scroller = region(page)
    assert scroller.evaluate("e => e.scrollWidth <= e.clientWidth")
    row = first_row(page)
    assert all(a["right"] <= b["left"] + 1 for a, b in pairwise(row))
    scroller.evaluate("e => { e.scrollTop = e.scrollHeight }")
    expect(page.locator(".text .char").last).to_have_attribute("data-char", "終")
    last = on.spelled(page.locator(".text .block").last.locator(".tok"))
    assert text.endswith(last)
    assert len(last) > 10


# Steps that change what is in view

TOP = "qx jv\n"
BELOW = "abcd abce bcd dabc "


def far_text(lines: int = 60) -> str:
    return TOP * lines + BELOW * 200


def changes(text: str, size: int) -> list[int]:
    """The ranks of the merges in the first bytes of a text."""
    ranks = trained(text).tokenizer().gap_ranks(text)[:size]
    last = len(trained(text).merges)
    return sorted({int(rank) for rank in ranks if 0 <= rank < last})


def test_shift_and_arrows_go_to_what_changes_in_view(page: Page) -> None:
    text = far_text()
    open_run(page, text)
    ranks = changes(text, 40 * len(TOP))
    assert ranks[0] > 0  # something out of view is merged earlier
    for rank in ranks:
        before = on.cells(page)[:5]
        page.keyboard.press("Shift+ArrowRight")
        on.expect_step(page, rank + 1)
        assert on.cells(page)[:5] != before
    page.keyboard.press("Shift+ArrowRight")
    expect(page.locator(".say")).to_have_text("No later merge changes what is in view.")
    on.expect_step(page, ranks[-1] + 1)
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".say")).to_contain_text(f"Next: merge {ranks[-1] + 1:,} joins")
    page.keyboard.press("ArrowRight")
    for rank in reversed(ranks):
        page.keyboard.press("Shift+ArrowLeft")
        on.expect_step(page, rank)
    page.get_by_role("button", name="Go to the previous change in view").click()
    expect(page.locator(".say")).to_have_text("No earlier merge changed what is in view.")
    on.expect_step(page, ranks[0])
    page.get_by_role("button", name="Go to the next change in view").click()
    on.expect_step(page, ranks[0] + 1)


def test_what_is_drawn_but_not_in_view_does_not_count(page: Page) -> None:
    """A line just below the view is drawn already; one below the window's end is in the scroller's view."""
    page.set_viewport_size({"width": 1360, "height": 1200})
    for size in (1200, 460):
        text = TOP * 3 + "\n" * 40 + BELOW * 200
        open_run(page, text)
        page.set_viewport_size({"width": 1360, "height": size})
        box = region(page).bounding_box()
        assert box is not None
        row = region(page).evaluate("e => parseFloat(getComputedStyle(e).lineHeight)")
        visible_rows = round(min(box["height"], size - box["y"]) / row)
        assert visible_rows >= 3
        lines = TOP * 3 + "\n" * (visible_rows - 4) + "abcd abce\n"
        for text, in_view in [
            (lines + TOP * 3 + BELOW * 200, True),
            (TOP * (visible_rows + 2) + BELOW * 200, False),
        ]:
            open_run(page, text)
            all_ranks = changes(text, len(text))
            seen = changes(text, len(lines) if in_view else visible_rows * len(TOP))
            assert (seen[0] == all_ranks[0]) == in_view
            page.keyboard.press("Shift+ArrowRight")
            on.expect_step(page, seen[0] + 1)


# Keys


def test_the_list_of_keys_opens_closes_and_gives_the_focus_back(page: Page) -> None:
    open_run(page, LOW)
    press(page, ".", 2)
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keys")
    expect(dialog).to_be_visible()
    expect(dialog.get_by_text("Next merge that changes what is in view", exact=True)).to_be_visible()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(focused(page)).to_have_text(LOW[1])
    on.expect_step(page, 0)
    button = page.get_by_role("button", name="Keys")
    button.click()
    expect(dialog).to_be_visible()
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_be_hidden()
    expect(button).to_be_focused()


@pytest.mark.gate
def test_every_key_in_the_list_does_something(page: Page) -> None:
    open_run(page, LOW, step=6)
    press(page, ".", 2)
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Keys").click()
    rows = page.locator(".keys dt").evaluate_all(
        "rows => rows.map(r => [...r.querySelectorAll('kbd')].map(k => k.textContent))"
    )
    page.keyboard.press("Escape")
    assert len(rows) == 26
    script = """() => {
      const shell = document.querySelector('[data-probe]').shadowRoot.querySelector('.bpeviz');
      return shell.className + shell.querySelector('.play').textContent
        + [...shell.querySelectorAll('dd, .tip, .keys, .nth, .curves')]
          .map(e => e.textContent + e.open + e.hidden)
        + shell.getRootNode().activeElement?.outerHTML
        + [...shell.querySelectorAll('.tok')].map(e => e.className);
    }"""
    page.locator(".bpeviz").first.evaluate("e => e.getRootNode().host.setAttribute('data-probe', '')")
    for names in rows:
        *shift, name = names
        page.keyboard.press("Escape")
        if name in ("Enter", "Esc", "n", "p"):
            page.keyboard.press(".")
        if name == "Enter":
            page.keyboard.press(".")
        if name in ("n", "p"):
            page.keyboard.press("Enter")
        if names in (["b"], ["1", "…", "2"], ["+", "-"]):  # test_pairs.py, test_word.py, test_fit.py
            continue
        before = page.evaluate(script)
        page.keyboard.press("Shift+" * len(shift) + OTHER_KEYS.get(name, name))
        assert page.evaluate(script) != before, names
        if name == "?":
            page.keyboard.press("Escape")
        if name == "space":
            page.keyboard.press("Space")
        on.go_to(page, 6)


def test_keys_are_letters_while_one_types(page: Page) -> None:
    open_run(page, LOW)
    field = page.get_by_role("combobox", name="Find a token")
    field.click()
    page.keyboard.type("g.n,w?p ")
    expect(field).to_have_value("g.n,w?p ")
    expect(page.get_by_role("checkbox", name="Show spaces")).to_be_checked()
    expect(page.get_by_role("checkbox", name="Show word ends")).not_to_be_checked()
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.keyboard.press("Shift+ArrowLeft")
    on.expect_step(page, 0)


def test_a_box_clicked_leaves_the_keys_to_the_player(page: Page) -> None:
    open_run(page, LOW)
    page.get_by_role("checkbox", name="Show word ends").click()
    page.keyboard.press("ArrowRight")
    on.expect_step(page, 1)
    page.keyboard.press("w")
    expect(page.get_by_role("checkbox", name="Show word ends")).not_to_be_checked()


def test_the_focus_stays_on_a_button_that_steps(page: Page) -> None:
    open_run(page, LOW)
    for name in ("Next merge", "Go to the next change in view", "Back one merge"):
        button = page.get_by_role("button", name=name, exact=True)
        button.focus()
        page.keyboard.press("Enter")
        expect(button).to_be_focused()


#: Of the text on show: the rows that end with a space, and the cells of two rows that a row could hold whole.
TORN = """text => {
  const edge = text.getBoundingClientRect().right;
  const cells = [...text.querySelectorAll(".tok")];
  const spaces = [...text.querySelectorAll(".ws:not(.end)")].map((each) => each.getBoundingClientRect());
  const ends = spaces.filter((space) => space.right > edge - 2 || !cells.some((cell) =>
    [...cell.getClientRects()].some(({ right, top }) =>
      right > space.right + 2 && Math.abs(top - space.top) < 8)));
  const torn = cells.filter((cell) => cell.getClientRects().length > 1);
  return [ends.length, torn.map((cell) => cell.textContent)];
}"""


def test_no_space_is_at_the_end_of_a_row_and_no_token_on_two_rows(page: Page) -> None:
    words = ["light,", "could", "lighthouse", "a", "keeper"]
    open_run(page, " ".join(words[i * i % 5] + words[i * 3 % 5] for i in range(150)) + ".", step=12)
    text = page.locator(on.TEXT)
    for width in (1360, 1347, 390, 381):
        page.set_viewport_size({"width": width, "height": 800})
        on.expect_painted(page)
        assert text.evaluate(TORN) == [0, []]
        assert text.evaluate("e => e.scrollWidth - e.clientWidth") == 0


#: Of the text on show: the cells that begin a row, but for the first one; and what a copy of it would be.
BEGINNINGS = """text => {
  const tops = new Set();
  const cells = [...text.querySelectorAll(".tok")];
  const first = cells.filter((cell) => {
    const { top, bottom } = cell.getClientRects()[0];
    const row = Math.round((top + bottom) / 2 / 8);
    return ![row - 1, row, row + 1].some((each) => tops.has(each)) && tops.add(row);
  });
  return [first.slice(1).map((cell) => cell.textContent), text.innerText];
}"""


@pytest.mark.parametrize("step", [0, 20])
def test_code_breaks_before_a_space_and_not_at_its_signs(page: Page, step: int) -> None:
    open_run(page, "the api-gateway {a}|b end-to-end x[0](y), u/v?w!z " * 12, step=step)
    for width in (1360, 390):
        page.set_viewport_size({"width": width, "height": 800})
        on.expect_painted(page)
        beginnings, copied = page.locator(on.TEXT).evaluate(BEGINNINGS)
        assert len(beginnings) > 3
        assert all(each.startswith(" ") for each in beginnings)
        assert "\u2060" not in copied


@pytest.mark.parametrize(
    "word", ["some/path-to.a/file?x=1&y=2;" * 12, "灯台の灯り、灯台守。" * 20, "👍🚢🚀" * 60]
)
def test_a_word_longer_than_a_row_breaks_between_its_tokens(page: Page, word: str) -> None:
    open_run(page, word, step=8)
    for width in (1360, 390):
        page.set_viewport_size({"width": width, "height": 800})
        on.expect_painted(page)
        rows, _ = page.locator(on.TEXT).evaluate(BEGINNINGS)
        assert rows
        assert not [each for each in rows if each[0] in "、。"]
        assert page.locator(on.TEXT).evaluate(TORN)[1] == []


def test_a_token_longer_than_a_row_breaks_anywhere(page: Page) -> None:
    open_run(page, "a" * 600, step=8)
    text = page.locator(on.TEXT)
    assert text.evaluate(TORN)[1]
    assert text.evaluate("e => e.scrollWidth - e.clientWidth") == 0


#: Scroll by the view's height but for a row; how many pixels have no text before the browser tells of it.
SCROLLED = """text => {
  text.scrollTop += text.clientHeight - 30;
  const { top, bottom } = text.getBoundingClientRect();
  const boxes = [...text.querySelectorAll(".block")].map((block) => block.getBoundingClientRect());
  return Math.max(0, Math.min(...boxes.map((box) => box.top)) - top,
    bottom - Math.max(...boxes.map((box) => box.bottom)));
}"""


def test_the_next_view_of_text_is_drawn_before_the_browser_tells_of_a_scroll(page: Page) -> None:
    open_run(page, "".join(f"line {n}\n" for n in range(400)))
    for _ in range(3):
        page.wait_for_function(
            """() => {
              const { scroller, blocks } = document.bpevizStage.player.view;
              const bottom = blocks.getBoundingClientRect().bottom - scroller.getBoundingClientRect().bottom;
              return bottom >= scroller.clientHeight - 30;
            }"""
        )
        assert page.locator(on.TEXT).evaluate(SCROLLED) == 0


def test_a_long_row_of_spaces_stays_in_the_text(page: Page) -> None:
    open_run(page, "word" + " " * 400 + "word\tword\t" + "\u3000" * 90 + "word", step=0)
    inside = """text => [...text.querySelectorAll(".ws")].every((each) =>
      each.getBoundingClientRect().right <= text.getBoundingClientRect().right)"""
    for width in (1360, 390):
        page.set_viewport_size({"width": width, "height": 800})
        on.expect_painted(page)
        assert page.locator(on.TEXT).evaluate(inside)
