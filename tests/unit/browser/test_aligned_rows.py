"""Rows of tokens under each other: by hand, then any tokenizers on any text."""

from hypothesis import given
from hypothesis import strategies as st

from bpeviz import load_pretrained, train_tokenizer
from bpeviz.analysis.compare import compare
from bpeviz.browser.aligned_rows import AlignedRow, AlignedToken, aligned_rows
from tests.support.texts import ANY_TEXT, TIGHT_TEXT
from tests.support.tokenizers import with_any_merges

ROWS = st.lists(with_any_merges(), min_size=1, max_size=4)


def shown(text, tokenizers):
    """Each row as its tokens; ! marks a token that differs, and a number says how many pieces it spans."""

    def written(token):
        return f"{token.spelled.decode()}{token.pieces}{'!' if token.differs else ''}"

    return [" ".join(map(written, row.tokens)) for row in aligned_rows(text, tokenizers).rows]


def test_three_rows_by_hand():
    """After 3, 1 and 0 merges of aa, aaa and aaab: d is a token of all, and the last a and c too."""
    aaab = train_tokenizer("aaabdaaabac", "minbpe-basic", num_merges=3)
    assert shown("aaabdaac", [aaab, aaab.after(1), aaab.after(0)]) == [
        "aaab4! d1 aa2! c1",
        "aa2! a1! b1! d1 aa2! c1",
        "a1! a1! a1! b1! d1 a1! a1! c1",
    ]


def test_rows_that_agree_have_no_difference():
    gpt2 = load_pretrained("gpt2")
    assert shown("the cat", [gpt2, gpt2]) == ["the1  cat1", "the1  cat1"]


def test_a_character_in_several_tokens_spans_as_many_pieces():
    o200k, gpt2 = load_pretrained("o200k_base"), load_pretrained("gpt2")
    rows = aligned_rows("灯", [o200k, gpt2]).rows
    assert rows[0].tokens == (AlignedToken("灯".encode(), len(rows[1].tokens), True),)
    assert b"".join(token.spelled for token in rows[1].tokens) == "灯".encode()


def test_dropped_bytes_belong_to_the_token_after_them():
    """subword-nmt drops spaces."""
    words = train_tokenizer("ab ab", "subword-nmt", num_merges=2)
    assert shown("ab ab", [words, words]) == ["ab1  ab1"] * 2


def test_an_empty_text_has_empty_rows():
    assert aligned_rows("", [load_pretrained("gpt2")] * 2).rows == (AlignedRow((), 0),) * 2


@given(ROWS, ANY_TEXT | TIGHT_TEXT)
def test_every_row_is_the_whole_text_in_all_pieces(tokenizers, text):
    aligned = aligned_rows(text, tokenizers)
    assert len(aligned.rows) == len(tokenizers)
    for row, tokenizer in zip(aligned.rows, tokenizers, strict=True):
        assert b"".join(token.spelled for token in row.tokens) == text.encode()
        assert len(row.tokens) == row.token_total == len(tokenizer.encode(text))
        assert sum(token.pieces for token in row.tokens) == aligned.pieces


@given(with_any_merges(), with_any_merges(), ANY_TEXT | TIGHT_TEXT)
def test_the_stretches_that_differ_are_the_disagreements_of_two(a, b, text):
    stretches = compare(text, a, b).disagreements(text, most=1_000)
    found = aligned_rows(text, [a, b]).rows[0].tokens
    differing = sum(len(token.spelled) for token in found if token.differs)
    assert differing == sum((d.end - d.start) * d.count for d in stretches)
