"""The pipeline of a tokenizer.json: see bpeviz.pipelines.

    {"normalizer": {"type": "NFC"}, "pre_tokenizer": {"type": "Metaspace", …}, …}

``tokenizers`` runs it, so everything that the library can load gives its symbols.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from bpeviz.errors import PipelineError
from bpeviz.formats.source import FaultError
from bpeviz.pipelines.definitions import define_huggingface
from bpeviz.pipelines.pipeline import Pipeline
from bpeviz.pipelines.running import spell

__all__ = ["huggingface_pipeline", "steps_of", "writes_spaces_as_marks"]

_SPACE_MARK = "▁"


def steps_of(part: object, inner: str) -> Iterator[Mapping[str, Any]]:
    """Yield the steps of a normalizer, pre-tokenizer or decoder; those of a Sequence one by one, by its
    key."""
    if isinstance(part, dict):
        if part.get("type") == "Sequence" and isinstance(part.get(inner), list):
            for step in part[inner]:
                yield from steps_of(step, inner)
        else:
            yield part


def writes_spaces_as_marks(values: Mapping[str, Any]) -> bool:
    """Return whether the tokens have ▁ in place of a space."""
    normalizers = steps_of(values.get("normalizer"), "normalizers")
    pre_tokenizers = steps_of(values.get("pre_tokenizer"), "pretokenizers")
    decoders = steps_of(values.get("decoder"), "decoders")
    return (
        any(step.get("type") == "Replace" and step.get("content") == _SPACE_MARK for step in normalizers)
        or any(step.get("type") == "Metaspace" for step in pre_tokenizers)
        or any(step.get("type") in ("Metaspace", "Replace") for step in decoders)
    )


def huggingface_pipeline(
    values: Mapping[str, Any],
    symbols: dict[str, int] | None,
    symbol_bytes: Mapping[int, bytes],
    *,
    special_tokens: Mapping[str, int],
    wholes: Mapping[str, int],
    token_texts: Mapping[int, str],
) -> Pipeline:
    """Return the pipeline of a tokenizer.json with these ``values``; the rest as define_huggingface takes it.

    Raises FaultError if the library cannot load it.
    """
    try:
        definition = define_huggingface(dict(values), symbols, dict(special_tokens), dict(wholes))
    except RecursionError:
        raise FaultError("its JSON is nested too deeply. Check that it is the right file.") from None
    except UnicodeEncodeError:
        raise FaultError(
            "a text in it holds half of a surrogate pair, which UTF-8 cannot hold. Remove it."
        ) from None
    special = {i: token.encode("utf-8") for token, i in special_tokens.items()}
    pipeline = Pipeline("huggingface", definition, {**symbol_bytes, **special}, dict(token_texts))
    try:
        spell(pipeline, "", list(special_tokens))
    except PipelineError as error:
        raise FaultError(
            f"the tokenizers library can't load it: {error.said or error.why}. Export the file again."
        ) from None
    return pipeline
