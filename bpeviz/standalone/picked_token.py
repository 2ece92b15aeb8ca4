"""The token that a person picks in a player, and the message in which the browser sends it."""

from dataclasses import dataclass
from typing import Annotated

import msgspec

from bpeviz.decoders import converted

__all__ = ["Count", "PickedMessage", "PickedToken", "message_of", "token_of"]


@dataclass(frozen=True)
class PickedToken:
    """The token under the cursor: where it starts and ends in the text, in bytes, and what it is.

    ``rank`` is that of the merge that makes it, or None for a token of the base vocabulary. ``token_id`` is
    None for one that has no id.
    """

    start: int
    end: int
    token_id: int | None
    text: str
    token_bytes: bytes
    rank: int | None


#: What JavaScript can count exactly.
Count = Annotated[int, msgspec.Meta(ge=0, lt=2**53)]


class PickedMessage(msgspec.Struct):
    """A picked token as the browser sends it; ``bytes`` are hexadecimal."""

    start: Count
    end: Count
    id: Count | None
    text: str
    bytes: Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{2})*$")]
    rank: Count | None


def token_of(message: object) -> PickedToken | None:
    """Return the token of a message, None if none is picked. Raises msgspec.ValidationError."""
    if message is None:
        return None
    said = converted(message, PickedMessage)
    return PickedToken(said.start, said.end, said.id, said.text, bytes.fromhex(said.bytes), said.rank)


def message_of(token: PickedToken | None) -> dict[str, object] | None:
    """Return the message of a token, as the browser would send it."""
    if token is None:
        return None
    return {
        "start": token.start,
        "end": token.end,
        "id": token.token_id,
        "text": token.text,
        "bytes": token.token_bytes.hex(),
        "rank": token.rank,
    }
