"""Names of runs: each says what the run is, or how it differs from the one before.

huggingface, then   gpt2 split | cl100k split   S + he at 61   without S + he from 61   cats.txt | dogs.txt
"""

from collections.abc import Callable, Collection
from itertools import chain, count

from bpeviz.runs.run import Run
from bpeviz.words import counted

__all__ = ["differing_names", "free_name", "usual_name"]

#: Of a pair; a token can be as long as a word of a text.
MOST_CHARACTERS = 60


def usual_name(run: Run) -> str:
    """Return the name that a run begins with: the last choice of a fork, or the start, or the recipe."""
    if not run.choices:
        return _rules(run)
    choice = run.choices[-1]
    pair = run.pair_label(choice.pair)
    pair = pair if len(pair) <= MOST_CHARACTERS else f"{pair[:MOST_CHARACTERS]}…"
    merge = f"{choice.rank + 1:,}"
    return f"without {pair} from {merge}" if choice.action == "veto" else f"{pair} at {merge}"


def differing_names(run: Run, other: Run) -> tuple[str, str]:
    """Return names of two runs that say how they differ: in their texts, else in the first rule that does.

    ("gpt2 split", "cl100k split")
    """
    for name in _SAYS:
        if (names := (name(run), name(other)))[0] != names[1]:
            return names
    return usual_name(run), usual_name(other)


def _rules(run: Run) -> str:
    return run.start.name if run.start else run.recipe.name


def _tokens(run: Run) -> str:
    special = run.result.special_tokens
    return counted(len(special), "special token") if special else "no special tokens"


def _longest(run: Run) -> str:
    most = run.settings.max_token_length
    return "tokens of any length" if most is None else f"tokens up to {most:,}"


def _size(run: Run) -> str:
    size = run.settings.vocab_size
    if size is not None:
        return f"{size:,} tokens"
    if run.start:  # the text may allow fewer new merges than asked for
        return f"{run.start.name} + {len(run.result.new_steps):,}"
    return f"{run.settings.num_merges:,} merges"


#: What two runs can differ in, from what changes most.
_SAYS: tuple[Callable[[Run], str], ...] = (
    lambda run: run.corpus.trained_name,
    _rules,
    lambda run: f"{run.split.name} split",
    _tokens,
    _longest,
    lambda run: f"from count {run.settings.min_frequency:,} on",
    _size,
)


def free_name(name: str, taken: Collection[str]) -> str:
    """Return the name if no other run has it, else the name with a number."""
    numbered = (f"{name} {number}" for number in count(2))
    return next(each for each in chain([name], numbered) if each not in taken)
