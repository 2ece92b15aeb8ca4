"""Uses of tokens in a text: in the end, and on the way."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpeviz import RECIPES, Tokenizer, load_pretrained, train_tokenizer
from bpeviz.audit.uses import making_pairs, uses_in
from bpeviz.runs.samples import read_sample
from bpeviz.tokenizer.encoding import encode_step_by_step
from tests.support.texts import TIGHT_TEXTS


def counted(tokenizer: Tokenizer, text: str) -> tuple[dict[int, int], dict[int, int]]:
    """Final uses and steps by id, without zeros."""
    uses = uses_in(tokenizer, np.array(tokenizer.encode(text), np.int64))
    ids = list(tokenizer.vocabulary)
    return tuple(
        {i: n for i, n in zip(ids, numbers.tolist(), strict=True) if n}
        for numbers in (uses.final, uses.steps)
    )


def step_by_step(tokenizer: Tokenizer, text: str) -> dict[int, int]:
    steps = (step for part in encode_step_by_step(tokenizer, text) for step in part.steps)
    return dict(Counter(half for step in steps for half in step.pair))


def test_a_worked_example() -> None:
    tokenizer = train_tokenizer("the the then", "minbpe", num_merges=4)
    by_token = {tokenizer.token_bytes(i): i for i in tokenizer.vocabulary}
    final, steps = counted(tokenizer, "the the then")
    assert steps == step_by_step(tokenizer, "the the then")
    assert steps[by_token[b"t"]] == 3
    assert sum(final.values()) == len(tokenizer.encode("the the then"))


@given(texts=TIGHT_TEXTS, recipe=st.sampled_from(sorted(RECIPES)), num_merges=st.integers(0, 15))
def test_steps_are_those_of_encoding_merge_by_merge(texts: list[str], recipe: str, num_merges: int) -> None:
    text = "".join(texts) or "a"
    tokenizer = train_tokenizer(text, recipe, num_merges=num_merges)
    final, steps = counted(tokenizer, text)
    assert final == dict(Counter(tokenizer.encode(text)))
    assert steps == step_by_step(tokenizer, text)


@pytest.mark.parametrize("name", ["gpt2", "cl100k_base"])
def test_steps_of_real_tokenizers(name: str) -> None:
    tokenizer = load_pretrained(name)
    text = read_sample("English prose") + read_sample("Japanese")
    assert counted(tokenizer, text)[1] == step_by_step(tokenizer, text)


def test_each_token_is_made_after_its_halves() -> None:
    tokenizer = load_pretrained("gpt2")
    made = set(tokenizer.base.symbol_ids)
    for token_id, pair in making_pairs(tokenizer).items():
        assert made.issuperset(pair)
        made.add(token_id)
    assert len(made) == 50_256
