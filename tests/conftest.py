"""Settings that all tests share, and the tier of each test.

    quick   what ``pytest`` alone runs: tests/unit and tests/app, without what is marked ``gate`` or ``full``
    gate    what ``.ci/run`` adds to them
    full    all other tests; ``.ci/full`` runs them

A folder or file that is named on the command line is run whole.
"""

import os
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from bpeviz.text import pattern_tasks
from tests.support.inline_workers import InlineWorkers, work_with
from tests.support.wheel import Installed, install_wheel, installed_wheel

#: How many random examples each property is tried on.
EXAMPLES = int(os.environ.get("BPEVIZ_EXAMPLES", "20"))

# A slow machine is no failure, so there is no deadline and no check of the time that examples take to make.
# The examples are the same every time, unless somebody asks for a number of them.
settings.register_profile(
    "bpeviz",
    deadline=None,
    max_examples=EXAMPLES,
    derandomize="BPEVIZ_EXAMPLES" not in os.environ,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("bpeviz")

# Nor is one that has no time for another process, which a person is told to try again.
pattern_tasks.MOMENT_SECONDS = 120.0

HERE = Path(__file__).parent
#: The folders whose tests are quick if they have no mark.
QUICK = ("unit", "app")


def pytest_configure(config: pytest.Config) -> None:
    """Run the quick tier where nothing was asked for by name."""
    if config.args_source is pytest.Config.ArgsSource.TESTPATHS and not config.option.markexpr:
        config.option.markexpr = "quick"
        config.args = [str(HERE / folder) for folder in QUICK]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
            item.add_marker("property")
        marks = {mark.name for mark in item.iter_markers()}
        if item.path.relative_to(HERE).parts[0] in QUICK and not marks & {"gate", "full"}:
            item.add_marker("quick")


@pytest.fixture(autouse=True, scope="session")
def _own_data(tmp_path_factory: pytest.TempPathFactory):
    """Nothing that tests do is kept where a person's own sessions are, none of their models are listed,
    and the Hub is not asked."""
    os.environ["BPEVIZ_DATA"] = str(tmp_path_factory.mktemp("data"))
    os.environ["HF_HUB_CACHE"] = str(tmp_path_factory.mktemp("hub"))
    os.environ["HF_ENDPOINT"] = "http://localhost:9"


@pytest.fixture(autouse=True)
def _inline_workers():
    """Tasks for workers run in the test's own process. A test of real workers makes its own pool."""
    with work_with(InlineWorkers()):
        yield


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """The wheel of this checkout, built and installed once. .ci/run names a folder, to do it once for all."""
    folder = Path(os.environ.get("BPEVIZ_WHEEL") or tmp_path_factory.mktemp("wheel"))
    return installed_wheel(folder) or install_wheel(folder)


@pytest.fixture(autouse=True)
def _main_module():
    """A page under test takes the place of the main module, which processes that are started read again."""
    main = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = main
