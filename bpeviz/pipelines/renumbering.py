"""A pipeline whose tokens have other ids, because some were dropped; or that has new tokens. Making it needs
no library."""

from collections.abc import Mapping
from dataclasses import replace

import msgspec

from bpeviz.core.base_vocabulary import GPT2_BYTE_CHARACTERS
from bpeviz.decoders import msgpack_decoder
from bpeviz.pipelines.definitions import HuggingFaceDefinition, SentencePieceDefinition
from bpeviz.pipelines.notebook import NotebookDefinition
from bpeviz.pipelines.pipeline import Pipeline

__all__ = ["renumbered", "with_new_tokens"]


def renumbered(pipeline: Pipeline, new_ids: Mapping[int, int], wholes: Mapping[int, bytes]) -> Pipeline:
    """Return the pipeline with the new id of each token that is left, by its id. Base symbols and special
    tokens are left. ``wholes`` has the bytes of the tokens that only a whole pre-token is then."""
    return replace(
        pipeline,
        definition=msgspec.msgpack.encode(_definition(pipeline, new_ids, wholes)),
        symbol_bytes={new_ids[i]: token for i, token in pipeline.symbol_bytes.items() if i in new_ids},
        token_texts={new_ids[i]: text for i, text in pipeline.token_texts.items() if i in new_ids},
        # a token whose half is dropped falls too
        halves={
            new_ids[i]: (new_ids[left], new_ids[right])
            for i, (left, right) in pipeline.halves.items()
            if i in new_ids
        },
    )


def with_new_tokens(pipeline: Pipeline, new: Mapping[int, tuple[int, int]], *, as_wholes: bool) -> Pipeline:
    """Return the pipeline with new tokens, by id: the two that each is made of, in an order in which these
    come first. ``as_wholes``: whether a pre-token that is written as one becomes it."""
    definition = pipeline.definition
    if as_wholes and pipeline.library == "huggingface":
        defined = msgpack_decoder(HuggingFaceDefinition).decode(definition)
        texts = {token_id: text for text, token_id in defined.wholes.items()}
        for token_id, (left, right) in new.items():
            texts[token_id] = texts[left] + texts[right]
        wholes = {text: token_id for token_id, text in texts.items()}
        definition = msgspec.msgpack.encode(msgspec.structs.replace(defined, wholes=wholes))
    return replace(pipeline, definition=definition, halves={**pipeline.halves, **new})


def _definition(
    pipeline: Pipeline, new_ids: Mapping[int, int], wholes: Mapping[int, bytes]
) -> msgspec.Struct:
    match pipeline.library:
        case "huggingface":
            of_library = msgpack_decoder(HuggingFaceDefinition).decode(pipeline.definition)
            return msgspec.structs.replace(
                of_library,
                ids=[new_ids.get(i, i) for i in of_library.ids],
                added=_left(of_library.added, new_ids),
                wholes=_left(
                    of_library.wholes | {_text(pipeline, i, token): i for i, token in wholes.items()}, new_ids
                ),
            )
        case "sentencepiece":
            of_pieces = msgpack_decoder(SentencePieceDefinition).decode(pipeline.definition)
            before = of_pieces.new_ids
            composed = {old: new_ids[i] for old, i in before.items() if i in new_ids} if before else new_ids
            return msgspec.structs.replace(
                of_pieces, new_ids=dict(composed), added=_left(of_pieces.added, new_ids)
            )
        case "llms-from-scratch":
            of_notebook = msgpack_decoder(NotebookDefinition).decode(pipeline.definition)
            return NotebookDefinition(
                _left(of_notebook.characters, new_ids), _left(of_notebook.special_tokens, new_ids)
            )


def _left(ids: Mapping[str, int], new_ids: Mapping[int, int]) -> dict[str, int]:
    return {text: new_ids[i] for text, i in ids.items() if i in new_ids}


def _text(pipeline: Pipeline, token_id: int, token: bytes) -> str:
    """Return how the library writes a token. Only a byte-level file keeps no texts."""
    return pipeline.token_texts.get(token_id) or "".join(GPT2_BYTE_CHARACTERS[byte] for byte in token)
