"""Errors of tokenizer files, and the warning about one that does not say everything."""

import warnings
from collections.abc import Sequence

from bpeviz.base_error import BpevizError

__all__ = [
    "PretrainedUnavailableError",
    "TokenizerFileError",
    "TokenizerFileWarning",
    "UnknownFileFormatError",
    "UnwritableTokenizerError",
    "warn",
]


class TokenizerFileError(BpevizError):
    """A tokenizer file, ``file_name``, that cannot be read or written; ``why`` is a sentence with the
    remedy."""

    def __init__(self, file_name: str, why: str) -> None:
        super().__init__(f"{file_name}: {why}")
        self.file_name = file_name
        self.why = why


class TokenizerFileWarning(UserWarning):
    """A tokenizer file does not describe all of its tokenizer, so a reader may get a different one."""


def warn(message: str) -> None:
    """Emit a TokenizerFileWarning."""
    warnings.warn(message, TokenizerFileWarning, stacklevel=2)


class UnwritableTokenizerError(BpevizError):
    """A tokenizer that a file ``format`` cannot hold; ``why`` is a sentence, ``others`` are the formats that
    can."""

    def __init__(self, format: str, why: str, others: Sequence[str]) -> None:
        remedy = f"Save it as: {', '.join(others)}." if others else "Train with another recipe to save one."
        super().__init__(f"The format {format} cannot hold this tokenizer: {why} {remedy}")
        self.format = format
        self.why = why
        self.others = tuple(others)


class UnknownFileFormatError(BpevizError):
    """A format of tokenizer files that does not exist: ``format``, and the ``known`` ones."""

    def __init__(self, format: str, known: Sequence[str]) -> None:
        super().__init__(
            f"There is no format of tokenizer files named {format!r}. Choose one of: {', '.join(known)}."
        )
        self.format = format
        self.known = tuple(known)


class PretrainedUnavailableError(BpevizError):
    """A pretrained tokenizer whose files are not on this machine, or are not the ones expected."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(f"The tokenizer {name!r} is not available: {why}")
        self.name = name
