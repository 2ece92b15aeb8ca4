"""What the tests of the app without a browser share."""

from collections.abc import Iterator
from functools import cache

import pytest
from streamlit.components.v2 import manifest_scanner

from bpeviz.limits import Limits, limits


@pytest.fixture(autouse=True, scope="session")
def _installed_components():
    """Streamlit reads what every installed package says of itself for each page under test, which takes
    longer than the page. The answer stays the same, so it is asked for once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            manifest_scanner, "scan_component_manifests", cache(manifest_scanner.scan_component_manifests)
        )
        yield


@pytest.fixture
def hosted(monkeypatch: pytest.MonkeyPatch) -> Iterator[Limits]:
    """This process as a public server."""
    monkeypatch.setenv("BPEVIZ_HOSTED", "1")
    limits.cache_clear()
    yield limits()
    limits.cache_clear()
