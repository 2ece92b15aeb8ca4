"""Hugging Face's tokenizer.json.

    {"normalizer": null,                                           how a text is changed first
     "pre_tokenizer": {"type": "ByteLevel", …},                    how it is split
     "model": {"type": "BPE", "vocab": {…}, "merges": [["Ġ", "t"], …], …},
     "added_tokens": [{"content": "<|endoftext|>", "id": 0, …}]}   special tokens

The tokenizer gives the same ids as ``tokenizers`` with add_special_tokens=False, and with
encode_special_tokens=True if special tokens aren't allowed. A plain byte-level file, which does nothing but
split by one pattern, is read into a split pattern. For any other the library itself normalizes and splits
(see bpeviz.pipelines). Models without merges, such as Unigram and WordPiece, are read too: their tokens are
symbols that never merge.

If the vocabulary of a plain byte-level file lacks some bytes, the library silently drops them; here encoding
them raises TokenizerError. Added tokens have the ids that the library gives them. Settings that do not
change ids are ignored: post_processor, truncation and padding.

huggingface_writing.py writes such files.
"""

from collections.abc import Mapping
from itertools import chain

import msgspec
import numpy as np
import numpy.typing as npt

from bpeviz.core.base_vocabulary import (
    GPT2_BYTE_CHARACTERS,
    BaseVocabulary,
    ByteVocabulary,
    ListedVocabulary,
)
from bpeviz.core.token_chain import Pair
from bpeviz.errors import warn
from bpeviz.formats.acting_merges import acting_merges, with_whole_tokens
from bpeviz.formats.bounds import check_special_tokens, check_total
from bpeviz.formats.byte_level import (
    bytes_of_characters,
    check_added_tokens,
    check_merge,
    check_vocabulary,
)
from bpeviz.formats.detect import Found
from bpeviz.formats.huggingface_pipeline import (
    check_steps,
    huggingface_pipeline,
    is_plain,
    joins_bytes,
    split_of,
    steps_of,
    writes_spaces_as_marks,
)
from bpeviz.formats.huggingface_writing import pre_tokenizer_of
from bpeviz.formats.oniguruma import oniguruma_refusal
from bpeviz.formats.source import FaultError, JsonObject, check_utf8, kind, shown, split_merge
from bpeviz.text.library import ids_of_added
from bpeviz.text.split_patterns import SplitPattern, get_split_pattern
from bpeviz.tokenizer.symbol_merger import Merge
from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = ["read_huggingface", "read_values"]

_SPACE_MARK = "▁"


def read_huggingface(file: Found) -> Tokenizer:
    """Return the tokenizer of a tokenizer.json. Raises FaultError, SplitPatternError."""
    return read_values(file.values)


def read_values(
    values: Mapping[str, object],
    *,
    split: SplitPattern | None = None,
    added_ids: Mapping[str, int] | None = None,
) -> Tokenizer:
    """Return the tokenizer of the values of a tokenizer.json. Raises FaultError, SplitPatternError.

    ``split`` is the split pattern of a byte-level tokenizer, if it is not that of the values; ``added_ids``
    are the ids of the added tokens, if the library doesn't number them.
    """
    whole = JsonObject("", values)
    model = whole.inner("model")
    if split is not None and not is_plain(whole, model):
        # the library splits: it takes the pattern only in its own way of writing
        if refusal := oniguruma_refusal(split):
            raise FaultError(f"the tokenizers library has to split its texts, and can't: {refusal}")
        whole = JsonObject("", {**values, "pre_tokenizer": pre_tokenizer_of(split)})
    _check_version(whole)
    check_steps(whole)
    match _type(model):
        case "BPE":
            return _read_bpe(whole, model, split, added_ids)
        case "Unigram" | "WordPiece" | "WordLevel" as type_of_model:
            return _read_without_merges(whole, model, type_of_model)
        case unknown:
            raise model.fault(
                f"its type is {shown(unknown)}", "BPE, Unigram, WordPiece and WordLevel can be read."
            )


def _check_version(whole: JsonObject) -> None:
    version = whole.optional("version", "1.0")
    if version != "1.0":
        raise whole.fault(f"its version is {shown(version)}", "Only version 1.0 can be read.")


