"""Encodings step by step: by hand, then GPT-2's, then against one that looks through all pairs."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpeviz import RECIPES, Tokenizer, load_pretrained, train_tokenizer
from bpeviz.core.base_vocabulary import ByteVocabulary
from bpeviz.errors import CorpusError, TokenizerError
from bpeviz.text.split_patterns import SPLIT_PATTERNS
from bpeviz.tokenizer.encoding import EncodingStep, PreTokenEncoding, encode_step_by_step, left_to_right
from tests.support.brute_force import encode_symbols
from tests.support.gpt2_of_tiktoken import END, reference
from tests.support.texts import training_and_other_text


def trained(name: str, texts: list[str], num_merges: int = 25, **settings) -> Tokenizer:
    return train_tokenizer(texts, name, num_merges=num_merges, **settings)


def states(tokenizer: Tokenizer, encoding: PreTokenEncoding) -> list[list[bytes | int | None]]:
    """For each state the tokens, with the rank of each pair between them."""
    rows = []
    for made in range(len(encoding.steps) + 1):
        ids, ranks = encoding.after(made)
        row: list[bytes | int | None] = [tokenizer.token_bytes(ids[0])]
        for token_id, rank in zip(ids[1:], ranks, strict=True):
            row += [rank, tokenizer.token_bytes(token_id)]
        rows.append(row)
    return rows


# --- by hand -------------------------------------------------------------------------------------------


def test_aaabdaaabac_by_hand():
    tokenizer = trained("minbpe-basic", ["aaabdaaabac"], 3)  # 256 aa, 257 aaa, 258 aaab
    (encoding,) = encode_step_by_step(tokenizer, "aaab")
    assert encoding == PreTokenEncoding(
        start=0,
        end=4,
        symbols=(97, 97, 97, 98),
        offsets=(0, 1, 2, 3, 4),
        ranks=(0, 0, None),
        steps=(
            EncodingStep(0, (97, 97), 256, 0, 1, 2, rank_before=None, rank_after=1),
            EncodingStep(1, (256, 97), 257, 0, 2, 3, rank_before=None, rank_after=2),
            EncodingStep(2, (257, 98), 258, 0, 3, 4, rank_before=None, rank_after=None),
        ),
    )
    assert states(tokenizer, encoding) == [
        [b"a", 0, b"a", 0, b"a", None, b"b"],
        [b"aa", 1, b"a", None, b"b"],
        [b"aaa", 2, b"b"],
        [b"aaab"],
    ]


def test_the_cat_in_the_hat_by_hand():
    tokenizer = trained("minbpe", ["the cat in the hat"], 4)  # th, the, at, ␣c
    text = "the cat"
    the, cat = encode_step_by_step(tokenizer, text)
    assert (the.start, the.end, cat.start, cat.end) == (0, 3, 3, 7)
    assert states(tokenizer, cat) == [
        [b" ", 3, b"c", None, b"a", 2, b"t"],
        [b" ", 3, b"c", None, b"at"],
        [b" c", None, b"at"],
    ]
    assert cat.token_offsets == (3, 5, 7)
    assert [*the.ids, *cat.ids] == tokenizer.encode(text)


def test_a_pre_token_of_one_symbol_has_nothing_to_consider():
    tokenizer = trained("minbpe", ["the cat"], 2)
    (encoding,) = encode_step_by_step(tokenizer, "x")
    assert (encoding.ids, encoding.ranks, encoding.steps) == ((120,), (), ())


def test_an_empty_text_has_no_pre_tokens():
    assert encode_step_by_step(trained("minbpe", ["ab ab"]), "") == []


def test_a_special_token_is_one_symbol_where_it_is_allowed():
    gpt2 = load_pretrained("gpt2")
    before, special, after = encode_step_by_step(gpt2, f"é{END}is", allowed_special="all")
    assert special == PreTokenEncoding(2, 15, (50256,), (2, 15), (), (), special=True)
    assert (before.start, before.end, after.start, after.end) == (0, 2, 15, 17)
    assert after.offsets == (15, 16, 17)
    assert not any(encoding.special for encoding in encode_step_by_step(gpt2, END))


def test_bytes_that_a_recipe_drops_are_before_the_first_symbol():
    tokenizer = trained("subword-nmt", ["low low lower"])
    low, space, lower = encode_step_by_step(tokenizer, "low lower")
    assert low.offsets[0] == 0
    assert (space.symbols, space.start, space.end, space.ids) == ((), 3, 4, ())
    assert lower.offsets[0] == 4
    assert b"".join(tokenizer.token_bytes(i) for i in low.ids) == b"low</w>"


def test_what_cannot_be_encoded_raises_as_encode_does():
    tokenizer = trained("course", ["ab ab"])
    with pytest.raises(TokenizerError, match="has no symbol for"):
        encode_step_by_step(tokenizer, "z")
    with pytest.raises(CorpusError, match="half of a surrogate pair"):
        encode_step_by_step(tokenizer, "\ud800")
    with pytest.raises(TokenizerError, match="has no special token"):
        encode_step_by_step(tokenizer, "ab", allowed_special=["<|other|>"])


def test_the_rank_of_a_pair_is_that_of_its_first_merge():
    base = ByteVocabulary(bytes(range(256)))
    merges = [((97, 98), 256), ((97, 97), 257), ((97, 98), 258)]
    tokenizer = Tokenizer(base, merges, split=SPLIT_PATTERNS["none"])
    assert [tokenizer.merge_rank(pair) for pair in ((97, 98), (97, 97), (98, 97))] == [0, 1, None]


def test_left_to_right_by_pre_token():
    tokenizer = trained("minbpe", ["the cat in the hat"], 4)  # th, the, at, ␣c
    text = "the that cat"
    encodings = encode_step_by_step(tokenizer, text)
    assert left_to_right(tokenizer, text, encodings) == [(257,), (32, 256, 258), (259, 258)]
    base = ByteVocabulary(bytes(range(256)))
    by_hand = Tokenizer(base, [((98, 99), 256), ((97, 98), 257)], split=SPLIT_PATTERNS["whitespace"])
    encodings = encode_step_by_step(by_hand, "bc abc")
    assert [encoding.ids for encoding in encodings] == [(256,), (32,), (97, 256)]
    assert left_to_right(by_hand, "bc abc", encodings) == [(256,), (32,), (257, 99)]


# --- GPT-2 ---------------------------------------------------------------------------------------------


def test_hotel_in_gpt2_as_in_the_docstring_of_the_module():
    gpt2 = load_pretrained("gpt2")
    (encoding,) = encode_step_by_step(gpt2, "hotel")
    assert states(gpt2, encoding) == [
        [b"h", 8617, b"o", 57, b"t", 404, b"e", 161, b"l"],
        [b"h", 8684, b"ot", 1002, b"e", 161, b"l"],
        [b"h", 8684, b"ot", None, b"el"],
        [b"hot", None, b"el"],
    ]


TEXTS = (
    "The lighthouse keeper unhappily weathered it: naïve cafés, 灯台, 🚢.",
    "if x == 1:\n\treturn <img src=x onerror=alert(1)>  # 1234567",
    "灯台の灯は台の下、灯台守は毎晩🚢と👩‍🚀を数えた。",
    "الكتاب على الطاولة",
)


@pytest.mark.parametrize("text", TEXTS)
def test_every_merge_of_gpt2_is_the_one_that_tiktoken_would_make(text):
    """tiktoken merges the two parts that together have the lowest rank in its own table of bytes."""
    gpt2 = load_pretrained("gpt2")
    ranks = {token: i for i, token in gpt2.vocabulary.items() if i != 50256}
    encodings = encode_step_by_step(gpt2, text)
    assert [i for encoding in encodings for i in encoding.ids] == reference().encode_ordinary(text)
    for encoding in encodings:
        for made, step in enumerate(encoding.steps):
            parts = [gpt2.token_bytes(i) for i in encoding.after(made)[0]]
            joined = [ranks.get(a + b, 1 << 30) for a, b in pairwise(parts)]
            assert step.token_id == min(joined)
            at = joined.index(min(joined))
            now = [gpt2.token_bytes(i) for i in encoding.after(made + 1)[0]]
            assert now == [*parts[:at], parts[at] + parts[at + 1], *parts[at + 2 :]]


def test_two_thousand_symbols_take_less_than_three_ranks_each():
    gpt2 = load_pretrained("gpt2")
    (encoding,) = encode_step_by_step(gpt2, "灯台守毎晩" * 134)
    assert len(encoding.symbols) > 2_000
    assert len(encoding.ranks) + 2 * len(encoding.steps) < 3 * len(encoding.symbols)


# --- against brute force -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", RECIPES)
@given(data=st.data())
def test_replaying_the_pairs_considered_gives_the_encoding(name, data):
    texts, text = data.draw(training_and_other_text())
    tokenizer = trained(name, texts)
    merges = list(zip(tokenizer.merges, tokenizer.merge_token_ids, strict=True))
    encodings = encode_step_by_step(tokenizer, text)
    for encoding in encodings:
        ids = list(encoding.symbols)
        ranks = list(encoding.ranks)
        for made, step in enumerate(encoding.steps):
            assert (ids, ranks) == ([*encoding.after(made)[0]], [*encoding.after(made)[1]])
            considered = [rank for rank in ranks if rank is not None]
            assert step.rank == min(considered)
            at = ranks.index(step.rank)  # the leftmost of the lowest
            assert step.pair == (ids[at], ids[at + 1]) == merges[step.rank][0]
            ids[at : at + 2] = [step.token_id]
            ranks = [tokenizer.merge_rank(pair) for pair in pairwise(ids)]
        assert ranks == [None] * (len(ids) - 1)
        expected, history = encode_symbols(encoding.symbols, merges)
        assert list(encoding.ids) == ids == expected
        assert [step.rank for step in encoding.steps] == [rank for rank, _ in history]
    assert [i for encoding in encodings for i in encoding.ids] == tokenizer.encode(text)
    assert [encoding.end for encoding in encodings[:-1]] == [encoding.start for encoding in encodings[1:]]


@pytest.mark.parametrize("name", RECIPES)
@given(data=st.data())
def test_the_tokens_of_a_pre_token_are_where_the_gap_ranks_say(name, data):
    texts, text = data.draw(training_and_other_text())
    tokenizer = trained(name, texts)
    gaps = tokenizer.gap_ranks(text)
    ends = [i + 1 for i, gap in enumerate(gaps.tolist()) if gap >= len(tokenizer.merges) and gap != 2**31 - 2]
    encodings = encode_step_by_step(tokenizer, text)
    assert [offset for encoding in encodings for offset in encoding.token_offsets[1:]] == ends


@pytest.mark.parametrize("name", RECIPES)
@given(data=st.data())
def test_left_to_right_in_order_is_what_the_encoder_gives(name, data):
    texts, text = data.draw(training_and_other_text())
    tokenizer = trained(name, texts)
    encodings = encode_step_by_step(tokenizer, text)
    other = left_to_right(tokenizer, text, encodings)
    assert [i for ids in other for i in ids] == tokenizer.encode(text, order="left-to-right")
    for encoding, ids in zip(encodings, other, strict=True):
        assert spelled(tokenizer, ids) == spelled(tokenizer, encoding.ids)


def spelled(tokenizer: Tokenizer, ids: tuple[int, ...]) -> bytes:
    return b"".join(map(tokenizer.token_bytes, ids))
