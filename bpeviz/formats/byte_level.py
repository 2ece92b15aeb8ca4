"""Byte-level vocabularies as GPT-2 and Hugging Face write them: tokens in byte characters, merges as pairs.

    {"t": 83, "h": 71, "Ġ": 220, "th": 400, "Ġth": 262}, [("t", "h"), ("Ġ", "th")]

Every character of a token is one byte: GPT2_BYTE_CHARACTERS.

Writing keeps the bytes, what the merges make, and the special tokens. It leaves out a merge of a pair that an
earlier merge already has, because no encoding reaches it and these libraries take a pair only once.
"""

from collections.abc import Iterable, Mapping

from bpeviz.core.base_vocabulary import GPT2_BYTE_CHARACTERS, ByteVocabulary
from bpeviz.core.token_chain import Pair
from bpeviz.formats.bounds import check_lengths, check_total
from bpeviz.formats.source import FaultError, check_token_id, check_utf8, shown
from bpeviz.text.token_text import visible
from bpeviz.tokenizer.symbol_merger import in_making_order
from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = [
    "byte_level_pairs",
    "byte_level_refusal",
    "byte_level_vocabulary",
    "bytes_of_characters",
    "check_added_tokens",
    "check_merge",
    "check_vocabulary",
    "in_byte_characters",
    "learned_tokens",
    "not_of_bytes",
]


def check_vocabulary(values: Mapping[str, object]) -> dict[str, int]:
    """``values`` if they are token ids, each for one token. Raises FaultError otherwise."""
    check_total(tokens=len(values))
    check_lengths(((token, len(token)) for token in values), lambda token: f"the token {shown(token)}")
    check_utf8("".join(values), "a token of its vocabulary")
    ids = {token: check_token_id(token, value) for token, value in values.items()}
    token_of_id: dict[int, str] = {}
    for token, token_id in ids.items():
        other = token_of_id.setdefault(token_id, token)
        if other != token:
            raise FaultError(
                f"the tokens {shown(other)} and {shown(token)} have the same id {token_id:,}. "
                "Give each token a different id."
            )
    return ids


def bytes_of_characters(text: str) -> bytes:
    """Return the bytes that byte characters stand for; of a text with other characters, such as a special
    token, those in UTF-8."""
    if _BYTE_OF_CHARACTER.keys() >= set(text):
        return bytes(_BYTE_OF_CHARACTER[character] for character in text)
    return text.encode("utf-8", "replace")


_BYTE_OF_CHARACTER = {character: value for value, character in enumerate(GPT2_BYTE_CHARACTERS)}


def check_merge(rank: int, pair: tuple[str, str], made: str, ids: Mapping[str, int]) -> None:
    """Raise FaultError if a merge names a token that is not in the vocabulary, or makes one."""
    for what, text in (("names", pair[0]), ("names", pair[1]), ("makes", made)):
        if text not in ids:
            raise _fault(rank, *pair, f"{what} {shown(text)}, which is not in the vocabulary. {_PAIRED}")


def _fault(rank: int, left: str, right: str, what: str) -> FaultError:
    return FaultError(f"the merge of rank {rank:,}, {shown(left)} with {shown(right)}, {what}")


_PAIRED = "Vocabulary and merges must be of the same tokenizer: export both again."


def check_added_tokens(
    added: Iterable[str], ids: Mapping[str, int], merges: Iterable[tuple[Pair, int]]
) -> None:
    """Raise FaultError if an added token is spelled like a token of other bytes that merges make."""
    made = {token_id for _, token_id in merges}
    for token in added:
        # "Ġthe" as an added token is those four characters; as a token of merges it is " the"
        is_made = token in _BYTE_OF_CHARACTER or ids.get(token) in made
        if is_made and not token.isascii():
            raise FaultError(
                f"the added token {shown(token)} is also a token of other bytes that merges make, under one "
                "id. Leave it out of added_tokens, or spell it in another way."
            )


# --- writing -------------------------------------------------------------------------------------------


def learned_tokens(tokenizer: Tokenizer) -> dict[int, bytes]:
    """Return the bytes of the base symbols and of the merged tokens, by id and in the order of their
    ranks."""
    base_ids = tokenizer.base.symbol_ids
    tokens = dict(zip(base_ids, tokenizer.base.symbols, strict=True))
    merges = tokenizer.paired
    for rank in in_making_order(base_ids, merges):
        (left, right), token_id = merges[rank]
        tokens[token_id] = tokens[left] + tokens[right]
    return {token_id: tokens[token_id] for token_id in (*base_ids, *(made for _, made in merges))}


def not_of_bytes(tokenizer: Tokenizer) -> str:
    """Why a format of bytes cannot hold a tokenizer of characters; empty for one of bytes."""
    if isinstance(tokenizer.base, ByteVocabulary):
        return ""
    return "it is made of characters, and the file holds bytes."


def byte_level_refusal(tokenizer: Tokenizer) -> str:
    """Why a vocabulary of spellings cannot hold a tokenizer; empty if it can."""
    empty = "" if tokenizer.base.symbols else "it learned from an empty text and has not one byte."
    return not_of_bytes(tokenizer) or empty or _alike(tokenizer) or _special_refusal(tokenizer)


def _alike(tokenizer: Tokenizer) -> str:
    id_of_token: dict[bytes, int] = {}
    for token_id, token in learned_tokens(tokenizer).items():
        if id_of_token.setdefault(token, token_id) != token_id:
            return f"two of its tokens spell {visible(token)!r}, and the file has one id for each spelling."
    return ""


def _special_refusal(tokenizer: Tokenizer) -> str:
    token_of_id = learned_tokens(tokenizer)
    id_of_token = {in_byte_characters(token): i for i, token in token_of_id.items()}
    for token, token_id in tokenizer.special_tokens.items():
        # a byte's character is read as that byte even if the vocabulary lacks the byte
        taken = token in id_of_token or token_id in token_of_id or token in [*GPT2_BYTE_CHARACTERS]
        same = id_of_token.get(token) == token_id and token.isascii()
        if taken and not same:
            return f"its special token {shown(token)} has the spelling or the id of another token."
    return ""


def byte_level_vocabulary(tokenizer: Tokenizer) -> dict[str, int]:
    """Return the id of every token by its spelling in byte characters, special tokens by their text; ids
    ascend."""
    ids = {in_byte_characters(token): token_id for token_id, token in learned_tokens(tokenizer).items()}
    return dict(sorted((ids | tokenizer.special_tokens).items(), key=lambda item: item[1]))


def byte_level_pairs(tokenizer: Tokenizer) -> list[tuple[str, str]]:
    """Return the spellings of both halves of every merge, by rank."""
    spelled = {token_id: in_byte_characters(token) for token_id, token in learned_tokens(tokenizer).items()}
    return [(spelled[left], spelled[right]) for left, right in dict(tokenizer.paired)]


def in_byte_characters(token: bytes) -> str:
    """Return the characters that stand for bytes: ``" t"`` is ``"Ġt"``."""
    return "".join(map(GPT2_BYTE_CHARACTERS.__getitem__, token))
