"""Hugging Face's tokenizer.json, of model type BPE and byte-level.

    {"pre_tokenizer": {"type": "ByteLevel", …},                    how a text is split
     "model": {"type": "BPE", "vocab": {…}, "merges": [["Ġ", "t"], …], …},
     "added_tokens": [{"content": "<|endoftext|>", "id": 0, …}]}   special tokens

The tokenizer gives the same ids as ``tokenizers`` with add_special_tokens=False and added tokens allowed. If
the vocabulary lacks some bytes, the library silently drops them; here encoding them raises
UnspellableTextError. Added tokens have the ids of the file; the library gives new ids to those that do not
continue the numbers of the vocabulary. Settings that do not change ids are ignored: post_processor and
decoder, truncation and padding.

Writing keeps every id: special tokens are both in the vocabulary and among the added tokens. A vocabulary
without some of the 256 bytes is written without them too.
"""

import json
from collections.abc import Iterable, Sequence

from bpeviz.core.base_vocabulary import GPT2_BYTE_CHARACTERS, CharacterVocabulary
from bpeviz.formats.bounds import check_special_tokens
from bpeviz.formats.byte_level import (
    base_vocabulary,
    byte_level_pairs,
    byte_level_refusal,
    byte_level_vocabulary,
    check_added_tokens,
    check_vocabulary,
    numbered_merges,
)
from bpeviz.formats.detect import Found
from bpeviz.formats.gpt2 import split_merge
from bpeviz.formats.oniguruma import oniguruma_refusal, oniguruma_regex, split_pattern_of
from bpeviz.formats.source import FaultError, JsonObject, check_token_id, check_utf8, kind, shown
from bpeviz.text.split_patterns import SplitPattern, get_split_pattern
from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = ["huggingface_refusal", "read_huggingface", "write_huggingface"]

#: To check that merges make every token takes a second for as many characters as GPT-2's tokens have.
MAX_CHECKED_CHARACTERS = 5_000_000


def read_huggingface(file: Found) -> Tokenizer:
    """The tokenizer of a tokenizer.json. Raises FaultError, SplitPatternError."""
    whole = JsonObject("", file.values)
    model = whole.inner("model")
    _check_version(whole)
    _check_type(model)
    split = _split(whole)
    _check_normalizer(whole)
    ids = check_vocabulary(model.required("vocab", dict))
    special_tokens = _special_tokens(whole)
    _check_model(model, ids)
    pairs = _pairs(model)
    base = base_vocabulary(ids)
    merges = numbered_merges(ids, pairs)
    check_added_tokens(special_tokens, ids, merges)
    last = _found_last(whole)
    tokenizer = Tokenizer(base, merges, split=split, special_tokens=special_tokens, found_last=last)
    if model.optional("ignore_merges", False):
        _check_whole_tokens(model, tokenizer, {t: i for t, i in ids.items() if t not in special_tokens})
    return tokenizer


def _check_version(whole: JsonObject) -> None:
    version = whole.optional("version", "1.0")
    if version != "1.0":
        raise whole.fault(f"its version is {shown(version)}", "Only version 1.0 can be read.")


def _check_type(model: JsonObject) -> None:
    """Raise FaultError for another type. Files from before 2021 name none; only BPE has merges."""
    unnamed = "BPE" if "merges" in model.values else "unknown"
    model_type = model.optional("type", unnamed)
    if model_type != "BPE":
        raise model.fault(f"its type is {shown(model_type)}", "Only BPE can be read.")


# --- how a text is split -------------------------------------------------------------------------------


def _split(whole: JsonObject) -> SplitPattern:
    """The split pattern: ByteLevel alone, or after one Split."""
    if whole.values.get("pre_tokenizer") is None:
        raise whole.fault("it has no pre_tokenizer", _BYTE_LEVEL_ONLY)
    pre_tokenizer = whole.inner("pre_tokenizer")
    is_sequence = pre_tokenizer.required("type", str) == "Sequence"
    steps = pre_tokenizer.objects("pretokenizers") if is_sequence else [pre_tokenizer]
    match [step.required("type", str) for step in steps]:
        case ["ByteLevel"]:
            return get_split_pattern("gpt2" if _splits_by_itself(steps[0]) else "none")
        case ["Split", "ByteLevel"]:
            if _splits_by_itself(steps[1]):
                raise steps[1].fault("use_regex splits a second time", "Set it to false.")
            return _split_by_regex(steps[0])
        case types:
            have = ", ".join(map(shown, types[:5])) + (", …" if len(types) > 5 else "")
            raise pre_tokenizer.fault(f"it is made of {have or 'nothing'}", _BYTE_LEVEL_ONLY)


_BYTE_LEVEL_ONLY = "Only byte-level tokenizers can be read: ByteLevel alone, or after one Split."


def _splits_by_itself(byte_level: JsonObject) -> bool:
    if byte_level.required("add_prefix_space", bool):
        raise byte_level.fault(
            "add_prefix_space puts a space before every text, which bpeviz does not",
            "Set it to false to read the tokenizer without it.",
        )
    return byte_level.optional("use_regex", True)


def _split_by_regex(step: JsonObject) -> SplitPattern:
    """The pattern of a Split. Isolated keeps the matches and what is between them; Removed with invert only
    the matches.

    Both are the same if the pattern covers the text; if it does not, splitting raises an error.
    """
    pattern = step.inner("pattern")
    if "Regex" not in pattern.values:
        raise pattern.fault("it is not a Regex", "Only a Split by a regular expression can be read.")
    behavior = step.required("behavior", str)
    if behavior != "Isolated" and not (behavior == "Removed" and step.optional("invert", False)):
        raise step.fault(
            f"its behavior is {shown(behavior)}",
            "Only Isolated, and Removed with invert, leave the text whole and can be read.",
        )
    return split_pattern_of(pattern.required("Regex", str))