def _type(model: JsonObject) -> str:
    """Return the type of a model. Files from before 2021 name none; only BPE has merges."""
    return model.optional("type", "BPE" if "merges" in model.values else "unknown")


# --- models with merges --------------------------------------------------------------------------------


def _read_bpe(
    whole: JsonObject, model: JsonObject, asked: SplitPattern | None, added_ids: Mapping[str, int] | None
) -> Tokenizer:
    ids = check_vocabulary(model.required("vocab", dict))
    special_tokens = _added_tokens(whole, ids, len(ids)) if added_ids is None else dict(added_ids)
    _warn_of_dropout(model)
    pre_tokenizers = list(steps_of(whole.values.get("pre_tokenizer"), "pretokenizers"))
    is_byte_level = any(step.get("type") == "ByteLevel" for step in pre_tokenizers)
    split = (asked or split_of(whole)) if is_byte_level and is_plain(whole, model) else None
    spelled = _spelled_symbols(whole, model, ids, is_byte_level=is_byte_level)
    if split is not None:
        spelled = {text: symbol for text, symbol in spelled.items() if text in _BYTE_CHARACTERS}
    symbols = {text: ids[text] for text in sorted(spelled, key=ids.__getitem__)}
    base = _base_vocabulary(model, symbols, spelled)
    ignores_merges = model.optional("ignore_merges", False)
    pairs = _numbered_pairs(model, ids, model.optional("continuing_subword_prefix", ""))
    made, unmade = acting_merges(list(symbols.values()), pairs, all_tokens=ignores_merges)
    if is_byte_level:
        check_added_tokens(special_tokens, ids, made)
    reached = {*symbols.values(), *(token_id for _, token_id in made)}
    wholes: dict[str, int] = {}
    if ignores_merges:
        made = [merge for merge in made if merge[1] not in unmade]
        reached -= unmade
        wholes = {
            text: i
            for text, i in ids.items()
            if text and (i not in reached or _is_marked(model, text) or (text in spelled and len(text) > 1))
        }
        if split is not None:  # " the" with a space is no pre-token, which is written "Ġthe"
            wholes = {text: i for text, i in wholes.items() if set(text) <= _BYTE_CHARACTERS}
    left_over = wholes | {text: i for text, i in ids.items() if i not in reached}
    never_made = {i: _bytes_of(whole, text, is_byte_level=is_byte_level) for text, i in left_over.items()}
    merges: list[Merge] = with_whole_tokens(made, wholes.values())
    only_joins = is_byte_level and joins_bytes(whole, special_tokens)
    only_joins &= not model.optional("end_of_word_suffix", "")
    pipeline = None
    if split is None or not only_joins:
        pipeline = huggingface_pipeline(
            whole.values,
            symbols,
            dict(zip(base.symbol_ids, base.symbols, strict=True)),
            special_tokens=special_tokens,
            wholes=wholes,
            token_texts={} if only_joins else _token_texts(ids, special_tokens),
        )
    return Tokenizer(
        base,
        merges,
        split=split or get_split_pattern("none"),
        special_tokens=special_tokens,
        found_last=() if split is None else _found_last(whole),
        found_always=_found_always(whole),
        pipeline=pipeline if split is None else None,
        decoder=None if only_joins else pipeline,
        unmade=never_made,
        ignores_merges=ignores_merges,
    )


def _is_marked(model: JsonObject, text: str) -> bool:
    """Return whether merging a pre-token with the text of a token gives another token, because of the
    model's prefix or suffix."""
    prefix = model.optional("continuing_subword_prefix", "")
    return bool(model.optional("end_of_word_suffix", "")) or bool(prefix and text.startswith(prefix))


def _warn_of_dropout(model: JsonObject) -> None:
    dropout = model.values.get("dropout")
    if dropout is None:
        return
    if isinstance(dropout, bool) or not isinstance(dropout, int | float) or not 0 <= dropout <= 1:
        raise model.fault("dropout must be null or a number from 0 to 1")
    if dropout:
        warn(
            f"The file has a dropout of {dropout:g}: the library leaves merges out by chance. bpeviz takes "
            "all merges, as the library does with a dropout of null."
        )


_BYTE_CHARACTERS = set(GPT2_BYTE_CHARACTERS)
#: The byte that each of these tokens is, if the model says that they are bytes.
_BYTE_FALLBACK = {f"<0x{value:02X}>": bytes([value]) for value in range(256)}


