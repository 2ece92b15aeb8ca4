import pytest

from bpeviz.ui.markdown import escape


@pytest.mark.parametrize("text", ["plain words", "Grüße 灯台", ""])
def test_letters_stay_as_they_are(text: str) -> None:
    assert escape(text) == text


def test_all_markup_is_taken_literally() -> None:
    assert escape("![x](http://a) :red[b] $c$ `d` <e> *f*") == (
        r"\!\[x\]\(http\:\/\/a\) \:red\[b\] \$c\$ \`d\` \<e\> \*f\*"
    )


def test_a_newline_cannot_start_a_heading() -> None:
    assert escape("a\n# b") == r"a \# b"
