"""Finding special tokens that counts may hide, in a corpus that keeps no text."""

from collections.abc import Collection, Sequence

from bpeviz.corpus.corpus import Corpus

__all__ = ["uncut_special_token"]


def uncut_special_token(corpus: Corpus, special_tokens: Sequence[str]) -> str | None:
    """Return a special token that the texts of a corpus may hold anywhere but as a pre-token, so that the
    corpus should have been cut at it; None if there is none.

        counts {"a<": 1, "s>": 1}, special token "<s>"   ->  "<s>": a text "a<s>" may have been cut there
        counts {"a": 1, "<s>": 1}, special token "<s>"   ->  None: it is a pre-token

    A corpus keeps no text, so it may name a token that no text holds, but never misses one.
    """
    if set(corpus.split.special_tokens) == set(special_tokens):
        return None
    return next((token for token in special_tokens if _may_be_uncut(token, corpus.counts)), None)


def _may_be_uncut(token: str, pre_tokens: Collection[str]) -> bool:
    """Return whether pre-tokens in some order spell ``token`` in another way than as one pre-token."""
    if any(token in p for p in pre_tokens if len(p) > len(token)):
        return True
    sizes = range(1, len(token))
    beginnings = tuple(token[:size] for size in sizes)
    last_ones = [p for p in pre_tokens if p.endswith(beginnings)]
    spelled = {size for size in sizes if any(p.endswith(token[:size]) for p in last_ones)}
    for size in sizes:
        if size in spelled:
            spelled |= {end for end in range(size + 1, len(token) + 1) if token[size:end] in pre_tokens}
    endings = tuple(token[size:] for size in spelled if size < len(token))
    return len(token) in spelled or any(p.startswith(endings) for p in pre_tokens)
