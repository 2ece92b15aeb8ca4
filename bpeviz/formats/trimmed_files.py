"""The files of a tokenizer without some tokens: all that a file says stays, and only what fell is taken out.

    {"post_processor": {"cls": ["<s>", 9]},          {"post_processor": {"cls": ["<s>", 7]},
     "model": {"vocab": {"th": 3, "the": 4, …},  ->   "model": {"vocab": {"th": 3, …},
               "merges": ["t h", "th e", …]}}                  "merges": ["t h", …]}}

A tokenizer.json, a file of ranks and a SentencePiece model are changed so. They may say more than the formats
of writing.py hold: how a library changes and splits a text, and what it puts around one.
"""

import json
from collections.abc import Collection, Mapping
from typing import Any

from bpeviz.errors import TokenizerFileError
from bpeviz.formats.detect import Found, detect
from bpeviz.formats.reading import read_tokenizer
from bpeviz.formats.source import in_file, lines, unpacked
from bpeviz.formats.writing import FILE_FORMATS, write_tokenizer
from bpeviz.text.split_patterns import SplitPattern
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.tokenizer.trimming import IdsAfter, Trimming

__all__ = ["keeps_its_format", "numbered_so", "trimmed_files"]

_CHANGED = ("huggingface", "tiktoken", "sentencepiece")


def trimmed_files(
    files: Mapping[str, bytes],
    tokens: Collection[int],
    *,
    ids: IdsAfter = "closed",
    format: str | None = None,
    split: str | SplitPattern | None = None,
) -> dict[str, bytes]:
    """Return the files of a tokenizer without the tokens with these ids, and without all that falls with
    them: see Tokenizer.without.

    A tokenizer.json, a file of ranks and a SentencePiece model stay what they are. Any other needs a
    ``format``, which these may have too: see write_tokenizer. ``split`` is that of read_tokenizer. Raises
    what both raise, and TokenizerError for tokens that can't be dropped.
    """
    whole = read_tokenizer(files, split=split)
    trimming = Trimming(whole)
    fall = trimming.fall(tokens)
    left = whole.trimmed(trimming, fall, ids)
    if format is not None:
        return write_tokenizer(left, format)
    file = _only(files)
    new_ids = trimming.new_ids(fall.gone, ids)
    match file.format:
        case "huggingface":
            return {file.name: _tokenizer_json(file.values, left, new_ids)}
        case "tiktoken":
            return {file.name: _ranks(file.text, new_ids)}
        case _:
            return {file.name: _model(file, fall.gone, ids)}


def keeps_its_format(files: Mapping[str, bytes]) -> bool:
    """Return whether trimmed_files needs no format for these files, which can be read."""
    try:
        _only(files)
    except TokenizerFileError:
        return False
    return True


def _only(files: Mapping[str, bytes]) -> Found:
    """Return the file if it is one that keeps its format. Raises TokenizerFileError for all others."""
    name = " and ".join(files)
    if len(files) == 1:
        ((name, data),) = files.items()
        with in_file(name):
            file = detect(*unpacked(name, data))
        if file.format in _CHANGED:
            return file
    raise TokenizerFileError(
        name,
        "after tokens are dropped, only a tokenizer.json, a file of ranks and a SentencePiece model keep "
        f"their format. Give another one: {', '.join(FILE_FORMATS)}.",
    )


# --- tokenizer.json ------------------------------------------------------------------------------------


