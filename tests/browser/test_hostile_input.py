"""Markup, scripts, links and formulas wherever a person's text can get to: they are shown, never acted on.

The page's own fixture fails where a script fails or anything but the app is asked for; here, besides, nothing
of what is written may become an element.
"""

import csv
import io
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.support import app_page as on
from tests.support.prepared_session import open_run
from tests.support.tokenizer_files import minbpe_model
from tests.support.waiting import wait_for

RUN = "window.pwned=1"
HTML = (
    f'<img src=x onerror="{RUN}"><script>{RUN}</script></script></title></textarea></style>'
    f'<a href="javascript:{RUN}">j</a><iframe srcdoc="<script>parent.pwned=1</script>"></iframe>'
    f"<svg onload={RUN}></svg>"
)
MARKDOWN = (
    f"![x](http://evil.example/x.png) [j](javascript:{RUN}) <http://evil.example> "
    "www.evil.example me@evil.example :material/skull: :red[red] :smile: $x^2$ $$y$$ `c` **b** # h"
)
TEMPLATES = "${window.pwned=1} {{constructor}} %{customdata} <br> &lt;b&gt; &#60; =cmd|' /C calc'!A0"
HOSTILE = f"{HTML} {MARKDOWN} {TEMPLATES} "
#: As much of it as a name can hold.
NAME = f"<img src=x onerror={RUN}> [j](javascript:{RUN}) $x^2$ <br>"

#: What opens below a comparison.
TABS = ("Per script and line", "All tokenizers", "Token ids", "Vocabularies")

#: What of it has become an element, anywhere in the page, its frames and components.
MADE = """() => {
  const found = [];
  const marks = {
    img: (e) => !/^(data:|blob:|\\.|\\/|http:\\/\\/localhost)/.test(e.getAttribute("src") ?? "/"),
    a: (e) => /^\\s*(javascript|data|mailto):|evil/i.test(e.getAttribute("href") ?? e.href?.baseVal),
    iframe: (e) => e.hasAttribute("srcdoc"),
    script: (e) => e.textContent.includes("pwned"),
    svg: (e) => e.hasAttribute("onload"),
    "[data-testid=stIconMaterial]": (e) => e.textContent.includes("skull"),
    ".katex": () => true,
    ".stMarkdownColoredText": (e) => e.textContent.includes("red"),
  };
  const look = (root) => {
    for (const [selector, is] of Object.entries(marks)) {
      for (const element of root.querySelectorAll(selector)) {
        if (is(element)) found.push(element.outerHTML.slice(0, 200));
      }
    }
    for (const element of root.querySelectorAll("*")) if (element.shadowRoot) look(element.shadowRoot);
  };
  look(document);
  if (window.pwned !== undefined) found.push("a script ran");
  return found;
}"""


@pytest.fixture
def page(page: Page) -> Iterator[Page]:
    """The page, watched for dialogs and other windows too."""
    opened: list[str] = []

    def note(what: Any) -> None:
        opened.append(str(what))
        getattr(what, "dismiss", what.close)()

    page.on("dialog", note)
    page.on("popup", note)
    yield page
    page.remove_listener("dialog", note)
    page.remove_listener("popup", note)
    expect_shown_only(page)
    assert opened == []


def expect_shown_only(page: Page) -> None:
    on.expect_settled(page)
    for frame in page.frames:
        assert frame.evaluate(MADE) == []


def visit(page: Page, link: str, words: str) -> None:
    """Open another page of the app, wait until it says something, and look at what was made of the text."""
    page.get_by_role("link", name=link).click()
    expect(page.get_by_text(words).filter(visible=True)).not_to_have_count(0)  # a hidden zone for files too
    on.expect_settled(page)  # the page before may say the same
    expect_shown_only(page)


def write(page: Page, label: str, text: str) -> None:
    field = page.get_by_label(label, exact=True)
    field.fill(text)
    field.press("Control+Enter")
    on.expect_settled(page)


