"""Errors of comparisons."""

from bpeviz.base_error import BpevizError

__all__ = ["NoTokenizerError"]


class NoTokenizerError(BpevizError):
    """Something other than a Tokenizer, of the type ``given``, for a ``function`` that takes Tokenizers."""

    def __init__(self, function: str, given: str, wanted: str = "two Tokenizers") -> None:
        super().__init__(
            f"{function} takes {wanted}, not {given}. Load one with load_pretrained or Tokenizer.load, "
            "or train one with train_tokenizer."
        )
        self.function = function
        self.given = given
