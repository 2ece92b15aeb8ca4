"""Players as files in Chromium: opened from the disk with the network off, against the encoder.

Here are their options, frames and messages; tests/browser/player has what the player does.
"""

import html
import json
import random
import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Frame,
    Locator,
    Page,
    ViewportSize,
    expect,
)

from bpeviz import Corpus, Tokenizer, Trainer, compare, load_pretrained
from bpeviz.runs.run import NamedText, Run
from bpeviz.runs.run_training import fork_run
from bpeviz.runs.samples import STANDARD_LIBRARY, read_sample
from bpeviz.standalone.making import player_of_run
from bpeviz.standalone.player import Player
from bpeviz.text.split_patterns import SplitPattern
from bpeviz.training.choice import Choice
from bpeviz.training.settings import TrainingSettings
from tests.browser.test_accessibility import AXE, FIND_FAULTS, THEMES
from tests.faults.hostile_content import TEXTS
from tests.support import app_page as on
from tests.support.player_page import brute_spans, read_player_page
from tests.support.trained import LOW, run_of, trained

LAPTOP: ViewportSize = {"width": 1366, "height": 768}
PHONE: ViewportSize = {"width": 390, "height": 844}
SIZES = {"laptop": LAPTOP, "phone": PHONE}
CAPTION = 'Figure 1: <b onclick="window.ran=1">low</b> & "lower".\nA second line.'
MIXED = "low lower 日本語 日本 🙂👩‍👧 e\u0301 naïve שלום low\tslow\n\nlowest low "
SCRIPTS = (
    "</script><script>window.ran=1</script><img src=x onerror=window.ran=1><svg onload=window.ran=1>"
    "<iframe srcdoc='<script>parent.ran=1</script>'></iframe><a href='javascript:window.ran=1'>a</a>"
    "<!--<script> &lt;b&gt; </pre></main></title><style>*{display:none}</style> ${window.ran=1} "
)
CELLS = on.CELLS
OTHER_CELLS = ".card.other .text .tok"
SHOWN = "cells => cells.map(c => [c.classList.contains('hex'), c.textContent, c.token.start, c.token.end])"
OVERFLOW = "() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]"


# --- pages -------------------------------------------------------------------------------------------------


def trained_on(text: str, num_merges: int, **more: Any) -> Trainer:
    trainer = Trainer(
        Corpus.from_text(text, more.pop("split", "gpt2")), "huggingface", num_merges=num_merges, **more
    )
    list(trainer.steps())
    return trainer


@cache
def low() -> Trainer:
    return trained()


@cache
def mixed() -> Trainer:
    return trained_on(MIXED * 2, 60)


@cache
def long_trainer() -> Trainer:
    return trained_on(long_text(), 5_000, min_frequency=1)


@cache
def long_text() -> str:
    return read_sample(STANDARD_LIBRARY.title, 150_000)


@cache
def both_runs() -> tuple[Run, Run]:
    """A run, and a fork that merges another pair as its fourth."""
    run = run_of(NamedText("Text", LOW), TrainingSettings(num_merges=12))
    pair = next(step.pair for step in run.steps[4:] if max(step.pair) < 256)  # it occurs from the start
    return run, fork_run(run, Choice(3, pair), lambda share, phase: None)


@cache
def rivals() -> tuple[Tokenizer, Tokenizer]:
    return low().tokenizer(), load_pretrained("gpt2")


def fork() -> Player:
    run, other = both_runs()
    return player_of_run(run, beside=other, step=6)


def hostile(text: str) -> Player:
    """A run in which the text, the split pattern's name, the tokens and the caption attack."""
    split = SplitPattern(SCRIPTS, r"\S+|\s+")
    return trained_on(text, 40, split=split, min_frequency=1).player(text, caption=SCRIPTS, step=20)


