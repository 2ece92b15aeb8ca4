import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpeviz.text import token_text
from bpeviz.text.token_text import count_characters, hex_bytes, visible


@pytest.mark.parametrize(
    ("token", "shown"),
    [
        (b" the", "␣the"),
        (b"\n\t\r", "⏎⇥␍"),
        ("灯台".encode(), "灯台"),
        (b"\xe3\x81", "E3 81"),
        (b" \xf0\x9f", "20 F0 9F"),
        (b"\x00", "\\u0000"),
        ("a\u202eb".encode(), "a\\u202eb"),
        ("\u0301".encode(), "◌\u0301"),
        (b"<b>&amp;", "<b>&amp;"),
        (b"", ""),
    ],
)
def test_every_byte_of_a_token_shows(token: bytes, shown: str) -> None:
    assert visible(token) == shown


def test_a_long_token_loses_its_middle() -> None:
    assert visible(b"x" * 20 + b"y" * 20 + b"z" * 20, limit=9) == "xxxx…zzzz"


@pytest.mark.parametrize("unit", ["a", "\u0301\u202e", "灯\n", "\U0001f6a2"])
def test_only_the_ends_of_a_long_token_are_written_out(unit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[str] = []
    one_by_one = token_text._visible_character
    monkeypatch.setattr(token_text, "_visible_character", lambda c: looked.append(c) or one_by_one(c))
    shown = visible((unit * 100_000).encode(), limit=40)
    assert shown == visible((unit * 100).encode(), limit=40)
    assert len(shown) == 39
    assert len(looked) < 400


def test_the_ends_of_long_bytes_show_in_hexadecimal() -> None:
    token = b"\xe3" + b"\x81" * 1_000_000 + b"\x82"
    assert visible(token) == visible(b"\xe3" + b"\x81" * 100 + b"\x82")
    assert hex_bytes(token, limit=4) == "E3 81 … 81 82"
    assert hex_bytes(token, limit=3) == "E3 81 … 82"
    assert hex_bytes(b"\xe3\x81\x82", limit=3) == "E3 81 82"


def test_a_character_counts_where_it_begins() -> None:
    assert [count_characters("aé日🙂".encode()[:end]) for end in range(11)] == [
        0,
        1,
        2,
        2,
        3,
        3,
        3,
        4,
        4,
        4,
        4,
    ]


@given(st.text(st.characters(codec="utf-8")))
def test_the_characters_of_a_text_are_counted(text: str) -> None:
    assert count_characters(text.encode()) == len(text)


def test_hex_bytes_are_pairs_of_capital_digits() -> None:
    assert hex_bytes(b"\x00\xaf") == "00 AF"


@given(st.binary())
def test_visible_text_is_one_printable_line(token: bytes) -> None:
    shown = visible(token)
    assert shown.isprintable()
    assert len(shown) <= 40