def _spelled_symbols(
    whole: JsonObject, model: JsonObject, ids: Mapping[str, int], *, is_byte_level: bool
) -> dict[str, bytes]:
    """Return the bytes of each base symbol, by its text in the vocabulary: single characters, with the prefix
    or the suffix of the model, the tokens of single bytes, and the unknown token."""
    prefix = model.optional("continuing_subword_prefix", "")
    suffix = model.optional("end_of_word_suffix", "")
    unknown = model.optional("unk_token", "")
    spelled: dict[str, bytes] = {}
    for text in ids:
        bare = text.removeprefix(prefix).removesuffix(suffix)
        if len(text) == 1 or len(bare) == 1:
            one = bare if len(bare) == 1 else text
            end = suffix if suffix and text.endswith(suffix) and len(text) > 1 else ""
            spelled[text] = _bytes_of(whole, one, is_byte_level=is_byte_level) + end.encode("utf-8")
        elif text == unknown:
            spelled[text] = text.encode("utf-8")
    if model.optional("byte_fallback", False):
        spelled |= {text: byte for text, byte in _BYTE_FALLBACK.items() if text in ids}
    return spelled


def _bytes_of(whole: JsonObject, text: str, *, is_byte_level: bool) -> bytes:
    """Return the bytes that a text in the vocabulary stands for."""
    if is_byte_level:
        return bytes_of_characters(text)
    spaced = text.replace(_SPACE_MARK, " ") if writes_spaces_as_marks(whole.values) else text
    return spaced.encode("utf-8")


def _base_vocabulary(
    model: JsonObject, symbols: Mapping[str, int], spelled: Mapping[str, bytes]
) -> BaseVocabulary:
    """Return the base vocabulary: bytes with ids in a row, or any list. Raises FaultError if there is no
    symbol."""
    if not symbols:
        raise FaultError(
            "its vocabulary holds no single character or byte, so that nothing can be merged. Check that "
            "it is the right file."
        )
    values = [spelled[text] for text in symbols]
    first = min(symbols.values())
    if set(symbols) <= _BYTE_CHARACTERS and list(symbols.values()) == list(range(first, first + len(values))):
        return ByteVocabulary(b"".join(values), first)
    single = frozenset(i for text, i in symbols.items() if text in _BYTE_FALLBACK)
    unknown = model.values.get("unk_token")
    return ListedVocabulary(
        {i: spelled[text] for text, i in symbols.items()},
        model.optional("end_of_word_suffix", "") or "",
        single,
        frozenset(i for text, i in symbols.items() if text == unknown),
    )


def _numbered_pairs(model: JsonObject, ids: Mapping[str, int], prefix: str) -> npt.NDArray[np.int64]:
    """Return the ids of both halves of each merge and of the token it makes, by rank; of a pair that is there
    twice, the last, as in the library. Raises FaultError if a merge names or makes an unknown token."""
    items = model.required("merges", list)
    check_total(merges=len(items))
    if (pairs := _plain_pairs(items, ids, prefix)) is not None:
        return pairs
    merges: dict[Pair, int] = {}
    for rank, item in enumerate(items):
        left, right = _pair(model, rank, item)
        made = left + (right.removeprefix(prefix) if prefix else right)
        if left not in ids or right not in ids or made not in ids:
            check_merge(rank, (left, right), made, ids)
        pair = ids[left], ids[right]
        merges.pop(pair, None)
        merges[pair] = ids[made]
    listed = [(*pair, token_id) for pair, token_id in merges.items()]
    return np.array(listed, np.int64).reshape(-1, 3)


def _plain_pairs(items: list[object], ids: Mapping[str, int], prefix: str) -> npt.NDArray[np.int64] | None:
    """Return the same of two texts each, none of them unknown and no pair twice, in a third of the time:
    there may be half a million. None for other lists."""
    try:
        pairs = msgspec.convert(items, list[tuple[str, str]])
        made = [ids[left + right] for left, right in pairs]
        halves = [ids[half] for half in chain.from_iterable(pairs)]
    except (msgspec.ValidationError, KeyError):
        return None
    numbered = np.column_stack([np.array(halves, np.int64).reshape(-1, 2), np.array(made, np.int64)])
    keys = np.sort((numbered[:, 0] << 32) | numbered[:, 1])
    return numbered if (np.diff(keys) > 0).all() and not prefix else None