PLAYERS: dict[str, Callable[[], Player]] = {
    "low": lambda: low().player(LOW, step=4, caption=CAPTION),
    "mixed": lambda: mixed().player(MIXED * 2),
    "5,000 merges": lambda: long_trainer().player(long_text(), step=2_500, caption=CAPTION),
    "fork": fork,
    "comparison": lambda: compare(LOW, *rivals()).player(names=("mine", "GPT-2"), caption=CAPTION),
    "gpt2": lambda: load_pretrained("gpt2").player(LOW + "日本語 🙂", name="GPT-2"),
    "autoplay": lambda: low().player(LOW, autoplay=True, speed=4),
    "dark": lambda: low().player(LOW, theme="dark"),
    "light": lambda: low().player(LOW, theme="light"),
    "hostile": lambda: hostile(SCRIPTS * 2),
    "hostile fields": lambda: hostile("".join(text(240) for text in TEXTS.values())),
    "hostile names": lambda: compare(SCRIPTS, *rivals()).player(names=(SCRIPTS[:200], "b"), caption=SCRIPTS),
    "hostile tokenizer": lambda: low().tokenizer().player(LOW + SCRIPTS, name=SCRIPTS[:200], caption=SCRIPTS),
    **{
        f"only {panel}": lambda panel=panel: low().player(LOW, panels=panel)
        for panel in ("text", "curve", "pairs")
    },
    "no panels": lambda: low().player(LOW, panels=()),
}


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The file of a player by name; each is written once."""
    folder = tmp_path_factory.mktemp("figures")

    @cache
    def write(name: str) -> Path:
        path = folder / f"{name.replace(' ', '-').replace(',', '')}.html"
        PLAYERS[name]().write_html(path)
        return path

    return write


@pytest.fixture
def shown(tab: Page, written: Callable[[str], Path]) -> Callable[..., Page]:
    """Opens a player's file."""

    def show(name: str, size: ViewportSize = LAPTOP) -> Page:
        tab.set_viewport_size(size)
        tab.goto(written(name).as_uri())
        expect(tab.locator("html.live")).to_have_count(1)
        expect(tab.locator(".bpeviz").first).to_be_visible()
        return tab

    return show


# --- what is on the screen ---------------------------------------------------------------------------------


def cells(place: Page | Frame | Locator, selector: str = CELLS) -> list[tuple[bytes, int, int]]:
    """The bytes of each cell, without line ends, with its start and end in the text."""
    found: list[Any] = place.locator(selector).evaluate_all(SHOWN)
    return [
        (bytes.fromhex(text) if is_hex else text.replace("\n", "").encode(), start, end)
        for is_hex, text, start, end in found
    ]


def expect_cells(
    page: Page | Frame, tokenizer: Tokenizer, text: str, step: int, selector: str = CELLS
) -> None:
    """The cells are the tokens of the encoder with the first merges."""
    data = text.encode()
    spans = brute_spans(tokenizer, text, step)
    assert cells(page, selector) == [
        (data[start:end].replace(b"\n", b""), start, end) for start, end in spans
    ]
    first = tokenizer.after(step)
    assert [data[start:end] for start, end in spans] == [first.token_bytes(i) for i in first.encode(text)]


def expect_step(page: Page | Frame, step: int) -> None:
    expect(page.locator(".bpeviz.player .step")).to_have_value(str(step))


def go_to(page: Page | Frame, step: int) -> None:
    field = page.get_by_label("Merges made")
    field.fill(str(step))
    field.press("Enter")
    expect_step(page, step)


