"""What the other files in a model's folder say about its SentencePiece model: added tokens, and other ids.

    added_tokens.json, tokenizer_config.json     {"<|im_start|>": 32000}       tokens that are found in a text
    XLM-RoBERTa                                  <s> 0, <pad> 1, </s> 2, <unk> 3, every other piece 1 later
    M2M100, Marian with vocab.json               each piece has the id of vocab.json
    XLNet, Albert, T5, …                         the text is changed first, tokens are added: piece_classes.py

As the ``transformers`` library does it, each part between added tokens is encoded alone, without the spaces
that a token drops (``lstrip``, ``rstrip``). A warning says what is not used: the ids of a class that is not
known, a vocab.json of another class, tokens without an id or that are found only between spaces.
"""

from collections.abc import Mapping, Sequence

from bpeviz.errors import warn
from bpeviz.formats.byte_level import check_vocabulary
from bpeviz.formats.detect import Found
from bpeviz.formats.model_folder import BESIDE_A_PAIR, ModelFolder, read_model_folder
from bpeviz.formats.piece_classes import (
    extra_tokens,
    normalizer_of_class,
    numbers_by_place,
)
from bpeviz.formats.sentencepiece import Numbering, pieces_of, read_sentencepiece
from bpeviz.formats.source import FaultError, in_file, shown
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.words import counted

__all__ = ["SOURCE", "TARGET", "read_model_with_others"]

#: Marian's two models, of the languages that it translates from and into. Texts are encoded by the first.
SOURCE, TARGET = "source.spm", "target.spm"

_BY_VOCABULARY = ("M2M100", "Marian")
_XLM_ROBERTA = ("XLMRoberta", "XLMRobertaXL")
_FIRST = {"<s>": 0, "<pad>": 1, "</s>": 2, "<unk>": 3}


def read_model_with_others(model: Found, others: Sequence[Found]) -> Tokenizer:
    """Return the tokenizer of a SentencePiece model with the ids that the files beside it say. Raises
    TokenizerFileError. Warns with TokenizerFileWarning of what is not used."""
    folder = read_model_folder([file for file in others if file.format in BESIDE_A_PAIR])
    with in_file(model.name):
        pieces = pieces_of(model)
    vocabulary = next((file for file in others if file.format == "vocabulary"), None)
    name = folder.class_name.removesuffix("Fast").removesuffix("Tokenizer")
    by_vocabulary = name in _BY_VOCABULARY or (not name and model.name == SOURCE)
    numbers: Sequence[int] = range(len(pieces))
    added: dict[str, int] = {}
    if name in _XLM_ROBERTA:
        numbers = [_FIRST.get(piece, place + 1) for place, piece in enumerate(pieces)]
        added = {**_FIRST, "<mask>": len(pieces) + 1}
    elif by_vocabulary and vocabulary is not None:
        with in_file(vocabulary.name):
            ids = check_vocabulary(vocabulary.values)
            if ids.keys().isdisjoint(pieces):
                raise FaultError(f"it has none of the pieces of {model.name}. Give that of the same model.")
        numbers = _numbers(model, pieces, ids, vocabulary.name)
        added = {token: i for token, i in ids.items() if token not in pieces}
    elif not numbers_by_place(name):
        warn(
            f"{model.name}: tokenizer_config.json names {shown(folder.class_name)}, which may number the "
            "tokens in another way. That is not known here: the ids are those of the model."
        )
    if vocabulary is not None and not by_vocabulary:
        warn(f"{vocabulary.name} was not used: the ids are those of {model.name}.")
    with in_file(model.name):
        named = {token.content for token in folder.added if token.token_id is not None}
        more = extra_tokens(name, folder, len(pieces))
        added |= {token: i for token, i in more.items() if token not in named and token not in pieces}
        if len({*numbers}) < len(numbers):
            raise FaultError(
                f"its pieces can't have the ids of {folder.class_name}: two would have the same. Check that "
                "tokenizer_config.json is of the same model."
            )
        added |= _added(model.name, folder, dict(zip(pieces, numbers, strict=True)), added)
        strips_left = _flagged(folder, "lstrip") | ({"<mask>"} if name in _XLM_ROBERTA else set())
        strips_right = _flagged(folder, "rstrip")
        special = {token.content for token in folder.added if token.special}
        numbering = Numbering(
            numbers,
            added,
            sorted(strips_left & added.keys()),
            sorted(strips_right & added.keys()),
            {token.content for token in folder.added} & added.keys() - special,
        )
        return read_sentencepiece(model, numbering, normalizer=normalizer_of_class(name, folder))


def _flagged(folder: ModelFolder, flag: str) -> set[str]:
    return {token.content for token in folder.added if token.flags.get(flag)}


def _numbers(model: Found, pieces: Sequence[str], ids: Mapping[str, int], name: str) -> list[int]:
    """Return the id of each piece in a vocab.json; those that it lacks have ids above all others."""
    missing = [piece for piece in pieces if piece not in ids]
    if missing:
        warn(
            f"{name} lacks {counted(len(missing), 'piece')} of {model.name}, such as {shown(missing[0])}. "
            "The model gives <unk> for them; here they have ids above all others."
        )
    more = {piece: max(ids.values()) + 1 + i for i, piece in enumerate(missing)}
    return [more[piece] if piece in more else ids[piece] for piece in pieces]


def _added(
    name: str, folder: ModelFolder, id_of_piece: Mapping[str, int], known: Mapping[str, int]
) -> dict[str, int]:
    """Return the ids of the added tokens of a folder: that of their file, or that of their piece."""
    added: dict[str, int] = {}
    left_out: list[str] = []
    if words := _flagged(folder, "single_word"):
        warn(
            f"{name}: {shown(min(words))} has single_word in the files beside it. That is not followed here: "
            "it is found inside words too."
        )
    for token in folder.added:
        ids = (known.get(token.content), token.token_id, id_of_piece.get(token.content))
        token_id = next((each for each in ids if each is not None), None)
        if token_id is None:
            left_out.append(token.content)
        elif token.content:
            added[token.content] = token_id
    if left_out:
        warn(
            f"{name}: the files beside it give no id for {counted(len(left_out), 'token')}, such as "
            f"{shown(left_out[0])}, which are left out."
        )
    return added