def _check_normalizer(whole: JsonObject) -> None:
    if whole.values.get("normalizer") is None:
        return
    normalizer = whole.inner("normalizer")
    normalizer_type = normalizer.required("type", str)
    if normalizer_type != "Sequence" or normalizer.objects("normalizers"):
        raise normalizer.fault(
            f"{shown(normalizer_type)} changes the text before it is split, which bpeviz does not",
            "Set the normalizer to null to read the tokenizer without it.",
        )


# --- vocabulary and merges -----------------------------------------------------------------------------


def _check_model(model: JsonObject, ids: dict[str, int]) -> None:
    for affix in ("continuing_subword_prefix", "end_of_word_suffix"):
        if model.optional(affix, ""):
            raise model.fault(
                f"it marks the parts of words with {affix}", "Only byte-level tokenizers can be read."
            )
    dropout = model.values.get("dropout")
    if dropout not in (None, 0) or isinstance(dropout, bool):
        raise model.fault(
            "it has a dropout, which leaves merges out by chance", "Set it to null to read the tokenizer."
        )
    if any(c not in ids for c in GPT2_BYTE_CHARACTERS):
        replaced = "unk_token" if model.values.get("unk_token") is not None else ""
        replaced = "byte_fallback" if model.optional("byte_fallback", False) else replaced
        if replaced:
            raise model.fault(
                f"its vocabulary lacks some of the 256 bytes, for which {replaced} writes other tokens",
                "Train it with the alphabet of ByteLevel, which holds them all.",
            )


def _pairs(model: JsonObject) -> list[tuple[str, str]]:
    """The merges as pairs. They are texts, ``"a b"``, or lists, ``["a", "b"]``, as newer versions write."""
    return [_pair(model, rank, item) for rank, item in enumerate(model.required("merges", list))]


def _pair(model: JsonObject, rank: int, item: object) -> tuple[str, str]:
    place = f"the merge of rank {rank:,}"
    match item:
        case str():
            return split_merge(item, place)
        case [str() as left, str() as right]:
            return left, right
    raise model.fault(f"{place} is {kind(item)}; it must be a text of two tokens, or a list of two texts")


def _check_whole_tokens(model: JsonObject, tokenizer: Tokenizer, ids: dict[str, int]) -> None:
    """Check that merges make every token. With ignore_merges a pre-token that is a token is not merged, which
    gives the same ids only then.

    The check encodes the tokens as the words of one text, in byte characters, by the merges of the tokenizer.
    It includes tokens that the split pattern never leaves whole.
    """
    words = [token for token in ids if token and set(token) <= _BYTE_CHARACTERS]
    characters = {c: ids[c] for c in sorted(_BYTE_CHARACTERS & ids.keys(), key=ids.__getitem__)}
    by_merges: Sequence[int] = ()
    if sum(map(len, words)) <= MAX_CHECKED_CHARACTERS and _are_spelled_in(characters, words):
        base = CharacterVocabulary(characters, whitespace="drop")
        merges = list(zip(tokenizer.merges, tokenizer.merge_token_ids, strict=True))
        in_characters = Tokenizer(base, merges, split=get_split_pattern("whitespace"))
        by_merges = in_characters.encode(" ".join(words))
    if by_merges != [ids[token] for token in words]:
        raise model.fault(
            "ignore_merges is on, and its vocabulary holds tokens that its merges do not make",
            "Set it to false to read the tokenizer without those tokens.",
        )


_BYTE_CHARACTERS = set(GPT2_BYTE_CHARACTERS)


def _are_spelled_in(characters: Iterable[str], words: Iterable[str]) -> bool:
    return set().union(*words) <= set(characters)


# --- special tokens ------------------------------------------------------------------------------------


def _special_tokens(whole: JsonObject) -> dict[str, int]:
    special_tokens: dict[str, int] = {}
    for added in whole.objects("added_tokens"):
        content = added.required("content", str)
        if not content or content in special_tokens:
            raise added.fault(
                f"its content is {'that of another' if content else 'empty'}", "Remove it from the list."
            )
        check_utf8(content, f"{added.place}: its content")
        for flag in ("lstrip", "rstrip", "single_word"):
            if added.optional(flag, False):
                raise added.fault(
                    f"{shown(content)} has {flag}, by which it matches other text than its own",
                    "Set it to false to read the tokenizer without it.",
                )
        special_tokens[content] = check_token_id(content, added.values.get("id"))
    if len(set(special_tokens.values())) < len(special_tokens):
        raise FaultError("two added tokens have the same id. Give each token an id of its own.")
    check_special_tokens(special_tokens)
    return special_tokens


def _found_last(whole: JsonObject) -> set[str]:
    """The added tokens that the library searches for in the normalized text, so after all others."""
    return {
        added.required("content", str)
        for added in whole.objects("added_tokens")
        if added.optional("normalized", False)
    }


# --- writing -------------------------------------------------------------------------------------------


def huggingface_refusal(tokenizer: Tokenizer) -> str:
    """Why a tokenizer cannot be written as a tokenizer.json; empty if it can."""
    return byte_level_refusal(tokenizer) or oniguruma_refusal(tokenizer.split)


def write_huggingface(tokenizer: Tokenizer) -> dict[str, bytes]:
    """The tokenizer.json of a tokenizer that huggingface_refusal accepts."""
    written = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [
            _added_token(token, token_id, token in tokenizer.found_last)
            for token, token_id in tokenizer.special_tokens.items()
        ],
        "normalizer": None,
        "pre_tokenizer": _pre_tokenizer(tokenizer.split),
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


def _pre_tokenizer(split: SplitPattern) -> dict[str, object]:
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
