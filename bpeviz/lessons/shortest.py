"""The fewest tokens that spell a text, among all ways to cut it into tokens of a vocabulary.

Byte-pair encoding doesn't search for them: it merges by rank and never looks back.
"""

from collections.abc import Collection

from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = ["shortest_cut", "shortest_encoding"]


def shortest_cut(text: bytes, tokens: Collection[bytes]) -> list[bytes] | None:
    """One of the shortest ways to spell ``text`` with ``tokens``; None if there is no way.

    A dynamic programme: the best cut of the first n bytes is a token after the best cut of fewer bytes. It
    tries every part of the text, so the text should be a pre-token.

        b"abcd" with a, b, c, d, ab, abc, cd  ->  [b"ab", b"cd"]
    """
    fewest: list[int | None] = [0]
    last: list[bytes] = [b""]
    for end in range(1, len(text) + 1):
        best: int | None = None
        choice = b""
        for start in range(end):
            before = fewest[start]
            if before is not None and (best is None or before + 1 < best) and text[start:end] in tokens:
                best, choice = before + 1, text[start:end]
        fewest.append(best)
        last.append(choice)
    if fewest[-1] is None:
        return None
    cut: list[bytes] = []
    end = len(text)
    while end:
        cut.append(last[end])
        end -= len(last[end])
    return cut[::-1]


def shortest_encoding(tokenizer: Tokenizer, text: str) -> list[bytes]:
    """The fewest tokens of a byte-level tokenizer that spell ``text`` and don't cross its pre-tokens."""
    special = set(tokenizer.special_tokens.values())
    tokens = {token for token_id, token in tokenizer.vocabulary.items() if token_id not in special}
    pre_tokens = tokenizer.split.split(text)
    cuts = {p: shortest_cut(p.encode("utf-8"), tokens) or [] for p in set(pre_tokens)}
    return [token for p in pre_tokens for token in cuts[p]]
