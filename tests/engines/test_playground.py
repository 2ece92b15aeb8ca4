"""The playground, from the disk, in Firefox and WebKit."""

from pathlib import Path

import pytest

from tests.engines.lesson import walk
from tests.engines.window import Window

LOW = "low low low low low lower lower newest newest newest newest newest newest widest widest widest"
OWN = "#own-text"
NOTE = ".playground .note"
#: How many pixels of what is on the screen have no text, above or below.
EMPTY = """
const seen = deep('.card.main .text')[0].getBoundingClientRect();
const blocks = deep('.card.main .text .block').map((each) => each.getBoundingClientRect())
  .filter((each) => each.bottom > seen.top && each.top < seen.bottom);
const top = Math.min(...blocks.map((each) => each.top));
const bottom = Math.max(...blocks.map((each) => each.bottom));
return blocks.length ? Math.max(top - seen.top, seen.bottom - bottom) : 9999;
"""
DROP = """
const data = new DataTransfer();
data.items.add(new File([new TextEncoder().encode('drop dropped drop '.repeat(9))], 'drop.txt'));
document.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
"""


@pytest.fixture
def address(pages: Path) -> str:
    return (pages / "playground.html").as_uri()


@pytest.fixture
def playground(window: Window, address: str) -> Window:
    """The playground as on a first visit."""
    return opened(window, address)


def opened(window: Window, address: str) -> Window:
    window.open(address)
    window.script("localStorage.clear()")
    window.open(address)
    return window


def train_on(window: Window, text: str) -> None:
    window.fill(OWN, text)
    window.says(NOTE, f"{len(text):,} bytes")


def test_it_trains_as_a_person_types_and_keeps_the_text(playground: Window, address: str) -> None:
    train_on(playground, LOW)
    playground.driver.get("about:blank")
    playground.open(address)
    playground.says(NOTE, f"{len(LOW)} bytes")


def test_a_fork_and_its_undo(playground: Window) -> None:
    playground.go_to(3)
    playground.click(".pairs .bars .bar:nth-child(2)")
    playground.click("button", "Merge it next instead")
    playground.one(".card.other .tok")
    playground.click("button", "Undo the last")
    playground.gone(".card.other .tok")


def test_a_link_has_the_text(playground: Window) -> None:
    train_on(playground, LOW)
    playground.click(".share")
    link = playground.script("return arguments[0].value", playground.one(".link input"))
    playground.driver.get("about:blank")
    playground.open(link)
    playground.says(NOTE, f"{len(LOW)} bytes")


def test_a_link_that_cannot_be_read_gets_a_sentence(window: Window, address: str) -> None:
    window.driver.get("about:blank")
    window.open(f"{address}#AAAA")
    window.says(".playground", "This link has no text that can be read.")


@pytest.mark.parametrize(
    ("name", "ending"),
    [
        ("Interactive page (.html)", ".html"),
        ("Merges as CSV", ".csv"),
        ("Bytes per token as SVG", ".svg"),
        ("Bytes per token as PNG", ".png"),
    ],
)
def test_what_it_saves(playground: Window, name: str, ending: str) -> None:
    playground.click(".player [data-go=more]")  # the curves are behind it
    playground.click(".export summary")
    file = playground.saved(lambda: playground.click(".export .choices button", name))
    assert file.suffix == ending
    assert file.stat().st_size > 300
    if ending == ".html":
        playground.open(file.as_uri())


def test_a_dropped_file(playground: Window) -> None:
    playground.script(DROP)
    playground.says(NOTE, "drop.txt")


def test_a_long_text_shows_something_wherever_it_is_scrolled_to(playground: Window) -> None:
    line = "A long text with many words, of which none is new after a while. \n"
    playground.fill(OWN, line * 8_000)
    playground.click(".watch")
    playground.says(NOTE, f"{len(line) * 8_000:,} bytes", within=60)
    for place in (5_000, 200_000, 10**8, 0):
        playground.script("deep('.card.main .text')[0].scrollTop = arguments[0]", place)
        playground.until(lambda: playground.script(EMPTY) < 60, f"text at {place}", within=2)


def test_a_lesson_keeps_its_card_on_the_screen(any_window: Window, address: str) -> None:
    window = opened(any_window, address)
    window.click(".learn summary")
    window.click(".learn .list button")
    window.one(".lesson")
    walk(window, stops=5)


def test_nothing_scrolls_sideways(any_window: Window, address: str) -> None:
    assert not opened(any_window, address).scrolls_sideways()