def _pair(model: JsonObject, rank: int, item: object) -> tuple[str, str]:
    """Return a merge as a pair. It is a text, ``"a b"``, or a list, ``["a", "b"]``, as newer versions
    write."""
    place = f"the merge of rank {rank:,}"
    match item:
        case str():
            return split_merge(item, place)
        case [str() as left, str() as right]:
            return left, right
    raise model.fault(f"{place} is {kind(item)}; it must be a text of two tokens, or a list of two texts")


# --- models without merges -----------------------------------------------------------------------------


def _read_without_merges(whole: JsonObject, model: JsonObject, type_of_model: str) -> Tokenizer:
    """Return a tokenizer whose tokens are all base symbols."""
    ids = _pieces(model) if type_of_model == "Unigram" else check_vocabulary(model.required("vocab", dict))
    size = max(ids.values(), default=-1) + 1 if type_of_model == "Unigram" else len(ids)
    special_tokens = _added_tokens(whole, ids, size)
    fallback = _BYTE_FALLBACK if model.optional("byte_fallback", False) else {}
    tokens = {i: fallback.get(text) or _bytes_of(whole, text, is_byte_level=False) for text, i in ids.items()}
    pipeline = huggingface_pipeline(
        whole.values,
        None,
        tokens,
        special_tokens=special_tokens,
        wholes={},
        token_texts=_token_texts(ids, special_tokens),
    )
    continuing = model.optional("continuing_subword_prefix", "##") if type_of_model == "WordPiece" else ""
    unknown = model.values.get("unk_id" if type_of_model == "Unigram" else "unk_token")
    unknown_id = unknown if isinstance(unknown, int) else ids.get(str(unknown), -1)
    return Tokenizer(
        ListedVocabulary(tokens, continuing=continuing, unknown_id=unknown_id),
        [],
        split=get_split_pattern("none"),
        special_tokens=special_tokens,
        found_always=_found_always(whole),
        pipeline=pipeline,
    )


def _pieces(model: JsonObject) -> dict[str, int]:
    """Return the ids of the pieces of a Unigram model, which are their places. Raises FaultError."""
    pieces = model.required("vocab", list)
    check_total(tokens=len(pieces))
    ids: dict[str, int] = {}
    for i, piece in enumerate(pieces):
        match piece:
            case [str() as text, int() | float()]:
                ids[text] = i
            case _:
                raise model.fault(f"vocab[{i}] is {kind(piece)}; it must be a list of a text and a number")
    check_vocabulary(ids)
    return ids


def _token_texts(ids: Mapping[str, int], special_tokens: Mapping[str, int]) -> dict[int, str]:
    """How the library writes each token; of several with one id, the last special token."""
    return {i: text for text, i in ids.items()} | {i: text for text, i in special_tokens.items()}


# --- special tokens ------------------------------------------------------------------------------------


def _added_tokens(whole: JsonObject, ids: Mapping[str, int], size: int) -> dict[str, int]:
    """Return the ids of the added tokens, as the library numbers them when it loads a file.

    The ids in ``added_tokens`` don't count: those of a tokenizer that was trained after its tokens had been
    added are no longer right.
    """
    contents = list[str]()
    for added in whole.objects("added_tokens"):
        contents.append(added.required("content", str))
        added.required("id", int)
        check_utf8(contents[-1], f"{added.place}: its content")
    numbered = ids_of_added(contents, ids, size)
    check_special_tokens(numbered)
    return numbered


def _found_last(whole: JsonObject) -> set[str]:
    """Return the added tokens that the library searches for in the normalized text, so after all others."""
    tokens = whole.objects("added_tokens")
    found_last = {token.required("content", str): token.optional("normalized", False) for token in tokens}
    return {content for content, is_last in found_last.items() if is_last}


def _found_always(whole: JsonObject) -> set[str]:
    """Return the added tokens that aren't special, such as those of ``add_tokens``: the library finds them
    even if it takes special tokens as text. Of a token that is listed twice, one may be special."""
    special: dict[str, bool] = {}
    for token in whole.objects("added_tokens"):
        content = token.required("content", str)
        special[content] = special.get(content, False) or token.optional("special", True)
    return {content for content, is_special in special.items() if content and not is_special}
