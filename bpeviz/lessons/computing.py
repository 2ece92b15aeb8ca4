"""Computing the claims of a lesson, and the captions that they fill."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import singledispatch
from itertools import pairwise

from bpeviz.core.token_chain import Pair
from bpeviz.errors import BpevizError, LessonError
from bpeviz.lessons.claims import (
    Bytes,
    Characters,
    Claim,
    Count,
    Difference,
    Encoded,
    Id,
    Ids,
    Largest,
    Made,
    Merge,
    MergeCount,
    MergeOf,
    Merges,
    Occurs,
    OfStep,
    Pieces,
    PreToken,
    Printed,
    Ratio,
    Same,
    Shortest,
    ShortestPieces,
    Smallest,
    Tied,
    Tokens,
    Vocabulary,
)
from bpeviz.lessons.prepared import Prepared
from bpeviz.lessons.reading import CODE, PLACEHOLDER
from bpeviz.runs.run import Run
from bpeviz.runs.run_at_step import RunAtStep
from bpeviz.text.token_text import visible
from bpeviz.tokenizer.encoding import encode_step_by_step
from bpeviz.tokenizer.fewest_tokens import fewest_tokens
from bpeviz.training.merge_step import MergeStep

__all__ = ["Part", "Value", "compute", "fill", "plain"]

#: A figure, a name, or tokens by their bytes.
Value = int | float | str | tuple[bytes, ...]


@dataclass(frozen=True)
class Part:
    """A part of a caption: words, or ``code``, which the page shows letter by letter."""

    words: str
    code: bool = False


def compute(prepared: Prepared, name: str) -> Value:
    """Return the value of a claim. Raises LessonError."""
    claim = prepared.lesson.claims[name]
    try:
        return _value(claim, prepared)
    except LessonError:
        raise
    except (BpevizError, LookupError, ValueError, ZeroDivisionError) as error:
        why = f"It can't be computed: {error}. Check its fields."
        raise LessonError(prepared.file, f"claims.{name}", why) from None


@singledispatch
def _value(claim: Claim, _lesson: Prepared) -> Value:
    raise TypeError(f"there is no way to compute {type(claim).__name__}")


# runs


@_value.register
def _(claim: Tokens, lesson: Prepared) -> Value:
    at = _at(lesson, claim)
    return at.run.history.token_total(at.step)


@_value.register
def _(claim: Vocabulary, lesson: Prepared) -> Value:
    if claim.by:
        return len(lesson.tokenizer(claim.by))
    at = _at(lesson, claim)
    return int(at.run.tokenizer.vocab_sizes[at.step])


@_value.register
def _(claim: Merges, lesson: Prepared) -> Value:
    return len(lesson.material(claim.run).run.steps)


@_value.register
def _(claim: Count, lesson: Prepared) -> Value:
    at = _at(lesson, claim)
    return at.count(_pair(at.run, claim.pair))


@_value.register
def _(claim: Merge, lesson: Prepared) -> Value:
    tokenizer = lesson.material(claim.run).run.tokenizer
    left, right = _merge(lesson, claim).pair
    return tokenizer.token_bytes(left), tokenizer.token_bytes(right)


@_value.register
def _(claim: Made, lesson: Prepared) -> Value:
    return (_merge(lesson, claim).token,)


@_value.register
def _(claim: MergeCount, lesson: Prepared) -> Value:
    return _merge(lesson, claim).count


@_value.register
def _(claim: Tied, lesson: Prepared) -> Value:
    return _merge(lesson, claim).tied


@_value.register
def _(claim: MergeOf, lesson: Prepared) -> Value:
    tokens = [step.token for step in lesson.material(claim.run).run.steps]
    return tokens.index(claim.token.encode("utf-8")) + 1


@_value.register
def _(claim: PreToken, lesson: Prepared) -> Value:
    return lesson.material(claim.run).run.result.corpus.counts[claim.token]


def _at(lesson: Prepared, claim: OfStep) -> RunAtStep:
    run = lesson.material(claim.run).run
    step = len(run.steps) if claim.step is None else claim.step
    if step > len(run.steps):
        raise LookupError(f"the run has {len(run.steps)} merges")
    return RunAtStep(run, step)


def _merge(lesson: Prepared, claim: Merge | Made | MergeCount | Tied) -> MergeStep:
    steps = lesson.material(claim.run).run.steps
    if claim.merge > len(steps):
        raise LookupError(f"the run has {len(steps)} merges")
    return steps[claim.merge - 1]


# texts and tokenizers


@_value.register
def _(claim: Bytes, lesson: Prepared) -> Value:
    return sum(len(text.encode("utf-8")) for text in lesson.texts(claim))


@_value.register
def _(claim: Characters, lesson: Prepared) -> Value:
    return sum(map(len, lesson.texts(claim)))


@_value.register
def _(claim: Occurs, lesson: Prepared) -> Value:
    return lesson.text(claim).count(claim.part)


@_value.register
def _(claim: Encoded, lesson: Prepared) -> Value:
    return len(_pieces(lesson, claim))


@_value.register
def _(claim: Pieces, lesson: Prepared) -> Value:
    return _pieces(lesson, claim)


@_value.register
def _(claim: Id, lesson: Prepared) -> Value:
    token_id = lesson.tokenizer(claim.by).token_to_id(claim.token)
    if token_id is None:
        raise LookupError(f"there is no token {claim.token!r}")
    return token_id


@_value.register
def _(claim: Ids, lesson: Prepared) -> Value:
    return _listed(lesson.tokenizer(claim.by).encode(lesson.text(claim)))


@_value.register
def _(claim: Shortest, lesson: Prepared) -> Value:
    return len(_shortest(lesson, claim))


@_value.register
def _(claim: ShortestPieces, lesson: Prepared) -> Value:
    return _shortest(lesson, claim)


def _shortest(lesson: Prepared, claim: Shortest | ShortestPieces) -> tuple[bytes, ...]:
    """Return the fewest tokens that spell a text."""
    tokenizer, text = lesson.tokenizer(claim.by), lesson.text(claim)
    cuts = fewest_tokens(tokenizer, encode_step_by_step(tokenizer, text))
    data = text.encode("utf-8")
    return tuple(data[start:end] for cut in cuts for start, end in pairwise(cut))


def _pieces(lesson: Prepared, claim: Encoded | Pieces) -> tuple[bytes, ...]:
    tokenizer = lesson.tokenizer(claim.by)
    special = "all" if claim.special else ()
    encoded = (tokenizer.encode(text, allowed_special=special) for text in lesson.texts(claim))
    return tuple(tokenizer.token_bytes(token_id) for ids in encoded for token_id in ids)


# other claims


@_value.register
def _(claim: Ratio, lesson: Prepared) -> Value:
    return round(_figure(lesson, claim.over) / _figure(lesson, claim.under), claim.decimals)


@_value.register
def _(claim: Difference, lesson: Prepared) -> Value:
    return _figure(lesson, claim.more) - _figure(lesson, claim.less)


@_value.register
def _(claim: Same, lesson: Prepared) -> Value:
    one, other = (_value(lesson.lesson.claims[name], lesson) for name in (claim.one, claim.other))
    return "the same" if one == other else "different"


@_value.register
def _(claim: Largest, lesson: Prepared) -> Value:
    return _only(claim.among, [_figure(lesson, name) for name in claim.among.values()], 1)


@_value.register
def _(claim: Smallest, lesson: Prepared) -> Value:
    return _only(claim.among, [_figure(lesson, name) for name in claim.among.values()], -1)


@_value.register
def _(claim: Printed, _lesson: Prepared) -> Value:
    return claim.value if isinstance(claim.value, int | float) else _listed(claim.value)


def _listed(ids: Sequence[int]) -> str:
    return ", ".join(map(str, ids))


def _figure(lesson: Prepared, name: str) -> int | float:
    value = _value(lesson.lesson.claims[name], lesson)
    if not isinstance(value, int | float):
        raise ValueError(f"{name} is no number")
    return value


def _pair(run: Run, pair: tuple[str, str]) -> Pair:
    left, right = (run.tokenizer.token_to_id(half.encode("utf-8")) for half in pair)
    if left is None or right is None:
        raise LookupError(f"there are no tokens {pair[0]!r} and {pair[1]!r}")
    return left, right


def _only(among: dict[str, str], figures: Sequence[int | float], sign: int) -> str:
    """Return the name of the largest figure, or with sign -1 of the smallest. Raises ValueError if two share
    it."""
    best = max(sign * figure for figure in figures)
    names = [name for name, figure in zip(among, figures, strict=True) if sign * figure == best]
    if len(names) > 1:
        raise ValueError(f"{' and '.join(names)} are equal")
    return names[0]


def fill(prepared: Prepared, words: str) -> list[Part]:
    """Return the parts of a caption, its placeholders filled. Raises LessonError."""
    parts: list[Part] = []
    end = 0
    for code in CODE.finditer(words):
        parts += _filled(prepared, words[end : code.start()])
        parts.append(Part(_edges_shown(code[0].strip("`")), code=True))
        end = code.end()
    return [part for part in [*parts, *_filled(prepared, words[end:])] if part.words]


def _edges_shown(code: str) -> str:
    """Code with its first and last spaces visible: a page would not show them."""
    inside = code.strip(" ")
    before = len(code) - len(code.lstrip(" "))
    return f"{'␣' * before}{inside}{'␣' * (len(code) - before - len(inside))}"


def _filled(prepared: Prepared, words: str) -> list[Part]:
    parts: list[Part] = []
    end = 0
    for name in PLACEHOLDER.finditer(words):
        parts.append(Part(words[end : name.start()]))
        parts += _shown(prepared.lesson.claims[name[1]], compute(prepared, name[1]))
        end = name.end()
    return [*parts, Part(words[end:])]


def _shown(claim: Claim, value: Value) -> list[Part]:
    match value:
        case tuple():
            between = Part(" + " if isinstance(claim, Merge) else " ")
            tokens = [Part(visible(token), code=True) for token in value]
            return [part for token in tokens for part in (between, token)][1:]
        case str():
            return [Part(value)]
        case _:
            return [Part(str(value) if isinstance(claim, Id) else f"{value:,}")]


def plain(parts: Sequence[Part]) -> str:
    """Return the parts as one text."""
    return "".join(part.words for part in parts)
