"""Settings that all tests share, and which stage of .ci/run each test belongs to."""

import os
import sys
from pathlib import Path

import pytest
from hypothesis import settings

from tests.wheel import Installed, install_wheel

#: How many random examples each property is tried on.
EXAMPLES = int(os.environ.get("BPEVIZ_EXAMPLES", "100"))

# A slow machine is no failure, so there is no deadline. In CI the same examples run every time.
settings.register_profile("bpeviz", deadline=None, max_examples=EXAMPLES, derandomize="CI" in os.environ)
settings.load_profile("bpeviz")

HERE = Path(__file__).parent
#: Folders and files that measure time, memory or processes, and so run with nothing beside them.
SERIAL = {"faults", "test_background_training.py", "test_load.py", "test_training_process.py"}
SERIAL |= {"test_background_work.py", "test_work_store_faults.py", "test_container.py"}
#: Those that compare with other libraries, or take long for another reason: once is enough, on one Python.
SLOW = {"test_parity.py", "test_parity_badge.py", "test_notebooks.py", "test_dask_counting.py"}
SLOW |= {"test_disagreement.py", "test_disagree_page.py", "test_trainer.py", "test_cli.py", "test_fork.py"}
SLOW |= {"test_recipes.py", "test_futures.py", "test_moment.py", "test_rust_merger.py", "test_wheel.py"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark each test for its stage, by the folder or file of tests/ that holds it."""
    for item in items:
        place = item.path.relative_to(HERE).parts[0]
        for name, places in (("browser", {"browser"}), ("serial", SERIAL), ("slow", SLOW)):
            if place in places:
                item.add_marker(name)


@pytest.fixture(autouse=True, scope="session")
def _own_data(tmp_path_factory: pytest.TempPathFactory):
    """Nothing that tests do is kept where a person's own work is."""
    os.environ["BPEVIZ_DATA"] = str(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """The wheel of this checkout, built and installed once."""
    return install_wheel(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(autouse=True)
def _main_module():
    """A page under test takes the place of the main module, which processes that are started read again."""
    main = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = main
