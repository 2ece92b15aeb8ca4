"""The app in Firefox and WebKit: the first visit, a person's own text, each page."""

import pytest

from tests.engines.lesson import walk
from tests.engines.test_player import presents
from tests.engines.window import CELLS, Window

SUMMARY = ".st-key-run_summary"
TEXT = "the cat in the hat and the cat on the mat. " * 3
SHOWN = {
    "Compare": ".aligned .tok, [data-testid=stDataFrame]",
    "Encode": ".encoder .tok, .encoder .chip",
    "Vocabulary": "canvas, [data-testid=stDataFrame]",
    "Recipes": "[data-testid=stDataFrame], svg, table",
    "Learn": "[data-testid=stMain] button, [data-testid=stMain] a",
}
SETTLED = (
    "return document.querySelector('[data-testid=stApp]')?.dataset.testScriptState === 'notRunning'"
    " && !document.querySelector('[data-stale=true]')"
)


def settled(window: Window) -> None:
    window.until(lambda: window.script(SETTLED), "the page is at rest", within=60)


@pytest.fixture
def visit(window: Window, app: str) -> Window:
    """A first visit, at rest."""
    return visited(window, app)


def visited(window: Window, app: str) -> Window:
    window.driver.get(app)  # the cookies of this address
    window.driver.delete_all_cookies()
    window.open(app)
    settled(window)
    return window


def give_text(window: Window) -> None:
    window.click("button", "Use your own text")
    window.one(".text-box textarea")
    window.fill(".text-box textarea", TEXT)
    window.says(SUMMARY, f"{len(TEXT)} bytes", within=30)
    window.click("button", "Watch it")
    window.gone(".text-box textarea")
    settled(window)


def test_the_sample_plays(visit: Window) -> None:
    visit.at(60)


def test_the_page_rests(any_window: Window, app: str) -> None:
    """Its text keeps its size, whatever bar the engine draws where something scrolls."""
    visited(any_window, app).at(60)
    any_window.until(lambda: any_window.rests(".card.main .text"), "the text keeps its size", within=5)


def test_presenting_begins_and_ends(visit: Window) -> None:
    presents(visit)


def test_a_term_explains_itself_inside_the_window(visit: Window) -> None:
    visit.on(visit.one(".term")).perform()
    visit.one(".term .meaning")
    inside = (
        "const box = deep('.term .meaning').filter(visible)[0].getBoundingClientRect();"
        "return box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight"
    )
    assert visit.script(inside)


def test_a_text_of_one_s_own_survives_a_reload_and_a_new_visit(visit: Window, app: str) -> None:
    give_text(visit)
    visit.open(visit.driver.current_url)
    visit.says(SUMMARY, f"{len(TEXT)} bytes")
    settled(visit)
    visit.open(app)
    visit.says(SUMMARY, f"{len(TEXT)} bytes")


@pytest.mark.parametrize("tab", ["What changes", "Race", "Word", "Tables", "Pairs"])
def test_each_tab_opens(visit: Window, tab: str) -> None:
    under_more = tab not in ("Word", "Pairs")
    visit.click(".st-key-panels [role=tab]", "More" if under_more else tab)
    settled(visit)
    if under_more:
        visit.click(".st-key-more_panels button", tab)
        settled(visit)


@pytest.mark.parametrize("page", SHOWN)
def test_each_page_opens_and_scrolls_only_down(any_window: Window, app: str, page: str) -> None:
    window = visited(any_window, app)
    window.click(".st-key-pages a", page)
    window.one(SHOWN[page], within=60)
    settled(window)
    assert not window.scrolls_sideways()


def test_the_tour_keeps_its_card_on_the_screen(any_window: Window, app: str) -> None:
    window = visited(any_window, app)
    window.open(f"{app}/?card=1")
    walk(window, stops=6)
    assert not window.scrolls_sideways()


def test_a_file_is_saved_and_one_is_taken(visit: Window, tmp_path) -> None:
    if not visit.all(".st-key-export_place button"):
        visit.click(".player [data-go=more]")
    visit.click(".st-key-export_place button", "Export")
    visit.one("button", "Merges as CSV")
    settled(visit)
    assert visit.saved(lambda: visit.click("button", "Merges as CSV")).stat().st_size > 300
    file = tmp_path / "up.txt"
    file.write_text("日本語 👩‍👩‍👧 שלום " * 30, "utf-8")
    visit.script("return document.querySelector('.st-key-drop_zone input[type=file]')").send_keys(str(file))
    visit.says(SUMMARY, "up.txt", within=30)
    visit.one(CELLS)