@pytest.mark.gate
def test_every_step_is_in_the_tokens_of_the_encoder(shown: Callable[..., Page]) -> None:
    trainer, text = mixed(), MIXED * 2
    tokenizer, last = trainer.tokenizer(), len(trainer.merges)
    page = shown("mixed")
    page.keyboard.press("Home")
    for step in range(last + 1):
        expect_step(page, step)
        expect_cells(page, tokenizer, text, step)
        page.keyboard.press("ArrowRight")
    expect_step(page, last)
    order = [0, 1, last // 2, last, *range(2, last, 5)]
    random.Random(5).shuffle(order)
    for step in order:
        go_to(page, step)
        expect_cells(page, tokenizer, text, step)


def test_the_figures_and_the_sentence_are_those_of_the_trainer(shown: Callable[..., Page]) -> None:
    page = shown("low")
    steps = low().result().steps
    for step in (0, 4, len(steps) - 1):
        go_to(page, step)
        total = low().history().token_total(step)
        expect(on.tile(page, "tokens")).to_have_text(f"{total:,}")
        expect(on.tile(page, "vocabulary")).to_have_text(f"{256 + step:,}")
        expect(on.tile(page, "ratio")).to_have_text(f"{len(LOW) / total:.2f}")
        expect(page.locator(".say")).to_contain_text(f"seen {steps[step].count} times")
    go_to(page, len(steps))
    expect(page.locator(".say")).to_contain_text(low().stop_reason or "")


@pytest.mark.gate
def test_the_keys_step_as_in_the_app_and_those_of_panels_open_pairs_or_word(
    shown: Callable[..., Page],
) -> None:
    page = shown("low")
    last = len(low().merges)
    expect_step(page, 4)
    press = page.keyboard.press
    for key, step in (("ArrowRight", 5), ("ArrowLeft", 4), ("End", last), ("Home", 0), ("ArrowLeft", 0)):
        press(key)
        expect_step(page, step)
    for key in "34567890x2":
        press(key)
    expect_step(page, 0)
    expect(page.locator(".bars")).to_be_hidden()
    press("1")
    expect(page.locator(".bars")).to_be_visible()
    press("?")
    keys = page.get_by_role("dialog", name="Keys")
    expect(keys).to_be_visible()
    expect(keys).not_to_contain_text("Show or hide a panel")
    expect(keys).not_to_contain_text("M merges it next")
    press("Escape")
    expect(keys).to_be_hidden()


def test_presenting_shows_the_player_alone_in_large_type(shown: Callable[..., Page]) -> None:
    page = shown("low")
    shell = page.locator(".bpeviz.player")
    page.keyboard.press("f")
    expect(shell).to_have_class(re.compile("presents"))
    expect(page.locator("#parts > .side")).to_be_hidden()
    expect(page.locator("figcaption")).to_be_hidden()
    text = page.locator(".card.main .text")
    assert text.evaluate("e => parseFloat(getComputedStyle(e).fontSize)") > 48
    assert text.evaluate("e => e.scrollHeight <= e.clientHeight + 1")  # it still fits
    page.keyboard.press("Escape")
    expect(shell).not_to_have_class(re.compile("presents"))
    expect(page.locator("figcaption")).to_be_visible()


def test_space_plays_and_pauses(shown: Callable[..., Page]) -> None:
    page = shown("low")
    page.get_by_label("Merges per second").select_option("60")
    page.keyboard.press("Space")
    expect_step(page, len(low().merges))
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    page.get_by_label("Merges per second").select_option("1")
    page.locator(".tiles").click()
    page.keyboard.press("Space")  # from the start
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    expect(on.step_field(page)).to_have_value(re.compile("^[1-9]$"))
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Play")).to_be_visible()


def test_it_plays_when_it_opens_and_the_first_press_stops_it(shown: Callable[..., Page]) -> None:
    page = shown("autoplay")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    expect(page.get_by_label("Merges per second")).to_have_value("4")
    expect(on.step_field(page)).to_have_value(re.compile("^[2-9]$"))
    page.keyboard.press("x")
    expect(page.get_by_role("button", name="Play")).to_be_visible()


def test_it_does_not_play_by_itself_for_people_who_want_less_motion(
    shown: Callable[..., Page], tab: Page
) -> None:
    tab.emulate_media(reduced_motion="reduce")
    page = shown("autoplay")
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    expect(page.locator(CELLS).first).to_be_visible()
    expect_step(page, 0)
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()


# --- options -----------------------------------------------------------------------------------------------

PANELS = {
    "text": ".texts",
    "curve": ".track",
    "pairs": ".pairs .bars",
    "token": ".find",
    "curves": "details.curves",
}


@pytest.mark.parametrize(
    ("name", "there"),
    [
        ("low", set(PANELS)),
        ("only text", {"text"}),
        ("only curve", {"curve"}),
        ("only pairs", {"pairs"}),
        ("no panels", set()),
    ],
)
def test_the_panels_that_are_chosen_are_there(shown: Callable[..., Page], name: str, there: set[str]) -> None:
    page = shown(name)
    for panel, selector in PANELS.items():
        expect(page.locator(selector)).to_be_visible(visible=panel in there)
    expect(page.locator(".say")).to_be_visible()
    page.keyboard.press("End")
    expect_step(page, len(low().merges))
    if name == "only text":
        page.locator(CELLS).first.click()
        page.keyboard.press("/")
        page.keyboard.press("b")
        page.keyboard.press("c")
        expect(page.locator(".card.token")).to_be_hidden()
        expect(page.locator("details.curves")).to_be_hidden()


@pytest.mark.parametrize(
    ("name", "scheme", "ground"),
    [
        ("low", "light", "light"),
        ("low", "dark", "dark"),
        ("dark", "light", "dark"),
        ("light", "dark", "light"),
    ],
)
def test_the_theme_is_the_readers_or_the_one_chosen(
    shown: Callable[..., Page],
    tab: Page,
    name: str,
    scheme: Literal["light", "dark"],
    ground: Literal["light", "dark"],
) -> None:
    tab.emulate_media(color_scheme=scheme)
    page = shown(name)
    expect(page.locator("body")).to_have_css("background-color", THEMES[ground])
    expect(page.locator(".card.main .text")).to_have_css(
        "background-color", {"light": "rgb(255, 255, 255)", "dark": "rgb(23, 26, 29)"}[ground]
    )


def test_the_caption_is_text_with_its_line_ends(shown: Callable[..., Page]) -> None:
    page = shown("low")
    caption = page.locator("figcaption")
    assert caption.text_content() == CAPTION
    assert caption.evaluate("e => e.children.length") == 0
    assert len(caption.inner_text().splitlines()) == 2


# --- layout ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", ["mixed", "5,000 merges", "fork", "comparison", "hostile"])
def test_no_page_scrolls_sideways(shown: Callable[..., Page], name: str, size: str) -> None:
    page = shown(name, SIZES[size])
    expect(page.locator(".tok, .aligned [class]").first).to_be_visible()
    needed, given = page.evaluate(OVERFLOW)
    assert needed <= given
    outside = page.locator(".settings > *, .transport > *, .side, figcaption").evaluate_all(
        """parts => parts.map(part => part.getBoundingClientRect())
             .filter(({ left, right, width }) => width && (left < 0 || right > innerWidth)).length"""
    )
    assert outside == 0


@pytest.mark.parametrize("name", ["low", "5,000 merges"])
def test_the_window_of_a_laptop_shows_text_and_caption(shown: Callable[..., Page], name: str) -> None:
    page = shown(name)
    expect(page.locator("figcaption")).to_be_in_viewport(ratio=1)
    expect(page.locator(".card.main .text")).to_be_in_viewport(ratio=1)
    expect(page.locator(".curves summary")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("size", ["laptop", "phone"])
def test_the_number_of_merges_is_not_cut_off(shown: Callable[..., Page], size: str) -> None:
    page = shown("5,000 merges", SIZES[size])
    go_to(page, 4_888)
    field = page.get_by_label("Merges made")
    assert field.evaluate("e => e.scrollWidth <= e.clientWidth")


def host(folder: Path, name: str, *frames: str) -> Path:
    """A page with frames, that notes what their pages tell it."""
    path = folder / f"{name}.html"
    note = '<script>window.heard = []; addEventListener("message", ({ data }) => heard.push(data));</script>'
    path.write_text(
        f"<!doctype html><meta charset=utf-8><title>Slides</title>{note}{''.join(frames)}", "utf-8"
    )
    return path


def frame_of(path: Path, more: str = 'width="900" height="640"') -> str:
    return f'<iframe src="{path.as_uri()}" {more}></iframe>'


def content(page: Page, number: int = 0) -> Frame:
    """The page in a frame, once its player is there."""
    handle = page.locator("iframe").nth(number).element_handle()
    frame = handle.content_frame()
    assert frame is not None
    expect(frame.locator("html.live")).to_have_count(1)
    return frame


@pytest.mark.parametrize("height", [640, 320])
def test_a_frame_on_a_slide_shows_text_and_caption(
    tab: Page, written: Callable[[str], Path], tmp_path: Path, height: int
) -> None:
    for name in ("low", "5,000 merges"):
        tab.goto(host(tmp_path, "host", frame_of(written(name), f'width="900" height="{height}"')).as_uri())
        frame = content(tab)
        expect(frame.locator(CELLS).first).to_be_visible()
        for part in (".deck", ".card.main .text", "figcaption"):
            expect(frame.locator(part)).to_be_in_viewport(ratio=1)
        text = frame.locator(".card.main .text")
        line = float(text.evaluate("e => parseFloat(getComputedStyle(e).lineHeight)"))
        box = text.bounding_box()
        assert box is not None
        assert box["height"] >= (2 if name == "low" else 3 if height == 320 else 8) * line - 1


# --- frames and messages -----------------------------------------------------------------------------------


@pytest.mark.parametrize("sandbox", ["", "allow-scripts"])
def test_in_a_frame_of_another_page(
    tab: Page, written: Callable[[str], Path], tmp_path: Path, sandbox: str
) -> None:
    more = 'width="1000" height="640"' + (f' sandbox="{sandbox}"' if sandbox else "")
    tab.goto(host(tmp_path, "host", frame_of(written("low"), more)).as_uri())
    frame = content(tab)
    frame.locator(".tiles").click()
    tab.keyboard.press("End")
    expect_step(frame, len(low().merges))
    expect_cells(frame, low().tokenizer(), LOW, len(low().merges))
    for key in "gwcg":
        tab.keyboard.press(key)
    expect(frame.locator(".curves .chart").first).to_be_visible()
    expect(frame.get_by_label("Show word ends")).to_be_checked()


def test_in_the_frame_of_a_notebook(tab: Page, tmp_path: Path) -> None:
    player = low().player(LOW, step=2, height=500)
    tab.goto(host(tmp_path, "notebook", player._repr_html_()).as_uri())  # type: ignore[attr-defined]
    frame = content(tab)
    expect_cells(frame, low().tokenizer(), LOW, 2)
    frame.get_by_role("button", name="Next merge").click()
    expect_step(frame, 3)
    box = tab.locator("iframe").bounding_box()
    assert box
    assert box["height"] == 500
    with tab.expect_download() as download:
        frame.locator(".export summary").click()
        frame.get_by_role("button", name="Merges as CSV").click()
    assert download.value.suggested_filename.endswith(".csv")


def test_two_players_on_one_page_are_apart(tab: Page, written: Callable[[str], Path], tmp_path: Path) -> None:
    tab.goto(host(tmp_path, "two", *(frame_of(written("low")) for _ in range(2))).as_uri())
    first, second = content(tab, 0), content(tab, 1)
    first.locator(".tiles").click()
    tab.keyboard.press("End")
    tab.keyboard.press("f")
    expect_step(first, len(low().merges))
    expect(first.locator(".bpeviz.player")).to_have_class(re.compile("presents"))
    second.locator(".tiles").click()
    tab.keyboard.press("ArrowRight")
    expect_step(second, 5)
    expect_step(first, len(low().merges))
    expect(second.locator(".bpeviz.player")).not_to_have_class(re.compile("presents"))


GARBAGE = [
    *(None, 0, "go", [], {}, {"bpeviz": "go"}, {"bpeviz": "stop", "step": 1}, {"bpeviz": ["go"], "step": 1}),
    *({"bpeviz": "go", "step": bad} for bad in ("1", None, 1.5, [1], {}, True, "__proto__", 2**60)),
    {"bpeviz": "go", "step": {"valueOf": 1}},
]


def test_the_page_around_it_moves_the_player_and_hears_where_it_is(
    tab: Page, written: Callable[[str], Path], tmp_path: Path
) -> None:
    tab.goto(host(tmp_path, "talks", frame_of(written("low"))).as_uri())
    frame = content(tab)
    name = read_player_page(written("low").read_text("utf-8")).settings["player"]
    send = "message => frames[0].postMessage(message, '*')"
    expect_heard(tab, {"player": name, "bpeviz": "ready", "step": 4})
    tab.evaluate(send, {"bpeviz": "go", "step": 7})
    expect_step(frame, 7)
    go_to(frame, 8)
    expect_heard(tab, {"player": name, "bpeviz": "step", "step": 8})
    for garbage in GARBAGE:
        tab.evaluate(send, garbage)
    tab.evaluate("() => frames[0].postMessage({ bpeviz: 'go', step: 9007199254740993 }, '*')")
    tab.evaluate("() => frames[0].postMessage({ bpeviz: 'go', step: NaN }, '*')")
    tab.evaluate(send, {"bpeviz": "hello"})
    expect_heard(tab, {"player": name, "bpeviz": "ready", "step": 8})
    expect_step(frame, 8)
    for step, shows in ((-5, 0), (10**9, len(low().merges)), (3, 3)):
        tab.evaluate(send, {"bpeviz": "go", "step": step})
        expect_step(frame, shows)
    go_to(frame, len(low().merges))
    frame.locator(CELLS).nth(0).click()
    expect(frame.locator(".card.token")).to_be_visible()
    start, end = brute_spans(low().tokenizer(), LOW, len(low().merges))[0]
    token = LOW[start:end]
    token_id = low().tokenizer().token_to_id(token)
    picked = {"start": start, "end": end, "id": token_id, "text": token, "bytes": token.encode().hex()}
    heard = [each for each in tab.evaluate("heard") if each["bpeviz"] == "picked" and each["token"]]
    assert {key: heard[-1]["token"][key] for key in picked} == picked
    assert all(set(each) <= {"player", "bpeviz", "step", "token"} for each in tab.evaluate("heard"))


def expect_heard(page: Page, message: dict[str, object]) -> None:
    page.wait_for_function(
        "text => heard.some(each => Object.entries(JSON.parse(text)).every(([k, v]) => each[k] === v))",
        arg=json.dumps(message),
    )


def test_nobody_but_the_page_around_it_moves_the_player(
    tab: Page, written: Callable[[str], Path], tmp_path: Path
) -> None:
    tab.goto(host(tmp_path, "others", *(frame_of(written("low")) for _ in range(2))).as_uri())
    first, second = content(tab, 0), content(tab, 1)
    expect_step(second, 4)
    first.evaluate("() => parent.frames[1].postMessage({ bpeviz: 'go', step: 9 }, '*')")
    second.evaluate("() => postMessage({ bpeviz: 'go', step: 9 }, '*')")
    # messages arrive in order: after these two the parent's is the first that counts
    tab.evaluate("() => frames[1].postMessage({ bpeviz: 'go', step: 6 }, '*')")
    expect_step(second, 6)
    steps = {each["step"] for each in tab.evaluate("heard") if each["bpeviz"] in ("step", "ready")}
    assert 9 not in steps


def test_a_page_of_its_own_hears_no_messages(shown: Callable[..., Page]) -> None:
    page = shown("low")
    page.evaluate(
        "() => new Promise(done => { addEventListener('message', done); "
        "postMessage({ step: 9, bpeviz: 'go' }, '*'); })"
    )
    expect_step(page, 4)


# --- without JavaScript, and on paper ----------------------------------------------------------------------


@pytest.fixture
def plain(chromium: Browser) -> Iterator[Page]:
    """A tab without JavaScript and network."""
    context = chromium.new_context(viewport=PHONE, offline=True, java_script_enabled=False)
    requests: list[str] = []
    page = context.new_page()
    page.on("request", lambda request: requests.append(request.url))
    yield page
    context.close()
    assert len(requests) == 1


@pytest.mark.parametrize("name", ["hostile", "comparison"])
@pytest.mark.gate
def test_without_javascript_the_text_and_the_merges_are_readable(
    plain: Page, written: Callable[[str], Path], name: str
) -> None:
    plain.goto(written(name).as_uri())
    page = read_player_page(written(name).read_text("utf-8"))
    expect(plain.get_by_role("heading", level=1)).to_be_visible()
    expect(plain.locator("#parts")).to_be_hidden()
    texts = plain.locator("pre")
    expect(texts).to_have_count(2 if name == "comparison" else 1)
    expect(texts.first).to_be_visible()
    for number in range(texts.count()):
        assert (texts.nth(number).text_content() or "") == "".join(piece for piece, _ in page.texts[number])
    rows = plain.locator("tr")
    expect(rows).to_have_count(len(page.rows))
    if name != "comparison":
        expect(rows.nth(1)).to_be_visible()
        assert [cell.strip() for cell in rows.nth(1).locator("td").all_text_contents()] == page.rows[1]
    if page.caption:
        assert plain.locator("figcaption").text_content() == page.caption
    assert plain.evaluate(OVERFLOW)[0] <= PHONE["width"]


def test_on_paper_half_letters_in_hexadecimal_do_not_turn_a_line_around(plain: Page, tmp_path: Path) -> None:
    """The Hebrew line begins with the bytes D7 A9: it runs from the right, as its letters do."""
    text = "שללל של"
    Trainer(Corpus.from_text(text), num_merges=1).player(text, step=1).write_html(tmp_path / "page.html")
    plain.goto((tmp_path / "page.html").as_uri())
    cells = plain.locator("pre i")
    expect(cells.first).to_have_text("D7")
    lefts = cells.evaluate_all("cells => cells.map(cell => cell.getBoundingClientRect().left)")
    assert lefts == sorted(lefts, reverse=True)


def test_paper_has_the_text_at_the_step_of_the_player(shown: Callable[..., Page]) -> None:
    trainer, text = mixed(), MIXED * 2
    page = shown("mixed")
    for step in (7, 0):
        go_to(page, step)
        printed = page.pdf()
        assert printed.startswith(b"%PDF")
        assert len(re.findall(rb"/Type\s*/Page\b", printed)) >= 1
        expect(page.locator("#after")).to_have_text(f"The text after {step} merges:")
        at_step = read_player_page(trainer.player(text, step=step).to_html())
        pieces = page.locator("#tokens").evaluate(
            """pre => { const read = (node, mark) => node.nodeType === 3 ? [[node.data, mark]]
                : [...node.childNodes].flatMap(child => read(child, mark + (node.id ? "" : node.localName)));
                return read(pre, ""); }"""
        )
        assert joined(pieces) == joined(at_step.texts[0])
    page.emulate_media(media="print")
    expect(page.locator("#parts > .player")).to_be_hidden()
    expect(page.locator("#tokens")).to_be_visible()
    expect(page.locator("#readable tr").last).to_be_visible()
    expect(page.locator("#readable tr")).to_have_count(len(trainer.merges) + 1)
    expect(page.locator("body")).to_have_css("background-color", "rgb(255, 255, 255)")
    page.emulate_media(media="screen")


def joined(pieces: Any) -> list[tuple[str, str]]:
    """The pieces of a text, those of the same mark joined."""
    found: list[tuple[str, str]] = []
    for text, mark in pieces:
        if found and found[-1][1] == mark and "i" not in mark:
            found[-1] = found[-1][0] + text, mark
        elif text:
            found.append((text, mark))
    return found


# --- hostile texts -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["hostile", "hostile fields", "hostile names", "hostile tokenizer"])
def test_hostile_texts_and_names_run_nothing(shown: Callable[..., Page], name: str) -> None:
    page = shown(name)
    if name in ("hostile", "hostile fields"):
        page.keyboard.press("End")
        page.keyboard.press("c")
        for cell in page.locator(CELLS).all()[:12]:
            cell.hover()
        page.locator(CELLS).nth(3).click()
        expect(page.locator(".card.token")).to_be_visible()
        page.keyboard.press("Escape")
    expect(page.locator("figcaption")).to_contain_text("window.ran=1")
    found = page.evaluate(
        """() => {
          const inside = [...document.querySelectorAll("*")].flatMap(element => element.shadowRoot ?? []);
          const count = selector =>
            [document, ...inside].reduce((sum, root) => sum + root.querySelectorAll(selector).length, 0);
          return [count("img, iframe, object, embed, svg[onload], a[href^=javascript], [onclick], [onerror]"),
                  count("script:not([type])"), count("script[type=module]"), count("style")]; }"""
    )
    assert found == [0, 1, 1, 1]
    assert page.evaluate("typeof window.ran") == "undefined"


def test_a_hostile_text_is_in_the_tokens_of_the_encoder(shown: Callable[..., Page]) -> None:
    page = shown("hostile")
    text = SCRIPTS * 2
    trainer = trained_on(text, 40, split=SplitPattern(SCRIPTS, r"\S+|\s+"), min_frequency=1)
    for step in (0, 13, 40):
        go_to(page, step)
        expect_cells(page, trainer.tokenizer(), text, step)


# --- other players -----------------------------------------------------------------------------------------


def test_of_5000_merges_the_cells_in_view_are_the_encoders_tokens(shown: Callable[..., Page]) -> None:
    page = shown("5,000 merges")
    tokenizer = long_trainer().tokenizer()
    data = long_text().encode()
    for place, step in enumerate((0, 1, 2_500, 4_999, 5_000, 37)):
        go_to(page, step)
        if place % 2:
            page.locator(".card.main .text").evaluate(
                "(e, share) => e.scrollTo(0, e.scrollHeight * share)", place / 7
            )
            page.evaluate(
                "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
            )
        first = tokenizer.after(step)
        ends = {0}
        end = 0
        for token_id in first.encode(long_text()):
            end += len(first.token_bytes(token_id))
            ends.add(end)
        seen = cells(page)
        assert len(seen) > 100
        spans = sorted({(start, end) for _, start, end in seen})
        assert all(one[1] == two[0] for one, two in pairwise(spans))
        assert {start for start, _ in spans} == {each for each in ends if spans[0][0] <= each < spans[-1][1]}
        assert spans[-1][1] in ends
        whole = [(token, start, end) for token, start, end in seen if len(token) > 1]
        assert all(token == data[start:end].replace(b"\n", b"") for token, start, end in whole)


def test_a_fork_is_beside_its_run(shown: Callable[..., Page]) -> None:
    page = shown("fork")
    run, other = both_runs()
    assert [step.pair for step in run.steps] != [step.pair for step in other.steps]
    for step in (6, 3, 4, 12):
        go_to(page, step)
        expect_cells(page, run.tokenizer, LOW, step)
        expect_cells(page, other.tokenizer, LOW, step, OTHER_CELLS)


def test_the_replay_of_gpt2_ends_in_its_tokens(shown: Callable[..., Page]) -> None:
    page = shown("gpt2")
    text, gpt2 = LOW + "日本語 🙂", load_pretrained("gpt2")
    assert [token for token, _, _ in cells(page)] == [gpt2.token_bytes(i) for i in gpt2.encode(text)]
    page.keyboard.press("Home")
    expect_step(page, 0)
    assert [token for token, _, _ in cells(page)] == [bytes([byte]) for byte in text.encode()]
    expect(page.locator(".say")).to_contain_text(re.compile(r"Merge [\d,]+ of GPT-2: the .*frequent pair"))
    expect(page.locator(".pairs .bars")).to_be_visible()


# --- accessibility -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def any_script(chromium: Browser) -> Iterator[BrowserContext]:
    """A window that takes axe-core's script in spite of the page's policy."""
    if not AXE.exists():
        pytest.skip("no axe-core: run npm ci in tests/javascript")
    context = chromium.new_context(viewport=LAPTOP, bypass_csp=True, reduced_motion="reduce", offline=True)
    yield context
    context.close()


@pytest.mark.parametrize("scripts", ["scripts", "no scripts"])
@pytest.mark.parametrize("name", ["low", "fork", "comparison"])
def test_axe_finds_no_fault(
    any_script: BrowserContext, written: Callable[[str], Path], tmp_path: Path, name: str, scripts: str
) -> None:
    path = written(name)
    if scripts == "no scripts":  # as without JavaScript, which axe needs
        source = re.sub(r"<script>.*?</script>", "", path.read_text("utf-8"), flags=re.DOTALL)
        path = tmp_path / "readable.html"
        path.write_text(source, "utf-8")
    page = any_script.new_page()
    found: list[str] = []
    try:
        page.goto(path.as_uri())
        if scripts == "scripts":
            expect(page.locator("html.live")).to_have_count(1)
            expect(page.locator(".bpeviz").first).to_be_visible()
        page.add_script_tag(path=AXE)
        for theme in THEMES:
            page.emulate_media(color_scheme=theme, reduced_motion="reduce")
            expect(page.locator("body")).to_have_css("background-color", THEMES[theme])
            for size in SIZES.values():
                page.set_viewport_size(size)
                on.expect_faded_in(page)
                found += [f"{theme} {size['width']} {each}" for each in page.evaluate(FIND_FAULTS)]
    finally:
        page.close()
    assert not found, "\n\n".join(found)


def test_the_frame_of_a_notebook_has_a_name(tab: Page, tmp_path: Path) -> None:
    frame = low().player(LOW)._repr_html_()  # type: ignore[attr-defined]
    title = html.unescape(re.findall(r'title="([^"]*)"', frame)[-1])
    tab.goto(host(tmp_path, "named", frame).as_uri())
    content(tab)
    assert title == f"Text: recipe huggingface, {len(low().merges)} merges"
    expect(tab.get_by_title(title)).to_be_visible()
