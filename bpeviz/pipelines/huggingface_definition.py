"""What a pipeline of ``tokenizers`` is made from. Making it does not need the library."""

import json
from typing import Any

import msgspec

__all__ = ["HuggingFaceDefinition", "define_huggingface"]


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
    """The definition of a pipeline, from the values of a tokenizer.json.

    ``symbols``: the ids of the base symbols, if the model has merges, else None: then the model stays as it
    is; ``added``: the ids of the added tokens; ``wholes``: those of the tokens that a whole pre-token is
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
    file = {
        "version": "1.0",
        **{key: whole.get(key) for key in ("normalizer", "pre_tokenizer")},
        "added_tokens": whole.get("added_tokens") or [],
        "model": model,
    }
    decoder = json.dumps(whole.get("decoder"), ensure_ascii=False)
    definition = HuggingFaceDefinition(json.dumps(file, ensure_ascii=False), ids, added, wholes, decoder)
    return msgspec.msgpack.encode(definition)
