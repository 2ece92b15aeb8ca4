"""A saved player, from the disk, in Firefox and WebKit: keys, pointer, cards, and what the styles come to."""

import time
from pathlib import Path

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from tests.engines.window import CELLS, Window

BARS = ".pairs .bars .bar"


@pytest.fixture
def player(window: Window, pages: Path) -> Window:
    window.open((pages / "player.html").as_uri())
    return window


def test_the_page_rests(any_window: Window, pages: Path) -> None:
    any_window.open((pages / "player.html").as_uri())
    any_window.until(lambda: any_window.rests(".card.main .text"), "the text keeps its size", within=5)


@pytest.mark.parametrize(
    ("key", "step"), [(Keys.ARROW_RIGHT, 101), (Keys.ARROW_LEFT, 99), (Keys.END, 200), (Keys.HOME, 0)]
)
def test_keys_step(player: Window, key: str, step: int) -> None:
    player.go_to(100)
    player.click(".player .say")
    player.keys(key)
    player.at(step)


def test_buttons_step(player: Window) -> None:
    player.go_to(100)
    player.click(".player [data-go=next]")
    player.at(101)
    player.click(".player [data-go=last]")
    player.at(200)


def test_it_plays_and_pauses(player: Window) -> None:
    player.go_to(0)
    player.click(".player .say")
    player.keys(" ")
    player.until(lambda: player.step() > 2, "it plays")
    player.keys(" ")
    step = player.step()
    time.sleep(1)
    assert player.step() == step


def test_the_scrubber_follows_the_pointer(player: Window) -> None:
    player.go_to(100)
    curve = player.one(".track svg.curve")
    drag = ActionChains(player.driver, duration=50).move_to_element_with_offset(curve, 40, 0)
    drag.click_and_hold().move_by_offset(-50, 0).release().perform()
    player.until(lambda: player.step() != 100, "another step")


def test_pointing_at_a_bar_marks_its_pair_and_a_click_opens_its_card(player: Window) -> None:
    player.go_to(10)
    player.on(player.one(".player .say")).perform()
    player.on(player.one(BARS)).perform()
    player.one(".card.main .tok.pair-left")
    player.click(BARS)
    player.one("[aria-label='Picked pair']")


def test_a_token_has_a_tip_and_a_card(player: Window) -> None:
    player.go_to(100)
    token = player.all(CELLS)[30]
    player.on(token).perform()
    player.one(".card.main .tip")
    player.on(token).click().perform()
    player.one(".card.token")
    player.keys(Keys.ESCAPE)
    player.gone(".card.token")


def test_a_token_is_found(player: Window) -> None:
    player.click(".player .say")
    player.keys("/")
    player.one(".player input[type=search], .find input")
    player.keys("the")
    player.one(".found li")


def test_curves_and_keys_open_and_close(player: Window) -> None:
    player.click(".player .say")
    player.keys("c")
    player.one(".curves[open] svg")
    player.keys("?")
    player.one("dialog.keys")
    player.keys(Keys.ESCAPE)
    player.gone("dialog.keys")


def test_presenting_begins_and_ends(any_window: Window, pages: Path) -> None:
    any_window.open((pages / "player.html").as_uri())
    presents(any_window)


def presents(window: Window) -> None:
    shown = "return document.documentElement.dataset.bpevizPresents ?? ''"
    window.keys("f")
    window.until(lambda: window.script(shown), "it presents")
    window.script("return document.body.offsetHeight")  # WebKit once never ended the layout
    window.keys(Keys.ESCAPE)
    window.until(lambda: not window.script(shown), "it ends")


def test_values_look_underlined(player: Window) -> None:
    look = (
        "return [...new Set(deep('.term, .pairs button.values').filter(visible).map((each) =>"
        " getComputedStyle(each).textDecorationLine))]"
    )
    player.go_to(10)
    assert player.until(lambda: player.script(look), "a term or values") == ["underline"]


def test_pointing_at_a_pair_moves_no_text(player: Window) -> None:
    player.go_to(10)
    places = (
        "return deep('.card.main .tok').slice(0, 300).map((each) => {"
        " const { left, top } = each.getBoundingClientRect(); return [Math.round(left), Math.round(top)]; })"
    )
    player.on(player.one(".player .say")).perform()
    before = player.script(places)
    player.on(player.all(BARS)[2]).perform()
    player.one(".card.main .tok.pair-left")
    assert player.script(places) == before


def test_nothing_scrolls_sideways(any_window: Window, pages: Path) -> None:
    any_window.open((pages / "player.html").as_uri())
    assert not any_window.scrolls_sideways()
