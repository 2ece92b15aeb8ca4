"""Choices: merges that a person chooses or vetoes against the recipe, and a check of them."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, get_args

from bpeviz.core.token_chain import Pair, as_pair
from bpeviz.core.whole_numbers import as_whole_number
from bpeviz.errors import TrainingSettingsError
from bpeviz.words import counted, in_short

__all__ = ["Choice", "check_choices", "checked_pair", "choice_error", "continued_with"]

Action = Literal["merge", "veto"]
ACTIONS: tuple[Action, ...] = get_args(Action)


@dataclass(frozen=True)
class Choice:
    """After ``rank`` merges, ``merge`` the pair next whatever the recipe says, or ``veto`` it: never merge it
    from then on."""

    rank: int
    pair: Pair
    action: Action = "merge"


def continued_with(choices: Iterable[Choice], new: Choice) -> tuple[Choice, ...]:
    """Return the choices of a fork of a fork: the earlier ones in order, then ``new``.

    ``new`` replaces a merge chosen at the same rank; vetoes at the same rank stay.
    """
    earlier = [c for c in choices if c.rank < new.rank or (c.rank == new.rank and c.action == "veto")]
    return (*earlier, new)


def check_choices(
    choices: Iterable[Choice], num_merges: int | None = None, *, made: int = 0
) -> tuple[Choice, ...]:
    """Return the choices in plain values, if a trainer can follow them that has made ``made`` merges and
    makes at most ``num_merges`` (None: any number). Raises TrainingSettingsError."""
    if isinstance(choices, Choice) or not isinstance(choices, Iterable):
        raise TrainingSettingsError("choices takes a list: [Choice(…), …].")
    last: Choice | None = None
    most = num_merges  # a merge chosen where training stops is still made, and then perhaps one more
    checked: list[Choice] = []
    for choice in map(_in_plain_values, choices):
        if choice.rank < made:
            raise choice_error(
                choice, f"the trainer has made {counted(made, 'merge')} already", "Use a new Trainer"
            )
        if num_merges is not None and most is not None and choice.rank > most:
            why = f"training stops after {counted(num_merges, 'merge')}"
            raise choice_error(choice, why, "Leave it out, or ask for more merges")
        if last and choice.rank < last.rank:
            why = "it comes after one of a later merge"
            raise choice_error(choice, why, "Give choices by ascending rank")
        if last and choice.rank == last.rank and last.action == "merge":
            why = "another pair is merged at this rank before it"
            remedy = "Give at most one merge for each rank, after the vetoes of this rank"
            raise choice_error(choice, why, remedy)
        if choice.rank == most and choice.action == "merge":
            most += 1
        checked.append(last := choice)
    return tuple(checked)


def _in_plain_values(choice: Choice) -> Choice:
    if not isinstance(choice, Choice):
        raise TrainingSettingsError(f"choices takes Choice values, not {type(choice).__name__}.")
    rank = as_whole_number(choice.rank)
    if rank is None or rank < 0:
        raise choice_error(choice, "its rank isn't a whole number of 0 or more", "Count merges from 0")
    pair = as_pair(choice.pair)
    if pair is None:
        why = "its pair is not two token ids"
        raise choice_error(choice, why, "Give the ids of the left and right token")
    if choice.action not in ACTIONS:
        raise choice_error(choice, "its action is unknown", "Choose merge or veto")
    return Choice(rank, pair, choice.action)


def choice_error(choice: Choice, why: str, remedy: str) -> TrainingSettingsError:
    """Return the error of a choice that training cannot follow."""
    return TrainingSettingsError(
        f"The choice at rank {in_short(choice.rank)} ({in_short(choice.action)} {in_short(choice.pair)}) "
        f"cannot be followed: {why}. {remedy}."
    )


def checked_pair(pair: object) -> Pair:
    """Return a caller's pair as two ids. Raises TrainingSettingsError."""
    ids = as_pair(pair)
    if ids is None:
        raise TrainingSettingsError(
            f"A pair is two token ids, such as (97, 98); this {type(pair).__name__} is not one.",
        )
    return ids
