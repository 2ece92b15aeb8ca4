"""Tokenizer files that ``tokenizers`` trains on the sample texts, with the settings of a model: BERT, CLIP,
the first GPT, the quicktour of the library. From 1.0 on it has no trainers.
"""

from functools import cache

import tokenizers
from tokenizers import models, normalizers, pre_tokenizers, trainers

from tests.support.paths import SAMPLE_TEXTS

__all__ = ["bert_like", "bpe_of_quicktour", "bpe_with_word_ends", "clip_like", "word_level"]


def _trained(tokenizer: tokenizers.Tokenizer, trainer: trainers.Trainer) -> bytes:
    tokenizer.train([str(path) for path in SAMPLE_TEXTS], trainer)
    return tokenizer.to_str().encode()


@cache
def bert_like() -> bytes:
    """BERT's steps, uncased: text cleaned, lower case, accents stripped; WordPiece."""
    tokenizer = tokenizers.Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = tokenizers.decoders.WordPiece(prefix="##")
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    trainer = trainers.WordPieceTrainer(vocab_size=3_000, special_tokens=special, show_progress=False)
    return _trained(tokenizer, trainer)


@cache
def word_level() -> bytes:
    """Whole words and marks; the others are [UNK]."""
    tokenizer = tokenizers.Tokenizer(models.WordLevel(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFD(), normalizers.StripAccents()])
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    trainer = trainers.WordLevelTrainer(
        vocab_size=2_000, special_tokens=["[UNK]", "[PAD]"], show_progress=False
    )
    return _trained(tokenizer, trainer)


@cache
def bpe_of_quicktour() -> bytes:
    """The BPE of the quicktour of ``tokenizers``: characters, Whitespace and [UNK]."""
    tokenizer = tokenizers.Tokenizer(models.BPE(unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    special = ["[UNK]", "[CLS]", "[SEP]", "[PAD]", "[MASK]"]
    trainer = trainers.BpeTrainer(vocab_size=3_000, special_tokens=special, show_progress=False)
    return _trained(tokenizer, trainer)


@cache
def clip_like() -> bytes:
    """CLIP's steps: lower case, its own words, bytes as characters, and </w> at the end of each word."""
    tokenizer = tokenizers.Tokenizer(models.BPE(unk_token="<|endoftext|>", end_of_word_suffix="</w>"))
    spaces = normalizers.Replace(tokenizers.Regex(r"\s+"), " ")
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFC(), spaces, normalizers.Lowercase()])
    words = tokenizers.Regex(r"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+")
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(words, "removed", invert=True),
            pre_tokenizers.ByteLevel(add_prefix_space=False),
        ]
    )
    tokenizer.decoder = tokenizers.decoders.Sequence(
        [
            tokenizers.decoders.ByteLevel(),
            tokenizers.decoders.Replace("</w>", " "),
            tokenizers.decoders.Strip(" ", 0, 1),
        ]
    )
    trainer = trainers.BpeTrainer(
        vocab_size=3_000,
        special_tokens=["<|startoftext|>", "<|endoftext|>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        end_of_word_suffix="</w>",
        show_progress=False,
    )
    return _trained(tokenizer, trainer)


@cache
def bpe_with_word_ends() -> bytes:
    """The first GPT's steps: lower case, BERT's words, and </w> at the end of each."""
    tokenizer = tokenizers.Tokenizer(models.BPE(unk_token="<unk>", end_of_word_suffix="</w>"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = tokenizers.decoders.BPEDecoder(suffix="</w>")
    trainer = trainers.BpeTrainer(
        vocab_size=3_000, special_tokens=["<unk>"], end_of_word_suffix="</w>", show_progress=False
    )
    return _trained(tokenizer, trainer)
