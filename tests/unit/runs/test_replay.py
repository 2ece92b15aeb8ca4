"""Replayed merges of a tokenizer: each step is the encoding with the merges up to it."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpeviz import Tokenizer, load_pretrained
from bpeviz.core.base_vocabulary import ByteVocabulary
from bpeviz.core.gap_ranks import token_ends
from bpeviz.errors import CorpusError
from bpeviz.runs.replay import replay
from bpeviz.runs.run import NamedText
from bpeviz.text.split_patterns import get_split_pattern
from tests.support.gpt2_of_tiktoken import reference

TEXT = "The lighthouse keeper's lighter lights 1234567 lights. 灯台 灯台"


def cut_at(text: str, ends: list[int]) -> list[bytes]:
    data, starts = text.encode(), [0, *(end + 1 for end in ends)]
    return [data[start : end + 1] for start, end in zip(starts, ends, strict=False)]


def encoded_by_brute_force(tokenizer: Tokenizer, text: str, allowed: set[int]) -> list[bytes]:
    """Join the two neighbours of the lowest rank among some merges, until there are none."""
    rank_of = {
        (tokenizer.token_bytes(pair[0]), tokenizer.token_bytes(pair[1])): rank
        for rank, pair in enumerate(tokenizer.merges)
        if rank in allowed and pair
    }
    tokens: list[bytes] = []
    for pre_token in tokenizer.split.split(text):
        parts = [bytes([byte]) for byte in pre_token.encode()]
        while known := [rank_of[pair] for pair in itertools.pairwise(parts) if pair in rank_of]:
            place = next(i for i in range(len(parts)) if rank_of.get((parts[i], parts[i + 1])) == min(known))
            parts[place : place + 2] = [parts[place] + parts[place + 1]]
        tokens += parts
    return tokens


def test_the_last_step_is_what_tiktoken_makes() -> None:
    run = replay(NamedText("text", TEXT), load_pretrained("gpt2"), "gpt2")
    last = cut_at(TEXT, token_ends(run.gap_ranks, len(run.steps)).tolist())
    assert last == reference().decode_tokens_bytes(reference().encode_ordinary(TEXT))


def test_every_step_is_the_encoding_with_the_merges_so_far() -> None:
    gpt2 = load_pretrained("gpt2")
    run = replay(NamedText("text", TEXT), gpt2, "gpt2")
    rank_of = {pair: rank for rank, pair in enumerate(gpt2.merges)}
    ranks = [rank_of[step.pair] for step in run.steps]
    assert ranks == sorted(ranks)
    for k in range(0, len(run.steps) + 1, 7):
        expected = encoded_by_brute_force(gpt2, TEXT, set(range(ranks[k])) if k < len(ranks) else set(ranks))
        assert cut_at(TEXT, token_ends(run.gap_ranks, k).tolist()) == expected
        assert run.history.token_total(k) == len(expected)


def test_a_step_has_the_count_of_its_pair_in_the_text() -> None:
    run = replay(NamedText("text", " the the"), load_pretrained("gpt2"), "gpt2")
    assert [(step.token, step.count, step.token_total) for step in run.steps] == [
        (b" t", 2, 6),
        (b"he", 2, 4),
        (b" the", 2, 2),
    ]
    assert run.steps[-1].token_id == 262


@given(st.text("aehtr s1.\n", min_size=2, max_size=40).map(lambda text: f"{text} the"))
def test_any_text_ends_as_the_encoding(text: str) -> None:
    gpt2 = load_pretrained("gpt2")
    run = replay(NamedText("text", text), gpt2, "gpt2")
    assert run.gap_ranks.size == len(text.encode())
    last = cut_at(text, token_ends(run.gap_ranks, len(run.steps)).tolist())
    assert last == [gpt2.token_bytes(i) for i in gpt2.encode(text)]


def test_a_text_without_merges_is_refused() -> None:
    with pytest.raises(CorpusError, match="Give a longer text"):
        replay(NamedText("text", "a"), load_pretrained("gpt2"), "gpt2")


def test_a_file_may_use_a_token_before_a_merge_makes_it() -> None:
    base = ByteVocabulary(bytes(range(256)))
    merges = [((256, ord("c")), 257), ((ord("a"), ord("b")), 256)]
    tokenizer = Tokenizer(base, merges, split=get_split_pattern("gpt2"))
    assert tokenizer.encode("abc") == [257]
    run = replay(NamedText("text", "abc"), tokenizer, "mine")
    assert [step.token for step in run.steps] == [b"ab", b"abc"]
    assert run.start_ranks.tolist() == [1, 0]
