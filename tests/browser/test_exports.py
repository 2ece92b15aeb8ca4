"""The export menu in Chromium: the files that it saves, read by other programs, against the core."""

import csv
import io
import json
import re
import struct
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from bpeviz import Corpus, Trainer
from bpeviz.runs.samples import read_sample
from tests.support import app_page as on
from tests.support.prepared_session import open_run
from tests.support.trained import LOW, trained

pytestmark = pytest.mark.usefixtures("curves_open")

ATTACK = "<img src=x onerror=window.ran=1><script>window.ran=1</script></div>&amp;\"' =1+1 <!--text--> " * 4
POLICY = "default-src 'none'; style-src 'unsafe-inline'"
PAIRS = "Most frequent pairs"
CURVES = ("Bytes per token", "Count of each merged pair", "Vocabulary size and tokens")
SVG = "{http://www.w3.org/2000/svg}"


def menu(page: Page) -> Locator:
    return page.locator(".bpeviz.player .export")


def open_menu(page: Page) -> None:
    if menu(page).get_attribute("open") is None:
        menu(page).locator("summary").click()
    expect(menu(page).get_by_role("button", name=re.compile("^Text.* as HTML")).first).to_be_visible()


def save(page: Page, what: str, folder: Path) -> Path:
    """Choose from the menu and wait for the file."""
    open_menu(page)
    with page.expect_download(timeout=60_000) as download:
        menu(page).get_by_role("button", name=what, exact=True).click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    expect(menu(page).get_by_role("status")).to_have_text(f"Saved as {path.name}")
    return path


def upload(page: Page, text: str) -> None:
    """Train on a file, which unlike a field keeps carriage returns."""
    page.goto("/")
    expect(page.locator(on.CELLS).first).to_be_visible()
    on.drop(page, "text.txt", text.encode())
    expect(on.summary(page)).to_contain_text("text.txt", timeout=60_000)
    on.expect_settled(page)
    on.expect_one_player(page)


class SavedText(HTMLParser):
    """The cells of a saved text: each its bytes and its title; and every tag and attribute there is."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.cells: list[tuple[bytes, str]] = []
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.policies: list[str | None] = []
        self.depth = 0  # inside a cell
        self.is_hex = False
        self.feed(source)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        attributes = dict(attrs)
        self.attributes.update(attributes)
        if tag == "meta" and "http-equiv" in attributes:
            self.policies.append(attributes["content"])
        classes = (attributes.get("class") or "").split()
        if tag == "span" and "tok" in classes:
            self.is_hex = "hex" in classes
            if "rest" not in classes:
                self.cells.append((b"", attributes["title"] or ""))
            self.depth = 1
        elif self.depth:
            self.depth += 1
            if "end" in classes:
                self.add({"⏎": b"\n", "␍": b"\r"}[attributes["data-glyph"] or ""])

    def handle_endtag(self, tag: str) -> None:
        self.depth = max(0, self.depth - 1)

    def handle_data(self, data: str) -> None:
        if self.depth:
            self.add(bytes.fromhex(data) if self.is_hex else data.encode())

    def add(self, data: bytes) -> None:
        before, title = self.cells[-1]
        self.cells[-1] = before + data, title


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


@pytest.fixture
def saved_page(page: Page) -> Iterator[Page]:
    """A page to open saved files in."""
    context: BrowserContext = page.context.browser.new_context()  # type: ignore[union-attr]
    opened = context.new_page()
    yield opened
    context.close()


@pytest.mark.gate
def test_the_text_is_saved_as_it_is_coloured(page: Page, tmp_path: Path) -> None:
    text = "the weather, the whether\r\n\tthe wether 灯台の灯 🚢 café\n\n" * 5
    upload(page, text)
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
            *("html", "head", "meta", "title", "style", "body", "main", "h1", "p", "div", "span", "i")
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


def plotly_charts(page: Page) -> list[tuple[str, list[str]]]:
    """Each Plotly chart's name and the texts of its labels."""
    return page.locator(".stPlotlyChart").evaluate_all(
        """charts => charts.map(chart => [
          chart.getAttribute("aria-label").split(": ")[0],  // then what it says
          [...chart.querySelectorAll(".ytick text, .bars text")].map(text => text.textContent),
        ])"""
    )


def texts_of(svg: Path) -> list[str]:
    return ["".join(text.itertext()) for text in ElementTree.parse(svg).iter(f"{SVG}text")]


