"""Writing byte-level tokenizers as Hugging Face's tokenizer.json.

Every id is kept: special tokens are both in the vocabulary and among the added tokens. A vocabulary without
some of the 256 bytes is written without them too.
"""

import json

from bpeviz.formats.byte_level import byte_level_pairs, byte_level_refusal, byte_level_vocabulary
from bpeviz.formats.oniguruma import oniguruma_refusal, oniguruma_regex
from bpeviz.text.split_patterns import SplitPattern, get_split_pattern
from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = ["huggingface_refusal", "pre_tokenizer_of", "write_huggingface"]


def huggingface_refusal(tokenizer: Tokenizer) -> str:
    """Why a tokenizer cannot be written as a tokenizer.json; empty if it can."""
    return byte_level_refusal(tokenizer) or oniguruma_refusal(tokenizer.split)


def write_huggingface(tokenizer: Tokenizer) -> dict[str, bytes]:
    """Return the tokenizer.json of a tokenizer that huggingface_refusal accepts."""
    written = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [
            _added_token(token, token_id, token in tokenizer.found_last)
            for token, token_id in tokenizer.special_tokens.items()
        ],
        "normalizer": None,
        "pre_tokenizer": pre_tokenizer_of(tokenizer.split),
        "post_processor": None,
        "decoder": _byte_level(use_regex=True),
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": None,
            "continuing_subword_prefix": None,
            "end_of_word_suffix": None,
            "fuse_unk": False,
            "byte_fallback": False,
            "ignore_merges": False,
            "vocab": byte_level_vocabulary(tokenizer),
            "merges": byte_level_pairs(tokenizer),
        },
    }
    return {"tokenizer.json": json.dumps(written, ensure_ascii=False, indent=1).encode("utf-8")}


def pre_tokenizer_of(split: SplitPattern) -> dict[str, object]:
    """Return the steps that split by a pattern which oniguruma_refusal accepts, and then write bytes."""
    if split.regex is None:
        return _byte_level(use_regex=False)
    if split.regex == get_split_pattern("gpt2").regex:
        return _byte_level(use_regex=True)
    by_regex = {
        "type": "Split",
        "pattern": {"Regex": oniguruma_regex(split)},
        "behavior": "Isolated",
        "invert": False,
    }
    return {"type": "Sequence", "pretokenizers": [by_regex, _byte_level(use_regex=False)]}


def _byte_level(*, use_regex: bool) -> dict[str, object]:
    return {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": use_regex}


def _added_token(content: str, token_id: int, found_last: bool) -> dict[str, object]:
    return {
        "id": token_id,
        "content": content,
        "single_word": False,
        "lstrip": False,
        "rstrip": False,
        "normalized": found_last,
        "special": True,
    }
