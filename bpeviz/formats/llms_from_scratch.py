"""The pair of JSON files of the notebook "LLMs from scratch": tokens by id, and merges as pairs of ids.

    {"97": "a", "98": "b", "120": "Ġ", "257": "ab", …}                     vocab.json
    [{"pair": [97, 98], "new_id": 257}, …]                                  bpe_merges.txt, also JSON

Tokens are characters; a space is Ġ. A token of one character belongs to the base vocabulary; a longer one
that no merge makes is a special token. Encoding is by merge rank, as everywhere. The notebook itself merges
from left to right, like ``order="left-to-right"``.

The files have no split pattern, and the method ``encode`` has had several:

    words                  until the commit 0f35e37 of 21 January 2025: all white space before a word is
                           one Ġ, line ends too. A second notebook, bpe-from-scratch-simple, still encodes
                           so, but it saves no files
    words-and-line-ends    from then on: each line end is a token, each later word has one Ġ before it
    lines                  since the commit fecfdd1 of 8 October 2025: line ends are tokens, each space is a
                           Ġ, other white space is dropped

From fecfdd1 until e0dbec3 of 10 January 2026, ``encode`` put all but one of the spaces before a word after
it. No tokenizer here gives its tokens in another order than the text, so ``lines`` has them before the word,
as the notebook does since.

Until its commit 052c2de of 7 March 2026 the notebook trained on the whole text, so nearly always some of its
merges cross a space or a line end. Since then none does, so files without such merges are read as ``lines``.
All other files look the same, whatever notebook made them. A person must choose; until then they are read as
``words-and-line-ends``, which was in use the longest and loses no line end. Writing adds the entry
``pre_tokens`` to the first merge if the merges don't say the pattern; the notebook ignores it.
"""

import json
import re
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Literal, cast

from bpeviz.core.base_vocabulary import CharacterVocabulary
from bpeviz.core.token_chain import Pair
from bpeviz.errors import TokenizerFileWarning
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
from bpeviz.pipelines.notebook import define_notebook
from bpeviz.pipelines.pipeline import Pipeline
from bpeviz.text.named_patterns import NOT_WHITESPACE
from bpeviz.text.split_patterns import SplitPattern, get_split_pattern
from bpeviz.tokenizer.encoding_rules import encoding_rules
from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = [
    "NOTEBOOK_PATTERNS",
    "llms_from_scratch_caution",
    "llms_from_scratch_refusal",
    "notebook_says_no_split",
    "read_llms_from_scratch",
    "write_llms_from_scratch",
]

_SPACE = "Ġ"
_ID = re.compile(r"0|[1-9][0-9]{0,17}")
_LINE_END = re.compile(r"[\r\n]")
_MARK = "pre_tokens"
_PAIRED = "Both files must be of the same tokenizer: save both again."


def _words() -> SplitPattern:
    return encoding_rules(_trained_base({}), get_split_pattern("none"))[1]


def _lines() -> SplitPattern:
    """Return the pre-tokens: a space belongs to the word after it, even with tabs and the like between the
    two."""
    dropped, word = r"(?:[^\S \r\n]|[\x1c-\x1f])", f"{NOT_WHITESPACE}+"
    regex = rf" {dropped}*+{word}|{word}| |\r|\n|{dropped}+"
    return SplitPattern("lines", regex, covers_any_text=True)


def _words_and_line_ends() -> SplitPattern:
    """Return the pre-tokens, except that no pattern can say that a word after a line end begins with Ġ."""
    blank = r"(?:[^\S\n]|[\x1c-\x1f])"
    regex = rf"\A{blank}+|\n|{blank}*+{NOT_WHITESPACE}+|{blank}+"
    return SplitPattern("words-and-line-ends", regex, covers_any_text=True)


def _trained_base(ids: Mapping[str, int]) -> CharacterVocabulary:
    return CharacterVocabulary(ids, space=_SPACE, whitespace="drop-first")


#: The split patterns of the notebook when it encodes, by name.
NOTEBOOK_PATTERNS: Mapping[str, SplitPattern] = MappingProxyType(
    {p.name: p for p in (_words(), _words_and_line_ends(), _lines())}
)
#: How each of them spells white space.
_SPELLED: Mapping[str, Literal["one-before-word", "one-or-line-feed", "spaces-only"]] = MappingProxyType(
    {"words": "one-before-word", "words-and-line-ends": "one-or-line-feed", "lines": "spaces-only"}
)


def read_llms_from_scratch(vocabulary: Found, merges: Found, split: SplitPattern | None) -> Tokenizer:
    """Return the tokenizer of a pair of files; ``split`` is used only if it is one of NOTEBOOK_PATTERNS.

    Raises TokenizerFileError. Warns with TokenizerFileWarning if nothing says the split pattern.
    """
    with in_file(vocabulary.name):
        tokens = _tokens(vocabulary.values)
        ids = _base(tokens)
    with in_file(merges.name):
        numbered = _merges(merges.items, tokens)
    asked = [name for name, pattern in NOTEBOOK_PATTERNS.items() if pattern == split]
    made = [tokens[new_id] for _, new_id in numbered]
    pattern = asked[0] if asked else _marked(merges.items) or _pattern_of(made)
    base, split = _rules(ids, pattern or "words-and-line-ends")
    known = {*ids.values(), *(token_id for _, token_id in numbered)}
    with in_file(vocabulary.name):
        special_tokens = _special_tokens({i: token for i, token in tokens.items() if i not in known})
    if pattern is None:
        warnings.warn(_OPEN, TokenizerFileWarning, stacklevel=2)
    return Tokenizer(
        base,
        numbered,
        split=split,
        special_tokens=special_tokens,
        pipeline=_pipeline(base, split, special_tokens),
    )


