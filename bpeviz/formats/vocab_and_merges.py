"""A pair of files: token ids in vocab.json (encoder.json), merges by rank in merges.txt (vocab.bpe).

    #version: 0.2
    Ġ t
    Ġ a

Both together are the model of a tokenizer.json, and are read as one. The rest is not in them: how a text is
changed and split first, and which tokens are special. The files beside them in a model's folder may say it
(see model_folder). If these don't name a class, the tokens show the kind of the pair:

    Ġthe         bytes, as in GPT-2
    the</w>      bytes, as in CLIP, if every byte is there; else characters, as in GPT-1
    ▁the         characters, as in SentencePiece

The split pattern of the first is not known then: it is the caller's, or GPT-2's with a warning. OpenAI's own
names for GPT-2's files, encoder.json and vocab.bpe, say GPT-2's.

Only GPT-2's pair can be written: with its split pattern, and its special token or none.
"""

import json
import re
from collections.abc import Collection, Mapping, Sequence

from bpeviz.core.base_vocabulary import GPT2_BYTE_CHARACTERS
from bpeviz.errors import warn
from bpeviz.formats.byte_level import (
    byte_level_pairs,
    byte_level_refusal,
    byte_level_vocabulary,
    check_vocabulary,
)
from bpeviz.formats.detect import END_OF_WORD, Found, begins_with_a_merge, uses_ends_of_words
from bpeviz.formats.huggingface import read_values
from bpeviz.formats.model_folder import AddedToken, ModelFolder, names_a_class, read_model_folder
from bpeviz.formats.source import FaultError, in_file, lines, shown, split_merge
from bpeviz.formats.tokenizer_classes import BYTE_LEVEL, CHARACTERS, CLIP, METASPACE, TokenizerClass
from bpeviz.text.split_patterns import SplitPattern, get_split_pattern
from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = [
    "END_OF_TEXT",
    "gpt2_refusal",
    "pair_says_no_split",
    "read_clip_merges",
    "read_pair",
    "write_gpt2_pair",
]

END_OF_TEXT = "<|endoftext|>"
_HEADING = "#version"
#: OpenAI's names for GPT-2's pair.
_GPT2_NAMES = {"encoder.json", "vocab.bpe"}
_SPACE_MARK = "▁"
#: How many merges CLIP takes of its file, which has more: 49,408 tokens, less 512 of bytes and two special
#: ones.
_CLIP_MERGES = 48_894
#: How subword-nmt and the models after it mark a token inside a word.
_INSIDE = "@@"


def read_pair(
    vocabulary: Found, merges: Found, others: Sequence[Found], split: SplitPattern | None
) -> Tokenizer:
    """Return the tokenizer of a pair of files, and of what the ``others`` in its folder say. Raises
    TokenizerFileError. Warns with TokenizerFileWarning if nothing says the split pattern."""
    folder = read_model_folder(others)
    with in_file(vocabulary.name):
        ids = check_vocabulary(vocabulary.values)
        if _marks_insides(ids):
            raise FaultError(
                f"its tokens mark the parts of a word by {_INSIDE}, as those of CTRL, BlenderbotSmall and "
                "PhoBERT do. bpeviz doesn't have the programs that split texts for these models. Give a "
                "tokenizer.json, or the codes of subword-nmt alone."
            )
    with in_file(merges.name):
        pairs = _pairs(merges.text)
    with in_file(vocabulary.name):
        ends_words = merges.format == "codes" or _ends_words(ids, {left + right for left, right in pairs})
        kind = folder.known or _kind(ids, ends_words=ends_words)
    with in_file(merges.name):
        added, added_ids = _added_tokens(ids, pairs, folder, kind)
        unknown = next((token for token in (folder.unknown, kind.unknown) if token in ids), None)
        model = {
            "type": "BPE",
            "unk_token": unknown if unknown and kind.unknown else None,
            "end_of_word_suffix": kind.suffix or None,
            "vocab": ids,
            "merges": pairs,
        }
        values = {
            "version": "1.0",
            "normalizer": kind.normalizer,
            "pre_tokenizer": kind.pre_tokenizer,
            "decoder": kind.decoder,
            "added_tokens": added,
            "model": model,
        }
        of_bytes = not kind.suffix and kind is not METASPACE
        tokenizer = read_values(values, split=split if of_bytes else None, added_ids=added_ids)
    if folder.class_name and not folder.known and kind is not BYTE_LEVEL:
        warn(
            f"{vocabulary.name} + {merges.name}: tokenizer_config.json names {shown(folder.class_name)}, "
            "which is not known here. Texts are changed and split as for other pairs with such tokens, so "
            "ids may differ."
        )
    if split is None and kind is BYTE_LEVEL and not {vocabulary.name, merges.name} <= _GPT2_NAMES:
        _warn_of_split(vocabulary, merges, folder)
    return tokenizer


