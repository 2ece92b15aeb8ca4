"""Hugging Face's tokenizer.json for a tokenizer of characters that writes spaces as ▁, as SentencePiece does.

    {"pre_tokenizer": {"type": "Sequence", "pretokenizers": [      how a text is split:
         {"type": "Split", "behavior": "Removed", …},              at line ends, which are left out
         {"type": "Metaspace", "prepend_scheme": "never", …}]},    before each space, which becomes ▁
     "model": {"type": "BPE", "unk_token": "<unk>",
               "vocab": {"<unk>": 0, "▁": 3, "a": 4, …}, "merges": [["▁", "a"], …], …}}

``tokenizers`` gives the same ids as the tokenizer. For characters that the vocabulary lacks both give <unk>.
If that is no special token of it, the library leaves such characters out, and here encoding them raises
TokenizerError.
"""

import json

from bpeviz.core.base_vocabulary import CharacterVocabulary
from bpeviz.formats.characters import character_pairs, character_texts, same_text_refusal
from bpeviz.text.special_tokens import UNKNOWN
from bpeviz.text.split_patterns import get_split_pattern
from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = ["metaspace_caution", "metaspace_refusal", "not_of_sentencepiece", "write_metaspace"]


def not_of_sentencepiece(tokenizer: Tokenizer) -> str:
    """Why a tokenizer does not spell and split text as SentencePiece does; empty if it does."""
    base = tokenizer.base
    if not isinstance(base, CharacterVocabulary):
        return "it is made of bytes, and the file holds characters."
    if (base.space, base.end_of_word, base.whitespace) != ("▁", "", "drop-separators"):
        return "it is made of characters, but does not write spaces as ▁, as SentencePiece does."
    if tokenizer.split.regex != get_split_pattern("sentencepiece").regex:
        return f"its split pattern is {tokenizer.split.name}, and SentencePiece splits before spaces only."
    return ""


def metaspace_refusal(tokenizer: Tokenizer) -> str:
    """Why a tokenizer of characters cannot be written as a tokenizer.json; empty if it can."""
    return not_of_sentencepiece(tokenizer) or same_text_refusal(tokenizer, tokenizer.special_tokens)


def metaspace_caution(tokenizer: Tokenizer, _: str) -> str:
    """Says that the library leaves unknown characters out; empty if it doesn't."""
    if not isinstance(tokenizer.base, CharacterVocabulary) or UNKNOWN in tokenizer.special_tokens:
        return ""
    return (
        f"Without the special token {UNKNOWN} the tokenizers library silently leaves out characters that the "
        "vocabulary lacks. Train with it to have them counted."
    )


def write_metaspace(tokenizer: Tokenizer) -> dict[str, bytes]:
    """Return the tokenizer.json of a tokenizer that metaspace_refusal accepts."""
    ids = {text: token_id for token_id, text in character_texts(tokenizer).items()}
    vocabulary = dict(sorted((ids | tokenizer.special_tokens).items(), key=lambda item: item[1]))
    metaspace = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "never", "split": True}
    line_ends = {
        "type": "Split",
        "pattern": {"Regex": r"[\n\x00\x1f]+"},
        "behavior": "Removed",
        "invert": False,
    }
    written = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [
            {
                "id": token_id,
                "content": token,
                "single_word": False,
                "lstrip": False,
                "rstrip": False,
                "normalized": token in tokenizer.found_last,
                "special": True,
            }
            for token, token_id in tokenizer.special_tokens.items()
        ],
        "normalizer": None,
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [line_ends, metaspace]},
        "post_processor": None,
        "decoder": metaspace,
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": UNKNOWN if UNKNOWN in tokenizer.special_tokens else None,
            "continuing_subword_prefix": None,
            "end_of_word_suffix": None,
            "fuse_unk": True,
            "byte_fallback": False,
            "ignore_merges": False,
            "vocab": vocabulary,
            "merges": character_pairs(tokenizer),
        },
    }
    return {"tokenizer.json": json.dumps(written, ensure_ascii=False, indent=1).encode("utf-8")}
