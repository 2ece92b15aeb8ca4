"""The state of training: what trains now, and how the last training ended."""

from dataclasses import dataclass

from bpeviz.runs.run_training import RunRequest
from bpeviz.ui.session.background_training import BackgroundTraining

__all__ = ["TrainingState"]


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
