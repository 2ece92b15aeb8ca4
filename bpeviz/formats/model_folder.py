"""What the other files in a model's folder say about a pair of files.

    tokenizer_config.json      {"tokenizer_class": "Qwen2Tokenizer", "eos_token": "<|im_end|>", …}
    special_tokens_map.json    {"eos_token": "<|im_end|>", "additional_special_tokens": […]}
    added_tokens.json          {"<|im_start|>": 151644, …}

None of them is needed. The first names the class, from which follow the split pattern and the normalizer.
All three list added tokens.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from bpeviz.formats.bounds import check_special_tokens
from bpeviz.formats.detect import Found
from bpeviz.formats.source import FaultError, JsonObject, check_token_id, check_utf8, in_file
from bpeviz.formats.tokenizer_classes import TokenizerClass, class_of_name

__all__ = ["BESIDE_A_PAIR", "AddedToken", "ModelFolder", "names_a_class", "read_model_folder"]

#: The formats of the files that may be beside a pair. Those with ids come first, so that their tokens do.
BESIDE_A_PAIR = ("tokenizer config", "added tokens", "special tokens map")
#: The keys of special tokens, in both files that name them.
_ROLES = ("bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token")
MOST_DIGITS = 10
_FLAGS = ("lstrip", "rstrip", "single_word", "normalized")


@dataclass(frozen=True)
class AddedToken:
    """An added token: its text, its id if the files give one, the flags of its matching, and whether it is
    special: named for a role, or marked so."""

    content: str
    token_id: int | None = None
    flags: Mapping[str, bool] = field(default_factory=dict)
    special: bool = True


@dataclass(frozen=True)
class ModelFolder:
    """What a folder says beside its pair: the name of the class, empty if none is named; the class, if it is
    a known one; the added tokens in the order of the files; the unknown token, if one is named; and all
    that tokenizer_config.json says."""

    class_name: str = ""
    known: TokenizerClass | None = None
    added: Sequence[AddedToken] = ()
    unknown: str = ""
    settings: Mapping[str, object] = field(default_factory=dict)


def read_model_folder(files: Sequence[Found]) -> ModelFolder:
    """Return what the files beside a pair say. Raises TokenizerFileError."""
    tokens: dict[str, AddedToken] = {}
    settings: dict[str, object] = {}
    for file in sorted(files, key=lambda file: BESIDE_A_PAIR.index(file.format)):
        with in_file(file.name):
            if file.format != "added tokens":
                settings = {**file.values, **settings}
            for token in _tokens(file):
                known = tokens.get(token.content, token)
                token_id = token.token_id if known.token_id is None else known.token_id
                special = token.special or (token.content in tokens and known.special)
                tokens[token.content] = AddedToken(
                    token.content, token_id, known.flags or token.flags, special
                )
            check_special_tokens(tokens)
    class_name = settings.get("tokenizer_class")
    name = class_name if isinstance(class_name, str) else ""
    known_class = class_of_name(name)
    unknown = settings.get("unk_token")
    return ModelFolder(
        name,
        known_class and known_class.with_prefix_space(settings.get("add_prefix_space")),
        list(tokens.values()),
        str(unknown.get("content", "")) if isinstance(unknown, dict) else str(unknown or ""),
        settings,
    )


def names_a_class(data: bytes) -> bool:
    """Return whether a file is a tokenizer_config.json that names a known class."""
    named = re.search(rb'"tokenizer_class"\s*:\s*"(\w+)"', data)
    return named is not None and class_of_name(named[1].decode()) is not None


def _tokens(file: Found) -> Iterator[AddedToken]:
    """Yield the added tokens of one file. Raises FaultError."""
    whole = JsonObject("", file.values)
    if file.format == "added tokens":
        ids = {token: check_token_id(token, token_id) for token, token_id in file.values.items()}
        for token, token_id in sorted(ids.items(), key=lambda item: item[1]):
            yield _checked(AddedToken(token, token_id, special=False))
        return
    listed = whole.optional("added_tokens_decoder", dict[str, object]())
    for number, value in sorted(listed.items(), key=lambda item: (len(item[0]), item[0])):
        if not number.isdecimal() or len(number) > MOST_DIGITS:
            raise whole.fault("a key of added_tokens_decoder is not a token id")
        yield _token(value, check_token_id(number, int(number)))
    for role in [*map(whole.values.get, _ROLES), *_more_special_tokens(whole)]:
        if role is not None:
            yield _token(role)


def _more_special_tokens(whole: JsonObject) -> Iterator[object]:
    """Yield the special tokens that have no role: a list, or since transformers 4.49 by name, as in
    {"image_token": "<image>"}."""
    for key in ("additional_special_tokens", "extra_special_tokens"):
        listed = whole.values.get(key)
        yield from listed.values() if isinstance(listed, dict) else listed if isinstance(listed, list) else ()


def _token(value: object, token_id: int | None = None) -> AddedToken:
    """Return a token that is written as its text, or as an object with flags. One with a ``token_id`` is of
    added_tokens_decoder, which says of each whether it is special; the others have a role."""
    match value:
        case str() as content:
            return _checked(AddedToken(content, token_id))
        case {"content": str() as content, **others}:
            flags = {flag: others[flag] is True for flag in _FLAGS if flag in others}
            special = token_id is None or others.get("special") is True
            return _checked(AddedToken(content, token_id, flags, special))
    raise FaultError("a special token in it is neither a text nor an object with a content. Export it again.")


def _checked(token: AddedToken) -> AddedToken:
    check_utf8(token.content, "a special token in it")
    return token
