"""Names of runs: each says which text it is of, what it begins with, or how a fork differs.

your text | your text · 2   English prose   cats.txt   GPT-2 + 7   S + he at 61   without S + he from 61
"""

from collections.abc import Collection
from itertools import chain, count

from bpeviz.runs.run import Run
from bpeviz.text.token_text import shorten

__all__ = ["free_name", "usual_name"]

#: Of the name of a text, or of a pair; a token can be as long as a word of a text.
MOST_CHARACTERS = 60


def usual_name(run: Run) -> str:
    """Return the name that a run begins with: the last choice of a fork, or the start, or the text."""
    if not run.choices:
        return _beginning(run)
    choice = run.choices[-1]
    pair, merge = shorten(run.pair_label(choice.pair), MOST_CHARACTERS), f"{choice.rank + 1:,}"
    return f"without {pair} from {merge}" if choice.action == "veto" else f"{pair} at {merge}"


def _beginning(run: Run) -> str:
    if run.start is None:
        return shorten(run.corpus.trained_name, MOST_CHARACTERS)
    learned = len(run.result.new_steps)
    return f"{run.start.name} + {learned:,}" if learned else run.start.name


def free_name(name: str, taken: Collection[str]) -> str:
    """Return the name if no other run has it, else the name with a number: "your text · 2"."""
    numbered = (f"{name} · {number}" for number in count(2))
    return next(each for each in chain([name], numbered) if each not in taken)
