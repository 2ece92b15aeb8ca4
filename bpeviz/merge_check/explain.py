"""explain: which variations of the reference trainer give all merges of a person's trainer.

Each variation trains one merge at a time beside theirs, and is dropped at the first merge that it misses. If
each of their merges has the highest right count, only ties differ, so only tie rules are tried.
"""

import time
from collections.abc import Callable, Sequence
from itertools import islice

from bpeviz.errors import CorpusError, SplitPatternError
from bpeviz.merge_check.reference import Halves, ReferenceTrainer, Rules
from bpeviz.merge_check.result import Cause
from bpeviz.merge_check.texts import Texts
from bpeviz.merge_check.variation import Variation
from bpeviz.merge_check.variations import tie_variations, variations

__all__ = ["OutOfTimeError", "Watch", "explain"]

MOST_NAMED = 12
#: How often a training looks at the watch.
LOOKS = 32


class OutOfTimeError(Exception):
    """The check has used the time that it may take."""


class Watch:
    """Ends a check after ``seconds`` of processor time, and tells its progress."""

    def __init__(self, seconds: float, on_progress: Callable[[float], object]) -> None:
        self._until = time.process_time() + seconds
        self._on_progress = on_progress
        self.share = 0.0

    def tell(self) -> None:
        """Tell the progress."""
        self._on_progress(self.share)

    def look(self) -> None:
        """Tell the progress. Raises OutOfTimeError, and what the listener raises."""
        self.tell()
        if time.process_time() > self._until:
            raise OutOfTimeError


def explain(
    texts: Texts, rules: Rules, theirs: Sequence[Halves], watch: Watch
) -> tuple[tuple[Cause, ...], tuple[str, ...]]:
    """Return the causes that give all their merges, and in words what there was no time for."""
    try:
        only_ties = _have_highest_counts(texts.trainer(rules), theirs, watch)
    except OutOfTimeError:
        return (), ("everything",)
    table = [*(tie_variations(rules) if only_ties else variations(rules, texts))]
    fits: list[Variation] = []
    untried: list[Variation] = []
    for tried, variation in enumerate(table):
        watch.share = 0.3 + 0.7 * tried / len(table)
        try:
            if _gives(texts, variation.of(rules), theirs, watch):
                fits.append(variation)
        except OutOfTimeError:
            untried = table[tried:]
            break
        except (CorpusError, SplitPatternError):
            continue  # this text can't be cut so
    causes = _causes(fits, len(theirs))
    if only_ties and not fits:
        what = "Only ties differ: each of your merges has the highest count at its step."
        what += "" if untried else " No known tie rule takes them all."
        causes = (Cause(("tie",), (("unknown",),), what, len(theirs)),)
    return causes, tuple(dict.fromkeys(each.kind.replace("-", " ") for each in untried))


def _have_highest_counts(trainer: ReferenceTrainer, theirs: Sequence[Halves], watch: Watch) -> bool:
    """Return whether each merge has the highest right count after those before it."""
    for rank, (left, right) in enumerate(theirs):
        if not rank % LOOKS:
            watch.share = 0.1 + 0.2 * rank / len(theirs)
            watch.look()
        pairs = [pair for pair in trainer.leaders() if trainer.halves(pair) == (left, right)]
        if not pairs:
            return False
        trainer.merge(pairs[0])
    return True


def _gives(texts: Texts, rules: Rules, theirs: Sequence[Halves], watch: Watch) -> bool:
    """Return whether a trainer makes exactly their merges."""
    known = set(theirs)
    made: list[Halves] = []
    for rank, mine in enumerate(islice(texts.trainer(rules).merges(), len(theirs))):
        if not rank % LOOKS:
            watch.look()
        if not (mine in known if rules.order else mine == theirs[rank]):
            return False
        made.append(mine)
    return (rules.order(made) if rules.order else made) == list(theirs)


def _causes(fits: Sequence[Variation], merges: int) -> tuple[Cause, ...]:
    """Return a cause for all fits that differ only in their names."""
    groups: dict[tuple[str, str], dict[str, str]] = {}
    for fit in fits:
        groups.setdefault((fit.kind, fit.lead), {})[fit.name] = fit.rest
    causes = [
        Cause((kind,), (tuple(named),), f"{lead}{_either([*named.values()])}.", merges)
        for (kind, lead), named in groups.items()
    ]
    return tuple(causes[:MOST_NAMED])


def _either(words: Sequence[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} or {last}" if first else last
