"""The words that change: by hand, then any texts against plain counting."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpeviz import load_pretrained, train_tokenizer
from bpeviz.analysis.compare import tokenize
from bpeviz.analysis.word_changes import WordChange, word_changes
from bpeviz.errors import CorpusError
from tests.support.texts import ANY_TEXT, TIGHT_TEXTS

BYTES = train_tokenizer(["x"], "minbpe", num_merges=0)
#: hu, hug, ␣hug
HUG = train_tokenizer([" hug" * 9], "minbpe", num_merges=3)


def test_two_words_by_hand() -> None:
    found = word_changes(["a hug hug, pug", " hug"], BYTES, HUG)
    assert found.words == (WordChange("hug", 3, 12, 3, (b" ", b"h", b"u", b"g"), (b" hug",)),)
    assert (found.a, found.b) == (18, 9)
    assert found.word_total == 6  # a, hug, hug, the comma, pug, hug


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("low,  lower\n", ["low", ",", " ", "lower", "\n"]),
        ("snake_case(x)", ["snake_case", "(", "x", ")"]),
        ("文字が", ["文字", "が"]),
        ("don't", ["don", "'", "t"]),
    ],
)
def test_what_a_word_is(text: str, words: list[str]) -> None:
    """All that a token for each word would change."""
    assert word_changes([text], BYTES, BYTES).word_total == len(words)


def test_nothing_changes_between_a_tokenizer_and_itself() -> None:
    found = word_changes(["the cat", "in the hat"], HUG, HUG)
    assert (found.words, found.a) == ((), found.b)
    assert word_changes([], BYTES, HUG).words == ()
    assert word_changes([""], BYTES, HUG).word_total == 0


def test_from_gpt2_to_o200k() -> None:
    gpt2, o200k = load_pretrained("gpt2"), load_pretrained("o200k_base")
    found = word_changes(["größer und größer"], gpt2, o200k)
    assert [(each.word, each.count, each.change) for each in found.words] == [("größer", 2, -5)]


def test_half_a_surrogate_pair_is_refused() -> None:
    with pytest.raises(CorpusError):
        word_changes(["\ud800"], BYTES, HUG)


@given(TIGHT_TEXTS | st.lists(ANY_TEXT, max_size=3), st.integers(0, 30))
def test_the_tokens_of_all_words_are_those_of_the_texts(texts: list[str], num_merges: int) -> None:
    trained = train_tokenizer([*texts, "x"], "minbpe", num_merges=num_merges)
    found = word_changes(texts, BYTES, trained)
    assert found.a == sum(len(BYTES.encode(text)) for text in texts)
    assert found.b == sum(len(trained.encode(text)) for text in texts)
    assert sum(each.change for each in found.words) == found.b - found.a
    sizes = [abs(each.change) for each in found.words]
    assert sizes == sorted(sizes, reverse=True)
    for each in found.words:
        assert each.cut_a != each.cut_b
        for cut in (each.cut_a, each.cut_b):
            assert each.word.encode("utf-8") in b"".join(cut)
            assert any(b"".join(cut) in text.encode("utf-8") for text in texts)
        assert any(each.word in text for text in texts)
        assert tokenize(each.word, BYTES).token_total == len(each.word.encode("utf-8"))
