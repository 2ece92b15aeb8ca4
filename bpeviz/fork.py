"""Forks: training as it would have gone had another pair been merged, or one never been.

    steps_with(Trainer(corpus, "minbpe"), [Choice(24, (104, 97))])     merge (104, 97) as merge 24
    steps_with(Trainer(corpus, "minbpe"), [Choice(24, (101, 100), "veto")])     never merge it from there on

Training is deterministic, so the choices are all that a fork needs to be told: up to the first of them it
is the run it parts from.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from bpeviz.token_chain import Pair
from bpeviz.trainer import MergeStep, Trainer

__all__ = ["Choice", "continued_with", "steps_with"]


@dataclass(frozen=True)
class Choice:
    """Once ``rank`` merges are made, ``merge`` the pair next whatever the recipe would do, or ``veto`` it:
    from there on it is never merged."""

    rank: int
    pair: Pair
    action: Literal["merge", "veto"] = "merge"


def continued_with(choices: Iterable[Choice], new: Choice) -> tuple[Choice, ...]:
    """The choices of a fork of a fork: those that came before ``new``, in order, then ``new``.

    A merge chosen at the same rank gives way to ``new``; vetoes at the same rank stay.
    """
    earlier = [c for c in choices if c.rank < new.rank or (c.rank == new.rank and c.action == "veto")]
    return (*earlier, new)


def steps_with(trainer: Trainer, choices: Iterable[Choice]) -> Iterator[MergeStep]:
    """Train a fresh ``trainer`` by its recipe except for ``choices``, given by ascending rank.

    Raises PairNotFoundError when a pair to be merged does not occur at its rank.
    """
    for choice in choices:
        yield from islice(trainer.steps(), choice.rank - len(trainer.merges))
        if choice.action == "veto":
            trainer.veto(choice.pair)
        elif (step := trainer.step(choice.pair)) is not None:
            yield step
    yield from trainer.steps()
