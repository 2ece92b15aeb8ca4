"""GPT-2's pair of files: token ids in vocab.json (encoder.json), merges by rank in merges.txt (vocab.bpe).

    #version: 0.2
    Ġ t
    Ġ a

The pair has neither a split pattern nor a list of special tokens. The pattern is GPT-2's unless the caller
gives another; ``<|endoftext|>`` is special if the vocabulary holds it and no merge makes it. Other tokens
that no merge makes are left out, because GPT-2's own encoder never gives their ids. So only a tokenizer with
that pattern, and with that special token or none, can be written.
"""

import json

from bpeviz.formats.byte_level import (
    base_vocabulary,
    byte_level_pairs,
    byte_level_refusal,
    byte_level_vocabulary,
    check_vocabulary,
    numbered_merges,
)
from bpeviz.formats.detect import Found
from bpeviz.formats.source import FaultError, in_file, lines, shown
from bpeviz.text.split_patterns import SplitPattern, get_split_pattern
from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = ["END_OF_TEXT", "gpt2_refusal", "read_gpt2_pair", "split_merge", "write_gpt2_pair"]

END_OF_TEXT = "<|endoftext|>"
_HEADING = "#version"


def read_gpt2_pair(vocabulary: Found, merges: Found, split: SplitPattern | None) -> Tokenizer:
    """The tokenizer of a pair of files. Raises TokenizerFileError."""
    with in_file(vocabulary.name):
        ids = check_vocabulary(vocabulary.values)
        base = base_vocabulary(ids)
    with in_file(merges.name):
        pairs = _pairs(merges.text)
        numbered = numbered_merges(ids, pairs)
    is_special = END_OF_TEXT in ids and all(left + right != END_OF_TEXT for left, right in pairs)
    special_tokens = {END_OF_TEXT: ids[END_OF_TEXT]} if is_special else {}
    return Tokenizer(base, numbered, split=split or get_split_pattern("gpt2"), special_tokens=special_tokens)


def split_merge(line: str, place: str) -> tuple[str, str]:
    """``"Ġ t"`` -> ``("Ġ", "t")``. Raises FaultError, which names the place."""
    parts = line.split(" ")
    if len(parts) != 2 or not all(parts):
        raise FaultError(
            f"{place} is {shown(line)}, which is not two tokens with one space between them. "
            "It may have been edited or cut off; export it again."
        )
    return parts[0], parts[1]


def _pairs(text: str) -> list[tuple[str, str]]:
    return [
        split_merge(line, f"line {number:,}") for number, line in lines(text) if not line.startswith(_HEADING)
    ]


def gpt2_refusal(tokenizer: Tokenizer) -> str:
    """Why a tokenizer cannot be written as a pair of files; empty if it can."""
    if refusal := byte_level_refusal(tokenizer):
        return refusal
    if tokenizer.split.regex != get_split_pattern("gpt2").regex:
        return "its split pattern is not gpt2, and the files name none."
    others = [token for token in tokenizer.special_tokens if token != END_OF_TEXT]
    if others:
        return f"its special token {shown(others[0])} would not be known for one: the files name none."
    pairs = byte_level_pairs(tokenizer)
    if tokenizer.special_tokens and any(left + right == END_OF_TEXT for left, right in pairs):
        return f"merges make {END_OF_TEXT}, which would not be known for a special token."
    if any(left.startswith(_HEADING) for left, _ in pairs):
        return f"a merge of it begins with {_HEADING}, which merges.txt takes for its heading."
    return ""


def write_gpt2_pair(tokenizer: Tokenizer) -> dict[str, bytes]:
    """The two files of a tokenizer that gpt2_refusal accepts."""
    vocabulary = json.dumps(byte_level_vocabulary(tokenizer), ensure_ascii=False)
    merges = [f"{left} {right}\n" for left, right in byte_level_pairs(tokenizer)]
    return {
        "vocab.json": vocabulary.encode("utf-8"),
        "merges.txt": "".join([f"{_HEADING}: 0.2\n", *merges]).encode("utf-8"),
    }
