"""The file of a tokenizer with merges after its own: all that the file says stays, new ones are added.

    {"post_processor": {"cls": ["<s>", 7]},          {"post_processor": {"cls": ["<s>", 7]},
     "model": {"vocab": {"t": 0, …, "the": 9},  ->    "model": {"vocab": {"t": 0, …, "the": 9, "then": 10},
               "merges": ["t h", …]}}                           "merges": ["t h", …, "the n"]}}

A tokenizer.json and a SentencePiece model are changed so: see trimmed_files.py for tokens that are dropped.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from bpeviz.core.token_chain import Pair
from bpeviz.errors import TokenizerFileError
from bpeviz.formats.detect import Found, detect
from bpeviz.formats.source import in_file, unpacked
from bpeviz.formats.trimmed_files import numbered_so
from bpeviz.text.library import ids_of_added

__all__ = ["continued_files", "takes_new_merges"]

_CHANGED = ("huggingface", "sentencepiece")
#: The type of a piece that stands for one byte of a character that the model lacks.
_BYTE = 6


def continued_files(files: Mapping[str, bytes], merges: Sequence[tuple[Pair, int]]) -> dict[str, bytes]:
    """Return the file of a tokenizer with new ``merges``: the pair and the id of each, in their order.

    Raises TokenizerFileError for files of other kinds, for a tokenizer.json that writes the second half of a
    token in another way than the first, and for merges of single bytes in a SentencePiece model.
    """
    file = _only(files)
    if file is None:
        raise TokenizerFileError(
            " and ".join(files),
            "only a tokenizer.json and a SentencePiece model take new merges. Save it in another format.",
        )
    if file.format == "huggingface":
        return {file.name: _tokenizer_json(file.name, file.values, merges)}
    return {file.name: _model(file, merges)}


def takes_new_merges(files: Mapping[str, bytes]) -> bool:
    """Return whether continued_files takes these files, which can be read."""
    return _only(files) is not None


def _only(files: Mapping[str, bytes]) -> Found | None:
    if len(files) != 1:
        return None
    ((name, data),) = files.items()
    with in_file(name):
        file = detect(*unpacked(name, data))
    return file if file.format in _CHANGED else None


def _tokenizer_json(name: str, values: Mapping[str, Any], merges: Sequence[tuple[Pair, int]]) -> bytes:
    model = values["model"]
    if model.get("continuing_subword_prefix"):
        raise TokenizerFileError(
            name, "it writes the second half of a token with a prefix. Save the tokenizer in another format."
        )
    vocabulary = dict(model["vocab"])
    listed = values.get("added_tokens") or []
    text_of = {i: text for text, i in vocabulary.items()}
    pairs: list[list[str]] = []
    for (left, right), token_id in merges:
        pairs.append([text_of[left], text_of[right]])
        vocabulary.setdefault("".join(pairs[-1]), token_id)
        text_of.setdefault(token_id, "".join(pairs[-1]))
    # the ids that the library gives them, whatever the file says: it closes a hole below them
    real = ids_of_added((token["content"] for token in listed), model["vocab"], len(model["vocab"]))
    added = [{**token, "id": real.get(token["content"], token["id"])} for token in listed]
    if not numbered_so(added, vocabulary):
        vocabulary |= {token["content"]: token["id"] for token in added if token["content"]}
    as_text = any(isinstance(merge, str) for merge in model["merges"])
    new = [" ".join(pair) for pair in pairs] if as_text else pairs
    changed = {
        **values,
        "added_tokens": added,
        "model": {
            **model,
            "vocab": dict(sorted(vocabulary.items(), key=lambda item: item[1])),
            "merges": [*model["merges"], *new],
        },
    }
    return json.dumps(changed, ensure_ascii=False, indent=1).encode("utf-8")


def _model(file: Found, merges: Sequence[tuple[Pair, int]]) -> bytes:
    from sentencepiece import sentencepiece_model_pb2 as messages  # only such a file needs it

    model = vars(messages)["ModelProto"].FromString(file.data)
    score = min(piece.score for piece in model.pieces)
    single_bytes = {i for i, piece in enumerate(model.pieces) if piece.type == _BYTE}
    for rank, ((left, right), token_id) in enumerate(merges, 1):
        if not single_bytes.isdisjoint((left, right)):
            raise TokenizerFileError(
                file.name,
                f"new merge {rank:,} joins bytes of a character, which SentencePiece never merges. Leave "
                "this merge out.",
            )
        if token_id < len(model.pieces):  # the pieces are there; the library merges whatever spells one
            continue
        # of two pairs the library merges the one whose piece has the higher score
        text = model.pieces[left].piece + model.pieces[right].piece
        model.pieces.add(piece=text, score=score - rank)
    model.trainer_spec.vocab_size = len(model.pieces)
    written: bytes = model.SerializeToString(deterministic=True)
    return written
