"""The warning about a tokenizer file that can be read or written, but does not say everything."""

import warnings

__all__ = ["TokenizerFileWarning", "warn"]


class TokenizerFileWarning(UserWarning):
    """A tokenizer file does not describe all of its tokenizer, so a reader may get a different one."""


def warn(message: str) -> None:
    """Emit a TokenizerFileWarning."""
    warnings.warn(message, TokenizerFileWarning, stacklevel=2)
