"""The two futures of a trainer that differs from a recipe: a run by the rule, and a fork with their merge."""

from collections.abc import Sequence

from bpeviz.merge_check.result import MergeCheck
from bpeviz.runs.run import NamedText, Run
from bpeviz.runs.run_training import fork_run, run_request, train_run
from bpeviz.runs.training_words import Progress
from bpeviz.training.choice import Choice
from bpeviz.training.settings import TrainingSettings

__all__ = ["both_futures", "can_fork"]

#: The share of the progress that is the run by the rule.
RULE = 0.6


def can_fork(check: MergeCheck) -> bool:
    """Return whether their first different merge can be made in the rule's run: both halves are tokens there,
    and the pair occurs."""
    return check.theirs is not None and check.theirs.count > 0 and not check.impossible


def both_futures(
    text: NamedText, settings: TrainingSettings, check: MergeCheck, on_progress: Progress
) -> tuple[Run, Run | None]:
    """Train the rule's run, and the fork that makes their first different merge; None for the second if it
    can't be made there. Raises BpevizError if the text can't be trained on."""
    rule = train_run(
        run_request(text, settings), lambda share, words: on_progress(RULE * share, f"The rule: {words}")
    )
    if not can_fork(check) or check.theirs is None:
        return rule, None
    pair = _pair_of(rule, check.same, check.theirs.halves)
    if pair is None:
        return rule, None
    fork = fork_run(
        rule,
        Choice(check.same, pair),
        lambda share, words: on_progress(RULE + (1 - RULE) * share, f"Yours: {words}"),
    )
    return rule, fork


def _pair_of(run: Run, step: int, halves: Sequence[bytes]) -> tuple[int, int] | None:
    """Return the most frequent pair of ids that has these bytes after ``step`` merges."""
    counts = run.history.pair_counts(step)
    tokens = run.result.tokens
    rows = zip(counts["left"].tolist(), counts["right"].tolist(), strict=True)
    return next((pair for pair in rows if [tokens[pair[0]], tokens[pair[1]]] == list(halves)), None)