def _tokenizer_json(values: Mapping[str, Any], left: Tokenizer, new_ids: Mapping[int, int]) -> bytes:
    model = values["model"]
    vocabulary = {text: new_ids[i] for text, i in model["vocab"].items() if i in new_ids}
    text_of = {i: text for text, i in vocabulary.items()}
    # only the merges that act: of a list with several for a token, others might act now
    pairs = [(text_of[one], text_of[other]) for one, other in dict(left.paired)]
    as_text = any(isinstance(merge, str) for merge in model["merges"])
    added = [
        {**token, "id": left.special_tokens.get(token["content"], token["id"])}
        for token in values.get("added_tokens") or []
    ]
    if not numbered_so(added, vocabulary):
        vocabulary |= {token["content"]: token["id"] for token in added if token["content"]}
    changed = {
        **values,
        "added_tokens": added,
        "post_processor": _with_new_ids(values.get("post_processor"), left, new_ids),
        "model": {
            **model,
            "vocab": dict(sorted(vocabulary.items(), key=lambda item: item[1])),
            "merges": [" ".join(pair) for pair in pairs] if as_text else pairs,
        },
    }
    if isinstance(padding := values.get("padding"), dict):
        changed["padding"] = {**padding, "pad_id": _new_id(padding.get("pad_id"), left, new_ids)}
    return json.dumps(changed, ensure_ascii=False, indent=1).encode("utf-8")


def numbered_so(added: Collection[Mapping[str, Any]], vocabulary: Mapping[str, int]) -> bool:
    """Return whether the library gives the added tokens their ids: one that is not in the vocabulary gets the
    next free id after the number of its tokens, whatever the file says."""
    distinct = dict.fromkeys(token["content"] for token in added if token["content"] not in vocabulary)
    numbered = {content: i for i, content in enumerate(filter(None, distinct), len(vocabulary))}
    given = {**vocabulary, **numbered}
    return all(given[token["content"]] == token["id"] for token in added if token["content"])


def _with_new_ids(part: object, left: Tokenizer, new_ids: Mapping[int, int]) -> object:
    """Return a post-processor with the new ids of the tokens that it puts around a text."""
    if isinstance(part, list):
        return [_with_new_ids(each, left, new_ids) for each in part]
    if not isinstance(part, dict):
        return part
    changed: dict[str, object] = {}
    for key, value in part.items():
        match key, value:
            case "cls" | "sep", [str() as token, int() as token_id]:
                changed[key] = [token, _new_id(token_id, left, new_ids, token)]
            case "ids", list():
                texts = part.get("tokens")
                names = texts if isinstance(texts, list) and len(texts) == len(value) else [None] * len(value)
                changed[key] = [_new_id(i, left, new_ids, n) for i, n in zip(value, names, strict=True)]
            case _:
                changed[key] = _with_new_ids(value, left, new_ids)
    return changed


def _new_id(token_id: object, left: Tokenizer, new_ids: Mapping[int, int], token: object = None) -> object:
    """Return the new id of a token that a file names, by its text if it is a special token."""
    if isinstance(token, str) and token in left.special_tokens:
        return left.special_tokens[token]
    return new_ids.get(token_id, token_id) if isinstance(token_id, int) else token_id


# --- ranks, and SentencePiece --------------------------------------------------------------------------


def _ranks(text: str, new_ids: Mapping[int, int]) -> bytes:
    """Return the lines that are left. The line of an empty token, which is no token here, goes."""
    parts = (line.split() for _, line in lines(text))
    ranks = ((written, new_ids.get(int(rank))) for written, rank in parts if written != "=")
    return b"".join(b"%s %d\n" % (written.encode(), rank) for written, rank in ranks if rank is not None)


def _model(file: Found, gone: Collection[int], ids: IdsAfter) -> bytes:
    from sentencepiece import sentencepiece_model_pb2 as messages  # only such a file needs it

    if ids != "closed":
        raise TokenizerFileError(
            file.name,
            "a SentencePiece model numbers its pieces by their places: it can't have holes. "
            "Close the ids up.",
        )
    model = vars(messages)["ModelProto"].FromString(file.data)
    kept = [(i, piece) for i, piece in enumerate(model.pieces) if i not in gone]
    new_ids = {i: place for place, (i, _) in enumerate(kept)}
    pieces = [piece for _, piece in kept]
    del model.pieces[:]
    model.pieces.extend(pieces)
    settings = model.trainer_spec
    settings.vocab_size = len(pieces)
    for name in ("unk_id", "bos_id", "eos_id", "pad_id"):
        if (known := new_ids.get(getattr(settings, name))) is not None:
            setattr(settings, name, known)
    written: bytes = model.SerializeToString(deterministic=True)
    return written
