"""The files that the player's menu saves, read by other programs, against the core."""

import csv
import io
import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Page, expect

from bpeviz import Corpus, Trainer
from bpeviz.runs.samples import read_sample
from tests.support import app_page as on
from tests.support.saved_files import (
    CURVES,
    PAIRS,
    POLICY,
    SVG,
    SavedText,
    expect_harmless_chart,
    expect_png,
    menu,
    open_menu,
    save,
    slug,
    texts_of,
)
from tests.support.saved_player import open_run
from tests.support.trained import LOW, trained

ATTACK = "<img src=x onerror=window.ran=1><script>window.ran=1</script></div>&amp;\"' =1+1 <!--text--> " * 4


def expect_cells(saved: SavedText, trainer: Trainer, step: int, text: str) -> None:
    """The cells are the core's tokens, all of them, each with its bytes and its id."""
    tokenizer = trainer.tokenizer().after(step)
    ids = tokenizer.encode(text)
    tokens = [tokenizer.token_bytes(i) for i in ids]
    assert [data for data, _ in saved.cells] == tokens
    assert [title for _, title in saved.cells] == [
        f"{token[:64].hex(' ').upper()}{' …' if len(token) > 64 else ''}, id {i}"
        for token, i in zip(tokens, ids, strict=True)
    ]


@pytest.mark.gate
def test_the_text_is_saved_as_it_is_coloured(page: Page, tmp_path: Path) -> None:
    text = "the weather, the whether\r\n\tthe wether 灯台の灯 🚢 café\n\n" * 5
    open_run(page, text)
    trainer = trained(text)
    for step in (0, 4, len(trainer.merges)):
        on.go_to(page, step)
        path = save(page, "Text as HTML", tmp_path)
        assert path.name == f"bpeviz-text-{step}.html"
        saved = SavedText(path.read_text("utf-8"))
        expect_cells(saved, trainer, step, text)
        assert saved.policies == [POLICY]
        total = len(trainer.tokenizer().after(step).encode(text))
        size = len(text.encode())
        source = path.read_text("utf-8")
        assert f"after {step} of {len(trainer.merges)} merges</title>" in source
        assert f"{size} bytes in {total} tokens: {size / total:.2f} bytes per token." in source


def test_of_a_long_text_the_part_in_view_is_saved(page: Page, tmp_path: Path) -> None:
    """A file of all four megabytes would have 139 MB."""
    text = "".join(f"line {n}: the weather\n" for n in range(30_000))
    assert len(text) > 500_000
    open_run(page, text, step=10)
    view = page.locator(on.TEXT)
    view.evaluate("e => e.scrollTo(0, e.scrollHeight / 50)")
    top = on.top_line(page)
    source = save(page, "Text (0.5 MB from the line in view) as HTML", tmp_path).read_text("utf-8")
    spelled = b"".join(data for data, _ in SavedText(source).cells).decode()
    start = text.index(spelled)
    assert top in spelled[:80]
    assert 490_000 < len(spelled) <= 500_000
    assert f"This file has the bytes {start + 1:,} to {start + len(spelled):,}." in source


def test_a_text_longer_than_the_view_is_saved_whole(page: Page, tmp_path: Path) -> None:
    text = "".join(f"line {n}: the weather, the whether, the wether\n" for n in range(2_000))
    text += "a line that is cut into blocks, " * 200
    open_run(page, text, step=40)
    source = save(page, "Text as HTML", tmp_path).read_text("utf-8")
    expect_cells(SavedText(source), trained(text), 40, text)
    # each cell is short
    cells = re.findall("<span class=[^>]*>", source)
    assert all(re.search(r'class="tok[^"]* h\d+[ "]', cell) for cell in cells)
    assert all("style" not in cell for cell in cells)


