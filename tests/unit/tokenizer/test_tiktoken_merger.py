"""Merging by tiktoken: whatever it takes, it merges as the tokenizer itself would."""

import sysconfig
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpeviz import Tokenizer, load_pretrained, train_tokenizer
from bpeviz.core.base_vocabulary import ByteVocabulary
from bpeviz.core.gap_ranks import NEVER, WALL
from bpeviz.text.split_patterns import SPLIT_PATTERNS
from bpeviz.tokenizer import encoder
from bpeviz.tokenizer.tiktoken_merger import SEPARATOR, TiktokenMerger
from tests.support.paths import SAMPLE_TEXTS
from tests.support.texts import ANY_TEXT, PARTING_TEXT, TIGHT_TEXTS
from tests.support.tokenizers import with_any_merges

Merged = tuple[list[int], list[int]]
ALL_BYTES = pytest.mark.parametrize("name", ["minbpe-basic", "minbpe", "huggingface", "rustbpe"])


def trained(name: str, texts: list[str], num_merges: int = 30) -> Tokenizer:
    return train_tokenizer(texts, name, num_merges=num_merges)


def merger_of(made: Tokenizer) -> TiktokenMerger | None:
    return TiktokenMerger.of(made.base, list(zip(made.merges, made.merge_token_ids, strict=True)))


def by_tiktoken(merger: TiktokenMerger, pre_tokens: list[str]) -> Merged:
    """The ids and gap ranks of pre-tokens, encoded as one text."""
    text, ends = "".join(pre_tokens), np.cumsum([len(p) for p in pre_tokens], dtype=np.int64)
    ids, gap_ranks = merger.encode_with_gap_ranks(text, ends)
    assert merger.encode(text, ends) == ids
    assert gap_ranks.dtype == np.int32
    return ids, gap_ranks.tolist()


def by_rank(made: Tokenizer, pre_tokens: list[str]) -> Merged:
    """The same by the tokenizer's own merging, pre-token by pre-token."""
    _, ids_of, gap_ranks = made._merge_all(pre_tokens)
    return [i for ids in ids_of for i in ids], gap_ranks.tolist()


def by_both(made: Tokenizer, pre_tokens: list[str]) -> Merged:
    """The result of tiktoken, after checking that the tokenizer has the same."""
    assert made._tiktoken_merger is not None
    without = [p for p in pre_tokens if SEPARATOR not in p]
    merged = by_tiktoken(made._tiktoken_merger, without)
    assert merged == by_rank(made, without)
    return merged


@cache
def gpt2() -> Tokenizer:
    return load_pretrained("gpt2")


def test_the_cat_in_the_hat_by_hand():
    made = trained("minbpe", ["the cat in the hat"], 3)
    merger = merger_of(made)
    assert merger is not None
    # t+h, th+e, a+t
    assert by_tiktoken(merger, ["the", " cat"]) == (
        [257, 32, 99, 258],
        [0, 1, WALL, NEVER, NEVER, 2, WALL],
    )


def test_pre_tokens_that_would_merge_across_their_border_do_not():
    made = trained("minbpe", ["the cat in the hat"], 3)
    assert by_both(made, ["t", "he", "a", "t"]) == ([116, 104, 101, 97, 116], [WALL, NEVER, WALL, WALL, WALL])


def test_an_empty_pre_token_has_no_tokens():
    merger = merger_of(gpt2())
    assert merger is not None
    assert by_tiktoken(merger, ["", "a", "", ""]) == ([64], [WALL])
    assert by_tiktoken(merger, []) == ([], [])


def test_ids_may_be_in_another_order_than_the_merges():
    """Merge 0 makes token 900, merge 1 token 300; the bytes begin at 10."""
    merges = [((10 + 97, 10 + 98), 900), ((900, 10 + 99), 300)]
    made = Tokenizer(ByteVocabulary(bytes(range(256)), first_id=10), merges, split=SPLIT_PATTERNS["none"])
    assert by_both(made, ["abc", "ab"]) == ([300, 900], [0, 1, WALL, 0, WALL])


@ALL_BYTES
@given(texts=TIGHT_TEXTS, other=ANY_TEXT)
def test_trained_tokenizers_merge_the_same(name, texts, other):
    made = trained(name, texts)
    by_both(made, [*texts, other])


@given(text=ANY_TEXT)
def test_gpt2_merges_the_same(text):
    by_both(gpt2(), gpt2().split.split(text))


@given(made=with_any_merges(), text=st.text("ab", min_size=1, max_size=30))
def test_any_merges_that_tiktoken_can_do_give_the_same_tokens(made, text):
    if merger := merger_of(made):
        assert by_tiktoken(merger, [text]) == by_rank(made, [text])