_OPEN = (
    "The files don't say which notebook encodes with them. They were read with "
    'split="words-and-line-ends", that of 21 January to 8 October 2025. Give split="words" for an older '
    'notebook, and split="lines" for a later one. On the command line, give --split.'
)


def _pipeline(
    base: CharacterVocabulary, split: SplitPattern, special_tokens: Mapping[str, int]
) -> Pipeline | None:
    """Return what does the notebook's work if no split pattern can."""
    if split.name != "words-and-line-ends":
        return None
    symbols = dict(zip(base.symbol_ids, base.symbols, strict=True))
    symbols |= {token_id: token.encode("utf-8") for token, token_id in special_tokens.items()}
    return Pipeline("llms-from-scratch", define_notebook(base.ids, special_tokens), symbols, {})


def notebook_says_no_split(beginnings: Mapping[str, bytes]) -> bool:
    """Return whether files are a pair of the notebook that doesn't say which of its encoders reads it.

    The first 100,000 bytes of each file are enough.
    """
    texts = [data.decode("utf-8-sig", "ignore") for data in beginnings.values()]
    merges = [text for text in texts if _BEGINS_WITH_A_PAIR.match(text)]
    vocabularies = [text for text in texts if _BEGINS_WITH_AN_ID.match(text)]
    if len(texts) != 2 or not merges or not vocabularies or f'"{_MARK}"' in merges[0].partition("}")[0]:
        return False
    return _pattern_of(map(_unquoted, _TEXT_OF_ID.findall(vocabularies[0]))) is None


#: How the two files begin, and the text of an id in the second.
_BEGINS_WITH_A_PAIR = re.compile(r"\s*\[\s*\{\s*\"(?:pair|new_id)\"")
_BEGINS_WITH_AN_ID = re.compile(r"\s*\{\s*\"\d+\"\s*:\s*\"")
_TEXT_OF_ID = re.compile(r"\"\d+\"\s*:\s*(\"(?:[^\"\\]|\\.)*\")")


def _unquoted(text: str) -> str:
    try:
        return str(json.loads(text, strict=False))
    except ValueError:
        return ""  # the reader says what is wrong


def _special_tokens(tokens: Mapping[int, str]) -> dict[str, int]:
    special_tokens: dict[str, int] = {}
    for token_id, token in tokens.items():
        if special_tokens.setdefault(token, token_id) != token_id:
            raise FaultError(f"the special token {shown(token)} occurs twice. Remove one of the two.")
    check_special_tokens(special_tokens)
    return special_tokens


def _marked(merges: Sequence[Mapping[str, object]]) -> str | None:
    """Return the name of the split pattern that bpeviz wrote into the first merge; None if there is none."""
    marked = merges[0].get(_MARK) if merges else None
    return marked if isinstance(marked, str) and marked in NOTEBOOK_PATTERNS else None


def _pattern_of(tokens: Iterable[str]) -> str | None:
    """Return the name of the split pattern that tokens made by merges show; None if they cross a space or
    line end, because several notebooks make such tokens."""
    crossing = (len(token) > 1 and (_SPACE in token[1:] or _LINE_END.search(token)) for token in tokens)
    return None if any(crossing) else "lines"


def _rules(ids: Mapping[str, int], pattern: str) -> tuple[CharacterVocabulary, SplitPattern]:
    """Return the base vocabulary and split pattern with which the notebook encodes."""
    return replace(_trained_base(ids), whitespace=_SPELLED[pattern]), NOTEBOOK_PATTERNS[pattern]


def _tokens(values: Mapping[str, object]) -> dict[int, str]:
    """Return the tokens by id, ids ascending."""
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
    """Return the ids of the single characters, which must have no gaps."""
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
    name = tokenizer.split.name
    if name == "lines":
        return ""
    unmarked = "" if tokenizer.merges else f' Without merges, load it with split="{name}".'
    return (
        f"The files are for the notebook {_WHEN[name]}. The present one gives other ids for texts with line "
        "breaks, tabs or several spaces in a row." + unmarked
    )


_WHEN = {
    "words": "before its commit 0f35e37, which takes a text word by word",
    "words-and-line-ends": "from its commit 0f35e37 until fecfdd1",
}


def write_llms_from_scratch(tokenizer: Tokenizer) -> dict[str, bytes]:
    """Return the two files of a tokenizer that llms_from_scratch_refusal accepts."""
    base = cast(CharacterVocabulary, tokenizer.base)
    tokens = {token_id: symbol for symbol, token_id in base.ids.items()}
    merges = tokenizer.paired
    for (left, right), new_id in merges:
        tokens[new_id] = tokens[left] + tokens[right]
    tokens |= {token_id: token for token, token_id in tokenizer.special_tokens.items()}
    vocabulary = {str(token_id): token for token_id, token in sorted(tokens.items())}
    listed: list[dict[str, object]] = [{"pair": pair, "new_id": new_id} for pair, new_id in merges]
    if listed and _pattern_of(tokens[new_id] for _, new_id in merges) != tokenizer.split.name:
        listed[0][_MARK] = tokenizer.split.name
    return {
        "vocab.json": json.dumps(vocabulary, ensure_ascii=False, indent=1).encode("utf-8"),
        "bpe_merges.txt": json.dumps(listed, ensure_ascii=False, indent=1).encode("utf-8"),
    }
