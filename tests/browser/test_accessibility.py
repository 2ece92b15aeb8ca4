"""axe-core finds no fault on any page, in both themes, on a laptop and on a phone."""

import os
import re
from collections.abc import Callable, Iterator
from typing import Any, Literal
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from bpeviz.training.settings import TrainingSettings
from tests.support import app_page as on
from tests.support.paths import ROOT
from tests.support.prepared_session import open_comparison, open_run, open_sample, sample_link, save_session

AXE = ROOT / "tests" / "javascript" / "node_modules" / "axe-core" / "axe.min.js"
LAPTOP: ViewportSize = {"width": 1366, "height": 768}
PHONE: ViewportSize = {"width": 390, "height": 844}
CAT = "the cat in the hat and the cat on the mat. " * 5

Theme = Literal["light", "dark"]
#: The backgrounds of the themes.
THEMES: dict[Theme, str] = {"light": "rgb(251, 251, 250)", "dark": "rgb(16, 18, 20)"}
#: The gate has both themes and both sizes, and .ci/full the other two pairs of them as well.
GATE_LOOKS: tuple[tuple[Theme, ViewportSize], ...] = (("light", LAPTOP), ("dark", PHONE))
OTHER_LOOKS: tuple[tuple[Theme, ViewportSize], ...] = (("light", PHONE), ("dark", LAPTOP))

#: Streamlit's own: the area to drop files on has a name and the role of something without a name.
STREAMLIT_S = ("presentation-role-conflict", "stFileUploaderDropzone")

FIND_FAULTS = """async () => (await axe.run(document, { resultTypes: ["violations"] })).violations.flatMap(
    rule => rule.nodes.map(node => [rule.id, node.target.flat().join(" > ") + ": " + node.html.slice(0, 200),
        node.failureSummary]))"""


def landing(page: Page) -> None:
    page.goto("/")
    expect(page.locator(on.CELLS).first).to_be_visible()


def typed_text(page: Page) -> None:
    landing(page)
    on.open_text_menu(page)
    page.get_by_label("Type or paste your text").fill("नमस्ते दुनिया, the hat")
    expect(page.get_by_role("group", name="Tokens of GPT-2")).to_be_visible()


def text_menu(page: Page) -> None:
    landing(page)
    on.open_text_menu(page)


def rules(page: Page) -> None:
    landing(page)
    on.open_rules(page)


def help_menu(page: Page) -> None:
    landing(page)
    page.get_by_test_id("stPopoverButton").filter(has_text="Help").click()
    expect(page.get_by_text("Report a problem")).to_be_visible()


def run(page: Page) -> None:
    open_run(page, CAT, step=4)


def sample(page: Page) -> None:
    open_sample(page, "Japanese", merges=60, step=9)


def fork(page: Page) -> None:
    open_run(page, CAT, step=4)
    on.fork(page, 2)


def compare(page: Page) -> None:
    open_comparison(page, save_session(CAT, TrainingSettings(num_merges=12)))


def disagree(page: Page) -> None:
    page.goto("/recipes")
    expect(page.get_by_role("figure", name="Merges that two recipes share")).to_be_visible()


def encode(page: Page) -> None:
    page.goto(f"/encode{save_session(CAT, TrainingSettings(num_merges=12))}")
    expect(page.locator(".encoder")).to_be_visible()


def vocabulary(page: Page) -> None:
    page.goto(f"/vocabulary{save_session(CAT, TrainingSettings(num_merges=12))}")
    expect(page.get_by_test_id("stDataFrame").or_(page.locator("table")).first).to_be_visible()


def learn(page: Page) -> None:
    page.goto("/learn")
    expect(
        page.get_by_text("Each question is a short lesson").or_(page.locator(on.CELLS)).first
    ).to_be_visible()


def question(page: Page) -> None:
    page.goto(f"/learn?{urlencode({'lesson': 'which-pair-comes-next', 'stop': 2})}")
    expect(page.locator(on.CELLS).first).to_be_visible()


