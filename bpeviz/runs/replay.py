"""A run made from a finished tokenizer: its merges replayed on a text.

GPT-2 has 50,000 merges, and a short text uses a few of them. Step k of the run is the text after the first k
of those, in the order of their ranks: what the tokenizer would make of the text with no later merges.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from bpeviz.core.gap_ranks import NEVER, WALL, GapRanks
from bpeviz.core.token_chain import Pair
from bpeviz.corpus.corpus import Corpus
from bpeviz.errors import CorpusError
from bpeviz.runs.run import NamedText, Run, new_number
from bpeviz.text.pre_token_ends import pre_tokens
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.training.history import MergeHistory
from bpeviz.training.recipes import Recipe
from bpeviz.training.result import MergeStep, TrainingResult
from bpeviz.training.settings import TrainingSettings
from bpeviz.words import in_short

__all__ = ["replay"]


def replay(text: NamedText, tokenizer: Tokenizer, name: str, texts: Sequence[str] = ()) -> Run:
    """Return the merges of a tokenizer on a text, as a run. ``name`` is the tokenizer's. If ``text`` is
    several ``texts`` with line ends between them, these are in no token.

    Tokens keep their ids. A step's ``count`` is how often its pair occurs in this text; ``tied`` is 1,
    because the tokenizer merges by rank, not by count. Raises CorpusError for a tokenizer that doesn't split
    the text by a pattern, or that has tokens without merges.
    """
    if why := _why_not(tokenizer):
        raise CorpusError(
            f"The merges of {in_short(name)} can't be replayed: {why}. "
            "Choose gpt2, cl100k_base or o200k_base."
        )
    apart = texts or (text.text,)
    corpus = Corpus.from_texts(apart, tokenizer.split)
    ranks = _gap_ranks(corpus, tokenizer)
    used = np.unique(ranks[ranks < NEVER])
    if not len(used):
        raise CorpusError(f"{in_short(name)} merges nothing in this text. Give a longer text.")
    merges = [(pair, token_id) for pair, token_id in map(tokenizer.ranked.__getitem__, used) if pair]
    renumbered = ranks.copy()
    renumbered[ranks < NEVER] = np.searchsorted(used, ranks[ranks < NEVER])
    tokens = _tokens(tokenizer, merges)
    steps = _steps(
        MergeHistory(corpus, tokenizer.base, merges, renumbered, tokens=tokens, tie="first-seen"),
        merges,
        tokens,
    )
    recipe = Recipe(
        name=name,
        reproduces=f"the merges of {name}",
        base="bytes-by-value",
        split=tokenizer.split.name,
        tie="first-seen",
        special_tokens_at="last",
    )
    index = {p: i for i, p in enumerate(corpus.pre_tokens)}
    result = TrainingResult(
        corpus=corpus,
        recipe=recipe,
        special_tokens=(),
        base=tokenizer.base,
        steps=steps,
        stop_reason=f"{name} has no further merge for this text.",
        tokens=tokens,
        symbol_gap_ranks=renumbered,
        pre_tokens=np.array([index[p] for each in apart for p in pre_tokens(each, corpus.split)], np.int64),
    )
    settings = TrainingSettings(recipe, num_merges=len(steps), min_frequency=1)
    return Run(new_number(), name, text, settings, result)


def _gap_ranks(corpus: Corpus, tokenizer: Tokenizer) -> GapRanks:
    """Return the gap rank after each symbol of the distinct pre-tokens, as ranks of the tokenizer."""
    spelling = tokenizer.base.spell(corpus.pre_tokens)
    ranks = np.full(len(spelling.ids), NEVER, np.int32)
    ends = np.cumsum(spelling.lengths).tolist()
    for first, end in zip([0, *ends], ends, strict=False):
        inside = ranks[first:end]
        for rank, start, after in tokenizer.merge_symbols(spelling.ids[first:end].tolist()):
            # the merges of both halves have closed every gap between its symbols but one
            gaps = inside[start : after - 1]
            gaps[gaps == NEVER] = rank
        inside[-1:] = WALL
    return ranks


def _why_not(tokenizer: Tokenizer) -> str:
    """Why the merges of a tokenizer can't be replayed; empty if they can."""
    if tokenizer.pipeline is not None:
        return "its library splits the text"
    if tokenizer.whole_token_ids:
        return "it makes tokens without merges"
    made = set(tokenizer.base.symbol_ids)
    for pair, token_id in tokenizer.paired:
        if not made.issuperset(pair):
            return "it uses a token before a merge makes it"
        made.add(token_id)
    return ""


def _tokens(tokenizer: Tokenizer, merges: list[tuple[Pair, int]]) -> tuple[bytes, ...]:
    """Return the bytes of the tokens that these merges need, by id; those of others are empty."""
    known = {*tokenizer.base.symbol_ids, *(token_id for _, token_id in merges)}
    tokens = [b""] * (max(known) + 1)
    for token_id in known:
        tokens[token_id] = tokenizer.token_bytes(token_id)
    return tuple(tokens)


def _steps(
    history: MergeHistory, merges: list[tuple[Pair, int]], tokens: tuple[bytes, ...]
) -> tuple[MergeStep, ...]:
    totals: npt.NDArray[np.int64] = history.token_totals
    return tuple(
        MergeStep(
            rank=k,
            pair=pair,
            token_id=token_id,
            token=tokens[token_id],
            count=int(history.pair_life(pair).counts[k]),
            tied=1,
            token_total=int(totals[k + 1]),
        )
        for k, (pair, token_id) in enumerate(merges)
    )
