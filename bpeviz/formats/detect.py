"""The format of a file, by its content. The name matters only for the three files beside a pair.

    {"model": {…}, …}           huggingface
    {"!": 0, "the": 262, …}     vocabulary      half of GPT-2's pair
    #version: 0.2 / Ġ t         merges          the other half
    #version: 0.2 / e n</w>     codes           of subword-nmt
    "bpe_simple_vocab_16e6.txt#version: 0.2    clip
    IQ== 0                      tiktoken
    {"bpe_ranks": "! 0 IQ==", …}     js-tiktoken
    {"config": {…}, "vocab": […]}    tekken
    GGUF, a version, …          gguf
    a message in protobuf       sentencepiece
    minbpe v1                   minbpe
    {"0": "a", "1": "b", …}     tokens by id    half of the pair of "LLMs from scratch"
    [{"pair": [0, 1], …}, …]    pairs           the other half
    {"tokenizer_class": …, …}   tokenizer config      beside GPT-2's pair in a model's folder
    {"<|im_end|>": 151645, …}   added tokens          the same
    {"eos_token": "</s>", …}    special tokens map    the same

In a vocabulary most values are whole numbers. In tokens by id most values are texts and the keys are numbers.
The reader of the format checks everything else.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from bpeviz.formats.other_files import READABLE, answer_of_a_server, no_tokenizer, other_format
from bpeviz.formats.source import FaultError, check_size, decode, lines, parse_json
from bpeviz.text.utf8 import text_of

__all__ = [
    "END_OF_WORD",
    "Found",
    "begins_with_a_merge",
    "begins_with_a_rank",
    "detect",
    "is_sentencepiece",
    "uses_ends_of_words",
]

#: subword-nmt's mark of the last character of a word.
END_OF_WORD = "</w>"

#: The first merge is always of two single bytes or characters, so it never looks like a line of ranks.
_MERGE_LINE = re.compile(rf"#version.*|\S (?:\S|\S?{END_OF_WORD})")
_ANY_MERGE = re.compile(r"\S+ \S+")
#: A SentencePiece model begins with its first piece: a message in which a text comes first.
_MODEL = re.compile(rb"\n.{1,3}\n", re.DOTALL)
#: The special tokens that a special_tokens_map.json names.
_ROLES = {
    *("bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token"),
    "additional_special_tokens",
}
#: How the JSON of a tokenizer begins: an object, or a list of objects.
_JSON = re.compile(r"(?:\{|\[\s*(?:\{|$|\]))\s*(?:$|[\"}\]])")
#: How many characters of a first line are read.
_FIRST_LINE = 100_000
_RANK_LINE = re.compile(
    r"(?=[A-Za-z0-9+/])(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)? [-+]?[0-9]\S*"
)


Format = Literal[
    "huggingface",
    "vocabulary",
    "merges",
    "codes",
    "clip",
    "tiktoken",
    "js-tiktoken",
    "tekken",
    "gguf",
    "sentencepiece",
    "minbpe",
    "tokens by id",
    "pairs",
    "tokenizer config",
    "added tokens",
    "special tokens map",
]

#: The formats of texts that say it in their first line.
_HEADINGS: Mapping[str, Format] = {"minbpe v": "minbpe", '"bpe_simple_vocab': "clip"}

#: The formats of files in a model's folder whose content may be anything, by their names.
_OF_NAME: Mapping[str, Format] = {
    "tokenizer_config.json": "tokenizer config",
    "added_tokens.json": "added tokens",
    "special_tokens_map.json": "special tokens map",
}


@dataclass(frozen=True)
class Found:
    """A file whose ``format`` is known: its ``text``, or the ``values`` of its JSON object, or the ``items``,
    all objects, of its JSON list, or its ``data`` if it is not text."""

    name: str
    format: Format
    text: str = ""
    values: Mapping[str, object] = field(default_factory=dict)
    items: Sequence[Mapping[str, object]] = ()
    data: bytes = b""


def detect(name: str, data: bytes) -> Found:
    """Return a file and its format. Raises FaultError if it has none, or cannot be decoded or parsed."""
    if data.startswith(b"GGUF"):
        return Found(name, "gguf", data=data)
    if is_sentencepiece(data):
        check_size(data)
        return Found(name, "sentencepiece", data=data)
    text = decode(data)
    first_line = _first_line(text)
    if _JSON.match(first_line) and not _MERGE_LINE.fullmatch(first_line):
        return _of_json(name, parse_json(text))
    return Found(name, _format_of_text(text, first_line), text)


def is_sentencepiece(data: bytes) -> bool:
    """Return whether a file begins like a SentencePiece model."""
    return _MODEL.match(data) is not None and text_of(data) is None


def _format_of_text(text: str, first_line: str) -> Format:
    """Return the format of a text that is no JSON. Raises FaultError if it has none."""
    if other := other_format(_beginning(text), text):
        raise FaultError(other)
    headed = next((format for heading, format in _HEADINGS.items() if first_line.startswith(heading)), None)
    if headed or _RANK_LINE.fullmatch(first_line):
        return headed or "tiktoken"
    if not first_line:
        return "merges"  # a pair may have none
    if _MERGE_LINE.fullmatch(first_line) or _are_merges(text):
        return "codes" if uses_ends_of_words(text) else "merges"
    raise no_tokenizer(text)


def _are_merges(text: str) -> bool:
    """Return whether a text is merges in another order than that of making, without a heading: two tokens
    a line, somewhere two single characters."""
    first_lines = _beginning(text)
    return all(map(_ANY_MERGE.fullmatch, first_lines)) and any(map(_MERGE_LINE.fullmatch, first_lines))


def _beginning(text: str) -> list[str]:
    """Return the first lines of a text that are not empty, each of them whole."""
    beginning = text[:_FIRST_LINE].splitlines()
    return [line for line in beginning[: -1 if len(text) > _FIRST_LINE else None] if line]


def _are_added(values: Mapping[str, object]) -> bool:
    """Return whether tokens come after those of a vocabulary: their ids don't begin at 0, and none is
    short."""
    ids = [value for value in values.values() if type(value) is int]
    return bool(ids) and min(ids) >= len(values) and min(map(len, values)) > 1


def uses_ends_of_words(text: str) -> bool:
    """Return whether merges use an end of a word that no merge before them makes: codes do, GPT-2's
    merges don't."""
    if END_OF_WORD not in text:
        return False
    made: set[str] = set()
    for _, line in lines(text):
        parts = line.split(" ")
        if any(part.endswith(END_OF_WORD) and part not in made for part in parts):
            return True
        made.add("".join(parts))
    return False


