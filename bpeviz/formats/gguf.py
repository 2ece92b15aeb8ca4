"""The tokenizer in a GGUF file, which llama.cpp runs models from. Only the header is read, never the weights.

    tokenizer.ggml.model     "gpt2": bytes and merges; "llama" and "t5": SentencePiece's pieces and scores
    tokenizer.ggml.pre       "llama-bpe", "qwen2", …: how the texts of the first are split
    tokenizer.ggml.tokens    ["a", "b", …]; token_type, scores and merges are lists too

A file of bytes becomes a tokenizer.json, one of pieces a SentencePiece model, and is read as such. The file
says no normalizer for bytes, so texts are not changed, as in llama.cpp.
"""

import struct
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

from bpeviz.formats.bounds import check_total
from bpeviz.formats.byte_level import check_vocabulary
from bpeviz.formats.detect import Found
from bpeviz.formats.huggingface import read_values
from bpeviz.formats.sentencepiece import Numbering, read_sentencepiece
from bpeviz.formats.source import FaultError, parse_json, shown
from bpeviz.formats.tokenizer_classes import BYTE_LEVEL, DIGITS_APART
from bpeviz.pipelines.definitions import BYTE, CONTROL, NORMAL, UNKNOWN, UNUSED, USER_DEFINED
from bpeviz.text.split_patterns import SplitPattern, get_split_pattern
from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = ["gguf_says_no_split", "read_gguf"]

T = TypeVar("T")

_MOST_KEYS = 65_536
_PLAIN = {"lstrip": False, "rstrip": False, "single_word": False, "normalized": False}
#: How each type of number is written; 8 is a text, 9 a list.
_NUMBERS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_TEXT, _LIST = 8, 9

_LLAMA_3 = (
    *("llama3", "llama-v3", "llama-bpe", "falcon3", "falcon-h1", "pixtral", "midm-2.0", "lfm2"),
    "jina-v5-nano",
)
#: The split pattern of each name of a split in llama.cpp (llama-vocab.cpp).
_SPLITS = {
    **dict.fromkeys(("gpt-2", "phi-2", "mpt", "olmo", "jais", "trillion", "exaone4", "roberta-bpe"), "gpt2"),
    **dict.fromkeys(("jina-es", "jina-de", "jina-v1-en", "jina-v2-es", "jina-v2-de", "jina-v2-code"), "gpt2"),
    **dict.fromkeys(("gigachat", "a.x-4.0", "mellum", "modern-bert", "granite-docling"), "gpt2"),
    **dict.fromkeys((*_LLAMA_3, "dbrx", "smaug-bpe", "glm4", "chatglm-bpe"), "llama3"),
    **dict.fromkeys(("qwen2", "deepseek-r1-qwen", "kormo", "f2llmv2", "megrez", "stablelm2"), "qwen2"),
    **dict.fromkeys(("hunyuan", "solar-open", "grok-2"), "qwen2"),
    **dict.fromkeys(("gpt-4o", "llama4", "kanana2", "talkie", "minimax-m2"), "o200k"),
    **{"qwen35": "qwen3.5", "tekken": "tekken", "kimi-k2": "kimi"},
}
#: Those that take each digit alone, and split the rest by GPT-2's pattern.
_DIGITS = ("starcoder", "refact", "command-r", "smollm", "codeshell", "exaone", "minerva-7b", "mellum2")
_KNOWN = {*_SPLITS, *_DIGITS}
#: Those that look a whole pre-token up before merging.
_WHOLE = (*_LLAMA_3, "tekken")


@dataclass
class _Header:
    """The bytes of a file, read from ``place`` on."""

    data: bytes
    place: int = 4
    order: str = "<"

    def number(self, kind: str) -> Any:
        (value,) = self.numbers(kind, 1)
        return value

    def numbers(self, kind: str, count: int) -> tuple[Any, ...]:
        layout = struct.Struct(f"{self.order}{count}{kind}")
        values = layout.unpack_from(self.data, self.place)
        self.place += layout.size
        return values

    def text(self) -> str:
        size = self.number("Q")
        found = self.data[self.place : self.place + size]
        if len(found) < size:
            raise struct.error
        self.place += size
        return found.decode("utf-8")

    def value(self, kind: int, *, in_list: bool = False) -> object:
        if kind in _NUMBERS:
            return self.number(_NUMBERS[kind])
        if kind == _TEXT:
            return self.text()
        if kind != _LIST or in_list:
            raise FaultError(f"its header has a value of the type {kind}, which is not known. Make it again.")
        kind, count = self.number("I"), self.number("Q")
        if count > len(self.data):
            raise struct.error
        if kind in _NUMBERS:
            return self.numbers(_NUMBERS[kind], count)
        return [self.value(kind, in_list=True) for _ in range(count)]


