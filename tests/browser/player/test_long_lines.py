"""One long line in Chromium, in saved pages: its rows end where they are full, and only there."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from bpeviz import Corpus, Trainer, compare, load_pretrained
from bpeviz.text.split_patterns import SplitPattern
from tests.support import app_page as on

LETTER = 9  # pixels, of a byte's letter
WORDS = ["the", "quick", "brown", "fox", "jumps", "over", "lazy", "dogs", "falls,", "slowly;", "sentences"]
ARABIC = ["الكتاب", "على", "الطاولة", "والكتب", "في", "المكتبة", "الكبيرة"]

# The room at the end of each row on show, from above; all rows of a comparison break at the same places.
ROOM = """blocks => {
  const edge = blocks.parentNode.getBoundingClientRect();
  const fromRight = blocks.querySelector(".block").dir === "rtl";
  const boxes = [...blocks.querySelectorAll(".tok, .char")].filter(
    (box) => !box.closest(".tokens:not(.of-0)") && !box.parentNode.matches(".char"));
  const rects = boxes.flatMap((box) => [...box.getClientRects()]).sort((a, b) => a.top - b.top);
  const rows = [];
  for (const { top, bottom, left, right } of rects) {
    const room = fromRight ? left - edge.left : edge.right - right;
    const row = rows.at(-1);
    if (row && top < row.bottom) row.room = Math.min(row.room, room);
    else rows.push({ bottom, room });
  }
  return rows.map(({ room }) => room);
}"""


def line_of(words: list[str], space: str, size: int) -> str:
    """A line of at least so many bytes."""
    chance = random.Random(1)
    line = ""
    while len(line.encode()) < size:
        line += chance.choice(words) + space
    return line


ENGLISH_LINE = line_of(WORDS, " ", 20_000)
ARABIC_LINE = line_of(ARABIC, " ", 20_000)
JAPANESE_LINE = line_of(list("灯台下暗日本語文字列境界見山川"), "", 20_000)


#: With it no token joins parts of two characters, so after all merges no character is cut.
EACH_CHARACTER = SplitPattern("characters", ".")


def trained(text: str) -> Trainer:
    split = EACH_CHARACTER if text == JAPANESE_LINE else "gpt2"
    trainer = Trainer(Corpus.from_text(text, split), "huggingface", num_merges=60)
    list(trainer.steps())
    return trainer


def write_player(text: str, path: Path) -> None:
    trainer = trained(text)
    trainer.player(text, step=len(trainer.merges)).write_html(path)


def write_comparison(text: str, path: Path) -> None:
    compare(text, trained(text).tokenizer(), load_pretrained("gpt2")).player().write_html(path)


@pytest.fixture
def opened(page: Page, tmp_path: Path) -> Callable[..., Page]:
    def open_page(write: Callable[[str, Path], None], text: str, width: int = 1366) -> Page:
        write(text, tmp_path / "page.html")
        page.set_viewport_size({"width": width, "height": 768})
        page.goto((tmp_path / "page.html").as_uri())
        expect(page.locator(".text .tok").first).to_be_visible()
        return page

    return open_page


def room(page: Page) -> list[float]:
    rooms: list[float] = page.locator(".blocks").first.evaluate(ROOM)
    return rooms


def scroll_to(page: Page, share: float) -> None:
    """Scroll, and let the page draw: it does before the next frame ends."""
    page.locator(".text").first.evaluate(
        """async (text, share) => {
          text.scrollTop = share * text.scrollHeight;
          for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
        }""",
        share,
    )


#: For each line the room that a row may leave: its longest word, or a character; and 1ch of every row.
LINES = {
    "words": (ENGLISH_LINE, (max(map(len, WORDS)) + 3) * LETTER),
    "Japanese": (JAPANESE_LINE, 6 * LETTER),
    "Arabic": (ARABIC_LINE, (max(map(len, ARABIC)) + 3) * LETTER),
}


@pytest.mark.parametrize("width", [1366, 600])
@pytest.mark.parametrize("write", [write_player, write_comparison])
@pytest.mark.parametrize("line", LINES)
def test_no_row_of_a_long_line_ends_before_it_is_full(
    opened: Callable[..., Page], write: Callable[[str, Path], None], line: str, width: int
) -> None:
    text, most = LINES[line]
    most += 34 if write is write_comparison else 0  # for the number of tokens at the end of each row
    page = opened(write, text, width)
    for share in (0, 0.1, 0.5, 0.48, 0.46):
        scroll_to(page, share)
        rooms = room(page)
        assert len(rooms) > 8
        assert max(rooms) <= most, (share, rooms)


@pytest.mark.gate
def test_the_rows_stay_full_when_the_window_or_the_step_changes(opened: Callable[..., Page]) -> None:
    page = opened(write_player, JAPANESE_LINE, 1366)
    scroll_to(page, 0.5)
    for width in (700, 1100):
        page.set_viewport_size({"width": width, "height": 768})
        scroll_to(page, 0.4)
        assert max(room(page)) <= LINES["Japanese"][1]
    last = len(trained(JAPANESE_LINE).merges)
    boxes = 20 * LETTER  # a character of three bytes, each in its box
    for key, step, most in (("Home", 0, boxes), ("End", last, LINES["Japanese"][1])):
        page.keyboard.press(key)
        on.expect_step(page, step)
        assert max(room(page)) <= most


@pytest.mark.gate
def test_every_byte_of_a_long_line_is_drawn_once(opened: Callable[..., Page]) -> None:
    page = opened(write_player, ENGLISH_LINE[:6000] + "\nend", 600)
    seen: dict[int, int] = {}
    for share in (0, 0.2, 0.4, 0.6, 0.8, 1):
        scroll_to(page, share)
        spans = page.locator(".text .tok").evaluate_all(
            "cells => cells.map(c => [c.token.start, c.token.end])"
        )
        starts = [start for start, _ in spans]
        assert starts[1:] == [end for _, end in spans[:-1]]
        seen |= dict(spans)
    assert sorted(seen) == [0, *sorted(seen.values())[:-1]]
    assert max(seen.values()) == 6004


@pytest.mark.gate
def test_line_ends_still_end_rows(opened: Callable[..., Page]) -> None:
    page = opened(write_player, f"{ENGLISH_LINE[:2000]}\n" + "short\n" * 20)
    scroll_to(page, 1)
    assert all(each > 600 for each in room(page)[-10:])


def test_a_saved_text_has_a_long_line_in_one_piece(opened: Callable[..., Page], tmp_path: Path) -> None:
    page = opened(write_player, ENGLISH_LINE)
    page.locator(".export summary").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Text as HTML").or_(page.get_by_label("Text as HTML")).first.click()
    download.value.save_as(tmp_path / "text.html")
    page.goto((tmp_path / "text.html").as_uri())
    expect(page.locator(".block")).to_have_count(1)
    text = page.locator(".block").evaluate("e => e.textContent")
    assert text == ENGLISH_LINE
