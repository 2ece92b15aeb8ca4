"""The run that a new session opens with: a short sample, trained once for all visitors."""

from functools import cache
from threading import Lock

from bpeviz.runs.run import NamedText, Run
from bpeviz.runs.run_training import run_request, train_run
from bpeviz.runs.samples import ENGLISH, read_sample
from bpeviz.training.settings import TrainingSettings

__all__ = ["FIRST_STEP", "FIRST_STOP", "first_run"]

#: Where the player begins and where it stops by itself: by then words show in the text.
FIRST_STEP, FIRST_STOP = 36, 60

_one_at_a_time = Lock()  # a cache alone lets two visitors who come at once both train it


def first_run() -> Run:
    """Return the run. The first call trains it, which takes some hundredths of a second."""
    with _one_at_a_time:
        return _train_first_run()


@cache
def _train_first_run() -> Run:
    text = NamedText(ENGLISH.title, read_sample(ENGLISH.title))
    return train_run(run_request(text, TrainingSettings()), lambda *_: None)
