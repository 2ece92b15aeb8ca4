"""Settings that all tests share."""

import os
import sys

import pytest
from hypothesis import settings

# A slow machine is no failure, so there is no deadline. In CI the same examples run every time.
settings.register_profile("bpeviz", deadline=None, max_examples=100, derandomize="CI" in os.environ)
settings.load_profile("bpeviz")


@pytest.fixture(autouse=True, scope="session")
def _own_data(tmp_path_factory: pytest.TempPathFactory):
    """Nothing that tests do is kept where a person's own work is."""
    os.environ["BPEVIZ_DATA"] = str(tmp_path_factory.mktemp("data"))


@pytest.fixture(autouse=True)
def _main_module():
    """A page under test takes the place of the main module, which processes that are started read again."""
    main = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = main
