"""The options of players: every value that one doesn't take ends in an error that names both."""

from typing import Any

import numpy as np
import pytest

from bpeviz import Comparison, compare
from bpeviz.errors import BpevizError, PlayerError
from bpeviz.standalone.options import PANELS, read_options
from tests.support.player_page import read_player_page
from tests.support.trained import LOW, trained

SURROGATE = "\ud800"

BAD: list[tuple[str, Any]] = [
    *(("height", bad) for bad in (199, 4001, -1, 0, True, None, "640", 640.0, 10**30, [640])),
    *(("theme", bad) for bad in ("Light", "", None, 1, ["light"], b"light", np.array(["light", "dark"]))),
    *(("speed", bad) for bad in (0, 3, -1, True, None, "10", 10.0, [10], np.array([1, 2]), 10**30)),
    *(("autoplay", bad) for bad in (0, 1, None, "yes", [], 2.0)),
    *(("caption", bad) for bad in (None, 1, b"caption", "x" * 2001, SURROGATE, f"a{SURROGATE}b", ["x"])),
    *(("panels", bad) for bad in ("words", ("text", "words"), 5, None, [["text"]], b"text", [None])),
    *(("step", bad) for bad in (-1, 10**6, True, "1", 1.0, [1], 2**70)),
]


def compared() -> Comparison:
    tokenizer = trained().tokenizer()
    return compare(LOW, tokenizer, tokenizer.after(3))


@pytest.mark.parametrize(("option", "value"), BAD, ids=lambda value: repr(value)[:24])
def test_a_bad_value_is_refused_with_its_option(option: str, value: object) -> None:
    with pytest.raises(PlayerError, match="The player's option") as caught:
        trained().player(LOW, **{option: value})
    error = caught.value
    assert error.option == option
    assert error.remedy
    assert f"option {option} " in str(error)
    assert str(error).encode("utf-8")  # it can be printed
    assert len(str(error)) < 250


@pytest.mark.parametrize("name", ["gap_ranks", "beside", "Height", "", "text_bytes", "names"])
def test_an_unknown_option_is_refused_with_those_there_are(name: str) -> None:
    with pytest.raises(
        PlayerError, match="options are step, height, theme, panels, autoplay, speed, caption"
    ) as caught:
        trained().player(LOW, height=400, **{name: 5})
    assert f"option {name} can't be 5." in str(caught.value)


def test_of_several_unknown_options_the_first_is_named() -> None:
    with pytest.raises(PlayerError, match="The player's option first can't be 1"):
        trained().player(LOW, first=1, height=400, second=2, third=3)


def test_the_options_are_those_of_a_tokenizer_with_its_name() -> None:
    with pytest.raises(PlayerError, match="options are name, step, height"):
        trained().tokenizer().player(LOW, nmae="mine")


@pytest.mark.parametrize("name", [5, None, SURROGATE, "x" * 201, b"mine"])
def test_the_name_of_a_tokenizer_is_a_text(name: object) -> None:
    with pytest.raises(PlayerError, match="The player's option name can't be") as caught:
        trained().tokenizer().player(LOW, name=name)
    assert repr(name)[:60] in str(caught.value)


@pytest.mark.parametrize(
    "names", ["ab", b"ab", ("a",), ("a", "b", "c"), None, 5, ("a", 5), ("a", SURROGATE), ("a", "x" * 201), {}]
)
def test_the_names_of_a_comparison_are_two_texts(names: object) -> None:
    with pytest.raises(PlayerError, match="The player's option names can't be"):
        compared().player(names=names)


@pytest.mark.parametrize("locked", [1, 0, None, "yes"])
def test_the_lock_of_a_comparison_is_on_or_off(locked: object) -> None:
    with pytest.raises(PlayerError, match=f"The player's option locked can't be {locked!r}"):
        compared().player(locked=locked)


@pytest.mark.parametrize("option", ["step", "panels", "autoplay", "speed", "name", "wat"])
def test_a_comparison_refuses_options_that_would_do_nothing(option: str) -> None:
    with pytest.raises(PlayerError, match="names, locked, height, theme, caption") as caught:
        compared().player(**{option: 1})
    assert f"option {option} can't be 1." in str(caught.value)


@pytest.mark.parametrize("option", ["height", "theme", "caption"])
def test_a_comparison_checks_the_options_it_has(option: str) -> None:
    with pytest.raises(PlayerError, match=f"The player's option {option} can't be <object"):
        compared().player(**{option: object()})


def test_the_errors_are_of_the_package() -> None:
    assert issubclass(PlayerError, BpevizError)


def test_whole_numbers_of_numpy_are_taken() -> None:
    options = read_options(height=np.int64(300), speed=np.int32(60))
    assert (options.height, options.speed) == (300, 60)
    assert type(options.speed) is int
    assert trained().player(LOW, step=np.int64(2)).step == 2


@pytest.mark.parametrize(
    ("given", "chosen"),
    [
        ("curve", ("curve",)),
        (["pairs", "text"], ("text", "pairs")),
        ({"curves", "token"}, ("token", "curves")),
        (iter(["text", "text"]), ("text",)),
        ((), ()),
        (PANELS, PANELS),
    ],
)
def test_panels_come_in_the_order_of_the_page(given: Any, chosen: tuple[str, ...]) -> None:
    assert read_options(panels=given).panels == chosen


def test_the_options_reach_the_page() -> None:
    player = trained().player(
        LOW, step=4, theme="dark", panels="text", autoplay=True, speed=60, caption="Now"
    )
    page = read_player_page(player.to_html())
    assert page.settings["panels"] == ["text"]
    assert page.settings["speed"] == 60
    assert page.pack("player")["start"] == 4
    assert page.pack("player")["autoplay"] == 60
    assert ("data-theme", "dark") in page.attributes
    assert page.caption == "Now"
    assert "pairs" not in page.settings["packs"]


def test_without_autoplay_the_page_does_not_play() -> None:
    assert read_player_page(trained().player(LOW, speed=60).to_html()).pack("player")["autoplay"] == 0


def test_the_step_can_be_set_later() -> None:
    player = trained().player(LOW)
    player.step = 3
    assert read_player_page(player.to_html()).pack("player")["start"] == 3
    with pytest.raises(PlayerError, match="The player's option"):
        player.step = player.last + 1
    assert player.step == 3
