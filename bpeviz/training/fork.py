"""Forks: training in which a person chooses a merge, or vetoes one.

    steps_with(Trainer(corpus, "minbpe"), [Choice(24, (104, 97))])     merge (104, 97) as merge 24
    steps_with(Trainer(corpus, "minbpe"), [Choice(24, (101, 100), "veto")])     never merge it from then on

Training is deterministic, so a fork needs only its choices. Up to the first one, it makes the same merges as
the run that it forks.
"""

from collections.abc import Iterable, Iterator
from itertools import islice

from bpeviz.errors import TrainingSettingsError
from bpeviz.training.choice import Choice, check_choices, choice_error
from bpeviz.training.result import MergeStep
from bpeviz.training.trainer import Trainer
from bpeviz.words import counted

__all__ = ["steps_with"]


def steps_with(trainer: Trainer, choices: Iterable[Choice]) -> Iterator[MergeStep]:
    """Train a new ``trainer`` by its recipe and by ``choices``; yields the steps.

    Choices come by ascending rank: any vetoes of a rank, then at most one merge. A merge at the rank at which
    training stops is still made. Raises TrainingSettingsError before training if choices break these rules
    or a rank is above ``num_merges``, and during training if it stops before a rank or if a chosen pair does
    not occur at its rank.
    """
    if not isinstance(trainer, Trainer):
        raise TrainingSettingsError(
            f"steps_with takes a Trainer, not {type(trainer).__name__}: "
            "steps_with(Trainer(corpus), [Choice(…)]).",
        )
    # how many merges of a start will occur is not known yet
    most = trainer.num_merges if trainer.start is None else None
    checked = check_choices(choices, most, made=len(trainer.merges))
    return _steps_with(trainer, checked)


def _steps_with(trainer: Trainer, choices: Iterable[Choice]) -> Iterator[MergeStep]:
    for choice in choices:
        yield from islice(trainer.steps(), choice.rank - len(trainer.merges))
        if len(trainer.merges) < choice.rank:
            reason = (trainer.stop_reason or "").removesuffix(".")
            why = f"training stops after {counted(len(trainer.merges), 'merge')} ({reason})"
            raise choice_error(choice, why, "Leave it out, or change what stops training")
        if choice.action == "veto":
            trainer.veto(choice.pair)
        elif (step := trainer.step(choice.pair)) is not None:
            yield step
    yield from trainer.steps()
