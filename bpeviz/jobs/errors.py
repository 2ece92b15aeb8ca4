"""Errors of a training in a worker."""

from typing import Literal

from bpeviz.base_error import BpevizError

__all__ = ["TrainingProcessError"]

_HOW_IT_ENDED = {
    "not started": "Training couldn't start, probably because memory ran out.",
    "memory": "The training was stopped from outside, probably because memory ran out.",
    "time": "The training took too long.",
    "crashed": "The training crashed.",
}


class TrainingProcessError(BpevizError):
    """The worker of a training ended early; ``why`` is how."""

    def __init__(self, why: Literal["time", "memory", "crashed", "not started"]) -> None:
        super().__init__(f"{_HOW_IT_ENDED[why]} Train again, or take a smaller text. Nothing else changed.")
        self.why = why
