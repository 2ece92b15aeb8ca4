import pytest

from bpeviz.ui.kit.words import escape


@pytest.mark.parametrize("text", ["plain words", "Grüße 灯台", ""])
def test_letters_stay_as_they_are(text: str) -> None:
    assert escape(text) == text


def test_all_markup_is_taken_literally() -> None:
    assert escape("![x](a/b) :red[b] $c$ `d` <e> *f*") == (
        r"\!\[x\]\(a\/b\) \:red\[b\] \$c\$ \`d\` \<e\> \*f\*"
    )


def test_a_newline_cannot_start_a_heading() -> None:
    assert escape("a\n# b") == r"a \# b"


@pytest.mark.parametrize(
    ("address", "seen"),
    [
        ("http://a.example/x", "http\u2060\\:\\/\\/a\\.example\\/x"),
        ("HTTPS://a.example", "HTTP\u2060S\\:\\/\\/a\\.example"),
        ("www.a.example", "www\u2060\\.a\\.example"),
        ("me@a.example", "me\u2060\\@a\\.example"),
    ],
)
def test_an_address_is_no_link(address: str, seen: str) -> None:
    assert escape(address) == seen


@pytest.mark.parametrize("text", ["@ 5", "http is", "a @b", "wwww"])
def test_what_is_no_address_gets_nothing_unseen(text: str) -> None:
    assert "\u2060" not in escape(text)
