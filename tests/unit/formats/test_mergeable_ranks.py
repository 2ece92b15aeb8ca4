"""Merges recovered from ranks: by hand, then GPT-2's own, then those of tiktoken's other encodings."""

import threading

import pytest
import tiktoken
from hypothesis import example, given
from hypothesis import strategies as st

from bpeviz import load_pretrained, train_tokenizer
from bpeviz.core.base_vocabulary import ByteVocabulary
from bpeviz.errors import TokenizerFileError
from bpeviz.formats import pretrained
from bpeviz.formats.mergeable_ranks import all_halves, from_mergeable_ranks, halves
from bpeviz.formats.source import FaultError
from tests.support.texts import TIGHT_TEXTS
from tests.support.tokenizer_files import SINGLE_BYTES, rank_lines


def test_the_two_parts_of_a_token_by_hand():
    base, merges, unmade = from_mergeable_ranks({**SINGLE_BYTES, b"th": 256, b"he": 257, b"the": 258})
    assert base == ByteVocabulary(bytes(range(256)))
    assert merges == [((ord("t"), ord("h")), 256), ((ord("h"), ord("e")), 257), ((256, ord("e")), 258)]
    assert unmade == {}


def test_a_token_that_no_two_tokens_make_has_no_pair():
    _, merges, unmade = from_mergeable_ranks({**SINGLE_BYTES, b"abc": 256, b"bc": 257, b"xyz": 258})
    assert merges == [((97, 257), 256), ((98, 99), 257), (None, 258)]
    assert unmade == {258: b"xyz"}


def test_the_two_halves_of_a_token_of_characters_by_hand():
    ranks = {"日本": 0, "本語": 1, "日本語": 2, "語日本": 3, "a語日": 4}
    assert halves("日本", ranks) == ("日", "本")
    assert halves("日本語", ranks) == ("日本", "語")
    assert halves("語日本", ranks) == ("語", "日本")
    assert halves("a語日", ranks) is None


def test_ids_are_the_ranks_of_the_file_even_with_holes():
    assert from_mergeable_ranks({**SINGLE_BYTES, b"ab": 300})[1] == [((97, 98), 300)]


def test_the_merges_of_gpt2_come_back_from_its_ranks():
    gpt2 = load_pretrained("gpt2")
    ranks = {token: i for i, token in gpt2.vocabulary.items() if i != 50256}
    base, merges, _ = from_mergeable_ranks(ranks)
    assert base == gpt2.base
    assert merges == list(zip(gpt2.merges, gpt2.merge_token_ids, strict=True))


SHORT_TOKENS = st.lists(st.text("ab", min_size=2, max_size=7).map(str.encode), unique=True, max_size=14)


@given(tokens=SHORT_TOKENS)
@example(tokens=[b"ab", b"ba", b"aba", b"bab", b"abab"])  # several cuts make the last
@example(tokens=[b"bb", b"ab", b"abb", b"abbb"])  # no merge makes abb, but abbb is merged from it
@example(tokens=[b"ab", b"bab", b"bbb", b"bb", b"abbbb", b"abbbbab"])  # as bbb, a part of abbbb
def test_the_halves_of_all_tokens_are_those_of_each_by_brute_force(tokens):
    ranks = {token: rank for rank, token in enumerate([b"a", b"b", *tokens])}
    one_by_one = {token: two for token in tokens if (two := halves(token, ranks))}
    assert list(all_halves(ranks).items()) == list(one_by_one.items())


@given(texts=TIGHT_TEXTS)
def test_the_merges_of_a_trained_tokenizer_come_back_from_its_ranks(texts):
    made = train_tokenizer(texts, "minbpe", num_merges=30)
    ranks = {token: token_id for token_id, token in made.vocabulary.items()}
    merges = from_mergeable_ranks(ranks)[1]
    assert merges == list(zip(made.merges, made.merge_token_ids, strict=True))


@pytest.mark.parametrize(
    ("ranks", "why"),
    [
        ({b"a": 0}, "256 bytes"),
        ({**SINGLE_BYTES, b"\x00": 300}, "256 bytes"),
    ],
)
def test_ranks_that_are_no_byte_pair_encoding_are_refused(ranks, why):
    with pytest.raises(FaultError, match=why):
        from_mergeable_ranks(ranks)


# --- p50k_base, which tiktoken downloads; the machine that runs the tests has no network ------------------


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(pretrained, "_of_tiktoken", pretrained._of_tiktoken.__wrapped__)
    monkeypatch.setattr("tiktoken.registry.ENCODINGS", {})
    return tmp_path


def test_an_encoding_that_cannot_be_fetched_says_what_to_do(cache, monkeypatch):
    def refuse(*_):
        raise ConnectionError("no route")

    monkeypatch.setattr("tiktoken.load.read_file", refuse)
    with pytest.raises(TokenizerFileError, match=r"ConnectionError.*TIKTOKEN_CACHE_DIR") as caught:
        load_pretrained("p50k_base")
    assert "'p50k_base'" in caught.value.file_name


@pytest.mark.parametrize("name", ["p50k_base", "p50k"])
def test_every_name_of_an_encoding_says_what_to_do(cache, monkeypatch, name):
    monkeypatch.setattr("tiktoken.load.read_file", lambda *_: 1 / 0)
    with pytest.raises(TokenizerFileError, match=r"tiktoken.get_encoding\('p50k_base'\)"):
        load_pretrained(name)


@pytest.mark.full
def test_an_encoding_that_does_not_answer_is_given_up(cache, monkeypatch):
    waiting = threading.Event()
    monkeypatch.setattr("tiktoken.load.read_file", lambda *_: waiting.wait(10) and b"")
    monkeypatch.setattr(pretrained, "MOST_SECONDS", 0.05)
    with pytest.raises(TokenizerFileError, match="no answer within"):
        load_pretrained("p50k_base")
    waiting.set()


def test_p50k_is_gpt2_with_more_runs_of_spaces(cache, monkeypatch):
    """Its file is not here; the test makes ranks of the same form."""
    gpt2 = load_pretrained("gpt2")
    ranks = {token: i for i, token in gpt2.vocabulary.items() if i != 50256}
    runs = [b" " * n for n in range(2, 200) if b" " * n not in ranks][:24]
    ranks |= {run: 50257 + i for i, run in enumerate(runs)}
    monkeypatch.setattr("tiktoken.load.check_hash", lambda *_: True)
    pretrained._cached_file("p50k_base").write_text(rank_lines(ranks))
    p50k = load_pretrained("p50k")
    assert p50k.special_tokens == {"<|endoftext|>": 50256}
    assert (len(p50k), p50k.n_vocab, p50k.split.name) == (50281, 50281, "gpt2")
    theirs = tiktoken.get_encoding("p50k_base")
    for text in ("the cat", "    if x:\n        return", " " * 90 + "x", "a  b   c     d"):
        assert p50k.encode(text) == theirs.encode_ordinary(text)
