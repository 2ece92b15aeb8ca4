"""A tokenizer with merges that a training made after its own; all ids stay."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from bpeviz.core.token_chain import Pair
from bpeviz.pipelines.renumbering import with_new_tokens
from bpeviz.tokenizer.symbol_merger import Merge
from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = ["with_merges"]


def with_merges(
    start: Tokenizer,
    merges: Sequence[tuple[Pair, int]],
    chosen: Collection[int] = (),
    vetoed: Mapping[Pair, int] | None = None,
) -> Tokenizer:
    """Return ``start`` with the new ones of a training's ``merges``, which come after its own.

    A merge at a ``chosen`` place comes right after the merges before it, as a person made it there. A pair
    that is ``vetoed``, from the number of merges on that it maps to, is merged no more.
    """
    known = start.merge_of_pair
    before: defaultdict[int, list[Merge]] = defaultdict(list)
    last = len(start.ranked)
    reached = 0  # the first merge of the start that comes after the ones so far
    for place, (pair, token_id) in enumerate(merges):
        if place not in chosen and pair in known:
            reached = max(reached, known[pair][0] + 1)
            continue
        if place not in chosen:
            reached = last
        before[reached].append((pair, token_id))
    made_at = {pair: place for place, (pair, _) in enumerate(merges)}
    gone = {pair for pair, step in (vetoed or {}).items() if made_at.get(pair, step) >= step}
    if not before and not gone:
        return start
    ranked = list[Merge]()
    for rank, own in enumerate(start.ranked):
        ranked += before.get(rank, ())
        if own[0] not in gone:
            ranked.append(own)
    ranked += before.get(last, ())
    new = {token_id: pair for pair, token_id in merges if token_id >= start.n_vocab}
    # The library looks whole pre-tokens up, without the mark that merging adds: "ab", not "ab</w>".
    looks_up = start.ignores_merges and bool(start.base.end_of_word)
    ranked += ((None, token_id) for token_id in new if looks_up)
    made = {token_id for _, token_id in ranked}
    never = {i: start.token_bytes(i) for i in start.merge_token_ids if i not in made}
    pipeline, decoder = (
        each and with_new_tokens(each, new, as_wholes=looks_up) for each in (start.pipeline, start.decoder)
    )
    return start.like(
        start.base,
        ranked,
        special_tokens=start.special_tokens,
        pipeline=pipeline,
        decoder=None if start.decoder is start.pipeline else decoder,
        unmade={**start.unmade, **never},
    )
