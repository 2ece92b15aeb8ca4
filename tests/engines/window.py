"""A window of Firefox or WebKit: what a person does in it, and what the page shows."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.remote.webelement import WebElement

__all__ = ["CELLS", "LAPTOP", "PHONE", "Window"]

LAPTOP, PHONE = (1366, 768), (390, 844)
CELLS = ".card.main .text .tok"
# A part of the app is in a shadow root, and so is the player in it.
TOOLS = """
const deep = (selector, root = document) => [
  ...root.querySelectorAll(selector),
  ...[...root.querySelectorAll('*')].flatMap((one) => one.shadowRoot ? deep(selector, one.shadowRoot) : []),
];
const visible = (each) => each.getClientRects().length > 0 && getComputedStyle(each).visibility !== 'hidden';
const words = (each) => (each.getAttribute('aria-label') ?? each.textContent).replace(/\\s+/g, ' ');
"""
NOTE_ERRORS = """
if (!window.noted) {
  window.noted = [];
  addEventListener('error', (event) => noted.push(String(event.message ?? event.target.src)), true);
  addEventListener('unhandledrejection', (event) => noted.push(String(event.reason)));
  const { error } = console;
  console.error = (...said) => (noted.push(said.join(' ')), error(...said));
}
"""
#: Both say that a layout comes a frame later; a page on the disk doesn't learn more about it.
HARMLESS = ("ResizeObserver loop", "Script error.")


class Window:
    def __init__(self, driver: WebDriver, downloads: Path) -> None:
        self.driver, self.downloads = driver, downloads

    def open(self, address: str, shows: str = CELLS) -> None:
        """Open an address, and wait until the page shows an element."""
        self.driver.get(address)
        self.script(NOTE_ERRORS)
        self.one(shows, within=60)

    def resize(self, size: tuple[int, int]) -> None:
        self.driver.set_window_size(*size)
        self.until(lambda: self.script("return innerWidth") == size[0], f"{size[0]} px wide")

    def script(self, code: str, *values: object) -> Any:
        """What a script returns; it has ``deep``, ``visible`` and ``words``."""
        return self.driver.execute_script(TOOLS + code, *values)

    def errors(self) -> list[str]:
        """The messages of the page's errors since it was opened."""
        found: list[str] = self.script("return window.noted ?? []")
        return [each for each in found if not any(harmless in each for harmless in HARMLESS)]

    def all(self, selector: str, text: str = "") -> list[WebElement]:
        """The elements on the screen with a text, also those in shadow roots."""
        code = "return deep(arguments[0]).filter((one) => visible(one) && words(one).includes(arguments[1]))"
        return self.script(code, selector, text)

    def one(self, selector: str, text: str = "", within: float = 20) -> WebElement:
        return self.until(lambda: self.all(selector, text), f"{selector} {text}", within)[0]

    def gone(self, selector: str, text: str = "") -> None:
        self.until(lambda: not self.all(selector, text), f"no {selector} {text}")

    def text(self, selector: str) -> str:
        """The text of the elements on the screen, a line for each."""
        return self.script("return deep(arguments[0]).filter(visible).map(words).join('\\n')", selector)

    def says(self, selector: str, text: str, within: float = 20) -> None:
        self.until(lambda: text in self.text(selector), f"{text!r} in {selector}", within)

    def until(self, happened: Callable[[], Any], what: str, within: float = 20) -> Any:
        """What ``happened`` gives once it is true. An element may have been drawn again meanwhile."""
        ends, error = time.monotonic() + within, ""
        while time.monotonic() < ends:
            try:
                if found := happened():
                    return found
            except WebDriverException as failed:
                error = str(failed.msg)
            time.sleep(0.1)
        raise AssertionError(f"after {within} seconds still not: {what} {error}")

    def click(self, selector: str, text: str = "") -> None:
        def clicked() -> bool:
            element = self.one(selector, text, 5)
            self.script("arguments[0].scrollIntoView({ block: 'nearest' })", element)
            place = element.rect
            time.sleep(0.1)
            if element.rect != place:
                return False  # the page still moves: the click would meet what is beside it
            self.on(element).click().perform()
            return True

        self.until(clicked, f"a click on {selector} {text}")

    def on(self, element: WebElement) -> ActionChains:
        """The pointer on an element, with what it does there to be added."""
        return ActionChains(self.driver, duration=30).move_to_element(element)

    def keys(self, *keys: str) -> None:
        ActionChains(self.driver).send_keys(*keys).perform()

    def fill(self, selector: str, text: str) -> None:
        """Put a text in a field, however long."""
        code = (
            "arguments[0].focus(); arguments[0].value = arguments[1];"
            "for (const kind of ['input', 'change'])"
            "  arguments[0].dispatchEvent(new InputEvent(kind, { bubbles: true }))"
        )
        self.script(code, self.one(selector), text)

    def saved(self, act: Callable[[], None]) -> Path:
        """The file that the browser saves. WebKit would put it in the place of one with its name."""
        for earlier in self.downloads.iterdir():
            earlier.unlink()
        act()
        ends = (".part", ".wkdownload")
        return self.until(
            lambda: [
                each for each in self.downloads.iterdir() if each.suffix not in ends and each.stat().st_size
            ],
            "a file is saved",
        )[0]

    def step(self) -> int:
        """How many merges the player shows."""
        return int(self.script("return deep('.player .step')[0].value"))

    def at(self, step: int) -> None:
        self.until(lambda: self.step() == step, f"step {step}")

    def go_to(self, step: int) -> None:
        self.fill(".player .step", str(step))
        self.at(step)

    def rests(self, selector: str) -> bool:
        """Whether an element keeps its size for a second: a bar of the page that comes and goes would change
        it all the time."""
        size = (
            "const { width, height } = deep(arguments[0])[0].getBoundingClientRect(); return [width, height]"
        )
        sizes = []
        for _ in range(10):
            sizes.append(self.script(size, selector))
            time.sleep(0.1)
        return all(each == sizes[0] for each in sizes)

    def scrolls_sideways(self) -> bool:
        code = (
            "const page = document.querySelector('[data-testid=stMain]') ?? document.documentElement;"
            "return page.scrollWidth > page.clientWidth + 1"
        )
        return self.script(code)
