"""GPT-2's pair of files: token ids in vocab.json (encoder.json), merges by rank in merges.txt (vocab.bpe).

    #version: 0.2
    Ġ t
    Ġ a

The pair carries neither a split pattern nor a list of special tokens. The pattern is GPT-2's unless another
is asked for; ``<|endoftext|>`` is special where the vocabulary holds it and no merge makes it. Other
tokens that no merge makes are left out, as GPT-2's own encoder never gives their ids.
"""

from bpeviz.errors import TokenizerFileError
from bpeviz.formats.byte_level import byte_level_tokenizer, check_vocabulary
from bpeviz.formats.detect import Found
from bpeviz.formats.source import lines, shown
from bpeviz.split_patterns import SplitPattern, get_split_pattern
from bpeviz.tokenizer import Tokenizer

__all__ = ["END_OF_TEXT", "read_gpt2_pair", "split_merge"]

END_OF_TEXT = "<|endoftext|>"


def read_gpt2_pair(vocabulary: Found, merges: Found, split: SplitPattern | None) -> Tokenizer:
    """The tokenizer of a pair of files. Raises TokenizerFileError."""
    ids = check_vocabulary(vocabulary.values, vocabulary.name)
    pairs = _pairs(merges)
    is_special = END_OF_TEXT in ids and all(left + right != END_OF_TEXT for left, right in pairs)
    return byte_level_tokenizer(
        ids,
        pairs,
        split=split or get_split_pattern("gpt2"),
        special_tokens={END_OF_TEXT: ids[END_OF_TEXT]} if is_special else {},
        name=vocabulary.name,
        merges_name=merges.name,
    )


def split_merge(line: str, place: str, name: str) -> tuple[str, str]:
    """``"Ġ t"`` -> ``("Ġ", "t")``. Raises TokenizerFileError, naming the place."""
    parts = line.split(" ")
    if len(parts) != 2 or not all(parts):
        raise TokenizerFileError(
            name,
            f"{place} is {shown(line)}, which is not two tokens with one space between them. "
            "It may have been edited or cut off; export it again.",
        )
    return parts[0], parts[1]


def _pairs(merges: Found) -> list[tuple[str, str]]:
    return [
        split_merge(line, f"line {number:,}", merges.name)
        for number, line in lines(merges.name, merges.text)
        if not line.startswith("#version")
    ]
