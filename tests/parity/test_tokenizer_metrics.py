"""The metrics of tokenizers against the packages that define them: toklens and tokenization-scorer.

They come from requirements/parity.txt, so only the tests that need them import them. Of toklens only the
module of metrics is loaded: the package also imports what downloads texts and draws pictures.
"""

import importlib.util
import math
from collections.abc import Callable
from functools import cache
from importlib.metadata import distribution
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer as TheirTokenizer

from bpeviz import Tokenizer, load_pretrained, tokenizer_metrics, train_tokenizer
from bpeviz.runs.parallel_sample import LANGUAGES, parallel_sentences
from bpeviz.runs.samples import read_sample
from tests.support.gpt2_of_tiktoken import reference
from tests.support.parity_corpora import SAMPLE_TITLES
from tests.support.texts import ANY_TEXT, PARTING_TEXT

TEXTS = st.lists(ANY_TEXT | PARTING_TEXT, min_size=1, max_size=4)


@cache
def toklens() -> ModuleType:
    """The module toklens.metrics, without the package around it."""
    path = distribution("toklens").locate_file("toklens/metrics.py")
    spec = importlib.util.spec_from_file_location("toklens_metrics", Path(str(path)))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def scored(tokenized: str) -> float:
    """The Rényi efficiency of tokens with a space between them, by tokenization-scorer."""
    import tokenization_scorer

    return float(tokenization_scorer.score(tokenized, metric="renyi", power=2.5))


def as_theirs(encode: Callable[[str], list[int]]) -> Any:
    """What toklens takes for a tokenizer, from a function that gives ids."""
    return SimpleNamespace(encode=lambda text: SimpleNamespace(ids=encode(text)))


def gpt2(_: Path) -> tuple[Tokenizer, Any]:
    """GPT-2, encoded by tiktoken for toklens."""
    return load_pretrained("gpt2"), as_theirs(reference().encode_ordinary)


def o200k(_: Path) -> tuple[Tokenizer, Any]:
    tokenizer = load_pretrained("o200k_base")
    return tokenizer, as_theirs(tokenizer.encode)


def trained(recipe: str, folder: Path) -> tuple[Tokenizer, Any]:
    """A tokenizer trained here, encoded by the library tokenizers for toklens."""
    tokenizer = train_tokenizer(read_sample("Many languages"), recipe, num_merges=600)
    tokenizer.save(folder / "tokenizer.json")
    return tokenizer, TheirTokenizer.from_file(str(folder / "tokenizer.json"))


MAKERS: dict[str, Callable[[Path], tuple[Tokenizer, Any]]] = {
    "gpt2": gpt2,
    "o200k_base": o200k,
    "minbpe": lambda folder: trained("minbpe", folder),
    "huggingface": lambda folder: trained("huggingface", folder),
}


@pytest.fixture(scope="module", params=list(MAKERS))
def pair(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Tokenizer, Any]:
    """One of our tokenizers, and the same as toklens takes it."""
    return MAKERS[request.param](tmp_path_factory.mktemp(request.param))


def assert_equal(pair: tuple[Tokenizer, Any], texts: list[str], baseline: Tokenizer) -> None:
    """Compare on several texts; toklens joins them with a space, so only a single one has the same length."""
    tokenizer, theirs = pair
    mine, joined = tokenizer_metrics(texts, tokenizer), " ".join(texts)
    assert mine.tokens_per_word == toklens().compute_fertility(theirs, joined)
    assert mine.share_of_whole_words == toklens().compute_strr(theirs, joined)
    alone = tokenizer_metrics([joined], tokenizer)
    assert alone.bytes_per_token == toklens().compute_compression_ratio(theirs, joined)
    others = tokenizer_metrics([joined], baseline)
    assert alone.normalized_length(others) == toklens().compute_nsl(theirs, joined, others.token_total)
    lines = "\n".join(" ".join(map(str, tokenizer.encode(text))) for text in texts)
    if len(mine.used_ids) > 1:
        assert mine.renyi_efficiency == pytest.approx(scored(lines), rel=1e-12)
    else:
        assert math.isnan(mine.renyi_efficiency)


@pytest.mark.parametrize("title", SAMPLE_TITLES)
def test_every_sample_has_the_values_of_the_packages(pair, title):
    text = read_sample(title)
    assert_equal(pair, [text], load_pretrained("gpt2"))
    assert_equal(pair, text.splitlines(), load_pretrained("o200k_base"))


@pytest.mark.parametrize("code", list(LANGUAGES))
def test_every_language_has_the_values_of_the_packages(pair, code):
    assert_equal(pair, list(parallel_sentences(code)), load_pretrained("gpt2"))


@given(texts=TEXTS)
def test_random_texts_have_the_values_of_the_packages(pair, texts):
    assert_equal(pair, texts, load_pretrained("gpt2"))


@pytest.mark.parametrize(
    ("text", "efficiency"),
    [
        ("abacbad", 0.8265064834225245),  # pick ed pick l ed pick les
        ("abcadbcadbe", 0.9204840242168808),  # pick e d pick l e d pick l e s
    ],
)
def test_the_examples_of_tokenization_scorer(text, efficiency):
    """The examples of the library's tests, with a letter for each token."""
    letters = train_tokenizer("", "minbpe", num_merges=0)
    assert tokenizer_metrics([text], letters).renyi_efficiency == pytest.approx(efficiency, rel=1e-12)
    assert scored(" ".join(text)) == pytest.approx(efficiency, rel=1e-12)
