"""Special tokens found in texts: as an alternation of them, longest first, finds them, in time that does not
grow with their number."""

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpeviz.formats import bounds
from bpeviz.formats.source import FaultError
from bpeviz.text.special_tokens import MOST_IN_TURN, SpecialTokenFinder

TOKENS = st.lists(st.text("ab<", max_size=5), max_size=8, unique=True)


def by_alternation(tokens: list[str], text: str) -> list[tuple[str, bool]]:
    tokens = sorted(filter(None, tokens), key=len, reverse=True)
    if not tokens:
        return [(text, False)] if text else []
    parts = re.split(f"({'|'.join(map(re.escape, tokens))})", text)
    return [(part, i % 2 == 1) for i, part in enumerate(parts) if part]


#: With these, tokens are no longer tried one after the other.
MANY = [f"\ue000{i}" for i in range(MOST_IN_TURN)]


@given(tokens=TOKENS, text=st.text("ab<", max_size=40))
def test_the_longest_token_at_the_first_place_is_found(tokens, text):
    for given_tokens in (tokens, [*tokens, *MANY]):
        assert list(SpecialTokenFinder(given_tokens).cut(text)) == by_alternation(tokens, text)


@given(tokens=st.lists(st.text(max_size=3), max_size=8), texts=st.lists(st.text(max_size=3), max_size=8))
def test_any_characters(tokens, texts):
    text = "".join(texts + tokens)
    assert list(SpecialTokenFinder({*tokens}).cut(text)) == by_alternation(tokens, text)
    many = [*tokens, *MANY]
    assert list(SpecialTokenFinder({*many}).cut(text)) == by_alternation(many, text)


@pytest.mark.parametrize(
    ("last", "as_text", "text", "found"),
    [
        ([], [], "<a>b", ["<a>"]),
        (["<a>"], [], "<a>b", [">b"]),  # >b is found first
        ([], ["<a>"], "<a>b", []),  # > is inside <a>, which stays text
        (["<a>"], ["<a>"], "<a>b", [">b"]),
        ([">b"], ["<a>"], "<a>b", [">b"]),  # another search
        ([], ["<a>", ">b"], "<a>>b", [">b"]),  # what is looked for is no text
    ],
)
def test_some_are_found_between_the_others_and_some_stay_text(last, as_text, text, found):
    tokens = [">b"] if as_text else ["<a>", ">b"]
    finder = SpecialTokenFinder(tokens, last=last, as_text=as_text)
    assert [part for part, special in finder.cut(text) if special] == found


def seconds(tokens: list[str], text: str) -> float:
    start = time.process_time()
    finder = SpecialTokenFinder(tokens)
    assert "".join(part for part, _ in finder.cut(text)) == text
    return time.process_time() - start


@pytest.mark.full
def test_thousands_of_tokens_take_hardly_longer_than_ten():
    tokens = [f"<|reserved {i}|>" for i in range(20_000)]
    text = "<|reserved 17|> <|reserved a b c <" * 2_000
    assert seconds(tokens, text) < 10 * (seconds(tokens[:10], text) + 0.1)


@pytest.mark.full
def test_tokens_within_tokens_take_no_time_with_the_square_of_their_number():
    nested = ["a" * n for n in range(1, 1_000)]
    with_ends = [f"aaa{'b' * n}" for n in range(1, 1_000)]
    assert list(SpecialTokenFinder(nested).cut("a" * 1_500)) == [("a" * 999, True), ("a" * 501, True)]
    assert seconds([*nested, *with_ends], f"{'aaab' * 500}{'a' * 3_000}c" * 5) < 5


def test_a_special_token_of_a_file_is_not_longer_than_can_be_looked_for_everywhere():
    """Wherever one may begin so many characters are compared: of a million, a million times."""
    limit = bounds.MAX_SPECIAL_LENGTH
    bounds.check_special_tokens(["a" * limit])
    with pytest.raises(FaultError, match=f"has {limit + 1:,} characters; at most {limit:,} are read"):
        bounds.check_special_tokens(["b", "a" * (limit + 1)])