def test_a_saved_text_runs_nothing_and_reads_the_same(page: Page, saved_page: Page, tmp_path: Path) -> None:
    open_run(page, ATTACK)
    trainer = trained(ATTACK)
    said: list[str] = []
    saved_page.on("console", lambda message: said.append(message.text))
    for step in (0, 12, len(trainer.merges)):
        on.go_to(page, step)
        path = save(page, "Text as HTML", tmp_path)
        saved = SavedText(path.read_text("utf-8"))
        expect_cells(saved, trainer, step, ATTACK)
        assert saved.tags <= {
            *("html", "head", "meta", "title", "style", "body", "main", "h1", "p", "div", "span", "i", "wbr")
        }
        assert not [name for name in saved.attributes if name.startswith("on") or name in ("src", "href")]
        saved_page.goto(path.as_uri())
        assert saved_page.evaluate("window.ran") is None
        assert saved_page.locator("script, img, iframe, a").count() == 0
        tokenizer = trainer.tokenizer().after(step)
        assert saved_page.locator(".tok").all_text_contents() == [
            tokenizer.token_bytes(i).decode() for i in tokenizer.encode(ATTACK)
        ]
    assert said == []


def test_a_saved_text_looks_as_on_the_page_in_light_and_dark(
    page: Page, saved_page: Page, tmp_path: Path
) -> None:
    open_run(page, LOW, step=6)
    path = save(page, "Text as HTML", tmp_path)
    saved_page.goto(path.as_uri())
    look = """e => {
      const { backgroundColor, outlineColor, boxShadow, borderBottomStyle, fontFamily } = getComputedStyle(e);
      return [e.textContent, backgroundColor, outlineColor, boxShadow, borderBottomStyle, fontFamily];
    }"""
    for kind in ("new", "one", "left", "right"):
        saved = saved_page.locator(f".tok.{kind}").first
        assert saved.evaluate(look) == page.locator(f"{on.CELLS}.{kind}").first.evaluate(look)
    grounds = []
    for scheme in ("light", "dark"):
        saved_page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        grounds.append(saved_page.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert grounds == ["rgb(251, 251, 250)", "rgb(16, 18, 20)"]


def test_a_saved_text_has_its_full_height_on_the_screen_and_on_paper(
    page: Page, saved_page: Page, tmp_path: Path
) -> None:
    open_run(page, "".join(f"line {n}: the weather\n" for n in range(120)))
    saved_page.goto(save(page, "Text as HTML", tmp_path).as_uri())
    for media in ("screen", "print"):
        saved_page.emulate_media(media=media)  # type: ignore[arg-type]
        assert saved_page.locator(".text").evaluate("e => e.scrollHeight - e.clientHeight") == 0
        assert saved_page.locator(".text").evaluate("e => e.clientHeight") > 120 * 20
    assert len(re.findall(rb"/Type\s*/Page\b", saved_page.pdf())) > 2


def test_the_step_may_go_on_while_a_text_is_saved(page: Page, tmp_path: Path) -> None:
    text = read_sample("English prose") * 6
    open_run(page, text, step=20)
    open_menu(page)
    with page.expect_download(timeout=60_000) as download:
        page.evaluate(
            """() => {
              const { root } = document.bpevizStage.player;
              root.querySelector(".export [aria-label='Text as HTML']").click();
              setTimeout(() => document.bpevizStage.player.jump(300), 30);
            }"""
        )
    download.value.save_as(tmp_path / "text.html")
    assert download.value.suggested_filename == "bpeviz-text-20.html"
    saved = SavedText((tmp_path / "text.html").read_text("utf-8"))
    expect_cells(saved, trained(text), 20, text)
    on.expect_step(page, 300)


def literal(token: bytes) -> str:
    try:
        return json.dumps(token.decode(), ensure_ascii=False)
    except UnicodeDecodeError:
        return f"<{token.hex(' ').upper()}>"


@pytest.mark.gate
def test_the_merges_are_saved_as_the_trainer_made_them(page: Page, tmp_path: Path) -> None:
    text = '灯台の灯 灯台 =SUM(A1) =SUM(A1) "quoted", "quoted"\n\tand\n\tand\n<b>x <b>x +1-1 +1-1 @x @x ' * 3
    open_run(page, text)
    trainer = Trainer(Corpus.from_text(text), "huggingface", num_merges=500, min_frequency=2)
    steps = list(trainer.steps())
    path = save(page, "Merges as CSV", tmp_path)
    assert path.name == f"bpeviz-merges-{len(steps)}.csv"
    source = path.read_bytes().decode("utf-8")
    assert source.endswith("\r\n")
    assert source.count("\r\n") == len(steps) + 1
    rows = list(csv.reader(io.StringIO(source, newline="")))
    columns = "rank left_id right_id token_id left right token token_bytes count tied tokens_after"
    assert rows[0] == columns.split()
    for row, step in zip(rows[1:], steps, strict=True):
        left, right = (trainer.token_bytes(i) for i in step.pair)
        expected = [
            *(step.rank, *step.pair, step.token_id),
            *(literal(left), literal(right), literal(step.token), step.token.hex(" ").upper()),
            *(step.count, step.tied, step.token_total),
        ]
        assert row == [str(value) for value in expected]
    assert not [field for row in rows[1:] for field in row if field[0] in "=+-@\t\r"]


def test_curves_are_saved_as_pictures_of_themselves(page: Page, tmp_path: Path) -> None:
    open_run(page, LOW, step=6)
    page.keyboard.press("c")
    for name, figure in zip(CURVES, page.locator(".curves .chart").all(), strict=True):
        path = save(page, f"{name} as SVG", tmp_path)
        assert path.name == f"bpeviz-{slug(name)}-6.svg"
        assert texts_of(path) == figure.locator("text").all_text_contents()
        picture = ElementTree.parse(path).getroot()
        assert picture.findtext(f"{SVG}title") == name
        assert len([p for p in picture.iter(f"{SVG}path") if p.get("d")]) == 2
        assert "var(" not in path.read_text("utf-8")
        assert "pointed" not in path.read_text("utf-8")


def test_the_chart_of_pairs_is_saved_with_its_bars(page: Page, tmp_path: Path) -> None:
    open_run(page, ATTACK, step=1)
    path = save(page, f"{PAIRS} as SVG", tmp_path)
    assert path.name == "bpeviz-most-frequent-pairs-1.svg"
    figure = on.figure(page, PAIRS)
    assert texts_of(path) == figure.locator("text").all_text_contents()
    picture = ElementTree.parse(path).getroot()
    hatched = [bar for bar in picture.iter(f"{SVG}rect") if "url(#" in bar.get("style", "")]
    assert len(hatched) == figure.locator(".bar.tied").count() > 0
    patterns = {pattern.get("id") for pattern in picture.iter(f"{SVG}pattern")}
    assert {str(bar.get("style")).split("url(#")[1].split(")")[0] for bar in hatched} <= patterns


def test_the_menu_by_keyboard_and_closed_by_a_click_outside(page: Page) -> None:
    open_run(page, LOW)
    summary = menu(page).locator("summary")
    first = menu(page).get_by_role("button", name="Text as HTML")
    page.get_by_label("Show ids").focus()
    page.keyboard.press("Tab")
    expect(summary).to_be_focused()
    page.keyboard.press("Enter")
    expect(first).to_be_visible()
    page.keyboard.press("Tab")
    expect(first).to_be_focused()
    with page.expect_download():
        page.keyboard.press("Space")
    expect(first).to_be_focused()
    page.keyboard.press("Escape")
    expect(first).to_be_hidden()
    expect(summary).to_be_focused()
    summary.click()
    expect(first).to_be_visible()
    page.locator(on.CELLS).last.click()
    expect(first).to_be_hidden()
    on.expect_step(page, 0)


@pytest.mark.parametrize("width", [400, 1360])
def test_the_menu_is_seen_whole(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    open_run(page, LOW, step=2)
    open_menu(page)
    box = menu(page).locator(".list").bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    for button in menu(page).get_by_role("button").all()[:5]:
        button.click(trial=True)


@pytest.mark.gate
def test_charts_are_saved_as_png_and_as_pages(page: Page, saved_page: Page, tmp_path: Path) -> None:
    open_run(page, ATTACK, step=3)
    page.keyboard.press("c")
    figures = [*page.locator(".curves .chart").all(), on.figure(page, PAIRS)]
    for name, figure in zip([*CURVES, PAIRS], figures, strict=True):
        path = save(page, f"{name} as PNG", tmp_path)
        assert path.name == f"bpeviz-{slug(name)}-3.png"
        expect_png(saved_page, path, figure.locator("svg").bounding_box())
        path = save(page, f"{name} as HTML", tmp_path)
        assert path.name == f"bpeviz-{slug(name)}-3.html"
        expect_harmless_chart(saved_page, path, name)
