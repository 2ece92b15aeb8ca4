"""What a pipeline of ``sentencepiece`` is made from. Making it does not need the library."""

import msgspec

__all__ = [
    "BYTE",
    "CONTROL",
    "NORMAL",
    "UNKNOWN",
    "UNUSED",
    "USER_DEFINED",
    "SentencePieceDefinition",
    "define_sentencepiece",
]

#: The types of pieces, as ``sentencepiece_model.proto`` numbers them.
NORMAL, UNKNOWN, CONTROL, USER_DEFINED, UNUSED, BYTE = range(1, 7)


class SentencePieceDefinition(msgspec.Struct, frozen=True):
    """``model``: a ModelProto; ``merges``: whether it has merges, which are taken out."""

    model: bytes
    merges: bool


def define_sentencepiece(model: bytes, *, merges: bool) -> bytes:
    """Return the definition of the pipeline of a model. Without ``merges`` its own tokens are the symbols."""
    return msgspec.msgpack.encode(SentencePieceDefinition(model, merges))