def tokenizer_json(**changes: object) -> bytes:
    """A byte-level tokenizer whose one merge and special tokens are hostile."""
    shown = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [b for b in range(256) if b not in shown]
    letters = [chr(b) for b in shown] + [chr(256 + i) for i in range(len(others))]
    tokens = [HTML[: i + 1].replace(" ", "Ġ") for i in range(1, 60)]
    merges = [[token[:-1], token[-1]] for token in tokens]
    vocabulary = {token: i for i, token in enumerate([*letters, *tokens])}
    special = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    content = {
        "added_tokens": [
            {"id": len(vocabulary) + i, "content": text, **special} for i, text in enumerate((NAME, MARKDOWN))
        ],
        "model": {"type": "BPE", "vocab": vocabulary, "merges": merges},
        "pre_tokenizer": {
            "type": "Sequence",
            "pretokenizers": [
                {
                    "type": "Split",
                    "pattern": {"Regex": r"[^\r\n]+|[\r\n]+"},
                    "behavior": "Isolated",
                    "invert": False,
                },
                {"type": "ByteLevel", "add_prefix_space": False, "use_regex": False},
            ],
        },
        "decoder": {"type": "ByteLevel"},
    }
    return json.dumps(content | changes).encode()


@pytest.mark.gate
def test_a_hostile_text_is_shown_on_every_page(page: Page) -> None:
    open_run(page, HOSTILE * 6)
    assert on.spelled(page.locator(on.CELLS)).startswith(HTML)
    on.stop_at(page, 12)
    page.locator(on.CELLS).nth(3).hover()
    finder = page.get_by_label("Find a token")
    finder.fill("<")
    expect(page.locator("li[role=option]").first).to_be_visible()
    expect_shown_only(page)
    finder.press("Enter")
    bars = on.figure(page, "Most frequent pairs")
    bars.locator(".bars > g[tabindex='0']").focus()
    expect(bars.locator(".readout")).to_be_visible()
    for panel in ("What changes", "Race", "Tables"):
        on.open_panel(page, panel)
        if panel != "Tables":
            point = page.locator(".stPlotlyChart .point:visible").first
            expect(point).to_be_visible()  # that of the panel before may still be there for a moment
            point.hover(force=True)
        expect_shown_only(page)
    visit(page, "Compare", "Vocabularies")
    visit(page, "Encode", "Token ids")
    ids = page.get_by_label("Token ids to decode")
    before = ids.input_value()
    write(page, "Text to encode", HOSTILE)
    expect(ids.first).not_to_have_value(before)
    expect(ids).to_have_count(1)  # for a moment, the old field is still there
    write(page, "A part of the text", HTML)
    expect(page.get_by_role("button", name="Clear")).to_be_visible()
    write(page, "Token ids to decode", HTML)
    expect(page.get_by_role("button", name="The ids of the text again")).to_be_visible()
    expect(page.get_by_role("alert").first).to_be_visible()
    expect_shown_only(page)
    visit(page, "Recipes", "Merges that two recipes share")
    visit(page, "Vocabulary", "Uses are counted")
    page.get_by_role("textbox", name="Search").fill(f"{NAME}{TEMPLATES}")
    page.keyboard.press("Enter")
    expect(page.get_by_text("No token matches")).to_be_visible()
    expect_shown_only(page)


def type_text(page: Page) -> None:
    page.goto("/")
    expect(page.locator(on.CELLS).first).to_be_visible()
    on.train_on(page, HOSTILE)
    assert on.spelled(page.locator(on.CELLS)) == HOSTILE
    on.open_text_menu(page)


def reload_and_share(page: Page) -> None:
    open_run(page, HOSTILE)
    on.stop_at(page, 3)
    before = on.cells(page)
    page.reload()
    expect(on.step_field(page)).to_have_value("3")
    on.expect_settled(page)
    assert on.cells(page) == before
    page.get_by_role("button", name="Share").click()
    link = page.get_by_test_id("stPopoverBody").get_by_label("Link")
    expect(link).to_have_value(re.compile("^http.*[?]text="))


def type_pattern(page: Page) -> None:
    open_run(page, HOSTILE)
    on.open_rules(page)
    on.choose(page.get_by_role("combobox", name="Split pattern"), "custom")
    field = page.get_by_label("Custom pattern")
    said = page.locator(".pattern-check .said")
    expect(said).to_have_text("Type a pattern: you see here how it cuts your text.")
    on.expect_settled(page)
    field.fill("[a-z]+(?P<img>=)?")
    expect(said).to_contain_text("Misses")
    expect_shown_only(page)
    field.fill(f"(?P<{MARKDOWN}>{HTML}"[:480])
    expect(said).to_contain_text("does not compile")
    field.press("Enter")
    expect(page.get_by_role("alert").first).to_contain_text("does not compile")


