"""Tokenizers that no trainer makes."""

from hypothesis import strategies as st

from bpeviz import Tokenizer
from bpeviz.core.base_vocabulary import ByteVocabulary
from bpeviz.text.split_patterns import SPLIT_PATTERNS

__all__ = ["with_any_merges"]

NUMBERS = st.integers(0, 10**6)


@st.composite
def with_any_merges(draw: st.DrawFn) -> Tokenizer:
    """A tokenizer whose merges are of any earlier tokens: two may spell the same token, or have one pair."""
    choices = draw(st.lists(st.tuples(NUMBERS, NUMBERS), max_size=12))
    known = [*b"ab", *range(256, 256 + len(choices))]
    merges = [((known[a % (i + 2)], known[b % (i + 2)]), 256 + i) for i, (a, b) in enumerate(choices)]
    return Tokenizer(ByteVocabulary(bytes(range(256))), merges, split=SPLIT_PATTERNS["none"])
