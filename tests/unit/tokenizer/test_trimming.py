"""A tokenizer without some tokens: by hand, then against brute force, then against the rule of ranks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpeviz import RECIPES, Tokenizer, load_pretrained, train_tokenizer
from bpeviz.core.base_vocabulary import ByteVocabulary
from bpeviz.errors import TokenizerError
from bpeviz.formats.mergeable_ranks import from_mergeable_ranks
from bpeviz.text.split_patterns import SPLIT_PATTERNS
from bpeviz.tokenizer.trimming import Trimming
from tests.support.brute_force import encode_symbols
from tests.support.tokenizers import with_any_merges

BYTES = ByteVocabulary(bytes(range(256)))
WHOLE_TEXTS = SPLIT_PATTERNS["none"]


def bytes_of(tokenizer: Tokenizer, ids) -> set[bytes]:
    return {tokenizer.token_bytes(i) for i in ids}


def tokens(tokenizer: Tokenizer, text: str) -> list[bytes]:
    return [tokenizer.token_bytes(i) for i in tokenizer.encode(text)]


def then() -> Tokenizer:
    """th, the, then, an, and a special token."""
    merges = [((116, 104), 256), ((256, 101), 257), ((257, 110), 258), ((97, 110), 259)]
    return Tokenizer(BYTES, merges, split=WHOLE_TEXTS, special_tokens=["<s>"])


def from_ranks(*words: bytes) -> Tokenizer:
    """The tokenizer that tiktoken makes of 256 bytes and these tokens."""
    ranks = {bytes([i]): i for i in range(256)} | {word: 256 + i for i, word in enumerate(words)}
    base, merges, unmade = from_mergeable_ranks(ranks)
    return Tokenizer(base, merges, split=WHOLE_TEXTS, unmade=unmade)


# --- by hand -------------------------------------------------------------------------------------------


def test_what_needs_a_dropped_token_falls_and_the_ids_close_up():
    left = then().without(["the"])
    assert left.vocabulary.keys() - {*range(256)} == {256, 257, 258}
    assert [left.token_bytes(i) for i in (256, 257, 258)] == [b"th", b"an", b"<s>"]
    assert left.special_tokens == {"<s>": 258}
    assert tokens(left, "then an") == [b"th", b"e", b"n", b" ", b"an"]


def test_with_holes_each_token_keeps_its_id():
    left = then().without([b"the"], ids="holes")
    assert left.vocabulary == {i: t for i, t in then().vocabulary.items() if i not in (257, 258)}
    assert left.special_tokens == {"<s>": 260}


def test_a_token_stays_if_another_merge_makes_it():
    merges = [((98, 99), 256), ((97, 98), 257), ((97, 256), 258), ((257, 99), 258)]  # bc, ab, a+bc, ab+c
    both = Tokenizer(BYTES, merges, split=WHOLE_TEXTS)
    assert tokens(both.without(["bc"]), "abc") == [b"abc"]
    assert tokens(both.without(["bc", "ab"]), "abc") == [b"a", b"b", b"c"]


def test_a_list_may_use_a_token_before_it_makes_it():
    merges = [((257, 110), 258), ((256, 101), 257), ((116, 104), 256), ((97, 110), 259)]  # then, the, th, an
    reverse = Tokenizer(BYTES, merges, split=WHOLE_TEXTS)
    assert bytes_of(reverse, Trimming(reverse).fall([256]).fallen) == {b"the", b"then"}
    assert tokens(reverse.without(["th"]), "then an") == [b"t", b"h", b"e", b"n", b" ", b"an"]


def test_a_long_chain_falls_as_a_whole():
    merges = [((97, 97), 256), *(((256 + i, 97), 257 + i) for i in range(3_000))]
    chain = Tokenizer(BYTES, merges, split=WHOLE_TEXTS)
    assert len(Trimming(chain).fall([256]).gone) == 3_001


def test_50_tokens_go_with_the_of_gpt2():
    trimming = Trimming(load_pretrained("gpt2"))
    fall = trimming.fall([trimming.id_of(" the")])
    assert len(fall.gone) == 50
    assert {b" then", b" there", b" therapists"} <= bytes_of(load_pretrained("gpt2"), fall.fallen)


def test_a_token_that_nothing_makes_is_merged_if_what_stood_in_its_way_falls():
    before = from_ranks(b"bc", b"ab", b"cd", b"abcd")  # of a, bc, d no two are a token
    assert before.whole_token_ids
    left = before.without(["bc"])
    assert not left.whole_token_ids
    assert tokens(left, "xabcd") == [b"x", b"abcd"]


def test_base_symbols_and_special_tokens_stay():
    with pytest.raises(TokenizerError, match="'a' is a base symbol: without it, texts that hold it"):
        then().without(["a"])
    with pytest.raises(TokenizerError, match="'<s>' is a special token"):
        then().without(["<s>"])


@pytest.mark.parametrize(
    ("dropped", "said"),
    [
        (["thee"], "There is no token 'thee'"),
        ([999], "There is no token with id 999"),
        ("the", "takes a list of tokens"),
        (None, "takes a list of tokens"),
    ],
)
def test_what_is_no_list_of_tokens_is_refused(dropped, said):
    with pytest.raises(TokenizerError, match=said):
        then().without(dropped)


def test_ids_are_closed_or_have_holes():
    with pytest.raises(TokenizerError, match="Choose closed or holes"):
        then().without(["the"], ids="dense")  # type: ignore[arg-type]


def test_without_merges_nothing_can_fall():
    with pytest.raises(TokenizerError, match="has no merges: Unigram and WordPiece"):
        then().after(0).without(["t"])


def test_a_tokenizer_may_be_trimmed_again():
    left = then().without(["then"]).without(["the"])
    assert left.vocabulary == then().without(["the"]).vocabulary


@pytest.mark.parametrize("recipe", RECIPES)
def test_the_tokens_of_each_kind_of_run_can_be_dropped(recipe):
    whole = train_tokenizer("the then than that " * 9, recipe, num_merges=8)
    last = whole.merge_token_ids[0]
    left = whole.without([last])
    gone = len(whole) - len(left)
    assert gone >= 1
    assert left.decode(left.encode("that then")) == whole.decode(whole.encode("that then"))
    assert bytes_of(left, left.encode("the that than")) <= bytes_of(whole, whole.vocabulary)
    assert left.n_vocab == whole.n_vocab - gone


# --- against brute force -------------------------------------------------------------------------------


def brute_fall(tokenizer: Tokenizer, dropped: set[int]) -> set[int]:
    """Strike merges out until nothing changes."""
    gone = set(dropped)
    while True:
        kept = [
            (pair, made) for pair, made in tokenizer.ranked if pair is not None and not gone & {*pair, made}
        ]
        made = {token_id for _, token_id in kept} | {*tokenizer.base.symbol_ids}
        now = gone | {i for _, i in tokenizer.ranked if i not in made}
        if now == gone:
            return gone
        gone = now


@given(
    whole=with_any_merges(),
    picks=st.lists(st.integers(0, 99), min_size=1, max_size=4),
    text=st.text("ab", max_size=24),
)
def test_the_merges_that_are_left_merge_as_by_brute_force(whole, picks, text):
    made = sorted({*whole.merge_token_ids})
    dropped = {made[pick % len(made)] for pick in picks} if made else set()
    if not dropped:
        return
    trimming = Trimming(whole)
    fall = trimming.fall(dropped)
    assert fall.gone == brute_fall(whole, dropped)
    left = [(pair, i) for pair, i in whole.paired if not fall.gone & {*pair, i}]
    expected, _ = encode_symbols([*text.encode()], left)
    holes, closed = (whole.trimmed(trimming, fall, ids) for ids in ("holes", "closed"))
    assert holes.encode(text) == expected
    order = [i for i in whole.vocabulary if i not in fall.gone]
    assert closed.encode(text) == [order.index(i) for i in expected]


PICKS = st.lists(st.integers(0, 99), min_size=1, max_size=3)
WORDS = st.lists(st.text("abc", min_size=2, max_size=5).map(str.encode), unique=True, min_size=1, max_size=14)


@given(
    words=WORDS, picks=st.lists(st.integers(0, 99), min_size=1, max_size=3), text=st.text("abc", max_size=24)
)
def test_of_a_file_of_ranks_it_is_what_tiktoken_reads_without_the_lines(words, picks, text):
    whole = from_ranks(*words)
    if not whole.paired:
        return
    trimming = Trimming(whole)
    fall = trimming.fall({256 + pick % len(words) for pick in picks})
    left = whole.trimmed(trimming, fall)
    read = from_ranks(*(word for i, word in enumerate(words, 256) if i not in fall.gone))
    assert left.vocabulary == read.vocabulary
    assert left.encode(text) == read.encode(text)
