"""BPE-dropout: a text in other tokens at each reading, so that a model sees a word in several ways.

At each step every merge is left out with some probability (Provilkov et al. 2020, arXiv 1910.13267). The same
seed gives the same tokens.
"""

from collections.abc import Sequence
from random import Random

from bpeviz.tokenizer.encoding import PreTokenEncoding
from bpeviz.tokenizer.fewest_tokens import can_be_cut
from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = ["cut_with_dropout"]


def cut_with_dropout(
    tokenizer: Tokenizer, encodings: Sequence[PreTokenEncoding], probability: float, seed: int
) -> list[tuple[int, ...]]:
    """Return for each pre-token the bytes at which its tokens begin, with the end of the last.

    Pre-tokens that can't be cut in another way, and very long ones, stay as they are; see fewest_tokens.
    """
    random = Random(seed)  # noqa: S311 - no secret
    return [
        tuple(e.offsets[end] for end in (0, *tokenizer.merge_with_dropout(e.symbols, probability, random)))
        if can_be_cut(e)
        else e.token_offsets
        for e in encodings
    ]
