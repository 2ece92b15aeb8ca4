"""One hue for the same bytes. tests/browser/player/test_text.py proves that the browser's is the same."""

from bpeviz.text.token_text import token_hue


def test_a_hue_is_a_degree_that_depends_on_bytes_and_length_alone():
    assert {type(token_hue(token)) for token in (b"", b"a", b"\xff" * 9_000)} == {int}
    assert all(0 <= token_hue(bytes([n])) < 360 for n in range(256))
    assert token_hue(b"the") == token_hue(bytes([0x74, 0x68, 0x65]))


def test_single_bytes_are_spread_over_the_colours():
    hues = {token_hue(bytes([n])) for n in range(256)}
    assert len(hues) > 150


def test_a_token_that_goes_on_is_another_colour():
    assert token_hue(b"a") != token_hue(b"aa")
    assert token_hue(b"a" * 5_000) != token_hue(b"a" * 5_001)  # the bytes that count are equal
