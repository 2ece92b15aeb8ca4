"""Errors of comparisons."""

from bpeviz.base_error import BpevizError

__all__ = ["NoTokenizerError"]


class NoTokenizerError(BpevizError):
    """Something other than a Tokenizer, of the type ``given``, for a ``function`` that compares two."""

    def __init__(self, function: str, given: str) -> None:
        super().__init__(
            f"{function} takes two Tokenizers, not {given}. Load one with load_pretrained or Tokenizer.load, "
            "or train one with train_tokenizer."
        )
        self.function = function
        self.given = given
