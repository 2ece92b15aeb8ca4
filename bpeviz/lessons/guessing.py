"""Guessing the next merge: the pairs to choose from at a step, and why each is or isn't the one."""

from collections.abc import Sequence
from dataclasses import dataclass

from bpeviz.core.token_chain import Pair
from bpeviz.runs.run import Run
from bpeviz.runs.run_at_step import RunAtStep
from bpeviz.words import how_often

__all__ = ["LESS_FREQUENT", "VERDICTS", "Candidate", "candidates"]

#: Why a pair that is less frequent than the next merge isn't the one; the playground fills it in too.
LESS_FREQUENT = "{pair} occurs {often}, {fewer} fewer than the most frequent pair{free}."
#: What to say of an answer: it is right, it ties with the right one, it is another one, or there is none,
#: because the person asked to see the right one.
VERDICTS = {
    "right": "Right: {right}",
    "ties": "Almost: {given} ties with {right}.",
    "other": "You picked {given}. The answer: {right}",
    "shown": "The answer: {right}",
}


@dataclass(frozen=True)
class Candidate:
    """A ``pair`` that could be merged next: its ``label``, how often it occurs (``count``), whether it is the
    ``right`` one or ``ties`` with it, and ``why``, in sentences. What a person typed may be in them."""

    pair: Pair
    label: str
    count: int
    right: bool
    ties: bool
    why: str


def candidates(run: Run, step: int, most: int, also: Pair | None = None) -> list[Candidate]:
    """At most so many of the most frequent pairs, the next merge among them, by their labels; ``also`` one
    more that occurs. Vetoed pairs are left out.

    ``step`` is smaller than the number of merges. If more pairs tie, the ties that the recipe prefers stay.
    """
    at = RunAtStep(run, step)
    following = run.steps[step].pair
    vetoed = run.vetoed(step)
    table = at.pairs.head(most + len(vetoed))
    pairs: list[tuple[Pair, int]] = [
        ((int(left), int(right)), int(count))
        for left, right, count in zip(table["left"], table["right"], table["count"], strict=True)
        if (left, right) not in vetoed
    ][:most]
    if following not in dict(pairs):
        pairs[-1] = following, at.count(following)
    if also is not None and also not in dict(pairs):
        pairs.append((also, at.count(also)))
    count = dict(pairs)[following]
    found = [_candidate(run, step, pair, own, count) for pair, own in pairs]
    return sorted(found, key=lambda candidate: candidate.label)


def _candidate(run: Run, step: int, pair: Pair, own: int, count: int) -> Candidate:
    """``own`` is the pair's count, ``count`` that of the next merge."""
    made = run.steps[step]
    right, label = pair == made.pair, run.pair_label(pair)
    chosen = any(choice.rank == step and choice.action == "merge" for choice in run.choices)
    ties = not right and own == count and pair not in run.vetoed(step)
    why = " ".join(_reasons(run, step, pair, own, count, chosen=chosen))
    return Candidate(pair, label, own, right, ties, why)


def _reasons(run: Run, step: int, pair: Pair, own: int, count: int, *, chosen: bool) -> Sequence[str]:
    occurs = f"{run.pair_label(pair)} occurs {how_often(own)}"
    free = " that isn't vetoed" if run.vetoed(step) else ""
    if pair == run.steps[step].pair:
        return _reasons_of_next(run, step, occurs, free, chosen=chosen)
    if pair in run.vetoed(step):
        return (f"{occurs}, but a person vetoed it.",)
    if own == count:
        return (f"{occurs} too, {run.recipe.tie_words.lost}{_ids(run, pair)}.",)
    if own > count:
        return (f"{occurs}, but the next merge is chosen by hand.",)
    label, fewer = run.pair_label(pair), f"{count - own:,}"
    return (LESS_FREQUENT.format(pair=label, often=how_often(own), fewer=fewer, free=free),)


def _reasons_of_next(run: Run, step: int, occurs: str, free: str, *, chosen: bool) -> Sequence[str]:
    made = run.steps[step]
    if chosen:
        return f"{occurs}.", "It was chosen by hand, not by the recipe."
    if made.tied > 1:
        return (
            f"{occurs}, and {made.tied:,} pairs share that count.",
            f"This trainer takes it because {run.recipe.tie_reason}{_ids(run, made.pair)}.",
        )
    return (f"{occurs}, more often than any other pair{free}.",)


def _ids(run: Run, pair: Pair) -> str:
    """Return the ids, where they decide: " (220 and 83)"."""
    return f" ({pair[0]} and {pair[1]})" if run.recipe.tie == "smallest-ids" else ""