def begins_with_a_rank(data: bytes) -> bool:
    """Return whether a file begins like one of tiktoken's."""
    return _RANK_LINE.fullmatch(_first_line(data[:_FIRST_LINE].decode("utf-8-sig", "ignore"))) is not None


def begins_with_a_merge(data: bytes) -> bool:
    """Return whether a file begins like the merges of a pair."""
    text = data[:_FIRST_LINE].decode("utf-8-sig", "ignore")
    return _MERGE_LINE.fullmatch(_first_line(text)) is not None or _are_merges(text.rpartition("\n")[0])


def _first_line(text: str) -> str:
    """Return the first line that is not empty, without the white space around it; of a long line, the
    beginning."""
    found = re.search(r"\S", text)
    return text[found.start() : found.start() + _FIRST_LINE].partition("\n")[0].rstrip() if found else ""


def _of_json(name: str, value: object) -> Found:
    if isinstance(value, dict) and (answer := answer_of_a_server(value)):
        raise answer
    if isinstance(value, dict) and (format := _format_of_object(name, value)):
        return Found(name, format, values=value)
    if isinstance(value, list) and all(isinstance(item, dict) for item in value):
        return Found(name, "pairs", items=value)
    raise FaultError(f"it is JSON, but not of a tokenizer. {READABLE}")


def _format_of_object(name: str, value: dict[str, object]) -> Format | None:
    numbers = sum(type(v) is int for v in value.values())
    texts = sum(type(v) is str for v in value.values())
    # a vocabulary may also hold the tokens "model" and "tokenizer_class", with numbers
    tests: Mapping[Format, bool] = {
        "js-tiktoken": isinstance(value.get("bpe_ranks"), str),
        "tekken": isinstance(value.get("config"), dict) and isinstance(value.get("vocab"), list),
        "huggingface": isinstance(value.get("model"), dict),
        "tokenizer config": isinstance(value.get("tokenizer_class"), str) or "added_tokens_decoder" in value,
        "special tokens map": not numbers and bool(value) and set(value) <= _ROLES,
        "added tokens": 2 * numbers >= len(value) and _are_added(value),
        "vocabulary": 2 * numbers >= len(value),
        "tokens by id": all(map(str.isdecimal, value)) and 2 * texts >= len(value),
    }
    found = next((format for format, it_is in tests.items() if it_is), None)
    return found if found in ("js-tiktoken", "tekken", "huggingface") else _OF_NAME.get(name, found)
