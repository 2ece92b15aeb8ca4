"""What a tokenizer.json does to a text before the merges: a split pattern if it is plain, else a pipeline.

    {"normalizer": {"type": "NFC"}, "pre_tokenizer": {"type": "Metaspace", …}, …}

``tokenizers`` runs a pipeline, so everything that the library can load gives its symbols.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from bpeviz.core.base_vocabulary import GPT2_BYTE_CHARACTERS
from bpeviz.errors import PipelineError, SplitPatternError
from bpeviz.formats.oniguruma import split_pattern_of
from bpeviz.formats.source import FaultError, JsonObject
from bpeviz.pipelines.definitions import define_huggingface
from bpeviz.pipelines.pipeline import Pipeline
from bpeviz.pipelines.running import spell
from bpeviz.text.split_patterns import SplitPattern, get_split_pattern

__all__ = [
    "check_steps",
    "huggingface_pipeline",
    "is_plain",
    "joins_bytes",
    "split_of",
    "steps_of",
    "writes_spaces_as_marks",
]

_SPACE_MARK = "▁"
_BYTE_CHARACTERS = set(GPT2_BYTE_CHARACTERS)
#: How deep steps may be nested. Real files have one Sequence, sometimes one in another.
MAX_DEPTH = 20
_FLAGS = ("lstrip", "rstrip", "single_word")


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


def is_plain(whole: JsonObject, model: JsonObject) -> bool:
    """Return whether nothing but splitting happens before the merges, and no token matches other text
    than its own."""
    changes = list(steps_of(whole.values.get("normalizer"), "normalizers"))
    flagged = any(token.optional(flag, False) for token in whole.objects("added_tokens") for flag in _FLAGS)
    affixes = ("continuing_subword_prefix", "end_of_word_suffix")
    marked = any(model.optional(affix, "") for affix in affixes)
    replaces = model.values.get("unk_token") is not None or model.optional("byte_fallback", False)
    complete = all(c in model.required("vocab", dict) for c in GPT2_BYTE_CHARACTERS)
    return not (changes or flagged or marked or (replaces and not complete))


def split_of(whole: JsonObject) -> SplitPattern | None:
    """Return the split pattern of ByteLevel alone, or after one Split that keeps all text; None for all
    else."""
    steps = [JsonObject("pre_tokenizer", s) for s in steps_of(whole.values["pre_tokenizer"], "pretokenizers")]
    if steps[-1].required("type", str) != "ByteLevel" or steps[-1].required("add_prefix_space", bool):
        return None
    splits_itself = steps[-1].optional("use_regex", True)
    match [step.required("type", str) for step in steps]:
        case ["ByteLevel"]:
            split = get_split_pattern("gpt2" if splits_itself else "none")
        case ["Split", "ByteLevel"] if not splits_itself:
            found = _split_by_regex(steps[0])
            if found is None:
                return None
            split = found
        case _:
            return None
    return replace(split, older_unicode=True)


def _split_by_regex(step: JsonObject) -> SplitPattern | None:
    """Return the pattern of a Split. Isolated keeps the matches and what is between them; Removed with invert
    only the matches.

    Both are the same if the pattern covers the text; if it does not, splitting raises an error.
    """
    pattern = step.inner("pattern")
    behavior = step.required("behavior", str)
    whole = behavior == "Isolated" or (behavior == "Removed" and step.optional("invert", False))
    if "Regex" not in pattern.values or not whole:
        return None
    try:
        return split_pattern_of(pattern.required("Regex", str))
    except (FaultError, SplitPatternError):  # it means something else there, or nothing here
        return None


def joins_bytes(whole: JsonObject, special_tokens: Mapping[str, int]) -> bool:
    """Return whether the library decodes a byte-level file by joining the bytes of the tokens: its decoder is
    ByteLevel and nothing else. It takes a special token such as "<é>" for bytes too, E9 for its é, because
    all its characters stand for bytes; and it writes a token that it finds in normalized text as it is there.
    """
    decoders = [step.get("type") for step in steps_of(whole.values.get("decoder"), "decoders")]
    taken_for_bytes = any(not t.isascii() and set(t) <= _BYTE_CHARACTERS for t in special_tokens)
    normalizes = whole.values.get("normalizer") is not None
    normalized = normalizes and any(t.optional("normalized", False) for t in whole.objects("added_tokens"))
    return decoders == ["ByteLevel"] and not taken_for_bytes and not normalized


def check_steps(whole: JsonObject) -> None:
    """Raise FaultError if a normalizer, pre-tokenizer or decoder is not made of steps with types, or if its
    steps are nested too deeply."""
    parts = (("normalizer", "normalizers"), ("pre_tokenizer", "pretokenizers"), ("decoder", "decoders"))
    for part, inner in parts:
        waiting = [(whole.inner(part), 0)] if whole.values.get(part) is not None else []
        while waiting:
            step, depth = waiting.pop()
            if depth > MAX_DEPTH:
                why = f"its steps are nested more than {MAX_DEPTH} deep"
                raise JsonObject(part, {}).fault(why, "Write them in one Sequence.")
            if step.required("type", str) == "Sequence":
                waiting += [(each, depth + 1) for each in step.objects(inner)]


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
        again = "Export the file again, or use another version of tokenizers."
        why, remedy = (error.said, again) if error.said else (error.why, error.remedy)
        raise FaultError(f"the tokenizers library can't load it: {why}. {remedy}") from None
    return pipeline
