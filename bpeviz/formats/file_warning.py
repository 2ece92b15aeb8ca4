"""What a person must know of a tokenizer file that is read or written all the same."""

import warnings

__all__ = ["TokenizerFileWarning", "warn"]


class TokenizerFileWarning(UserWarning):
    """A tokenizer file does not say all of its tokenizer, so that it may be read as another one."""


def warn(message: str) -> None:
    """Emit a TokenizerFileWarning."""
    warnings.warn(message, TokenizerFileWarning, stacklevel=2)
