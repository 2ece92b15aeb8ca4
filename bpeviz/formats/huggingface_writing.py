"""Writing tokenizers as Hugging Face's tokenizer.json.

Every id is kept: special tokens are both in the vocabulary and among the added tokens. A byte-level
vocabulary without some of the 256 bytes is written without them too. A tokenizer of characters writes spaces
as ▁, as SentencePiece does:

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
from collections.abc import Mapping, Sequence

from bpeviz.core.base_vocabulary import CharacterVocabulary
from bpeviz.formats.byte_level import byte_level_pairs, byte_level_refusal, byte_level_vocabulary
from bpeviz.formats.characters import character_pairs, character_texts, same_text_refusal
from bpeviz.formats.oniguruma import oniguruma_refusal, oniguruma_regex
from bpeviz.text.special_tokens import UNKNOWN
from bpeviz.text.split_patterns import SplitPattern, get_split_pattern
from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = [
    "huggingface_refusal",
    "metaspace_caution",
    "metaspace_refusal",
    "not_of_sentencepiece",
    "pre_tokenizer_of",
    "write_huggingface",
    "write_metaspace",
]


def huggingface_refusal(tokenizer: Tokenizer) -> str:
    """Why a tokenizer cannot be written as a tokenizer.json; empty if it can."""
    return byte_level_refusal(tokenizer) or oniguruma_refusal(tokenizer.split)


def write_huggingface(tokenizer: Tokenizer) -> dict[str, bytes]:
    """Return the tokenizer.json of a tokenizer that huggingface_refusal accepts."""
    return _written(
        tokenizer,
        pre_tokenizer_of(tokenizer.split),
        _byte_level(use_regex=True),
        byte_level_vocabulary(tokenizer),
        byte_level_pairs(tokenizer),
    )


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


def _written(
    tokenizer: Tokenizer,
    pre_tokenizer: object,
    decoder: object,
    vocab: Mapping[str, int],
    merges: Sequence[object],
    *,
    unknown: str | None = None,
    fuse_unknown: bool = False,
) -> dict[str, bytes]:
    file = {
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
                "special": token not in tokenizer.found_always,
            }
            for token, token_id in tokenizer.special_tokens.items()
        ],
        "normalizer": None,
        "pre_tokenizer": pre_tokenizer,
        "post_processor": None,
        "decoder": decoder,
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": unknown,
            "continuing_subword_prefix": None,
            "end_of_word_suffix": None,
            "fuse_unk": fuse_unknown,
            "byte_fallback": False,
            "ignore_merges": False,
            "vocab": vocab,
            "merges": merges,
        },
    }
    return {"tokenizer.json": json.dumps(file, ensure_ascii=False, indent=1).encode("utf-8")}


# --- characters, with ▁ for a space --------------------------------------------------------------------


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
    steps = {"type": "Sequence", "pretokenizers": [line_ends, metaspace]}
    unknown = UNKNOWN if UNKNOWN in tokenizer.special_tokens else None
    return _written(
        tokenizer,
        steps,
        metaspace,
        vocabulary,
        character_pairs(tokenizer),
        unknown=unknown,
        fuse_unknown=True,
    )
