"""The models in the page's list, read from the packages that carry their files."""

import importlib.metadata

import pytest

from bpeviz.formats import known_models
from bpeviz.formats.known_models import KNOWN_MODELS, installed_models, read_installed
from bpeviz.limits import limits
from bpeviz.ui.kit.tokenizer_sources import get_side, side_names
from bpeviz.ui.session.session import Session
from tests.support.hard_texts import some_hard_texts
from tests.support.real_tokenizers import FOLDER, REAL_TOKENIZERS

pytestmark = pytest.mark.usefixtures("real_files")
PACKAGED = [model.name for model in KNOWN_MODELS.values() if model.package]
#: One of each kind of file, the small ones: the others take a minute.
IN_THE_GATE = {"Claude 2", "Mistral v3", "Whisper"}


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch):
    """As if the packages were installed in this environment."""

    def distribution(name: str) -> importlib.metadata.Distribution:
        found = importlib.metadata.distributions(name=name, path=[str(FOLDER)])
        return next(iter(found))

    monkeypatch.setattr(known_models, "distribution", distribution)
    installed_models.cache_clear()
    yield
    installed_models.cache_clear()


@pytest.mark.gate
def test_every_package_has_the_file():
    assert list(installed_models()) == PACKAGED


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.gate] if name in IN_THE_GATE else []) for name in PACKAGED],
)
def test_a_model_of_the_list_is_the_tokenizer_that_is_compared_with_the_library(name):
    file = installed_models()[name]
    assert 0 < len(read_installed(name, file)) <= limits().max_upload_bytes
    state = Session()
    assert side_names(state)[f"model-{name}"] == name
    tokenizer = get_side(state, f"model-{name}").tokenizer
    (real,) = [each for each in REAL_TOKENIZERS if each.model == name]
    assert real.file == file.name
    compared = real.open()
    for text in some_hard_texts()[:200]:
        assert tokenizer.encode(text) == compared.encode(text)
