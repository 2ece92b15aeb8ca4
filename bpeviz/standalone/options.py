"""How a player looks and begins."""

from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal, get_args

from bpeviz.core.whole_numbers import as_whole_number
from bpeviz.errors import CorpusError, PlayerError
from bpeviz.text.utf8 import check_text
from bpeviz.words import in_short

__all__ = ["PANELS", "SPEEDS", "THEMES", "Options", "Panel", "Theme", "checked_words", "read_options"]

Theme = Literal["auto", "light", "dark"]
THEMES: tuple[Theme, ...] = get_args(Theme)
Panel = Literal["text", "curve", "pairs", "token", "curves"]
PANELS: tuple[Panel, ...] = get_args(Panel)
#: Merges a second, as the player offers them.
SPEEDS = (1, 2, 4, 10, 60, 240, 1000)
LEAST_HEIGHT, MOST_HEIGHT = 200, 4000
MOST_CAPTION = 2000


@dataclass(frozen=True)
class Options:
    """How a player looks and begins.

    - ``height``: of its frame in another page, in pixels;
    - ``theme``: "auto" follows the reader's system;
    - ``panels``: what is shown besides buttons and figures;
    - ``autoplay``: whether it plays when it opens, unless the reader wants less motion;
    - ``speed``: merges a second;
    - ``caption``: plain text below the player.
    """

    height: int = 640
    theme: Theme = "auto"
    panels: tuple[Panel, ...] = PANELS
    autoplay: bool = False
    speed: int = 10
    caption: str = ""


def read_options(**given: Any) -> Options:
    """Return the options with these values. Raises PlayerError for a value that one doesn't take."""
    options = Options(**given) if "panels" not in given else Options(**{**given, "panels": ()})
    height = as_whole_number(options.height)
    if height is None or not LEAST_HEIGHT <= height <= MOST_HEIGHT:
        raise wrong_option("height", options.height, f"Give pixels from {LEAST_HEIGHT} to {MOST_HEIGHT:,}.")
    if not isinstance(options.theme, str) or options.theme not in THEMES:
        raise wrong_option("theme", options.theme, f"Choose one of {_listed(THEMES)}.")
    speed = as_whole_number(options.speed)
    if speed not in SPEEDS:
        raise wrong_option("speed", options.speed, f"Choose one of {_listed(SPEEDS)} merges a second.")
    if not isinstance(options.autoplay, bool):
        raise wrong_option("autoplay", options.autoplay, "Say True or False.")
    caption = checked_words("caption", options.caption, most=MOST_CAPTION)
    panels = _panels(given["panels"]) if "panels" in given else PANELS
    return Options(height, options.theme, panels, options.autoplay, speed, caption)


def checked_words(option: str, words: object, *, most: int) -> str:
    """Return a text of at most so many characters. Raises PlayerError."""
    if isinstance(words, str) and len(words) <= most:
        with suppress(CorpusError):
            check_text(words)
            return words
    raise wrong_option(option, words, f"Give up to {most:,} characters.")


def wrong_option(option: str, value: object, remedy: str) -> PlayerError:
    """Return the error of a value that an option of the player doesn't take."""
    return PlayerError(
        f"The player's option {option} can't be {in_short(repr(value))}. {remedy}",
        option=option,
        remedy=remedy,
    )


def _panels(given: object) -> tuple[Panel, ...]:
    """Return the panels in the order of the page."""
    names = {given} if isinstance(given, str) else given
    try:
        chosen = set(names)  # type: ignore[call-overload]
    except TypeError:
        chosen = {None}
    if not chosen <= set(PANELS):
        raise wrong_option("panels", given, f"Choose any of {_listed(PANELS)}.")
    return tuple(panel for panel in PANELS if panel in chosen)


def _listed(values: tuple[object, ...]) -> str:
    return ", ".join(map(str, values))
