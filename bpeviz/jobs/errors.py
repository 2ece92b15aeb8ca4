"""Errors of a training in another process."""

import signal

from bpeviz.base_error import BpevizError

__all__ = ["TrainingProcessError"]


class TrainingProcessError(BpevizError):
    """The process of a training ended early. ``exit_code`` is minus the number of the signal if one ended it,
    and None if the process could not start."""

    def __init__(self, exit_code: int | None) -> None:
        super().__init__(
            f"{_how_it_ended(exit_code)} Train again, or take a smaller text. Nothing else changed."
        )
        self.exit_code = exit_code


def _how_it_ended(exit_code: int | None) -> str:
    if exit_code is None:
        return "Training couldn't start, probably because memory ran out."
    if exit_code >= 0:
        return f"The training stopped with exit code {exit_code} before it was done."
    names = {s.value: s.name for s in signal.Signals}
    name = names.get(-exit_code, f"signal {-exit_code}")
    why = ", probably because memory ran out" if name == "SIGKILL" else ""
    return f"The training was killed by {name}{why}."
