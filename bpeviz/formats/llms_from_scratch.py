"""The pair of JSON files of the notebook "LLMs from scratch": tokens by id, and merges as pairs of ids.

    {"97": "a", "98": "b", "120": "Ġ", "257": "ab", …}                     vocab.json
    [{"pair": [97, 98], "new_id": 257}, …]                                  bpe_merges.txt, also JSON

Tokens are characters; a space is Ġ. A token of one character belongs to the base vocabulary; a longer one
that no merge makes is a special token. Encoding is by merge rank, as everywhere. The notebook itself merges
from left to right, like ``order="left-to-right"``.

The files have no split pattern, and the notebook has had two (each splits like the method ``encode``):

    words    before its commit 052c2de: word by word, all white space before a word is one Ġ
    lines    since then: line breaks are tokens, each space is a Ġ, other white space is dropped

The older notebook trains on the whole text, so nearly always some of its merges cross a space or a line
break. Those of the present one never do, so files without such merges are read as ``lines`` unless the caller
asks for ``words``. If that would misread a file, writing adds the entry ``pre_tokens`` to its first merge,
which the notebook ignores.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Literal, cast

from bpeviz.core.base_vocabulary import CharacterVocabulary
from bpeviz.core.token_chain import Pair
from bpeviz.formats.bounds import check_lengths, check_special_tokens, check_total
from bpeviz.formats.detect import Found
from bpeviz.formats.source import (
    FaultError,
    JsonObject,
    check_no_hole,
    check_token_id,
    check_utf8,
    in_file,
    kind,
    shown,
)
from bpeviz.text.split_patterns import NOT_WHITESPACE, SplitPattern, get_split_pattern
from bpeviz.tokenizer.encoding_rules import encoding_rules
from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = [
    "NOTEBOOK_PATTERNS",
    "llms_from_scratch_caution",
    "llms_from_scratch_refusal",
    "read_llms_from_scratch",
    "write_llms_from_scratch",
]

_SPACE = "Ġ"
_ID = re.compile(r"0|[1-9][0-9]{0,17}")
_MARK = "pre_tokens"
_PAIRED = "Both files must be of the same tokenizer: save both again."


def _words() -> SplitPattern:
    return encoding_rules(_trained_base({}), get_split_pattern("none"))[1]


def _lines() -> SplitPattern:
    """The pre-tokens: a space belongs to the word after it, even with tabs and the like between the two."""
    dropped, word = r"(?:[^\S \r\n]|[\x1c-\x1f])", f"{NOT_WHITESPACE}+"
    regex = rf" {dropped}*+{word}|{word}| |\r|\n|{dropped}+"
    return SplitPattern("lines", regex, covers_any_text=True)


def _trained_base(ids: Mapping[str, int]) -> CharacterVocabulary:
    return CharacterVocabulary(ids, space=_SPACE, whitespace="drop-first")


#: The split patterns of the notebook when it encodes, by name.
NOTEBOOK_PATTERNS: Mapping[str, SplitPattern] = MappingProxyType({p.name: p for p in (_words(), _lines())})


def read_llms_from_scratch(vocabulary: Found, merges: Found, split: SplitPattern | None) -> Tokenizer:
    """The tokenizer of a pair of files; ``split`` is used only if it is one of NOTEBOOK_PATTERNS.

    Raises TokenizerFileError.
    """
    with in_file(vocabulary.name):
        tokens = _tokens(vocabulary.values)
        ids = _base(tokens)
    with in_file(merges.name):
        numbered = _merges(merges.items, tokens)
    asked = [name for name, pattern in NOTEBOOK_PATTERNS.items() if pattern == split]
    made = [tokens[new_id] for _, new_id in numbered]
    base, split = _rules(ids, asked[0] if asked else _pattern_of(merges.items, made))
    known = {*ids.values(), *(token_id for _, token_id in numbered)}
    with in_file(vocabulary.name):
        special_tokens = _special_tokens({i: token for i, token in tokens.items() if i not in known})
    return Tokenizer(base, numbered, split=split, special_tokens=special_tokens)


def _special_tokens(tokens: Mapping[int, str]) -> dict[str, int]:
    special_tokens: dict[str, int] = {}
    for token_id, token in tokens.items():
        if special_tokens.setdefault(token, token_id) != token_id:
            raise FaultError(f"the special token {shown(token)} occurs twice. Remove one of the two.")
    check_special_tokens(special_tokens)
    return special_tokens


def _pattern_of(merges: Sequence[Mapping[str, object]], made: Sequence[str]) -> str:
    """The name of the split pattern that a pair of files is for, by its merges and the tokens they make."""
    marked = merges[0].get(_MARK) if merges else None
    if isinstance(marked, str) and marked in NOTEBOOK_PATTERNS:
        return marked
    return "words" if any(_SPACE in token[1:] or re.search(r"[\r\n]", token) for token in made) else "lines"


def _rules(ids: Mapping[str, int], pattern: str) -> tuple[CharacterVocabulary, SplitPattern]:
    """The base vocabulary and split pattern with which the notebook encodes."""
    spaces: Literal["one-before-word", "spaces-only"]
    spaces = "one-before-word" if pattern == "words" else "spaces-only"
    return replace(_trained_base(ids), whitespace=spaces), NOTEBOOK_PATTERNS[pattern]


def _tokens(values: Mapping[str, object]) -> dict[int, str]:
    """The tokens by id, ids ascending."""
    check_total(tokens=len(values))
    tokens: dict[int, str] = {}
    for key, token in values.items():
        if not _ID.fullmatch(key):
            raise FaultError(f"the key {shown(key)} is not a token id. Ids must be whole numbers from 0 on.")
        if not isinstance(token, str) or not token:
            have = kind(token) if token != "" else "empty"
            raise FaultError(f"the token of id {shown(key)} is {have}. Tokens must be texts.")
        check_utf8(token, f"the token of id {shown(key)}")
        tokens[check_token_id(token, int(key))] = token
    check_lengths(
        ((token, len(token.encode("utf-8"))) for token in tokens.values()),
        lambda token: f"the token {shown(token)}",
    )
    return dict(sorted(tokens.items()))


def _base(tokens: Mapping[int, str]) -> dict[str, int]:
    """The ids of the single characters, which must have no gaps."""
    ids: dict[str, int] = {}
    characters = [(token_id, token) for token_id, token in tokens.items() if len(token) == 1]
    for token_id, token in characters:
        if ids.setdefault(token, token_id) != token_id:
            raise FaultError(
                f"the character {shown(token)} has two ids, {ids[token]:,} and {token_id:,}. Give each "
                "character one."
            )
    check_no_hole("characters", characters, "Number them one after the other, as the notebook does.")
    if not ids:
        raise FaultError(f"it holds no single character to start from. {_PAIRED}")
    return ids


def _merges(items: Sequence[Mapping[str, object]], tokens: Mapping[int, str]) -> list[tuple[Pair, int]]:
    check_total(merges=len(items))
    made = {token_id for token_id, token in tokens.items() if len(token) == 1}
    numbered: dict[Pair, int] = {}
    for rank, item in enumerate(items):
        merge = JsonObject(f"the merge of rank {rank:,}", item)
        pair = _pair(merge, merge.required("pair", list))
        new_id = merge.required("new_id", int)
        for part in pair:
            if part not in tokens:
                raise merge.fault("it names an id that is not in the vocabulary", _PAIRED)
            if part not in made:
                raise merge.fault(
                    f"it uses {shown(tokens[part])}, no character, and no merge before it makes it",
                    "Order the merges so that each uses what is there.",
                )
        spelled = tokens[pair[0]] + tokens[pair[1]]
        if tokens.get(new_id) != spelled:
            raise merge.fault(
                f"it makes {shown(spelled)}, which the vocabulary does not have by its id", _PAIRED
            )
        if pair in numbered or new_id in made:
            raise merge.fault("its pair or its new_id occurs twice", "Remove one of the two.")
        numbered[pair] = new_id
        made.add(new_id)
    return list(numbered.items())


def _pair(merge: JsonObject, ids: Sequence[object]) -> Pair:
    match ids:
        case [int() as left, int() as right] if bool not in (type(left), type(right)):
            return left, right
    raise merge.fault("its pair is not two whole numbers")


# --- writing -------------------------------------------------------------------------------------------


def llms_from_scratch_refusal(tokenizer: Tokenizer) -> str:
    """Why a tokenizer cannot be written as this pair of files; empty if it can."""
    base = tokenizer.base
    if not isinstance(base, CharacterVocabulary):
        return "it is made of bytes, and the files hold characters."
    if base.end_of_word or base.space != _SPACE:
        return "it does not write spaces as Ġ, as the notebook does."
    if all(_rules(base.ids, pattern) != (base, tokenizer.split) for pattern in NOTEBOOK_PATTERNS):
        return f"its split pattern is {tokenizer.split.name}, and the notebook takes a text word by word."
    if len(set(tokenizer.merge_token_ids)) < len(tokenizer.merges):
        return "two of its merges make the same token, and the notebook gives each its own."
    for token in tokenizer.special_tokens:
        if len(token) < 2:
            return f"its special token {shown(token)} is one character, as those of the base vocabulary are."
    return ""


def llms_from_scratch_caution(tokenizer: Tokenizer, _: str) -> str:
    """Which notebook gives different ids than the tokenizer; empty for files of the present one."""
    if tokenizer.split.name == "lines":
        return ""
    unmarked = "" if tokenizer.merges else ' Without merges, load it with split="words".'
    return (
        "The files are for the notebook before its commit 052c2de, which takes a text word by word. The "
        "present one gives other ids for texts with line breaks, tabs or several spaces in a row." + unmarked
    )


def write_llms_from_scratch(tokenizer: Tokenizer) -> dict[str, bytes]:
    """The two files of a tokenizer that llms_from_scratch_refusal accepts."""
    base = cast(CharacterVocabulary, tokenizer.base)
    tokens = {token_id: symbol for symbol, token_id in base.ids.items()}
    merges = tokenizer.paired
    for (left, right), new_id in merges:
        tokens[new_id] = tokens[left] + tokens[right]
    tokens |= {token_id: token for token, token_id in tokenizer.special_tokens.items()}
    vocabulary = {str(token_id): token for token_id, token in sorted(tokens.items())}
    listed: list[dict[str, object]] = [{"pair": pair, "new_id": new_id} for pair, new_id in merges]
    if listed and _pattern_of((), [tokens[new_id] for _, new_id in merges]) != tokenizer.split.name:
        listed[0][_MARK] = tokenizer.split.name
    return {
        "vocab.json": json.dumps(vocabulary, ensure_ascii=False, indent=1).encode("utf-8"),
        "bpe_merges.txt": json.dumps(listed, ensure_ascii=False, indent=1).encode("utf-8"),
    }
