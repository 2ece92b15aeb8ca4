"""The first difference between two trainings of one text, ours and a library's, and why.

    ours    a+t  h+e  the         merge 3: both pairs occur twice, and each takes a different one
    theirs  a+t  h+e  c+at

The comparison starts with the base vocabularies, because ids decide ties; then come the merges, by the bytes
of both halves; then the ids of the tokens.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from bpeviz.core.token_chain import Pair
from bpeviz.corpus.corpus import Corpus
from bpeviz.text.token_text import visible
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.training.recipes import Recipe
from bpeviz.training.trainer import Trainer

__all__ = ["Difference", "Halves", "Ours", "find_difference"]

Halves = tuple[bytes, bytes]
Kind = Literal["base vocabulary", "tie", "count", "stop", "vocabulary"]


@dataclass(frozen=True)
class Difference:
    """The first difference between two trainings.

    - ``kind``: "base vocabulary": a token that exists before the first merge; "tie": both pairs occur
      equally often; "count": they do not, for example because another pattern cuts the text; "stop": one of
      the two makes no more merges; "vocabulary": the same merges make tokens with other ids;
    - ``rank``: of the first different merge, which is also how many are the same; None before and after the
      merges;
    - ``ours``, ``theirs``: the halves merged there, or the token of an id as a tuple of one; None if one has
      none;
    - ``why``: a sentence.
    """

    kind: Kind
    rank: int | None
    ours: tuple[bytes, ...] | None
    theirs: tuple[bytes, ...] | None
    why: str


@dataclass(frozen=True)
class Ours:
    """Our own training: its ``tokens`` by id, those that come before the first merge being ``base_size``."""

    corpus: Corpus
    recipe: Recipe
    special_tokens: tuple[str, ...]
    ids: Sequence[tuple[Pair, int]]

    @property
    def tokenizer(self) -> Tokenizer:
        last = self.recipe.special_tokens_at == "last"
        return Tokenizer(
            self.recipe.base_vocabulary(self.corpus, self.special_tokens),
            self.ids,
            split=self.corpus.split,
            special_tokens=() if last else self.special_tokens,
            special_tokens_at=self.recipe.special_tokens_at,
        )


def find_difference(
    ours: Ours, theirs: Sequence[Halves], tokens: Sequence[bytes] | None
) -> Difference | None:
    """Return the first difference between our training and a library's merges and tokens by id; None if
    none."""
    tokenizer = ours.tokenizer
    vocabulary = [token for _, token in sorted(tokenizer.vocabulary.items())]
    made = {token_id for _, token_id in ours.ids}
    merges = [(tokenizer.token_bytes(left), tokenizer.token_bytes(right)) for (left, right), _ in ours.ids]
    if tokens is not None:
        for token_id, token in enumerate(vocabulary):
            if token_id not in made and tokens[token_id : token_id + 1] != [token]:
                return _other_token("base vocabulary", token_id, token, tokens)
    for rank in range(max(len(merges), len(theirs))):
        if merges[rank : rank + 1] != list(theirs[rank : rank + 1]):
            return _other_merge(ours, tokenizer, rank, merges, theirs)
    if tokens is not None:
        for token_id, token in enumerate(vocabulary):
            if tokens[token_id : token_id + 1] != [token]:
                return _other_token("vocabulary", token_id, token, tokens)
    return None


def _other_token(kind: Kind, token_id: int, token: bytes, tokens: Sequence[bytes]) -> Difference:
    theirs = tokens[token_id] if token_id < len(tokens) else None
    there = "nothing" if theirs is None else visible(theirs)
    why = f"The id {token_id:,} is {visible(token)} here and {there} there."
    return Difference(kind, None, (token,), None if theirs is None else (theirs,), why)


def _other_merge(
    ours: Ours, tokenizer: Tokenizer, rank: int, merges: Sequence[Halves], theirs: Sequence[Halves]
) -> Difference:
    here = merges[rank] if rank < len(merges) else None
    there = theirs[rank] if rank < len(theirs) else None
    trainer = Trainer(ours.corpus, ours.recipe, special_tokens=ours.special_tokens)
    for pair, _ in ours.ids[:rank]:
        trainer.step(pair)
    counts: dict[Halves, int] = {}
    for (left, right), count in trainer.top_pairs(len(tokenizer.vocabulary) ** 2):
        counts.setdefault((trainer.token_bytes(left), trainer.token_bytes(right)), count)
    if here is None or there is None:
        goes_on = here or there or (b"", b"")
        who, other = ("The library", "bpeviz") if there is None else ("bpeviz", "the library")
        why = f"{who} stops before merge {rank + 1:,}; {other} makes {_times(goes_on, counts)}."
        return Difference("stop", rank, here, there, why)
    if counts.get(here, 0) == counts.get(there):
        why = (
            f"Both pairs occur {_count(counts.get(here, 0))}, a tie that goes to {ours.recipe.tie_sentence} "
            "here: the library breaks the tie differently, or its pattern cuts one of the two."
        )
        return Difference("tie", rank, here, there, why)
    why = (
        f"By bpeviz's count, {_occurs(here, counts)} and {_occurs(there, counts)}. The library's counts "
        "differ, perhaps because it splits the text differently."
    )
    return Difference("count", rank, here, there, why)


def _times(halves: Halves, counts: dict[Halves, int]) -> str:
    """Return a pair and its count: a + b, which occurs 3 times."""
    return f"{shown(halves)}, which occurs {_count(counts.get(halves, 0))}"


def _occurs(halves: Halves, counts: dict[Halves, int]) -> str:
    """Return the same as a clause: a + b occurs 3 times."""
    return f"{shown(halves)} occurs {_count(counts.get(halves, 0))}"


def _count(count: int) -> str:
    return {0: "nowhere", 1: "once"}.get(count, f"{count:,} times")


def shown(halves: Sequence[bytes]) -> str:
    """Return the halves of a pair as readable text: a + b."""
    return " + ".join(visible(half) for half in halves)
