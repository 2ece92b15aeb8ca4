"""Forks: training as it would have gone had another pair been merged, or one never been.

    steps_with(Trainer(corpus, "minbpe"), [Choice(24, (104, 97))])     merge (104, 97) as merge 24
    steps_with(Trainer(corpus, "minbpe"), [Choice(24, (101, 100), "veto")])     never merge it from there on

Training is deterministic, so the choices are all that a fork needs to be told: up to the first of them it
is the run it parts from.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Literal, get_args

from bpeviz.core.errors import TrainingSettingsError
from bpeviz.core.token_chain import Pair, as_pair
from bpeviz.core.whole_numbers import as_whole_number
from bpeviz.training.errors import ChoiceError
from bpeviz.training.trainer import MergeStep, Trainer

__all__ = ["Choice", "check_choices", "continued_with", "steps_with"]

Action = Literal["merge", "veto"]
ACTIONS: tuple[Action, ...] = get_args(Action)


@dataclass(frozen=True)
class Choice:
    """Once ``rank`` merges are made, ``merge`` the pair next whatever the recipe would do, or ``veto`` it:
    from there on it is never merged."""

    rank: int
    pair: Pair
    action: Action = "merge"


def continued_with(choices: Iterable[Choice], new: Choice) -> tuple[Choice, ...]:
    """The choices of a fork of a fork: those that came before ``new``, in order, then ``new``.

    A merge chosen at the same rank gives way to ``new``; vetoes at the same rank stay.
    """
    earlier = [c for c in choices if c.rank < new.rank or (c.rank == new.rank and c.action == "veto")]
    return (*earlier, new)


def steps_with(trainer: Trainer, choices: Iterable[Choice]) -> Iterator[MergeStep]:
    """Train a fresh ``trainer`` by its recipe except for ``choices``.

    Choices come by ascending rank: any vetoes of a rank, then at most one merge. A merge at the rank at which
    training stops is still made. Raises ChoiceError before anything is trained for choices that break these
    rules, or whose rank is above ``num_merges``; later for a rank that is not reached because training stops
    before it. Raises PairNotFoundError when a pair to be merged does not occur at its rank.
    """
    if not isinstance(trainer, Trainer):
        raise TrainingSettingsError(
            f"steps_with takes a Trainer, not {type(trainer).__name__}: "
            "steps_with(Trainer(corpus), [Choice(…)]).",
            setting="trainer",
        )
    checked = check_choices(choices, trainer.num_merges, made=len(trainer.merges))
    return _steps_with(trainer, checked)


def _steps_with(trainer: Trainer, choices: Iterable[Choice]) -> Iterator[MergeStep]:
    for choice in choices:
        yield from islice(trainer.steps(), choice.rank - len(trainer.merges))
        if len(trainer.merges) < choice.rank:
            reason = (trainer.stop_reason or "").removesuffix(".")
            why = f"training stops after {_merges(len(trainer.merges))} ({reason})"
            raise _error(choice, why, "Leave it out, or change what stops training")
        if choice.action == "veto":
            trainer.veto(choice.pair)
        elif (step := trainer.step(choice.pair)) is not None:
            yield step
    yield from trainer.steps()


def check_choices(
    choices: Iterable[Choice], num_merges: int | None = None, *, made: int = 0
) -> tuple[Choice, ...]:
    """The choices in plain values, if a trainer can follow them: one of at most ``num_merges`` merges (None
    for any number) of which ``made`` are made. Raises ChoiceError, TrainingSettingsError."""
    if isinstance(choices, Choice) or not isinstance(choices, Iterable):
        raise TrainingSettingsError("choices takes a list: [Choice(…), …].", setting="choices")
    checked: list[Choice] = []
    for choice in map(_in_plain_values, choices):
        last = checked[-1] if checked else None
        if choice.rank < made:
            raise _error(choice, f"the trainer has made {_merges(made)} already", "Use a new Trainer")
        if num_merges is not None and choice.rank > num_merges:
            raise _error(
                choice, f"training stops after {_merges(num_merges)}", "Leave it out, or ask for more merges"
            )
        if last and choice.rank < last.rank:
            raise _error(choice, "it comes after one of a later merge", "Give choices by ascending rank")
        if last and choice.rank == last.rank and last.action == "merge":
            raise _error(
                choice,
                "another pair is merged at this rank before it",
                "Give at most one merge for each rank, after the vetoes of this rank",
            )
        checked.append(choice)
    return tuple(checked)


def _in_plain_values(choice: Choice) -> Choice:
    if not isinstance(choice, Choice):
        raise TrainingSettingsError(
            f"choices takes Choice values, not {type(choice).__name__}.", setting="choices"
        )
    rank = as_whole_number(choice.rank)
    if rank is None or rank < 0:
        raise _error(choice, "its rank is no whole number of 0 or more", "Count merges from 0")
    pair = as_pair(choice.pair)
    if pair is None:
        raise _error(choice, "its pair is not two token ids", "Give the ids of the left and right token")
    if choice.action not in ACTIONS:
        raise _error(choice, "that is not an action", "Choose merge or veto")
    return Choice(rank, pair, choice.action)


def _error(choice: Choice, why: str, remedy: str) -> ChoiceError:
    return ChoiceError(choice.rank, choice.pair, choice.action, why, remedy)


def _merges(number: int) -> str:
    return "1 merge" if number == 1 else f"{number:,} merges"