def grow_words(page: Page) -> None:
    page.goto("/encode")
    expect(page.locator(".trees svg")).to_be_visible()
    before = page.locator(".chip").all_inner_texts()
    write(page, "Text to encode", NAME.replace(" ", "/"))
    wait_for(page, lambda: page.locator(".chip").all_inner_texts() != before, "the new text is on show")
    for place in range(page.locator(".chip").count()):
        page.locator(".chip").nth(place).click()
    on.expect_settled(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as SVG").click()
    assert "<img" not in Path(download.value.path()).read_text("utf-8")


@pytest.mark.parametrize("way", [type_text, reload_and_share, type_pattern, grow_words])
def test_a_hostile_text_is_shown_on_every_way_in(page: Page, way: Callable[[Page], None]) -> None:
    way(page)
    expect_shown_only(page)


def test_hostile_names_of_files_and_runs_are_shown_wherever_they_stand(page: Page) -> None:
    page.goto("/")
    expect(page.locator(on.CELLS).first).to_be_visible()
    on.drop(page, f"{NAME}.txt", b"\xff")
    expect(page.get_by_role("alert")).to_contain_text(f"{NAME}.txt")
    expect_shown_only(page)
    on.expect_settled(page)
    text = (HOSTILE * 4 + "\x00\x1b[31m\x07 \ufeff\u202e\u2066").encode()
    on.drop(page, f"{NAME}.txt", text)
    expect(on.summary(page)).to_contain_text(f"{NAME}.txt · {len(text):,} bytes")
    on.expect_settled(page)
    on.stop_at(page, 3)
    on.fork(page, 2)
    page.get_by_role("button", name="Rename or delete").click()
    field = page.get_by_label("Name of this run")
    field.fill(NAME)
    field.press("Enter")
    expect(on.steady(page).locator(".card.main .title")).to_have_text(NAME)
    expect_shown_only(page)
    page.keyboard.press("Escape")
    page.get_by_text("Same merges as tokenizers?").click()
    page.get_by_role("button", name="Can't be checked").click()
    expect(page.get_by_text("No library makes the merges that you chose")).to_be_visible()
    page.keyboard.press("Escape")
    visit(page, "Compare", "Vocabularies")
    for tab in TABS:
        page.get_by_role("tab", name=tab).click()
        expect_shown_only(page)
    visit(page, "Vocabulary", NAME[:20])


@pytest.mark.gate
def test_a_hostile_tokenizer_is_looked_at_on_every_page(page: Page) -> None:
    open_run(page, HOSTILE * 3)
    visit(page, "Compare", "Vocabularies")
    on.bring_left(page, f"{NAME}.json", tokenizer_json())
    for tab in TABS:
        page.get_by_role("tab", name=tab).click()
        expect_shown_only(page)
    for link, first, words in (
        ("Encode", "Token ids", "Special tokens"),
        ("Vocabulary", "Uses are counted", "Uses are"),
    ):
        visit(page, link, first)
        on.choose(page.get_by_role("combobox", name="Tokenizer").first, f"{NAME}.json", exact=False)
        expect(page.get_by_text(words).first).to_be_visible()
        expect_shown_only(page)
    page.get_by_role("textbox", name="Search").fill(MARKDOWN)
    page.keyboard.press("Enter")
    expect(page.get_by_text("special token").first).to_be_visible()


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (tokenizer_json(model={"type": f"{NAME} {MARKDOWN}"}), "WordPiece and WordLevel can be read"),
        (minbpe_model("97 98", pattern=f"({HTML}")["tokenizer.model"], "does not compile"),
    ],
    ids=["type", "pattern"],
)
def test_a_file_that_is_refused_is_quoted_letter_by_letter(page: Page, data: bytes, says: str) -> None:
    page.goto("/compare")
    on.bring_tokenizer(page, f"{NAME}.json", data)
    expect(page.get_by_role("alert").first).to_contain_text(says)
    expect_shown_only(page)