def read_gguf(file: Found, split: SplitPattern | None) -> Tokenizer:
    """Return the tokenizer of a GGUF file; ``split`` cuts texts if the file names a split that is not known.
    Raises FaultError."""
    values = dict(_values(file.data))
    if isinstance(whole := values.get("tokenizer.huggingface.json"), str):
        inside = parse_json(whole)
        return read_values(inside if isinstance(inside, dict) else {})
    model = values.get("tokenizer.ggml.model")
    tokens = _listed(values, "tokens", str, [])
    if not isinstance(model, str) or not tokens:
        raise FaultError(
            "it is a GGUF file without a tokenizer: it may be one of several parts, or hold an adapter. "
            "Give the first part, or the tokenizer.json of its model."
        )
    types = _listed(values, "token_type", int, [NORMAL] * len(tokens))
    scores = _listed(values, "scores", float, [0.0] * len(tokens))
    if not len(tokens) == len(types) == len(scores):
        raise FaultError(
            "it is a GGUF file whose lists of tokens, types and scores differ in length. Make it again."
        )
    check_total(tokens=len(tokens))
    if model == "gpt2":
        return _of_bytes(values, tokens, types, split)
    if model in ("llama", "t5"):
        return _of_pieces(values, tokens, types, scores, merges=model == "llama")
    raise FaultError(
        f"it is a GGUF file with a tokenizer of the kind {shown(model)}, which can't be read from it. Give "
        "the tokenizer.json of its model."
    )


def gguf_says_no_split(beginning: bytes) -> bool:
    """Return whether a file that begins so holds tokens of bytes and names no split that bpeviz has. The
    names are before the tokens, so the first 100,000 bytes are enough."""
    values: dict[str, object] = {}
    if beginning.startswith(b"GGUF"):
        with suppress(FaultError):  # the beginning ends in the middle of the tokens
            for key, value in _values(beginning):
                values[key] = value
    return (
        values.get("tokenizer.ggml.model") == "gpt2" and str(values.get("tokenizer.ggml.pre")) not in _KNOWN
    )


def _values(data: bytes) -> Iterator[tuple[str, object]]:
    """Yield the values in the header by their names. Raises FaultError."""
    header = _Header(data)
    try:
        version = header.number("I")
        if version & 0xFFFF == 0:  # the other order of bytes
            header.place, header.order = 4, ">"
            version = header.number("I")
        if version not in (2, 3):
            raise FaultError(
                f"it is a GGUF file of version {version:,}; 2 and 3 can be read. Convert it again."
            )
        header.number("Q")
        count = header.number("Q")
        if count > _MOST_KEYS:
            raise struct.error
        for _ in range(count):
            yield header.text(), header.value(header.number("I"))
    except (struct.error, UnicodeDecodeError, OverflowError):
        raise FaultError(
            "it is a GGUF file whose header is damaged or cut off. Copy or download it again."
        ) from None


def _listed(values: Mapping[str, object], name: str, kind: type[T], otherwise: list[T]) -> list[T]:
    listed = values.get(f"tokenizer.ggml.{name}")
    if listed is None:
        return otherwise
    if not isinstance(listed, list | tuple) or not all(type(item) is kind for item in listed):
        raise FaultError(
            f"it is a GGUF file whose tokenizer.ggml.{name} is no list of {kind.__name__}. Make it again."
        )
    return list(listed)


