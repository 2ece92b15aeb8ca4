"""Packed counts: back and forth, and bytes that somebody else wrote."""

import zlib

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpeviz import Corpus
from bpeviz.corpus import packed_counts
from bpeviz.corpus.packed_counts import pack_counts, unpack_counts
from bpeviz.errors import CorpusError

COUNTS = {"the": 3, " cat": 2, "🐈": 1}


@pytest.mark.property
@given(st.dictionaries(st.text(st.characters(exclude_categories=["Cs"]), min_size=1), st.integers(1, 2**40)))
def test_counts_come_back_in_their_order(counts: dict[str, int]) -> None:
    packed = pack_counts(counts)
    assert list(unpack_counts(packed.packed, packed.byte_total).items()) == list(counts.items())


def test_a_corpus_is_packed_once() -> None:
    corpus = Corpus.from_counts(COUNTS)
    assert corpus.packed is corpus.packed
    assert unpack_counts(corpus.packed.packed, corpus.packed.byte_total) == COUNTS


def packed(value: object) -> tuple[bytes, int]:
    written = msgspec.msgpack.encode(value)
    return zlib.compress(written), len(written)


@pytest.mark.parametrize(
    "value", [None, 3, "x", [1, 2], {"a": "b"}, {"a": 1.5}, {1: 1}, {"a": None}, {"a": {"b": 1}}]
)
def test_other_values_are_refused(value: object) -> None:
    with pytest.raises(CorpusError, match=r"can't be read: .* Save it again"):
        unpack_counts(*packed(value))


@pytest.mark.parametrize("counts", [{"": 1}, {"a": 0}, {"a": -1}, {"a": 2**63}, {"a": 2**62, "b": 2**62}])
def test_impossible_counts_make_no_corpus(counts: dict[str, int]) -> None:
    with pytest.raises(CorpusError):
        Corpus.from_counts(unpack_counts(*packed(counts)))


def test_damaged_bytes_are_refused() -> None:
    whole = pack_counts(COUNTS)
    for cut in range(len(whole.packed)):
        with pytest.raises(CorpusError, match="in this saved session can't be read"):
            unpack_counts(whole.packed[:cut], whole.byte_total)
    with pytest.raises(CorpusError, match="damaged"):
        unpack_counts(b"not zlib", 8)
    with pytest.raises(CorpusError, match="size"):
        unpack_counts(whole.packed + b"more", whole.byte_total)
    with pytest.raises(CorpusError, match="size"):
        unpack_counts(whole.packed, whole.byte_total + 1)


def test_a_bomb_is_unpacked_no_further_than_its_size() -> None:
    bomb = zlib.compress(bytes(50_000_000), 9)
    with pytest.raises(CorpusError, match="size"):
        unpack_counts(bomb, 1_000)


def test_too_many_pre_tokens_are_refused_before_they_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    claims = b"\xdf" + (2**32 - 1).to_bytes(4, "big")
    with pytest.raises(CorpusError, match="more than 8,000,000 distinct"):
        unpack_counts(zlib.compress(claims), len(claims))
    monkeypatch.setattr(packed_counts, "MOST_PRE_TOKENS", 20)
    with pytest.raises(CorpusError, match="more than 20 distinct"):
        unpack_counts(*packed({str(i): 1 for i in range(21)}))
