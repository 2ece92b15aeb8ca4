"""The pipeline of a tokenizer.json: see bpeviz.pipelines.

    {"normalizer": {"type": "NFC"}, "pre_tokenizer": {"type": "Metaspace", …}, …}

``tokenizers`` runs it, so everything that the library can load gives its symbols.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from bpeviz.formats.oniguruma import NAMED_PATTERNS
from bpeviz.formats.source import FaultError
from bpeviz.pipelines.errors import PipelineError
from bpeviz.pipelines.huggingface_definition import define_huggingface
from bpeviz.pipelines.pipeline import Pipeline
from bpeviz.pipelines.running import spell

__all__ = ["huggingface_pipeline", "steps_of", "writes_spaces_as_marks"]

_SPACE_MARK = "▁"
_KNOWN_REGEXES = frozenset(NAMED_PATTERNS.values())


def steps_of(part: object, inner: str) -> Iterator[Mapping[str, Any]]:
    """The steps of a normalizer, pre-tokenizer or decoder; those of a Sequence one by one, by its key."""
    if isinstance(part, dict):
        if part.get("type") == "Sequence" and isinstance(part.get(inner), list):
            for step in part[inner]:
                yield from steps_of(step, inner)
        else:
            yield part


def writes_spaces_as_marks(values: Mapping[str, Any]) -> bool:
    """Whether the tokens have ▁ in place of a space."""
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
    """The pipeline of a tokenizer.json with these ``values``; the rest as define_huggingface takes it.

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
    trusted = _is_quick(values)
    pipeline = Pipeline("huggingface", definition, {**symbol_bytes, **special}, dict(token_texts), trusted)
    try:
        spell(pipeline, "a", list(special_tokens))
    except PipelineError as error:
        raise FaultError(
            f"the tokenizers library can't load it: {error.said or error.why}. Export the file again."
        ) from None
    return pipeline


def _is_quick(values: Mapping[str, Any]) -> bool:
    """Whether the library needs no more than a fixed time and memory for each character of a text.

    Then it may run in the process that serves the page. Only what is known to be so is: few steps, regular
    expressions of known models, and no step or affix that makes many characters of one.
    """
    model = values["model"]
    steps = [
        *steps_of(values.get("normalizer"), "normalizers"),
        *steps_of(values.get("pre_tokenizer"), "pretokenizers"),
        *steps_of(values.get("decoder"), "decoders"),
    ]
    return (
        len(steps) <= _MOST_STEPS
        and sum(step.get("type") == "ByteLevel" for step in steps) <= 2  # one splits, one decodes
        and all(map(_is_quick_step, steps))
        and all(len(str(model.get(affix) or "")) <= _MOST_ADDED for affix in _AFFIXES)
        and _is_at_most(model.get("max_input_chars_per_word"), 1_000)
    )


_MOST_STEPS = 12
#: Characters that a step or an affix may add at one place.
_MOST_ADDED = 8
_AFFIXES = ("continuing_subword_prefix", "end_of_word_suffix", "unk_token")


def _is_quick_step(step: Mapping[str, Any]) -> bool:
    pattern = step.get("pattern")
    known = True
    if isinstance(pattern, dict):
        known = pattern.get("Regex") in _KNOWN_REGEXES if "Regex" in pattern else bool(pattern.get("String"))
    grows = step.get("type") == "Replace" and len(str(step.get("content", ""))) > 1
    adds = len(str(step.get("prepend", ""))) > _MOST_ADDED
    return step.get("type") != "Precompiled" and known and not grows and not adds


def _is_at_most(value: object, limit: int) -> bool:
    return value is None or (isinstance(value, int) and value <= limit)
