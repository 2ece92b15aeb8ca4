"""Going through a lesson, whose card is the same part on the page and in the playground."""

from contextlib import suppress

from tests.engines.window import Window

__all__ = ["walk"]

IN_VIEW = """
const shown = (part) => deep(part)[0].getBoundingClientRect();
const caption = shown('.lesson .caption');
return caption.top >= 0 && caption.bottom <= innerHeight && shown('.lesson .place').top >= 0;
"""


def walk(window: Window, *, stops: int) -> None:
    """Go through so many stops, and see that the sentence of each is on the screen."""
    for stop in range(1, stops + 1):
        window.says(".lesson .place", f" {stop} of ")
        window.until(lambda: window.script(IN_VIEW), "the sentence is on the screen", within=5)
        if window.all(".lesson .show"):  # a question
            window.click(".lesson .show")
        window.click(".lesson .forward")
        with suppress(AssertionError):
            window.says(".lesson .place", f" {stop + 1} of ", within=3)
            continue
        window.click(".lesson .forward")  # the first press did what the card says
