"""Claims that are measured: on a run (its tokens, its merges, the counts of its pairs), and on a text by
tokenizers."""

from itertools import pairwise
from typing import Annotated, ClassVar

from msgspec import Meta

from bpeviz.core.token_chain import Pair
from bpeviz.lessons.claim import Claim, ClaimedLesson, Name, OfText, Value, Whole, listed
from bpeviz.runs.run import Run
from bpeviz.runs.run_at_step import RunAtStep
from bpeviz.tokenizer.encoding import encode_step_by_step
from bpeviz.tokenizer.other_cuts import fewest_tokens
from bpeviz.tokenizer.seam import seam
from bpeviz.training.result import MergeStep

__all__ = [
    "Bytes",
    "Characters",
    "Continuations",
    "Count",
    "Encoded",
    "Id",
    "Ids",
    "Made",
    "Merge",
    "MergeCount",
    "MergeOf",
    "Merges",
    "Occurs",
    "Pieces",
    "PreToken",
    "Shortest",
    "ShortestPieces",
    "Tied",
    "Tokens",
    "Vocabulary",
]


class OfRun(Claim, frozen=True, kw_only=True):
    """A claim about a run."""

    run: Name = ""


class OfStep(OfRun, frozen=True, kw_only=True):
    """A claim about a run after ``step`` merges; without a step, after all."""

    step: Whole | None = None

    def at(self, lesson: ClaimedLesson) -> RunAtStep:
        run = lesson.run(self.run)
        step = len(run.steps) if self.step is None else self.step
        if step > len(run.steps):
            raise LookupError(f"the run has {len(run.steps)} merges")
        return RunAtStep(run, step)


class OfMerge(OfRun, frozen=True, kw_only=True):
    """A claim about one merge of a run, counted from 1."""

    merge: Annotated[int, Meta(ge=1, le=1_000_000)]

    def merge_step(self, lesson: ClaimedLesson) -> MergeStep:
        steps = lesson.run(self.run).steps
        if self.merge > len(steps):
            raise LookupError(f"the run has {len(steps)} merges")
        return steps[self.merge - 1]


class Tokens(OfStep, frozen=True, kw_only=True, tag="tokens"):
    """How many tokens the text of a run has."""

    def compute(self, lesson: ClaimedLesson) -> int:
        at = self.at(lesson)
        return at.run.history.token_total(at.step)


class Vocabulary(OfStep, frozen=True, kw_only=True, tag="vocabulary"):
    """How many tokens the vocabulary of a run has; with ``by``, that of a built-in tokenizer."""

    by: Name = ""

    def compute(self, lesson: ClaimedLesson) -> int:
        if self.by:
            return len(lesson.tokenizer(self.by))
        at = self.at(lesson)
        return int(at.run.tokenizer.vocab_sizes[at.step])


class Merges(OfRun, frozen=True, kw_only=True, tag="merges"):
    """How many merges a run has."""

    def compute(self, lesson: ClaimedLesson) -> int:
        return len(lesson.run(self.run).steps)


class Count(OfStep, frozen=True, kw_only=True, tag="count"):
    """How often a pair occurs, overlaps included."""

    pair: tuple[str, str]

    def compute(self, lesson: ClaimedLesson) -> int:
        at = self.at(lesson)
        return at.count(_pair(at.run, self.pair))


class Merge(OfMerge, frozen=True, kw_only=True, tag="merge"):
    """The pair of a merge: ``a + b``."""

    between: ClassVar[str] = " + "

    def compute(self, lesson: ClaimedLesson) -> tuple[bytes, ...]:
        tokenizer = lesson.run(self.run).tokenizer
        left, right = self.merge_step(lesson).pair
        return tokenizer.token_bytes(left), tokenizer.token_bytes(right)


class Made(OfMerge, frozen=True, kw_only=True, tag="made"):
    """The token that a merge makes."""

    def compute(self, lesson: ClaimedLesson) -> tuple[bytes, ...]:
        return (self.merge_step(lesson).token,)


class MergeCount(OfMerge, frozen=True, kw_only=True, tag="merge-count"):
    """How often the pair of a merge occurred."""

    def compute(self, lesson: ClaimedLesson) -> int:
        return self.merge_step(lesson).count


class Tied(OfMerge, frozen=True, kw_only=True, tag="tied"):
    """How many pairs shared the highest count at a merge."""

    def compute(self, lesson: ClaimedLesson) -> int:
        return self.merge_step(lesson).tied


