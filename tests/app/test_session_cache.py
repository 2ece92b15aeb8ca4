"""A session keeps its results, up to a number of bytes."""

import gc
import re
import weakref
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from bpeviz import load_pretrained
from bpeviz.analysis.vocabulary import vocabulary_table
from bpeviz.analysis.vocabulary_overlap import vocabulary_overlap
from bpeviz.limits import read_limits
from bpeviz.ui.session import session_cache
from bpeviz.ui.session.session_cache import SessionCache, size_of

UI = Path(session_cache.__file__).parents[1]
#: These cache what is the same for all visitors, or in Streamlit's cache of one session.
SERVER_WIDE = {"server_process.py", "departure.py"}


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    few = replace(read_limits({}), cache_bytes=10_000)
    monkeypatch.setattr(session_cache, "limits", lambda: few)


def made(calls: list[int], size: int) -> np.ndarray:  # type: ignore[type-arg]
    calls.append(size)
    return np.zeros(size, np.uint8)


def test_a_result_is_made_once() -> None:
    cache, calls = SessionCache(), list[int]()
    first = cache.get(("a",), lambda: made(calls, 10))
    assert cache.get(("a",), lambda: made(calls, 10)) is first
    assert calls == [10]


@pytest.mark.usefixtures("small")
def test_what_was_used_longest_ago_goes_when_there_is_too_much() -> None:
    cache, calls = SessionCache(), list[int]()
    for name in "abacab":
        cache.get((name,), lambda: made(calls, 3_000))
    assert len(calls) == 4  # a, b, c, and b again, which had to go for c
    assert cache.byte_total <= 10_000


@pytest.mark.usefixtures("small")
def test_what_is_too_large_is_given_and_not_kept() -> None:
    cache, calls = SessionCache(), list[int]()
    assert len(cache.get(("a",), lambda: made(calls, 20_000))) == 20_000
    assert cache.byte_total == 0


@pytest.mark.usefixtures("small")
def test_a_text_in_the_key_counts() -> None:
    cache = SessionCache()
    for i in range(20):
        cache.get(("uses", str(i) * 3_000), lambda: 1)
    assert cache.byte_total <= 10_000


def test_tables_and_what_holds_them_are_counted_whole() -> None:
    token = b"x" * 1_000_000
    assert size_of(pd.DataFrame({"token": pd.Series([token], dtype=object)})) > 1_000_000
    gpt2 = load_pretrained()
    assert (
        size_of(vocabulary_overlap(gpt2, gpt2)) > size_of(vocabulary_overlap(gpt2, gpt2).tokens) > 1_000_000
    )


def test_the_tables_of_a_large_vocabulary_fit() -> None:
    table = vocabulary_table(load_pretrained())
    size = size_of(table) / len(table) * 200_000
    assert size < read_limits({"BPEVIZ_HOSTED": "1"}).cache_bytes


def test_what_a_session_cached_goes_with_it() -> None:
    class Held:
        pass

    cache = SessionCache()
    alive = weakref.ref(cache.get(("a",), Held))
    assert alive() is not None
    del cache
    gc.collect()
    assert alive() is None


def test_nothing_of_a_visitor_s_is_cached_for_the_whole_server() -> None:
    cached = {p.name for p in UI.rglob("*.py") if re.search(r"@st\.cache_", p.read_text("utf-8"))}
    assert cached <= SERVER_WIDE
