"""What can go wrong with a training in another process."""

import signal

from bpeviz.base_error import BpevizError

__all__ = ["TrainingProcessError"]


class TrainingProcessError(BpevizError):
    """A training whose process ended before it was done: the ``exit_code``, which is the number of the signal
    made negative where one ended it, and None where the process could not be started."""

    def __init__(self, exit_code: int | None) -> None:
        super().__init__(
            f"{_how_it_ended(exit_code)} Train again, or take a smaller text; everything else is as it was."
        )
        self.exit_code = exit_code


def _how_it_ended(exit_code: int | None) -> str:
    if exit_code is None:
        return "The process that was to train could not be started, mostly for want of memory."
    if exit_code >= 0:
        return f"The process that trained ended with code {exit_code} before it was done."
    names = {s.value: s.name for s in signal.Signals}
    name = names.get(-exit_code, f"signal {-exit_code}")
    why = ", as happens when memory runs out" if name == "SIGKILL" else ""
    return f"The process that trained was ended by {name}{why}."
