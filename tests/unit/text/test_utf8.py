"""UTF-8 text from strings, from bytes, and from files that are read in parts of any length."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpeviz.errors import CorpusError
from bpeviz.text.utf8 import check_text, decode_parts, decode_utf8
from tests.support.texts import ANY_TEXT


@pytest.fixture(params=[1, 3, 1_000_000], autouse=True)
def _part(request, monkeypatch):
    """Every test here runs with parts that cut every character, and with one part."""
    monkeypatch.setattr("bpeviz.text.utf8.PART", request.param)


def test_a_lone_surrogate_is_named_with_its_place():
    with pytest.raises(CorpusError, match="half of a surrogate pair") as caught:
        check_text("日本\ud800x")
    assert "Character 2 is U+D800" in str(caught.value)


def test_only_a_string_is_a_text():
    with pytest.raises(CorpusError, match="not bytes; decode bytes first"):
        check_text(b"ab")


def test_a_byte_that_is_not_utf8_is_named_with_its_place():
    data = "日".encode() + b"ab\xffc"
    for decode in (decode_utf8, lambda data, name: list(decode_parts(io.BytesIO(data), name))):
        with pytest.raises(CorpusError, match="is not UTF-8") as caught:
            decode(data, "a.txt")
        assert str(caught.value).startswith("a.txt is not UTF-8: the byte at offset 5 ")


def test_a_character_that_is_cut_off_by_the_end_is_named_with_its_start():
    with pytest.raises(CorpusError, match="is not UTF-8") as caught:
        list(decode_parts(io.BytesIO("a日".encode()[:-1]), "a.txt"))
    assert "the byte at offset 1 " in str(caught.value)


@given(text=ANY_TEXT)
def test_the_parts_joined_are_the_text(text):
    assert "".join(decode_parts(io.BytesIO(text.encode()), "a.txt")) == text == decode_utf8(text.encode(), "")
    check_text(text)


@given(data=st.binary(max_size=12))
def test_invalid_bytes_are_replaced_the_same_way_in_parts_and_at_once(data):
    data = b"the cat " + data  # the first bytes may say another encoding, or that it is no text
    parts = decode_parts(io.BytesIO(data), "a.txt", "replace")
    assert "".join(parts) == decode_utf8(data, "a.txt", "replace") == data.decode("utf-8", "replace")
