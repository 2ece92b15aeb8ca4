"""Firefox and WebKit of this machine: one browser of each, and a window of it for each test.

Without them these tests skip and say so; with BPEVIZ_REQUIRE_BROWSER=1, as in .ci/full, they fail.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from bpeviz.runs.run import NamedText
from bpeviz.runs.samples import read_sample
from bpeviz.standalone.making import player_of_run
from bpeviz.standalone.playground import write_playground
from bpeviz.training.settings import TrainingSettings
from tests.support.paths import ROOT
from tests.support.server import running
from tests.support.trained import run_of

if not os.environ.get("BPEVIZ_REQUIRE_BROWSER"):
    pytest.importorskip("selenium", reason="requirements/engines.txt is not installed: run .ci/full browsers")

from selenium.common.exceptions import WebDriverException
from urllib3.exceptions import HTTPError

from tests.engines.engine import NAMES, Engine
from tests.engines.window import LAPTOP, PHONE, Window

#: What a browser that hangs ends in, the second after SECONDS of the engine.
NO_ANSWER = (WebDriverException, HTTPError)
#: Set on a test that has failed.
FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item):
    report = yield
    if report.failed:
        item.stash[FAILED] = True
    return report


@pytest.fixture(scope="package", params=NAMES)
def engine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    engine = Engine(request.param, tmp_path_factory.mktemp("engine"))
    yield engine
    engine.kill()


@pytest.fixture(params=[LAPTOP, PHONE], ids=["laptop", "phone"])
def any_window(engine: Engine, request: pytest.FixtureRequest) -> Iterator[Window]:
    """A window as wide as a laptop, and one as wide as a phone."""
    yield from _checked(engine, request, request.param)


@pytest.fixture
def window(engine: Engine, request: pytest.FixtureRequest) -> Iterator[Window]:
    yield from _checked(engine, request, LAPTOP)


@pytest.fixture
def phone(engine: Engine, request: pytest.FixtureRequest) -> Iterator[Window]:
    """A window as wide as a phone."""
    yield from _checked(engine, request, PHONE)


def _checked(engine: Engine, request: pytest.FixtureRequest, size: tuple[int, int]) -> Iterator[Window]:
    """A window, of whose page no script failed. After a failure there is a picture, and the next test has a
    new browser. WebKit's driver draws no second picture of a page at rest, so a test that passed has none."""
    window = engine.window()
    try:
        window.resize(size)
    except NO_ANSWER:
        engine.kill()
        raise
    yield window
    if request.node.stash.get(FAILED, False):
        with suppress(*NO_ANSWER):
            window.driver.save_screenshot(str(ROOT / "test-results" / f"{request.node.name}.png"))
        engine.kill()
        return
    assert window.errors() == []


@pytest.fixture(scope="package")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The playground, and a saved player, on the disk."""
    folder = tmp_path_factory.mktemp("pages")
    (folder / "playground.html").write_text(write_playground(), "utf-8")
    run = run_of(NamedText("English prose", read_sample("English prose")), TrainingSettings(num_merges=200))
    player_of_run(run).write_html(folder / "player.html")
    return folder


@pytest.fixture(scope="package")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the running app."""
    with running({"BPEVIZ_DATA": str(tmp_path_factory.mktemp("data"))}) as server:
        yield server.url