def read_clip_merges(file: Found) -> Tokenizer:
    """Return the tokenizer of CLIP's bpe_simple_vocab_16e6.txt: CLIP's own program makes the vocabulary of
    it, from all bytes, the bytes at the end of a word, and the first 48,894 merges. Raises
    TokenizerFileError."""
    merges = "\n".join([line for _, line in lines(file.text)][1 : 1 + _CLIP_MERGES])
    characters = sorted(GPT2_BYTE_CHARACTERS)
    ends = [character + END_OF_WORD for character in characters]
    made = ["".join(pair) for pair in _pairs(merges)]
    ids = {token: i for i, token in enumerate([*characters, *ends, *made, *CLIP.special_tokens])}
    vocabulary, config = (
        Found(file.name, "vocabulary", values=ids),
        Found(file.name, "tokenizer config", values={"tokenizer_class": "CLIPTokenizer"}),
    )
    return read_pair(vocabulary, Found(file.name, "codes", merges), [config], None)


def pair_says_no_split(beginnings: Mapping[str, bytes]) -> bool:
    """Return whether files are a pair of bytes, and nothing in them or beside them says how texts are split.

    The first 100,000 bytes of each file are enough.
    """
    merges = next(
        (data for data in beginnings.values() if not data.strip() or begins_with_a_merge(data)), None
    )
    if len(beginnings) == 1 or merges is None or beginnings.keys() <= _GPT2_NAMES:
        return False
    all_texts = b"\n".join(beginnings.values()).decode("utf-8", "ignore")
    of_bytes = "Ġ" in all_texts or "\\u0120" in all_texts
    text = merges.decode("utf-8", "ignore")
    made = {line.replace(" ", "") for line in text.splitlines()}
    last_characters = re.findall(f'"(.(?:{END_OF_WORD})?)"', all_texts.replace("\\u0120", "Ġ"))
    ends_words = uses_ends_of_words(text) or _ends_words(last_characters, made)
    return of_bytes and not ends_words and not any(map(names_a_class, beginnings.values()))


def _ends_words(tokens: Collection[str], made: Collection[str]) -> bool:
    """Return whether tokens mark the ends of words: a character with </w> is one that no merge has
    ``made``. Where Ġ is a token, it has to be one of them, as in CLIP's: others may be left over in a
    vocabulary of bytes."""
    length = 1 + len(END_OF_WORD)
    ends = {t for t in tokens if len(t) == length and t.endswith(END_OF_WORD) and t not in made}
    return bool(ends) and ("Ġ" not in tokens or f"Ġ{END_OF_WORD}" in ends)


def _marks_insides(ids: Collection[str]) -> bool:
    """Return whether many tokens end with @@: a few may do so in any vocabulary."""
    marked = sum(token.endswith(_INSIDE) and len(token) > len(_INSIDE) for token in ids)
    return bool(marked) and 4 * marked >= len(ids)


def _kind(ids: Mapping[str, int], *, ends_words: bool) -> TokenizerClass:
    """Return the class that the tokens show. Raises FaultError if there is nothing to merge."""
    bytes_there = sum(character in ids for character in GPT2_BYTE_CHARACTERS)
    if ends_words:
        return CLIP if bytes_there == len(GPT2_BYTE_CHARACTERS) else CHARACTERS
    if _SPACE_MARK in ids and "Ġ" not in ids:
        return METASPACE
    if not bytes_there:
        raise FaultError(
            "its vocabulary holds no single byte, and its merges mark neither spaces nor ends of words. Give "
            "the tokenizer.json of the same tokenizer."
        )
    return BYTE_LEVEL