def challenge(page: Page) -> None:
    page.goto(f"/learn{save_session(CAT)}&challenge=1")
    expect(page.locator(on.CELLS).first).to_be_visible()


def session_menu(page: Page) -> None:
    open_run(page, CAT)
    page.get_by_role("button", name="Sessions").click()
    expect(page.get_by_text("Saved automatically")).to_be_visible()


def share_menu(page: Page) -> None:
    open_run(page, CAT * 200)
    page.get_by_role("button", name="Share").click()
    page.get_by_role("button", name="Make a link").click()
    expect(page.get_by_role("button", name="Copy", exact=True)).to_be_visible()


def tour(page: Page) -> None:
    page.goto("/?card=3")
    expect(page.get_by_text("Card 3 of 10")).to_be_visible()


def explained_term(page: Page) -> None:
    page.goto("/recipes")
    page.locator(".term").first.focus()


def model_to_get(page: Page) -> None:
    page.goto("/encode")
    on.expect_settled(page)
    page.get_by_role("combobox", name="Tokenizer").fill("Gemma")
    page.get_by_role("option", name="Gemma 3 · from the Hub").click()
    expect(page.get_by_role("button", name="Get Gemma 3")).to_be_visible()


def words_that_change(page: Page) -> None:
    compare(page)
    page.get_by_role("tab", name="All tokenizers").click()
    page.get_by_text("List the words that change").click()
    expect(page.get_by_role("button", name="Words as CSV")).to_be_visible()


def drop_panel(page: Page) -> None:
    vocabulary(page)
    page.get_by_text("Drop tokens", exact=True).click()
    expect(page.get_by_role("button", name="Drop all", exact=False).first).to_be_visible()


def start_panel(page: Page) -> None:
    page.goto(f"/{sample_link('German', merges=20)}&begin=gpt2")
    on.open_panel(page, "GPT-2 here")
    expect(page.get_by_role("tabpanel").get_by_text("GPT-2").first).to_be_visible()


def ids_of_rows(page: Page) -> None:
    compare(page)
    page.get_by_label("Show ids").check()


VIEWS: dict[str, Callable[[Page], None]] = {
    view.__name__.replace("_", " "): view
    for view in (
        landing,
        typed_text,
        text_menu,
        rules,
        help_menu,
        run,
        sample,
        fork,
        compare,
        disagree,
        encode,
        vocabulary,
        learn,
        question,
        tour,
        challenge,
        session_menu,
        share_menu,
        explained_term,
        model_to_get,
        words_that_change,
        drop_panel,
        start_panel,
        ids_of_rows,
    )
}

#: Parts of a page that share their kinds of fields with a view of the gate, or that it has as a part.
NOT_IN_THE_GATE = {"drop panel", "ids of rows", "model to get", "question", "text menu", "words that change"}


@pytest.fixture
def any_script_page(chromium: Browser, site: str) -> Iterator[Page]:
    """A tab that takes scripts from outside of the app, such as axe-core."""
    if not AXE.exists():
        why = "no axe-core: run npm ci in tests/javascript"
        if os.environ.get("BPEVIZ_REQUIRE_BROWSER") == "1":
            pytest.fail(why)
        pytest.skip(why)
    context = chromium.new_context(base_url=site, viewport=LAPTOP, bypass_csp=True, reduced_motion="reduce")
    context.set_default_timeout(60_000)
    yield context.new_page()
    context.close()


def find_faults(page: Page) -> list[tuple[str, str, str]]:
    """What axe finds on the page: each time the rule, where, and why."""
    on.expect_settled(page)
    on.expect_painted(page)  # charts are drawn again for another size of the window
    on.expect_faded_in(page)
    if page.evaluate("typeof axe") == "undefined":
        page.add_script_tag(path=AXE)
    found: list[Any] = page.evaluate(FIND_FAULTS)
    return [
        (rule, where, why)
        for rule, where, why in found
        if not (rule == STREAMLIT_S[0] and STREAMLIT_S[1] in where)
    ]


