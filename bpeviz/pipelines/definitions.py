"""What pipelines of ``tokenizers`` and ``sentencepiece`` are made from. Making it needs neither library."""

import json
from typing import Any

import msgspec

__all__ = [
    "BYTE",
    "CONTROL",
    "LEFT_OUT_ID",
    "NORMAL",
    "UNKNOWN",
    "UNUSED",
    "USER_DEFINED",
    "HuggingFaceDefinition",
    "SentencePieceDefinition",
    "define_huggingface",
]

#: A token and its id for characters that a model without an unknown token leaves out. No text has U+FFFF.
LEFT_OUT = "\uffffleft out\uffff"
LEFT_OUT_ID = -1


class HuggingFaceDefinition(msgspec.Struct, frozen=True):
    """``file``: a tokenizer.json whose model numbers its tokens from 0 on; ``ids``: their ids in the
    tokenizer; ``added``: those of the added tokens; ``wholes``: the texts of the tokens that only a whole
    pre-token is; ``decoder``: the decoder of the file, as JSON."""

    file: str
    ids: list[int]
    added: dict[str, int]
    wholes: dict[str, int]
    decoder: str


def define_huggingface(
    whole: dict[str, Any], symbols: dict[str, int] | None, added: dict[str, int], wholes: dict[str, int]
) -> bytes:
    """Return the definition of a pipeline, from the values of a tokenizer.json.

    ``symbols``: the ids of the base symbols, if the model has merges, else None: then the model keeps its
    tokens; ``added``: the ids of the added tokens; ``wholes``: those of the tokens that a whole pre-token is
    before anything merges.
    """
    model = dict(whole["model"])
    ids: list[int] = []
    if symbols is not None:
        model |= {
            "type": "BPE",
            "vocab": {s: i for i, s in enumerate(symbols)},
            "merges": [],
            "dropout": None,
        }
        model["ignore_merges"] = False
        ids = list(symbols.values())
        if model.get("unk_token") is None:
            # Characters that the library leaves out shift the offsets of those after them. As unknown tokens
            # they don't, and are left out here.
            model |= {"unk_token": LEFT_OUT, "fuse_unk": False}
            model["vocab"][LEFT_OUT] = len(ids)
            ids.append(LEFT_OUT_ID)
    elif isinstance(model["vocab"], dict):
        # Without holes, into which the library would put its added tokens.
        ids = list(model["vocab"].values())
        model["vocab"] = {token: i for i, token in enumerate(model["vocab"])}
    file = {
        "version": "1.0",
        **{key: whole.get(key) for key in ("normalizer", "pre_tokenizer")},
        "added_tokens": whole.get("added_tokens") or [],
        "model": model,
    }
    decoder = json.dumps(whole.get("decoder"), ensure_ascii=False)
    definition = HuggingFaceDefinition(json.dumps(file, ensure_ascii=False), ids, added, wholes, decoder)
    return msgspec.msgpack.encode(definition)


#: The types of pieces, as ``sentencepiece_model.proto`` numbers them.
NORMAL, UNKNOWN, CONTROL, USER_DEFINED, UNUSED, BYTE = range(1, 7)


class SentencePieceDefinition(msgspec.Struct, frozen=True):
    """``model``: a ModelProto; ``merges``: whether it has merges, which are taken out, or else its own tokens
    are the symbols; ``ids``: the id of
    each piece, if it is not its place; ``added``: the ids of the tokens that are found in a text before
    it; ``strips_left``, ``strips_right``: those of them that drop the spaces before and after them;
    ``new_ids``: if tokens were dropped, the ids of the others, by those before; ``normalizer``: what changes
    the text before the model does, as in a tokenizer.json, empty for nothing."""

    model: bytes
    merges: bool
    ids: list[int] = []
    added: dict[str, int] = {}
    strips_left: list[str] = []
    strips_right: list[str] = []
    new_ids: dict[int, int] = {}
    normalizer: str = ""
