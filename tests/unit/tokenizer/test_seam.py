"""The seam: settled tokens, and continuations, against trying what may follow."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpeviz import Tokenizer, load_pretrained, train_tokenizer
from bpeviz.core.base_vocabulary import ByteVocabulary
from bpeviz.errors import TokenizerError
from bpeviz.text.split_patterns import SPLIT_PATTERNS, custom_split_pattern
from bpeviz.tokenizer.seam import MOST_OPEN_BYTES, EditReach, _covering, edit_reach, seam, tiktoken_seam

BASE = ByteVocabulary(bytes(range(256)))
A, B, C = b"abc"


def of_merges(*pairs: tuple[int, int], split: str = "gpt2") -> Tokenizer:
    return Tokenizer(BASE, [(pair, 256 + i) for i, pair in enumerate(pairs)], split=SPLIT_PATTERNS[split])


def test_a_worked_example() -> None:
    # bc makes "ab" + "c" another text: a | bc
    found = seam(of_merges((B, C), (A, B)), "a ab")
    assert found.settled == (A,)
    assert found.open_bytes == b" ab"
    assert found.open_ids == (32, 257)
    assert found.continuations == {(32, 257), (32, A, 256)}


def test_a_colon_in_cl100k_has_324_continuations() -> None:
    found = seam(load_pretrained("cl100k_base"), "http:")
    assert len(found.continuations) == 324


def test_tiktoken_calls_tokens_stable_that_are_not_settled() -> None:
    gpt2, text = load_pretrained("gpt2"), "you'l"
    assert tiktoken_seam(gpt2, text).settled == tuple(gpt2.encode("you'"))
    found = seam(gpt2, text)
    assert found.settled == tuple(gpt2.encode("you")) == tuple(gpt2.encode("you'll")[:1])
    assert tuple(gpt2.encode("you'll")[1:]) in found.continuations


def test_an_added_token_may_begin_at_the_end() -> None:
    added = {"special_tokens": {"covid": 300}, "found_always": {"covid"}}
    tokenizer = Tokenizer(BASE, [], split=SPLIT_PATTERNS["gpt2"], **added)
    found = seam(tokenizer, "a b co")
    assert found.open_bytes == b" co"
    assert (32, 300) in found.continuations
    assert seam(tokenizer, "a b-co").open_bytes == b"co"


def test_a_custom_pattern_is_not_proved() -> None:
    custom = Tokenizer(BASE, [], split=custom_split_pattern(r"\w+|\W"))
    assert (seam(custom, "a b").settled, seam(custom, "a b").proved) == ((A, 32), False)
    assert seam(of_merges((A, B)), "a b").proved


@pytest.mark.parametrize("text", ["", "a"])
def test_short_texts(text: str) -> None:
    found = seam(of_merges((A, B)), text)
    assert found.settled == ()
    assert found.open_bytes == text.encode()


@given(
    text=st.text("ab \n1", max_size=6),
    pairs=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=6),
    split=st.sampled_from(["gpt2", "cl100k", "none"]),
)
def test_no_continuation_is_missing(text: str, pairs: list[tuple[int, int]], split: str) -> None:
    symbols = [*b"ab \n1"]
    merges = []
    for left, right in pairs:
        known = [*symbols, *range(256, 256 + len(merges))]
        merges.append((known[left % len(known)], known[right % len(known)]))
    tokenizer = of_merges(*merges, split=split)
    found = seam(tokenizer, text)
    if not text:
        return
    assert all(tokenizer.decode_bytes(ids).startswith(found.open_bytes) for ids in found.continuations)
    assert found.open_ids in found.continuations
    for more in ("", *"ab \n1", *map("".join, product("ab \n1", repeat=2))):
        ids = tokenizer.encode(text + more)
        assert tuple(ids[: len(found.settled)]) == found.settled
        open_now = _covering(tokenizer, ids[len(found.settled) :], len(found.open_bytes))
        if len(more) < 2:
            assert tuple(open_now) in found.continuations


def test_what_is_refused() -> None:
    with pytest.raises(TokenizerError, match="for tokenizers of bytes"):
        seam(train_tokenizer("low lower", "course", num_merges=2), "low")
    with pytest.raises(TokenizerError, match=f"up to {MOST_OPEN_BYTES}"):
        seam(load_pretrained("gpt2"), "a" * (MOST_OPEN_BYTES + 1))


@given(before=st.lists(st.integers(0, 3), max_size=8), after=st.lists(st.integers(0, 3), max_size=8))
def test_an_edit_leaves_the_tokens_around_it(before: list[int], after: list[int]) -> None:
    reach = edit_reach(before, after)
    assert before[: reach.first] == after[: reach.first]
    assert before[reach.end_before :] == after[reach.end_after :]
    assert before[: reach.first] + after[reach.first : reach.end_after] + before[reach.end_before :] == after
    changed = before[reach.first : reach.end_before], after[reach.first : reach.end_after]
    if all(changed):
        assert changed[0][0] != changed[1][0]
        assert changed[0][-1] != changed[1][-1]


def test_an_edit_of_a_letter() -> None:
    assert edit_reach([1, 2, 3], [1, 2, 3]) == EditReach(3, 3, 3)
    gpt2 = load_pretrained("gpt2")
    before, after = gpt2.encode("the weather is fine"), gpt2.encode("the wether is fine")
    reach = edit_reach(before, after)
    assert gpt2.decode(before[reach.first : reach.end_before]) == " weather"
