"""The error of a pipeline that needs too much."""

from bpeviz.base_error import BpevizError

__all__ = ["PipelineError"]


class PipelineError(BpevizError):
    """A text on which the normalizer or pre-tokenizer of a tokenizer file takes too long, needs too much
    memory or fails. The message names the remedy."""
