"""The training that one visitor waits for."""

from dataclasses import dataclass

from bpeviz.runs.run import RunRequest
from bpeviz.ui.session.background_training import BackgroundTraining

__all__ = ["TrainingState"]


@dataclass
class TrainingState:
    """What trains, and how the last training ended.

    - ``job``: the training of a long text that goes on in the background;
    - ``wanted``: the run that was asked for and is not there yet. It is saved, so that an interrupted
      training begins again;
    - ``finished``: the name of the text of a training that is done and was not looked at yet;
    - ``failed``: why the last one failed.
    """

    job: BackgroundTraining | None = None
    wanted: RunRequest | None = None
    finished: str = ""
    failed: str = ""

    @property
    def busy(self) -> bool:
        """Whether a training goes on in the background."""
        return self.job is not None and not self.job.done

    def begin(self, job: BackgroundTraining, wanted: RunRequest | None = None) -> None:
        """Follow a training in the background, in the place of any other."""
        self.end()
        self.job, self.wanted = job, wanted

    def end(self) -> None:
        """Want nothing more of the training in the background."""
        if self.job is not None:
            self.job.cancel()
        self.job = self.wanted = None
        self.finished = self.failed = ""