@pytest.mark.gate
def test_an_address_with_hostile_parts_opens_the_page(page: Page) -> None:
    parts = "&".join(f"{name}={quote(HOSTILE)}" for name in ("x", "text", "run", "session", "embed_options"))
    for place in ("", "encode", "<script>"):
        page.goto(f"/{quote(place)}?{parts}#{quote(HTML)}")
        expect(page.get_by_role("link", name="Watch", exact=True)).to_be_visible()
        expect_shown_only(page)


#: Each table of a page is opened by some steps; all hold what a person wrote.
FORMULA = '=HYPERLINK("http://evil.example","x") '


def expect_no_way_out(page: Page) -> None:
    """Tables can be searched and enlarged, but neither downloaded nor copied as they are: what is in them
    would be a formula in a spreadsheet."""
    on.expect_settled(page)
    tables = page.get_by_test_id("stDataFrame")
    expect(tables.first).to_be_visible()
    for i in range(tables.count()):
        table = tables.nth(i)
        table.hover(position={"x": 60, "y": 55})  # scrolls to it; tries again if the page redraws it
        toolbar = table.locator("xpath=..").get_by_test_id("stElementToolbar")
        expect(toolbar.get_by_role("button").first).to_be_attached()
        assert not [name for name in buttons(toolbar) if re.search("download|export", name, re.IGNORECASE)]
        table.click(position={"x": 90, "y": 55})
        assert copied(page, table.get_by_test_id("data-grid-canvas")) == "before"


def copied(page: Page, grid: Locator) -> str:
    """The clipboard, "before" at first, after Ctrl+A and Ctrl+C in a table.

    Picking a row runs the page, which may take the focus away from the table: then it is tried again.
    """
    for _ in range(20):
        on.expect_settled(page)
        page.evaluate("navigator.clipboard.writeText('before')")
        grid.focus()
        page.keyboard.press("Control+A")
        page.keyboard.press("Control+C")
        page.wait_for_timeout(200)
        if grid.evaluate("grid => grid === grid.getRootNode().activeElement"):
            return str(page.evaluate("navigator.clipboard.readText()"))
    raise AssertionError("the table loses the focus every time")


def buttons(toolbar: Locator) -> list[str]:
    """What the buttons of a table's toolbar are called."""
    return [
        f"{button.get_attribute('aria-label')} {button.get_attribute('title')} {button.text_content()}"
        for button in toolbar.get_by_role("button").all()
    ]


def test_tables_of_streamlit_let_no_formula_out(page: Page) -> None:
    open_run(page, FORMULA * 12, step=5, panel="Tables")
    expect_no_way_out(page)
    visit(page, "Compare", "Vocabularies")
    for tab in ("Per script and line", "All tokenizers", "Vocabularies"):
        page.get_by_role("tab", name=tab).click()
        if tab == "Vocabularies":
            page.get_by_role("tab", name="Only L").click()
        expect_no_way_out(page)
    visit(page, "Encode", "Token ids")
    expect_no_way_out(page)
    visit(page, "Vocabulary", "Uses are counted")
    expect_no_way_out(page)


def test_files_that_leave_the_page_hold_no_formula(page: Page) -> None:
    page.goto("/compare")
    page.get_by_role("tab", name="All tokenizers").click()
    page.get_by_role("radio", name="Your files").click()
    on.give(page, "=1+1.txt", f"{HOSTILE}".encode(), place=-1)
    expect(page.get_by_text("=1+1.txt").first).to_be_visible()
    expect_shown_only(page)
    with page.expect_download() as download:
        page.get_by_test_id("stDownloadButton").get_by_role("button", name="Texts as CSV").click()
    rows = list(csv.reader(io.StringIO(Path(download.value.path()).read_text("utf-8"))))
    assert rows[1][0] == "'=1+1.txt"
    assert not [cell for row in rows for cell in row if re.match(r"[=@+]|-\D", cell)]


@pytest.mark.gate
def test_a_pattern_in_a_link_is_shown_letter_by_letter(page: Page) -> None:
    pattern = rf"\w+|\W|{re.escape(HTML)}|{re.escape(MARKDOWN)}"[:480].rstrip("\\")
    settings = {"sample": "DNA repeats", "split": "custom", "pattern": pattern, "merges": "20"}
    page.goto(f"/?{urlencode(settings)}")
    expect(page.locator(on.CELLS).first).to_be_visible()
    on.open_rules(page)
    expect(page.get_by_label("Custom pattern")).to_have_value(pattern)
