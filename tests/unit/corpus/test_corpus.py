"""The corpus: pre-tokens counted in first-seen order, and inputs that it refuses."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given

from bpeviz import Corpus, custom_split_pattern
from bpeviz.errors import CorpusError, SplitPatternError
from bpeviz.text.split_patterns import SPLIT_PATTERNS, split
from bpeviz.text.utf8 import check_text, decode_utf8
from tests.support.texts import ANY_TEXT, TIGHT_TEXTS


def test_the_cat_in_the_hat_by_hand():
    corpus = Corpus.from_text("the cat in the hat, the cat", "gpt2")
    assert list(corpus.counts.items()) == [
        ("the", 1),
        (" cat", 2),
        (" in", 1),
        (" the", 2),
        (" hat", 1),
        (",", 1),
    ]
    assert corpus.pre_tokens == ("the", " cat", " in", " the", " hat", ",")
    assert corpus.pre_token_total == 8
    assert corpus.byte_total == 27
    assert corpus.split is SPLIT_PATTERNS["gpt2"]


def test_a_character_counts_all_its_bytes():
    assert Corpus.from_text("é日🙂", "none").byte_total == 2 + 3 + 4


def test_no_pre_token_crosses_from_one_text_to_the_next():
    assert dict(Corpus.from_texts(["ab", "cd", "ab"], "none").counts) == {"ab": 2, "cd": 1}
    assert dict(Corpus.from_text("abcdab", "none").counts) == {"abcdab": 1}


def test_a_custom_pattern_cuts_a_corpus():
    corpus = Corpus.from_text("a-b-a", custom_split_pattern(r"\w|-"))
    assert dict(corpus.counts) == {"a": 2, "-": 2, "b": 1}


def test_a_corpus_of_nothing_is_empty():
    for corpus in (
        Corpus.from_text(""),
        Corpus.from_texts([]),
        Corpus.from_files([]),
        Corpus.from_counts({}),
    ):
        assert dict(corpus.counts) == {}
        assert (corpus.pre_tokens, corpus.byte_total, corpus.pre_token_total) == ((), 0, 0)


def test_a_corpus_cannot_be_changed():
    counts = {"ab": 1}
    corpus = Corpus.from_counts(counts)
    counts["cd"] = 5
    assert dict(corpus.counts) == {"ab": 1}
    with pytest.raises(TypeError):
        corpus.counts["ab"] = 2


@given(texts=TIGHT_TEXTS)
def test_the_counts_are_those_of_the_pre_tokens_in_first_seen_order(texts):
    for name in SPLIT_PATTERNS:
        corpus = Corpus.from_texts(iter(texts), name)
        pre_tokens = [p for text in texts for p in split(text, name)]
        assert list(corpus.counts.items()) == list(Counter(pre_tokens).items())
        assert corpus.pre_token_total == len(pre_tokens)
        assert corpus.byte_total == sum(len(text.encode()) for text in texts)
        assert Corpus.from_counts(corpus.counts, name) == corpus


def test_an_unknown_split_pattern_is_refused():
    with pytest.raises(SplitPatternError):
        Corpus.from_text("ab", "gpt5")


# --- counts --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "count",
    [
        *(0, -1, 1.0, "1", None, True, float("nan")),
        *(np.float64(3), np.bool_(True), np.int64(0), np.array([1, 2])),
        pytest.param(-(10**5000), id="a number that Python does not write out"),
    ],
)
def test_a_count_that_is_no_whole_number_of_at_least_1_is_refused(count):
    with pytest.raises(CorpusError, match="whole number of at least 1"):
        Corpus.from_counts({"ab": count})


@pytest.mark.parametrize("pre_token", ["", b"ab", 1, None])
def test_a_pre_token_that_is_no_text_is_refused(pre_token):
    with pytest.raises(CorpusError, match="not empty"):
        Corpus.from_counts({pre_token: 1})


# --- files ---------------------------------------------------------------------------------------------


def test_each_file_is_a_separate_text(tmp_path):
    for name, text in (("a.txt", "the cat"), ("b.txt", " in the hat\n")):
        (tmp_path / name).write_bytes(text.encode())
    paths = [tmp_path / "a.txt", str(tmp_path / "b.txt")]
    assert Corpus.from_files(paths) == Corpus.from_texts(["the cat", " in the hat\n"])


def test_line_ends_are_kept(tmp_path):
    path = tmp_path / "dos.txt"
    path.write_bytes(b"a\r\nb")
    assert Corpus.from_files([path], "none").pre_tokens == ("a\r\nb",)


@pytest.mark.parametrize("errors", ["ignore", 7, None])
def test_what_to_do_with_invalid_bytes_is_one_of_two_words(errors):
    for pattern in (None, "gpt2"):
        with pytest.raises(CorpusError, match='errors is "strict" or "replace", not'):
            _ = Corpus.from_files([__file__], pattern, errors=errors).counts


def test_a_file_that_is_not_utf8_names_the_first_invalid_byte(tmp_path):
    path = tmp_path / "latin1.txt"
    path.write_bytes("é caf".encode() + "é".encode("latin-1"))
    with pytest.raises(CorpusError, match="is not UTF-8") as caught:
        Corpus.from_files([path], "gpt2")
    assert str(caught.value).startswith(f"{path} is not UTF-8: the byte at offset 6 ")


def test_invalid_bytes_can_be_replaced(tmp_path):
    path = tmp_path / "latin1.txt"
    path.write_bytes(b"caf\xe9")
    assert Corpus.from_files([path], errors="replace").pre_tokens == ("caf", "\ufffd")


def test_a_file_that_cannot_be_read_is_refused(tmp_path):
    for path in (tmp_path / "missing.txt", tmp_path):
        with pytest.raises(CorpusError, match="cannot be read") as caught:
            Corpus.from_files([path])
        assert str(path) in str(caught.value)


# --- text ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "make",
    [
        Corpus.from_text,
        lambda text: Corpus.from_texts(["ab", text]),
        check_text,
        lambda text: Corpus.from_counts({text: 1}),
    ],
)
@pytest.mark.parametrize(
    ("text", "position", "code_point"), [("🙂\udc00", 1, 0xDC00), ("ab\ud83d", 2, 0xD83D)]
)
def test_half_of_a_surrogate_pair_is_refused(make, text, position, code_point):
    with pytest.raises(CorpusError, match="half of a surrogate pair") as caught:
        make(text)
    assert f"Character {position} is U+{code_point:04X}" in str(caught.value)


@given(text=ANY_TEXT)
def test_every_other_text_is_taken(text):
    check_text(text)
    assert decode_utf8(text.encode(), "a.txt") == text
    assert Corpus.from_text(text, "none").byte_total == len(text.encode())


def test_one_text_in_place_of_several_is_refused():
    with pytest.raises(CorpusError, match="use from_text"):
        Corpus.from_texts("abc")


def test_bytes_are_no_text():
    with pytest.raises(CorpusError, match="not bytes; decode bytes first"):
        Corpus.from_text(b"abc")
