"""Training in a thread of the server: it continues while the person changes pages.

The thread mostly waits for the process that does the work. It draws nothing; the page reads how far it is. A
person who has left can't cancel, so the training checks whether its session is still connected."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from streamlit import runtime

from bpeviz.runs.run_training import RunRequest
from bpeviz.runs.training_words import Progress
from bpeviz.ui.server.streamlit_internals import served_session
from bpeviz.workers.turns import asker, asking_for
from bpeviz.workers.waiting import called_while_waiting

__all__ = ["GONE_AFTER_SECONDS", "BackgroundTraining", "TrainingState", "session_connected"]

#: Training stops when its session has been disconnected for this long.
GONE_AFTER_SECONDS = 10.0

Trained = TypeVar("Trained")


class _EndedError(Exception):
    """The person cancelled the training, or left."""


class BackgroundTraining:
    """One training of the text called ``name``. It starts at once.

    ``training`` is the function that trains; ``deliver`` passes its result to ``on_trained``. ``connected``
    tells whether the session is still connected. ``share`` (from 0 to 1) and ``words`` say how far the
    training is.
    """

    def __init__(
        self,
        training: Callable[[Progress], Trained],
        on_trained: Callable[[Trained], None],
        connected: Callable[[], bool],
        name: str = "",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name = name
        self.share, self.words = 0.0, "Starting"
        self._connected, self._clock = connected, clock
        self._seen = clock()
        self._unwanted = threading.Event()
        self._ended = threading.Event()
        self._interrupted = False
        self._outcome: Callable[[], None] | None = None
        self._asker = asker()
        threading.Thread(target=self._run, args=(training, on_trained), name="training", daemon=True).start()

    @property
    def done(self) -> bool:
        """Whether it finished, failed or was cancelled."""
        return self._ended.is_set()

    def wait(self, seconds: float) -> bool:
        """Wait until it is done, at most so many seconds; return whether it is."""
        return self._ended.wait(seconds)

    @property
    def interrupted(self) -> bool:
        """Whether it stopped because the person had left."""
        return self._interrupted

    def cancel(self) -> None:
        """Stop it at its next report of progress, within some tenths of a second."""
        self._unwanted.set()

    def deliver(self) -> None:
        """Pass on the result, once it is done. Raises what the training raised."""
        if self._outcome is None:
            raise LookupError("the training is not done yet")
        self._outcome()

    def _run(self, training: Callable[[Progress], Trained], on_trained: Callable[[Trained], None]) -> None:
        try:
            with asking_for(self._asker), called_while_waiting(lambda: self._note(self.share, self.words)):
                trained = training(self._note)
        except _EndedError:
            self._interrupted = not self._unwanted.is_set()
            self._outcome = lambda: None
        except Exception as error:  # deliver raises it where the page can show it
            self._outcome = _raiser(error)
        else:
            self._outcome = lambda: on_trained(trained)
        self._ended.set()

    def _note(self, share: float, words: str) -> None:
        self.share, self.words = share, words
        now = self._clock()
        if self._connected():
            self._seen = now
        if self._unwanted.is_set() or now - self._seen > GONE_AFTER_SECONDS:
            raise _EndedError


def _raiser(error: Exception) -> Callable[[], None]:
    def again() -> None:
        raise error

    return again


def session_connected() -> Callable[[], bool]:
    """Return a function that tells, in any thread, whether the current session is connected."""
    session_id = served_session()
    if session_id is None:
        return lambda: True
    server = runtime.get_instance()
    return lambda: server.is_active_session(session_id)


@dataclass
class TrainingState:
    """The state of training.

    - ``job``: a long text that trains in the background;
    - ``wanted``: the run that the person waits for. It is saved, so an interrupted training starts again;
    - ``finished``: the text's name of a finished training that the person has not seen yet;
    - ``failed``: why the last training failed.
    """

    job: BackgroundTraining | None = None
    wanted: RunRequest | None = None
    finished: str = ""
    failed: str = ""

    @property
    def busy(self) -> bool:
        """Whether a text trains in the background."""
        return self.job is not None and not self.job.done

    def start(self, job: BackgroundTraining, wanted: RunRequest | None = None) -> None:
        """Follow a training in the background; cancel any other."""
        self.end()
        self.job, self.wanted = job, wanted

    def end(self) -> None:
        """Cancel the training in the background."""
        if self.job is not None:
            self.job.cancel()
        self.job = self.wanted = None
        self.finished = self.failed = ""
