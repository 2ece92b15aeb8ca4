"""Tiny tokenizer files for the tests of bpeviz.formats, and ways to change them."""

import base64
import copy
import json
from collections.abc import Mapping

REMOVED = object()
#: What every added token of a file says about the text around it.
NOT_STRIPPED = {"single_word": False, "lstrip": False, "rstrip": False}

#: Three bytes, two merges, one special token: "ab ab" is "ab" and " ab".
TINY = {
    "version": "1.0",
    "truncation": None,
    "padding": None,
    "added_tokens": [{"id": 0, "content": "<|end|>", "normalized": False, "special": True, **NOT_STRIPPED}],
    "normalizer": None,
    "pre_tokenizer": {
        "type": "ByteLevel",
        "add_prefix_space": False,
        "trim_offsets": True,
        "use_regex": True,
    },
    "post_processor": None,
    "decoder": {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True},
    "model": {
        "type": "BPE",
        "dropout": None,
        "unk_token": None,
        "continuing_subword_prefix": None,
        "end_of_word_suffix": None,
        "fuse_unk": False,
        "byte_fallback": False,
        "ignore_merges": False,
        "vocab": {"<|end|>": 0, "a": 1, "b": 2, "Ġ": 3, "ab": 4, "Ġab": 5},
        "merges": [["a", "b"], ["Ġ", "ab"]],
    },
}


def tiny(changes: Mapping[tuple[str | int, ...], object] = {}) -> dict:
    """TINY with other values at some paths: {("model", "type"): "Unigram"}; REMOVED removes a key."""
    changed = copy.deepcopy(TINY)
    for (*path, last), value in changes.items():
        place = changed
        for key in path:
            place = place[key]
        if value is REMOVED:
            del place[last]
        else:
            place[last] = value
    return changed


def as_file(value: object, name: str = "tokenizer.json") -> dict[str, bytes]:
    return {name: json.dumps(value).encode()}


def split_then_bytes(pattern: object, **changes: object) -> dict:
    """A pre_tokenizer that splits by a regular expression, then writes bytes."""
    split = {"type": "Split", "pattern": pattern, "behavior": "Isolated", "invert": False} | changes
    to_bytes = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}
    return {"type": "Sequence", "pretokenizers": [split, to_bytes]}


def pair(vocabulary: object, merges: str) -> dict[str, bytes]:
    return {"vocab.json": json.dumps(vocabulary).encode(), "merges.txt": merges.encode()}


def rank_lines(tokens: Mapping[bytes, object]) -> str:
    return "".join(f"{base64.b64encode(token).decode()} {rank}\n" for token, rank in tokens.items())


def minbpe_model(*merges: str, pattern: str = "", specials: tuple[str, ...] = ()) -> dict[str, bytes]:
    """A .model file: ``merges`` as lines, such as "97 98"."""
    lines = ["minbpe v1", pattern, str(len(specials)), *specials, *merges]
    return {"tokenizer.model": "".join(f"{line}\n" for line in lines).encode()}


def notebook_pair(vocabulary: object, merges: object) -> dict[str, bytes]:
    """The two files of "LLMs from scratch"."""
    return {"vocab.json": json.dumps(vocabulary).encode(), "bpe_merges.txt": json.dumps(merges).encode()}


#: Three characters, two merges, one special token: "ab ab" is "ab" and "Ġab".
NOTEBOOK_VOCABULARY = {"0": "a", "1": "b", "2": "Ġ", "3": "<|end|>", "4": "ab", "5": "Ġab"}
NOTEBOOK_MERGES = [{"pair": [0, 1], "new_id": 4}, {"pair": [2, 4], "new_id": 5}]


SINGLE_BYTES = {bytes([value]): value for value in range(256)}


def ranks(tokens: Mapping[bytes, object] = {}, name: str = "cl100k_base.tiktoken") -> dict[str, bytes]:
    """A .tiktoken file: the 256 bytes by value, then ``tokens``."""
    return {name: rank_lines(SINGLE_BYTES | tokens).encode()}