def _of_bytes(
    values: Mapping[str, object], tokens: list[str], types: list[int], asked: SplitPattern | None
) -> Tokenizer:
    name = values.get("tokenizer.ggml.pre")
    known = _SPLITS.get(name) if isinstance(name, str) else None
    digits = name in _DIGITS and asked is None
    if asked is None and known is None and not digits:
        said = (
            f"the split {shown(name)}, which is not one that bpeviz has"
            if isinstance(name, str)
            else "no split"
        )
        raise FaultError(
            f"it is a GGUF file of bytes that names {said}. Give the pattern of its model (split=… in "
            "Python, --split on the command line), or its tokenizer.json."
        )
    ids = {token: i for i, token in enumerate(tokens) if types[i] != UNUSED}
    check_vocabulary(ids)
    added = {token: i for token, i in ids.items() if types[i] in (CONTROL, USER_DEFINED)}
    whole = {
        "pre_tokenizer": DIGITS_APART if digits else BYTE_LEVEL.pre_tokenizer,
        "decoder": BYTE_LEVEL.decoder,
        "added_tokens": [
            {"id": i, "content": token, **_PLAIN, "special": types[i] == CONTROL}
            for token, i in added.items()
        ],
        "model": {
            "type": "BPE",
            "vocab": ids,
            "merges": _listed(values, "merges", str, []),
            "ignore_merges": name in _WHOLE,
        },
    }
    split = asked or (None if digits or known is None else get_split_pattern(known))
    return read_values(whole, split=split, added_ids=added)


def _of_pieces(
    values: Mapping[str, object], tokens: list[str], types: list[int], scores: list[float], *, merges: bool
) -> Tokenizer:
    from sentencepiece import sentencepiece_model_pb2  # only such a file needs it

    model = sentencepiece_model_pb2.ModelProto()  # type: ignore[attr-defined]
    types = _types_of_pieces(tokens, types, values.get("tokenizer.ggml.unknown_token_id"))
    pieces = [_piece(i, *each) for i, each in enumerate(zip(tokens, types, strict=True))]
    _check_distinct(pieces)
    for piece, kind, score in zip(pieces, types, scores, strict=True):
        model.pieces.add(piece=piece, type=kind, score=score)
    model.trainer_spec.model_type = model.trainer_spec.BPE if merges else model.trainer_spec.UNIGRAM
    model.trainer_spec.byte_fallback = BYTE in types
    model.normalizer_spec.name = "identity"
    model.normalizer_spec.add_dummy_prefix = values.get("tokenizer.ggml.add_space_prefix", True) is not False
    remove = values.get("tokenizer.ggml.remove_extra_whitespaces", not merges)
    model.normalizer_spec.remove_extra_whitespaces = remove is not False
    charsmap = _listed(values, "precompiled_charsmap", int, [])
    model.normalizer_spec.precompiled_charsmap = bytes(value & 0xFF for value in charsmap)
    data = model.SerializeToString(deterministic=True)
    added = {token: i for i, token in enumerate(tokens) if types[i] == CONTROL and token}
    return read_sentencepiece(Found("", "sentencepiece", data=data), Numbering(range(len(tokens)), added))


def _types_of_pieces(tokens: list[str], types: list[int], unknown_id: object) -> list[int]:
    """Return the types as the sentencepiece library takes them: with one unknown token. llama.cpp takes
    several, and treats the others, such as Phi-3's padding, like control tokens. An empty piece, which no
    text has, becomes one too. Raises FaultError if there is no unknown token."""
    unknown = [i for i, kind in enumerate(types) if kind == UNKNOWN]
    if not unknown:
        raise FaultError(
            "it is a GGUF file of pieces without an unknown token, which the sentencepiece library needs. "
            "Give the tokenizer.json of its model."
        )
    one = unknown_id if unknown_id in unknown else unknown[0]
    known = [kind if kind in range(1, 7) else UNUSED for kind in types]
    others = [CONTROL if kind == UNKNOWN or not t else kind for t, kind in zip(tokens, known, strict=True)]
    return [UNKNOWN if i == one else kind for i, kind in enumerate(others)]


def _piece(token_id: int, token: str, kind: int) -> str:
    """Return how SentencePiece writes a token. A user-defined one has spaces in a GGUF file, where others
    have ▁; llama.cpp names an empty one so."""
    if kind == USER_DEFINED:
        return token.replace(" ", "▁")
    return token or f"[EMPTY_{token_id}]"


def _check_distinct(pieces: list[str]) -> None:
    """Raise FaultError if a piece is there twice."""
    seen = set[str]()
    for piece in pieces:
        if piece in seen:
            raise FaultError(
                f"it is a GGUF file that has the token {shown(piece)} twice, which the sentencepiece library "
                "can't load. Give the tokenizer.json of its model."
            )
        seen.add(piece)
