"""Errors of recipes, choices and trainers."""

from collections.abc import Sequence

from bpeviz.base_error import BpevizError, in_short
from bpeviz.core.errors import TrainingSettingsError

__all__ = ["ChoiceError", "PairNotFoundError", "UnknownRecipeError"]


class UnknownRecipeError(BpevizError):
    """A recipe name that does not exist: ``name``, and the ``known`` ones."""

    def __init__(self, name: str, known: Sequence[str]) -> None:
        super().__init__(f"There is no recipe named {name!r}. Choose one of: {', '.join(known)}.")
        self.name = name
        self.known = tuple(known)


class ChoiceError(TrainingSettingsError):
    """A choice that training cannot follow: its ``rank``, ``pair`` and ``action``, and ``why``."""

    def __init__(self, rank: object, pair: object, action: object, why: str, remedy: str) -> None:
        super().__init__(
            f"The choice at rank {in_short(rank)} ({in_short(action)} {in_short(pair)}) cannot be "
            f"followed: {why}. {remedy}.",
            setting="choices",
        )
        self.rank = rank
        self.pair = pair
        self.action = action
        self.why = why


class PairNotFoundError(BpevizError):
    """A ``pair`` to merge does not occur in the corpus at this step."""

    def __init__(self, pair: tuple[int, int]) -> None:
        super().__init__(
            f"The pair {in_short(pair)} does not occur in the corpus at this step, so it cannot be merged. "
            "Choose one of top_pairs()."
        )
        self.pair = pair