@pytest.mark.parametrize(
    ("why", "base", "pairs"),
    [
        ("bytes are missing", ByteVocabulary(bytes(range(255))), []),
        (
            "two merges spell one token",
            ByteVocabulary(bytes(range(256))),
            [(1, 2), (2, 3), (256, 3), (1, 257)],
        ),
        ("a merge is out of reach", ByteVocabulary(bytes(range(256))), [(2, 3), (1, 2), (257, 3)]),
    ],
)
def test_tokenizers_that_tiktoken_would_merge_otherwise_are_not_taken(why, base, pairs):
    assert TiktokenMerger.of(base, [(pair, 256 + i) for i, pair in enumerate(pairs)]) is None, why


def test_a_tokenizer_of_characters_is_not_taken():
    assert merger_of(trained("llms-from-scratch-simple", ["the cat"], 2)) is None


def test_a_token_of_thousands_of_merges_one_in_the_other_is_opened():
    depth = 3000
    merges = [((97, 98), 256), *(((255 + i, 99), 256 + i) for i in range(1, depth))]
    made = Tokenizer(ByteVocabulary(bytes(range(256))), merges, split=SPLIT_PATTERNS["none"])
    ids, _ = by_both(made, ["ab" + "c" * (depth - 1), "abcab"])
    assert ids[0] == 256 + depth - 1


@pytest.mark.parametrize("path", SAMPLE_TEXTS, ids=lambda path: path.name)
def test_samples_merge_the_same(path):
    text = path.read_text("utf-8")
    for made in (gpt2(), trained("huggingface", [text], 1000), trained("minbpe-basic", [text], 200)):
        by_both(made, list(dict.fromkeys(made.split.split(text))))


@pytest.mark.full
def test_every_line_of_the_standard_library_merges_the_same():
    """An encoding merges pre-token by pre-token, so each different one of all lines is merged once."""
    root = Path(sysconfig.get_path("stdlib"))
    paths = [path for path in root.rglob("*.py") if "site-packages" not in path.parts]
    lines = {line for path in paths for line in path.read_text("utf-8", "replace").splitlines(keepends=True)}
    assert len(lines) > 100_000
    pre_tokens = list(dict.fromkeys(p for line in lines for p in gpt2().split.split(line)))
    made = trained("huggingface", ["".join(sorted(lines)[::20])], 2000)
    for each in (gpt2(), made):
        by_both(each, pre_tokens)


HARD_TEXT = "The lighthouse keeper's words: weather, café, 灯台, 🚢.\n" * 20


@pytest.fixture
def in_bulk(monkeypatch):
    """Every text counts as a long one. Returns the texts that tiktoken has merged."""
    monkeypatch.setattr(encoder, "BULK_CHARACTERS", 1)
    merged: list[str] = []
    merge = TiktokenMerger._merge
    monkeypatch.setattr(TiktokenMerger, "_merge", lambda self, t, e: (merged.append(t), merge(self, t, e))[1])
    return merged


def check_bulk(made: Tokenizer, text: str) -> None:
    """Encoding in bulk, which must be set up, gives what encoding each pre-token gives."""
    ids, gap_ranks = made._encode_each([(text, None)])
    assert made.encode(text) == ids
    in_one_pass = made.encode_with_gap_ranks(text)
    assert in_one_pass[0] == ids
    np.testing.assert_array_equal(in_one_pass[1], gap_ranks)
    np.testing.assert_array_equal(made.gap_ranks(text), gap_ranks)
    pre_tokens = made.split.split(text)
    distinct = list(dict.fromkeys(pre_tokens))
    places = np.array([distinct.index(p) for p in pre_tokens], np.int64)
    np.testing.assert_array_equal(made.gap_ranks_of(distinct, places), gap_ranks)


def test_a_long_text_is_encoded_in_bulk_to_the_same_ids_and_gap_ranks(in_bulk):
    check_bulk(gpt2(), HARD_TEXT)
    assert in_bulk.count(HARD_TEXT) == 3


def test_a_text_that_holds_the_separator_is_encoded_all_the_same(in_bulk):
    check_bulk(gpt2(), HARD_TEXT + SEPARATOR + HARD_TEXT)
    assert in_bulk == []


def test_special_tokens_part_a_long_text(in_bulk):
    end = "<|endoftext|>"
    ids, gap_ranks = gpt2().encode_with_gap_ranks(f"the {end} cat{end}", allowed_special="all")
    assert [gpt2().token_bytes(i) for i in ids] == [b"the", b" ", end.encode(), b" cat", end.encode()]
    assert np.flatnonzero(gap_ranks == WALL).tolist() == [2, 3, 16, 20, 33]
    assert in_bulk == ["the ", " cat"]


@pytest.mark.usefixtures("in_bulk")
@given(text=PARTING_TEXT | ANY_TEXT)
def test_gpt2_encodes_any_text_the_same_in_bulk(text):
    check_bulk(gpt2(), text)


@pytest.mark.usefixtures("in_bulk")
@ALL_BYTES
@given(texts=TIGHT_TEXTS, other=PARTING_TEXT)
def test_trained_tokenizers_encode_any_text_the_same_in_bulk(name, texts, other):
    made = trained(name, [*texts, other])
    for text in (other, *texts):
        check_bulk(made, text)
