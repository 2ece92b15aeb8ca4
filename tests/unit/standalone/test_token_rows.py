"""Tokens in colour: in notebooks as HTML, in terminals with escape codes."""

import re
from html.parser import HTMLParser

import pytest

from bpeviz import Corpus, Trainer, compare, load_pretrained
from bpeviz.standalone.token_rows import MOST_TOKENS, Row, tokens_html, tokens_in_terminal
from bpeviz.text.token_text import token_hue
from bpeviz.tokenizer.encoded_text import EncodedText, no_ranks
from bpeviz.tokenizer.tokenizer import Tokenizer

HOSTILE = "</span><script>alert(1)</script>\"'&<img src=x onerror=alert(1)>\x1b[31m\n日本語"


class Parts(HTMLParser):
    """The tags of HTML, and the text and title of each token."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.tokens: list[tuple[str, str, str]] = []
        self.words: list[str] = []
        self._inside: dict[str, str | None] | None = None
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self._inside = dict(attrs) if tag == "span" else None

    def handle_endtag(self, tag: str) -> None:
        self._inside = None

    def handle_data(self, data: str) -> None:
        if self._inside is None:
            self.words.append(data)
        else:
            self.tokens.append((data, str(self._inside["title"]), str(self._inside["style"])))


def three_merges() -> Tokenizer:
    trainer = Trainer(Corpus.from_text("aaabdaaabac", "none"), "minbpe-basic", num_merges=3)
    list(trainer.steps())
    return trainer.tokenizer()


def html_of(shown: object) -> str:
    html = shown._repr_html_()  # type: ignore[attr-defined]
    assert isinstance(html, str)
    return html


def test_the_tokens_of_a_text_with_ids_bytes_and_colours() -> None:
    parts = Parts(html_of(three_merges().encode_text("aaabdaaabac")))
    assert [(text, title) for text, title, _ in parts.tokens] == [
        ("aaab", "id 258: 61 61 61 62"),
        ("d", "id 100: 64"),
        ("aaab", "id 258: 61 61 61 62"),
        ("a", "id 97: 61"),
        ("c", "id 99: 63"),
    ]
    assert all(f"hsl({token_hue(text.encode())} " in style for text, _, style in parts.tokens)


def test_a_special_token_and_parts_of_a_character_are_shown() -> None:
    gpt2 = load_pretrained("gpt2")
    encoded = gpt2.encode_text("日<|endoftext|>", allowed_special="all")
    assert [text for text, *_ in Parts(html_of(encoded)).tokens] == ["E6 97", "A5", "<|endoftext|>"]


def test_a_line_of_the_text_begins_a_line() -> None:
    html = html_of(load_pretrained("gpt2").encode_text("a\n\nb"))
    assert re.sub(r"<span[^>]*>|</span>|<div[^>]*>|</div>", "", html) == "a⏎<br>⏎<br>b"


def test_a_comparison_has_a_row_for_each_side() -> None:
    gpt2, ours = load_pretrained("gpt2"), three_merges()
    parts = Parts(html_of(compare("aaabac", ours, gpt2)))
    assert parts.words == ["A: 3 tokens", f"B: {len(gpt2.encode('aaabac'))} tokens"]
    shown = [text for text, *_ in parts.tokens]
    assert shown == ["aaab", "a", "c", *(gpt2.token_bytes(i).decode() for i in gpt2.encode("aaabac"))]


def test_of_a_long_text_the_first_tokens_are_shown_and_the_others_counted() -> None:
    html = html_of(load_pretrained("gpt2").encode_text(" a" * (MOST_TOKENS + 1)))
    parts = Parts(html)
    assert (len(parts.tokens), parts.words[-1]) == (MOST_TOKENS, " … and 1 token more")
    assert "more" not in html_of(load_pretrained("gpt2").encode_text(" a" * MOST_TOKENS))


def test_a_text_stays_text() -> None:
    parts = Parts(html_of(load_pretrained("gpt2").encode_text(HOSTILE)) + tokens_html([Row(HOSTILE, [])]))
    assert parts.tags <= {"div", "span", "br"}
    assert "<script>alert(1)</script>" in "".join(parts.words)


def test_no_tokens_are_no_error() -> None:
    assert Parts(html_of(three_merges().encode_text(""))).tokens == []


def test_a_text_that_does_not_know_its_tokenizer_is_shown_as_its_repr() -> None:
    assert EncodedText([97], no_ranks())._repr_html_() is None


@pytest.mark.parametrize("name", ["", "mine"])
def test_a_terminal_gets_each_token_on_its_colour_and_no_code_of_the_text(name: str) -> None:
    tokens = [(1, b"ab"), (1, b"ab"), (2, b"\x1b[31m\n"), (3, b"c")]
    written = "".join(tokens_in_terminal(Row(name, tokens)))
    title = "mine: 4 tokens\n" if name else ""
    assert re.sub(r"\x1b\[[0-9;]*m", "", written) == f"{title}abab\\u001b[31m⏎\nc\n"
    codes = re.findall(r"\x1b\[([0-9;]*)m", written)
    assert codes[1::2] == ["0"] * 4
    assert all(re.fullmatch(r"38;2;0;0;0;48;2;\d+;\d+;\d+", code) for code in codes[::2])
    assert codes[0] != codes[2]  # equal neighbours are apart
