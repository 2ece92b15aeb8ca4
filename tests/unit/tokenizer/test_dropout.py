"""BPE-dropout: its ends, chances worked out by hand, and tokens that the vocabulary has."""

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpeviz import Tokenizer, load_pretrained, train_tokenizer
from bpeviz.core.merging_orders import merge_with_dropout
from bpeviz.tokenizer.encoding import encode_step_by_step
from bpeviz.tokenizer.other_cuts import cut_with_dropout

#: a + b, then ab + c.
MERGES = {(1, 2): (0, 10), (10, 3): (1, 11)}


def share(ends: list[int], probability: float) -> float:
    """How often the symbols a, b, c are cut so, of 4,000 seeds."""
    cut = [merge_with_dropout([1, 2, 3], MERGES, probability, Random(seed)) for seed in range(4_000)]
    return cut.count(ends) / len(cut)


@pytest.mark.parametrize("probability", [0.1, 0.5, 0.9])
def test_the_chances_are_those_of_the_rule(probability: float) -> None:
    # a + b is left out at the first step, or it is made and ab + c is left out at the second, or neither
    kept = 1 - probability
    assert share([1, 2, 3], probability) == pytest.approx(probability, abs=0.03)
    assert share([2, 3], probability) == pytest.approx(kept * probability, abs=0.03)
    assert share([3], probability) == pytest.approx(kept * kept, abs=0.03)


def pieces(tokenizer: Tokenizer, text: str, probability: float, seed: int) -> list[bytes]:
    cuts = cut_with_dropout(tokenizer, encode_step_by_step(tokenizer, text), probability, seed)
    return [text.encode()[start:end] for cut in cuts for start, end in pairwise(cut)]


def test_without_dropout_the_tokens_are_those_of_the_encoder_and_with_all_of_it_bytes() -> None:
    gpt2 = load_pretrained()
    text = "The lighthouse keeper unhappily weathered it: naïve cafés, 灯台, 🚢."
    assert pieces(gpt2, text, 0.0, 1) == [gpt2.token_bytes(i) for i in gpt2.encode(text)]
    assert pieces(gpt2, text, 1.0, 1) == [bytes([byte]) for byte in text.encode()]


def test_a_seed_always_gives_the_same_tokens_and_another_one_others() -> None:
    gpt2 = load_pretrained()
    text = "The lighthouse keeper unhappily weathered it."
    assert pieces(gpt2, text, 0.3, 7) == pieces(gpt2, text, 0.3, 7)
    assert len({tuple(pieces(gpt2, text, 0.3, seed)) for seed in range(20)}) > 15


def test_a_special_token_stays_whole() -> None:
    gpt2 = load_pretrained()
    encodings = encode_step_by_step(gpt2, "hi<|endoftext|>", allowed_special="all")
    assert cut_with_dropout(gpt2, encodings, 1.0, 1) == [(0, 1, 2), (2, 15)]


@given(
    st.sampled_from(["minbpe", "sentencepiece", "subword-nmt", "huggingface"]),
    st.text("ab c", min_size=1, max_size=40),
    st.floats(0, 1),
    st.integers(0, 99),
)
def test_every_piece_is_spelled_and_no_merge_by_chance_leaves_the_text(
    recipe: str, text: str, probability: float, seed: int
) -> None:
    tokenizer = train_tokenizer(["abc ab cab bac abcabc " * 3], recipe, num_merges=12)
    encodings = encode_step_by_step(tokenizer, text)
    cuts = cut_with_dropout(tokenizer, encodings, probability, seed)
    for encoding, cut in zip(encodings, cuts, strict=True):
        assert (cut[0], cut[-1]) == (encoding.offsets[0], encoding.offsets[-1])
        assert list(cut) == sorted(cut)
        assert set(cut) <= set(encoding.offsets)