def _added_tokens(
    ids: Mapping[str, int], pairs: Collection[tuple[str, str]], folder: ModelFolder, kind: TokenizerClass
) -> tuple[list[dict[str, object]], dict[str, int]]:
    """Return the added tokens as a tokenizer.json lists them, and their ids.

    A token of the vocabulary has its id there, any other the one that its file gives it, if that is free. The
    others come last, with the next ids, as in transformers: of "<extra>": 256 in added_tokens.json and a
    pad_token without an id, "<pad>" is 257.
    """
    tokens = {token.content: token for token in folder.added if token.content}
    made = {left + right for left, right in pairs}
    for content in (*kind.special_tokens, kind.unknown, END_OF_TEXT):
        if content in ids and content not in made:
            flags = {"lstrip": True} if content == kind.lstrip else {}
            tokens.setdefault(content, AddedToken(content, None, flags))
    numbered = {content: ids[content] for content in tokens if content in ids}
    taken = set(ids.values())
    for content, token in tokens.items():
        if content not in ids and token.token_id is not None and token.token_id not in taken:
            numbered[content] = token.token_id
            taken.add(token.token_id)
    next_id = max(taken, default=-1) + 1
    for content in tokens:
        if content not in numbered:
            numbered[content] = next_id
            next_id += 1
    plain = {"lstrip": False, "rstrip": False, "single_word": False, "normalized": False}
    listed: list[dict[str, object]] = [
        {"id": numbered[content], "content": content, **plain, **token.flags, "special": token.special}
        for content, token in tokens.items()
    ]
    return listed, numbered


def _warn_of_split(vocabulary: Found, merges: Found, folder: ModelFolder) -> None:
    named = f" tokenizer_config.json names {shown(folder.class_name)}, which is not known here."
    warn(
        f"{vocabulary.name} + {merges.name}: the files don't say how texts are split, so GPT-2's pattern is "
        f"taken.{named if folder.class_name else ''} If the model has another, give it: split=... in Python, "
        "--split on the command line. A tokenizer_config.json beside the files says it too."
    )


def _pairs(text: str) -> list[tuple[str, str]]:
    return [
        split_merge(line, f"line {number:,}") for number, line in lines(text) if not line.startswith(_HEADING)
    ]


# --- writing -------------------------------------------------------------------------------------------


def gpt2_refusal(tokenizer: Tokenizer) -> str:
    """Why a tokenizer cannot be written as a pair of files; empty if it can."""
    if refusal := byte_level_refusal(tokenizer):
        return refusal
    if tokenizer.split.regex != get_split_pattern("gpt2").regex:
        return "its split pattern is not gpt2, and the files name none."
    others = [token for token in tokenizer.special_tokens if token != END_OF_TEXT]
    if others:
        return f"its special token {shown(others[0])} would not be known for one: the files name none."
    pairs = byte_level_pairs(tokenizer)
    if tokenizer.special_tokens and any(left + right == END_OF_TEXT for left, right in pairs):
        return f"merges make {END_OF_TEXT}, which would not be known for a special token."
    if any(left.startswith(_HEADING) for left, _ in pairs):
        return f"a merge of it begins with {_HEADING}, which merges.txt takes for its heading."
    return ""


def write_gpt2_pair(tokenizer: Tokenizer) -> dict[str, bytes]:
    """Return the two files of a tokenizer that gpt2_refusal accepts, and a third that says its split
    pattern."""
    vocabulary = json.dumps(byte_level_vocabulary(tokenizer), ensure_ascii=False)
    merges = [f"{left} {right}\n" for left, right in byte_level_pairs(tokenizer)]
    return {
        "vocab.json": vocabulary.encode("utf-8"),
        "merges.txt": "".join([f"{_HEADING}: 0.2\n", *merges]).encode("utf-8"),
        "tokenizer_config.json": json.dumps({"tokenizer_class": "GPT2Tokenizer"}).encode("utf-8"),
    }
