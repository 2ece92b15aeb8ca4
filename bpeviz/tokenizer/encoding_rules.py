"""The rules to encode by: some trainers split text differently for training and for encoding."""

from dataclasses import replace

from bpeviz.core.base_vocabulary import BaseVocabulary, ByteVocabulary, CharacterVocabulary
from bpeviz.text.split_patterns import WORDS, SplitPattern

__all__ = ["encoding_rules"]


def encoding_rules(base: BaseVocabulary, split: SplitPattern) -> tuple[BaseVocabulary, SplitPattern]:
    """Return the base vocabulary and split pattern to encode with, after training with these.

    "LLMs from scratch" trains on unsplit text but encodes word by word, and writes the white space before a
    word as one Ġ. After training with cuts at special tokens, Tokenizer.encode cuts at those that its caller
    allows. After training line by line it splits whole texts, as ``tokenizers`` does. All other trainers
    encode by the rules of training.
    """
    if isinstance(base, CharacterVocabulary) and base.whitespace == "drop-first":
        return replace(base, whitespace="one-before-word"), WORDS
    if split.special_tokens:
        split = split.between_special_tokens
    if isinstance(base, ByteVocabulary) and base.whole:
        base = replace(base, whole={})
    return base, split.of_whole_texts
