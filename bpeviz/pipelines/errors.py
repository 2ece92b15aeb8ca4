"""The error of a pipeline that needs too much."""

from bpeviz.base_error import BpevizError

__all__ = ["PipelineError"]


class PipelineError(BpevizError):
    """A text on which the normalizer or pre-tokenizer of a tokenizer file takes too long, needs too much
    memory or fails. ``why`` says what happened; the message adds the remedy. ``said`` is what the
    library said, in one line, if anything."""

    def __init__(self, why: str, remedy: str = "Try another text.", said: str = "") -> None:
        super().__init__(f"{why}. {remedy}")
        self.why = why
        self.said = said
