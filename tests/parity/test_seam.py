"""The seam against tiktoken's encode_with_unstable, continuation by continuation."""

from random import Random

import pytest
import tiktoken

from bpeviz import load_pretrained
from bpeviz.errors import TokenizerError
from bpeviz.tokenizer.seam import tiktoken_seam
from tests.support.hard_texts import random_text, some_hard_texts

MOST_CHARACTERS = 24


def encoding(name: str) -> tiktoken.Encoding:
    """tiktoken's own encoder with the ranks of a built-in tokenizer."""
    tokenizer = load_pretrained(name)
    special = tokenizer.special_tokens
    ranks = {token: i for i, token in tokenizer.vocabulary.items() if i not in special.values()}
    pattern = tokenizer.split.regex or ""
    return tiktoken.Encoding(name, pat_str=pattern, mergeable_ranks=ranks, special_tokens=special)


@pytest.mark.parametrize("name", ["gpt2", "cl100k_base", "o200k_base"])
def test_all_continuations_are_tiktokens(name: str) -> None:
    tokenizer, theirs = load_pretrained(name), encoding(name)
    rng = Random(name)
    texts = ["http:", "a ", "\n\n", "a \n ", "x\n", " \t", "don'", "日本", "🚢"]
    texts += [text[:MOST_CHARACTERS] for text in some_hard_texts()[::2]]
    texts += [random_text(rng, 3)[:MOST_CHARACTERS] for _ in range(120)]
    compared = 0
    for text in texts:
        try:
            found = tiktoken_seam(tokenizer, text)
        except TokenizerError:
            continue
        stable, completions = theirs.encode_with_unstable(text, disallowed_special=())
        assert list(found.settled) == stable, repr(text)
        assert found.continuations == {tuple(ids) for ids in completions}, repr(text)
        compared += 1
    assert compared > 300