def slug(name: str) -> str:
    return re.sub(r"\W+", "-", name.lower())


def test_every_chart_of_the_page_is_in_the_menu(page: Page) -> None:
    open_run(page, LOW, step=3)
    names = [*CURVES, PAIRS, *(name for name, _ in plotly_charts(page))]
    assert len(names) > len(CURVES) + 1
    open_menu(page)
    expect(menu(page).locator(".choices > div > span")).to_have_text(
        ["Text", "Merges", "Interactive page (.html)", *names]
    )


def test_curves_are_saved_as_pictures_of_themselves(page: Page, tmp_path: Path) -> None:
    open_run(page, LOW, step=6)
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


def test_plotly_charts_are_saved_with_all_their_labels(page: Page, saved_page: Page, tmp_path: Path) -> None:
    text = f"{LOW}<b>bold</b> <b>bold</b> & & "
    open_run(page, text, step=3)
    for name, labels in plotly_charts(page):
        path = save(page, f"{name} as SVG", tmp_path)
        assert path.name == f"bpeviz-{slug(name)}-3.svg"
        assert labels
        assert set(labels) <= set(texts_of(path))
        saved_page.goto(path.as_uri())
        first = saved_page.locator("text", has_text=labels[0]).first
        expect(first).to_be_visible()
        bars = saved_page.locator("path").evaluate_all(
            "paths => paths.map(p => p.getBoundingClientRect()).filter(box => box.width > 20).length"
        )
        assert bars > 0


@pytest.mark.gate
def test_a_chart_is_saved_as_a_page(page: Page, saved_page: Page, tmp_path: Path) -> None:
    open_run(page, ATTACK, step=3)
    names = [CURVES[1], PAIRS, *(name for name, _ in plotly_charts(page))]
    for name in names:
        path = save(page, f"{name} as HTML", tmp_path)
        assert path.name == f"bpeviz-{slug(name)}-3.html"
        saved = SavedText(path.read_text("utf-8"))
        assert saved.policies == [POLICY]
        assert not saved.tags & {"script", "img", "iframe", "foreignobject", "link"}
        saved_page.goto(path.as_uri())
        assert saved_page.title() == name
        assert saved_page.evaluate("window.ran") is None
        expect(saved_page.locator("svg text").first).to_be_visible()


#: The size of a PNG, how many colours it has, and what share of its pixels is its most frequent one.
READ_PNG = """
async bytes => {
  const image = await createImageBitmap(new Blob([new Uint8Array(bytes)], { type: "image/png" }));
  const canvas = new OffscreenCanvas(image.width, image.height);
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0);
  const pixels = new Uint32Array(context.getImageData(0, 0, image.width, image.height).data.buffer);
  const counts = new Map();
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  return [image.width, image.height, counts.size, Math.max(...counts.values()) / pixels.length];
}
"""


def test_charts_are_saved_as_png_of_twice_their_size_with_a_margin(page: Page, tmp_path: Path) -> None:
    open_run(page, LOW, step=6)
    boxes: dict[str, Any] = {
        name: figure.locator("svg").bounding_box()
        for name, figure in zip(CURVES, page.locator(".curves .chart").all(), strict=True)
    }
    boxes[PAIRS] = on.figure(page, PAIRS).locator("svg").bounding_box()
    for plot in page.locator(".stPlotlyChart").all():
        boxes[(plot.get_attribute("aria-label") or "").split(": ")[0]] = plot.locator(
            ".main-svg"
        ).first.bounding_box()
    assert len(boxes) > len(CURVES)
    for name, box in boxes.items():
        path = save(page, f"{name} as PNG", tmp_path)
        assert path.name == f"bpeviz-{slug(name)}-6.png"
        data = path.read_bytes()
        assert data[:8] == b"\x89PNG\r\n\x1a\n"
        size = struct.unpack(">II", data[16:24])
        assert size == pytest.approx((box["width"] * 2 + 48, box["height"] * 2 + 48), abs=2)
        width, height, colours, most = page.evaluate(READ_PNG, list(data))
        assert (width, height) == size
        assert colours > 20
        assert 0.3 < most < 0.99


def test_the_menu_by_keyboard_and_closed_by_a_click_outside(page: Page) -> None:
    open_run(page, LOW)
    summary = menu(page).locator("summary")
    first = menu(page).get_by_role("button", name="Text as HTML")
    page.get_by_label("Merges per second").focus()
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