@pytest.mark.parametrize(
    ("view", "looks"),
    [
        pytest.param(view, looks, id=view if looks == GATE_LOOKS else f"{view}, the other looks", marks=marks)
        for view in VIEWS
        for looks in (GATE_LOOKS, OTHER_LOOKS)
        for marks in [pytest.mark.gate if looks == GATE_LOOKS and view not in NOT_IN_THE_GATE else ()]
    ],
)
def test_axe_finds_no_fault(
    view: str, looks: tuple[tuple[Theme, ViewportSize], ...], any_script_page: Page
) -> None:
    page = any_script_page
    VIEWS[view](page)
    found: list[str] = []
    for theme, size in looks:
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        page.set_viewport_size(size)
        expect(page.get_by_test_id("stApp")).to_have_css("background-color", THEMES[theme])
        for rule, where, why in find_faults(page):
            found.append(f"{theme}, {size['width']} wide, {rule}: {where}\n{why}")
    assert not found, "\n\n".join(found)


def test_the_links_of_the_pages_show_their_focus(page: Page) -> None:
    open_run(page, CAT)
    for place in range(6):
        link = page.locator(".st-key-pages a").nth(place)
        page.keyboard.press("Tab")  # the focus shows only for people who use the keyboard
        link.focus()
        expect(link).to_have_css("outline-style", "solid")
        expect(link).to_have_css("outline-width", "2px")


def test_after_a_link_is_made_the_focus_is_on_its_copy_button(page: Page) -> None:
    open_run(page, CAT * 200)
    page.get_by_role("button", name="Share").click()
    make = page.get_by_role("button", name="Make a link")
    make.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Copy", exact=True)).to_be_focused()


def test_after_a_session_is_deleted_its_undo_is_in_reach(page: Page) -> None:
    open_run(page, CAT)
    page.get_by_role("button", name="Sessions").click()
    page.get_by_role("button", name="Delete this session").click()
    undo = page.get_by_role("button", name=re.compile("Undo|Restore it"))
    expect(undo).to_be_visible()
    expect(page.get_by_test_id("stPopoverBody")).to_have_count(0)
    undo.click(timeout=10_000)
    expect(page.get_by_text("Restored.")).to_be_visible()


def test_the_names_of_runs_in_small_text_are_not_pale(page: Page) -> None:
    fork(page)
    captions = page.get_by_test_id("stCaptionContainer").filter(has=page.locator(".stMarkdownBadge"))
    expect(captions.first).to_be_visible()
    for caption in captions.all():
        expect(caption).to_have_css("opacity", "1")


def test_forced_colours_tell_the_panel_on_show(page: Page) -> None:
    open_run(page, CAT)
    page.keyboard.press("2")
    page.emulate_media(forced_colors="active")
    tabs = page.locator(".st-key-panels [role=tab]")
    expect(tabs.nth(1)).to_have_attribute("aria-selected", "true")
    expect(tabs.nth(0)).to_have_css("outline-style", "none")
    expect(tabs.nth(1)).to_have_css("outline-style", "solid")
    page.emulate_media(forced_colors="none")


def test_forced_colours_tell_the_page_on_show(page: Page) -> None:
    open_run(page, CAT)
    page.emulate_media(forced_colors="active")
    links = page.locator(".st-key-pages a")
    expect(links.filter(has_text="Watch")).to_have_css("outline-style", "solid")
    expect(links.filter(has_text="Encode")).to_have_css("outline-style", "none")
    links.filter(has_text="Encode").click()
    expect(links.filter(has_text="Encode")).to_have_css("outline-style", "solid")
    expect(links.filter(has_text="Watch")).to_have_css("outline-style", "none")
