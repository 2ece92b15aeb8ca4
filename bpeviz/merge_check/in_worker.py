"""Checks in a worker: reading a person's file and trying all mistakes on a text takes seconds, and what is in
the file is unknown."""

from collections.abc import Callable

import msgspec

from bpeviz.corpus.corpus import Corpus
from bpeviz.errors import TokenizerFileError, TrainingProcessError
from bpeviz.merge_check.check import check_merges
from bpeviz.merge_check.reading import read_merges
from bpeviz.merge_check.reference import Halves
from bpeviz.merge_check.result import MergeCheck
from bpeviz.words import counted
from bpeviz.workers import workers
from bpeviz.workers.task import Limit, OnEvent, Task, WorkerError, why_it_ended

__all__ = ["CHECK", "CheckRequest", "Checked", "check_in_worker"]

_MEMORY = 3 * 2**29
#: The share of the time after which a check says what it had no time for.
_SHARE = 0.75


class CheckRequest(msgspec.Struct, frozen=True):
    """Merges in ``files``, the text and the recipe to check them against; ``split`` is None for the recipe's
    own pattern. More than ``most_merges`` are refused. It may take ``seconds`` of processor time."""

    files: dict[str, bytes]
    text: str
    recipe: str
    split: str | None = None
    most_merges: int = 20_000
    seconds: float = 600.0


class Checked(msgspec.Struct, frozen=True):
    """The result, and the merges that were read."""

    check: MergeCheck
    merges: tuple[Halves, ...]


def check_in_worker(
    request: CheckRequest, on_progress: Callable[[float, str], object] = lambda _, __: None
) -> Checked:
    """Return the result of a check that runs in a worker. ``on_progress`` gets the share done and words,
    several times a second; what it raises ends the worker.

    Raises TokenizerFileError, CorpusError, SplitPatternError, TrainingSettingsError, and TrainingProcessError
    if the worker ends early.
    """
    now = 0.0

    def told(share: float) -> None:
        nonlocal now
        now = share
        wait(queued=False)

    def wait(queued: bool) -> None:  # the signature is that of OnWait
        words = "Waiting for other trainings" if queued else "Comparing your merges with the rule"
        on_progress(now, words)

    try:
        return workers().run(CHECK, request, Limit(request.seconds, _MEMORY), wait, told)
    except WorkerError as error:
        ended = why_it_ended(error.why, "The check", "Give fewer merges or a shorter text.")
        raise TrainingProcessError(". ".join(ended)) from None


def _work(request: CheckRequest, tell: OnEvent) -> Checked:
    merges = read_merges(request.files).halves
    if len(merges) > request.most_merges:
        raise TokenizerFileError(
            next(iter(request.files)),
            f"it has {counted(len(merges), 'merge')}; at most {request.most_merges:,} are checked here. "
            "Give the first ones, or run: bpeviz check.",
        )
    check = check_merges(
        merges,
        Corpus.from_text(request.text),
        request.recipe,
        split=request.split,
        on_progress=tell,
        seconds=_SHARE * request.seconds,
    )
    return Checked(check, merges)


CHECK = Task("bpeviz.merge_check.in_worker:CHECK", CheckRequest, Checked, _work, event=float, kind="long")
