"""Tokens of characters as texts, for formats that name each token by its text.

{"l": 0, "o": 1, "w</w>": 2}, merge of 0 and 1  ->  {0: "l", 1: "o", 2: "w</w>", 3: "lo"}
"""

from collections.abc import Mapping

from bpeviz.core.base_vocabulary import CharacterVocabulary
from bpeviz.formats.source import shown
from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = ["character_pairs", "character_texts", "same_text_refusal"]


def character_texts(tokenizer: Tokenizer) -> dict[int, str]:
    """Return the text of each base symbol and of each token that merges make, by id; empty if it has no
    characters.

    Spaces and ends of words are written as in the base vocabulary.
    """
    if not isinstance(tokenizer.base, CharacterVocabulary):
        return {}
    texts = {token_id: symbol for symbol, token_id in tokenizer.base.ids.items()}
    for (left, right), token_id in tokenizer.paired:
        texts[token_id] = texts[left] + texts[right]
    return texts


def character_pairs(tokenizer: Tokenizer) -> list[tuple[str, str]]:
    """Return the texts of both halves of every merge, by rank. A pair that is there twice counts once: the
    later merge never happens."""
    texts = character_texts(tokenizer)
    return [(texts[left], texts[right]) for left, right in dict(tokenizer.paired)]


def same_text_refusal(tokenizer: Tokenizer, special_tokens: Mapping[str, int]) -> str:
    """Why a format with one token for each text cannot hold a tokenizer; empty if it can.

    ``special_tokens`` are those that the file holds.
    """
    texts = character_texts(tokenizer)
    ids: dict[str, int] = {}
    for token_id, text in texts.items():
        if ids.setdefault(text, token_id) != token_id:
            return f"two of its tokens have the text {shown(text)}, and the file has one for each text."
    for token, token_id in special_tokens.items():
        if token in ids or token_id in texts:
            return f"its special token {shown(token)} has the text or the id of another token."
    return ""
