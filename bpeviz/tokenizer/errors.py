"""Errors of tokenizers."""

from collections.abc import Sequence

from bpeviz.base_error import BpevizError, in_short

__all__ = [
    "BareSpecialTokenError",
    "BatchError",
    "UnknownEncodingOrderError",
    "UnknownSpecialTokenError",
    "UnknownTokenError",
]


class UnknownTokenError(BpevizError):
    """A token id that a tokenizer does not have."""

    def __init__(self, token_id: int, n_vocab: int) -> None:
        super().__init__(
            f"There is no token with id {in_short(token_id)}; ids of this tokenizer are below {n_vocab:,}."
        )
        self.token_id = token_id


class UnknownSpecialTokenError(BpevizError):
    """A special token that a tokenizer does not have: ``token``, and the ``known`` ones."""

    def __init__(self, token: str, known: Sequence[str]) -> None:
        more = f" and {len(known) - 20:,} more" if len(known) > 20 else ""
        have = (
            f"It has: {', '.join(in_short(each) for each in known[:20])}{more}." if known else "It has none."
        )
        super().__init__(f"This tokenizer has no special token {in_short(repr(token))}. {have}")
        self.token = token
        self.known = tuple(known)


class BareSpecialTokenError(BpevizError):
    """Something other than a list of special tokens, such as a single token; ``given`` is what it was."""

    def __init__(self, given: object) -> None:
        shown = f"the text {in_short(repr(given), 44)}" if isinstance(given, str) else type(given).__name__
        listed = in_short(repr(given), 44) if isinstance(given, str) else "'<s>'"
        super().__init__(
            f"allowed_special is {shown}, and must be a list of special tokens or the word 'all'. "
            f"Put the token in a list: [{listed}]."
        )
        self.given = given


class BatchError(BpevizError):
    """A single value instead of a list. ``method`` was called; ``other`` is the method for a single value."""

    def __init__(self, method: str, wanted: str, other: str) -> None:
        super().__init__(f"{method} takes {wanted}, and got a single one. Put it in a list, or use {other}.")
        self.method = method
        self.other = other


class UnknownEncodingOrderError(BpevizError):
    """An order of encoding that does not exist."""

    def __init__(self, order: str) -> None:
        super().__init__(f"There is no encoding order {order!r}. Choose merge-rank or left-to-right.")
        self.order = order