class MergeOf(OfRun, frozen=True, kw_only=True, tag="merge-of"):
    """The number of the merge that makes a token."""

    token: str

    def compute(self, lesson: ClaimedLesson) -> int:
        tokens = [step.token for step in lesson.run(self.run).steps]
        return tokens.index(self.token.encode("utf-8")) + 1


class PreToken(OfRun, frozen=True, kw_only=True, tag="pre-token"):
    """How often a pre-token occurs in the text of a run."""

    token: str

    def compute(self, lesson: ClaimedLesson) -> int:
        return lesson.run(self.run).result.corpus.counts[self.token]


def _pair(run: Run, pair: tuple[str, str]) -> Pair:
    left, right = (run.tokenizer.token_to_id(half.encode("utf-8")) for half in pair)
    if left is None or right is None:
        raise LookupError(f"there are no tokens {pair[0]!r} and {pair[1]!r}")
    return left, right


class Bytes(OfText, frozen=True, kw_only=True, tag="bytes"):
    """How many bytes a text has in UTF-8."""

    def compute(self, lesson: ClaimedLesson) -> int:
        return sum(len(text.encode("utf-8")) for text in lesson.texts(self))


class Characters(OfText, frozen=True, kw_only=True, tag="characters"):
    """How many characters a text has."""

    def compute(self, lesson: ClaimedLesson) -> int:
        return sum(map(len, lesson.texts(self)))


class Occurs(OfText, frozen=True, kw_only=True, tag="occurs"):
    """How often a ``part`` occurs in a text, without overlaps."""

    part: str

    def compute(self, lesson: ClaimedLesson) -> int:
        return lesson.text(self).count(self.part)


class Pieces(OfText, frozen=True, kw_only=True, tag="pieces"):
    """The tokens that a text is; ``special``: special tokens in it are found."""

    by: Name = ""
    special: bool = False

    def compute(self, lesson: ClaimedLesson) -> Value:
        return self.pieces(lesson)

    def pieces(self, lesson: ClaimedLesson) -> tuple[bytes, ...]:
        tokenizer = lesson.tokenizer(self.by)
        special = "all" if self.special else ()
        encoded = (tokenizer.encode(text, allowed_special=special) for text in lesson.texts(self))
        return tuple(tokenizer.token_bytes(token_id) for ids in encoded for token_id in ids)


class Encoded(Pieces, frozen=True, kw_only=True, tag="encoded"):
    """How many tokens a text is."""

    def compute(self, lesson: ClaimedLesson) -> Value:
        return len(self.pieces(lesson))


class Continuations(Pieces, frozen=True, kw_only=True, tag="continuations"):
    """In how many ways a longer text may have the open tokens at the end of a text."""

    def compute(self, lesson: ClaimedLesson) -> Value:
        return len(seam(lesson.tokenizer(self.by), lesson.text(self)).continuations)


class Ids(OfText, frozen=True, kw_only=True, tag="ids"):
    """The ids of the tokens that a text is, with commas."""

    by: Name = ""

    def compute(self, lesson: ClaimedLesson) -> str:
        return listed(lesson.tokenizer(self.by).encode(lesson.text(self)))


class Id(Claim, frozen=True, kw_only=True, tag="id"):
    """The id of a token."""

    grouped: ClassVar[bool] = False

    by: Name = ""
    token: str

    def compute(self, lesson: ClaimedLesson) -> int:
        token_id = lesson.tokenizer(self.by).token_to_id(self.token)
        if token_id is None:
            raise LookupError(f"there is no token {self.token!r}")
        return token_id


class ShortestPieces(OfText, frozen=True, kw_only=True, tag="shortest-pieces"):
    """The tokens of one of the shortest ways to spell a text."""

    by: Name = ""

    def compute(self, lesson: ClaimedLesson) -> Value:
        return self.pieces(lesson)

    def pieces(self, lesson: ClaimedLesson) -> tuple[bytes, ...]:
        tokenizer, text = lesson.tokenizer(self.by), lesson.text(self)
        cuts = fewest_tokens(tokenizer, encode_step_by_step(tokenizer, text))
        data = text.encode("utf-8")
        return tuple(data[start:end] for cut in cuts for start, end in pairwise(cut))


class Shortest(ShortestPieces, frozen=True, kw_only=True, tag="shortest"):
    """The fewest tokens of a vocabulary that spell a text."""

    def compute(self, lesson: ClaimedLesson) -> Value:
        return len(self.pieces(lesson))
