"""check_parity: asks a library for its merges of the same text, and compares them with ours.

It can check many trainings at once; those for one library share a worker.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from io import StringIO
from typing import Literal

from bpeviz.cached import cached_property
from bpeviz.core.token_chain import Pair
from bpeviz.corpus.corpus import Corpus
from bpeviz.parity.difference import Difference, Ours, find_difference, shown
from bpeviz.parity.libraries import LIBRARIES, Library
from bpeviz.parity.library_training import TRAIN, LibraryTrainings, Missing, NotTrained, Trained, Training
from bpeviz.text.split_patterns import SplitPattern, get_split_pattern
from bpeviz.text.utf8 import check_text
from bpeviz.training.recipes import Recipe, get_recipe
from bpeviz.training.settings import TrainingSettings
from bpeviz.workers import workers
from bpeviz.workers.task import WorkerError, why_it_ended

__all__ = ["DEFAULT_TIMEOUT_SECONDS", "Parity", "ParityCheck", "Waiting", "check_all", "check_parity"]

DEFAULT_TIMEOUT_SECONDS = 120.0
#: Called several times a second with the seconds so far, 0 while the check waits for its turn; what it raises
#: ends the check.
Waiting = Callable[[float], object]
Status = Literal["identical", "different", "missing", "failed", "unchecked"]


@dataclass(frozen=True)
class ParityCheck:
    """A training of ours, to compare with the library that its recipe reproduces.

    - ``texts``: a text, several, or a corpus counted from them;
    - ``merges``: those of Trainer.merges;
    - ``settings``: the library must stop where we stopped before ``num_merges``;
    - ``split``: the pattern that split the texts, None for the recipe's; a corpus has its own;
    - ``counted``: the corpus of the texts, if there is one already.
    """

    texts: str | Sequence[str] | Corpus
    merges: Sequence[tuple[Pair, int]]
    settings: TrainingSettings
    split: SplitPattern | None = None
    counted: Corpus | None = None

    @cached_property
    def recipe(self) -> Recipe:
        """The recipe of the training."""
        return get_recipe(self.settings.recipe)

    @cached_property
    def corpus(self) -> Corpus:
        """The corpus of the texts, split by the recipe."""
        if isinstance(self.texts, Corpus):
            return self.texts
        if self.counted is not None:
            return self.counted
        texts = [self.texts] if isinstance(self.texts, str) else self.texts
        pattern = self.recipe.split_pattern(special_tokens=self.special)
        return Corpus.from_texts(texts, pattern.line_by_line() if self.split_pattern.by_line else pattern)

    @property
    def split_pattern(self) -> SplitPattern:
        """The pattern that cut the texts."""
        if isinstance(self.texts, Corpus):
            return self.texts.split
        return self.split or self.recipe.split_pattern(special_tokens=self.special)

    @property
    def fewest(self) -> int:
        """The minimum frequency of a pair."""
        return max(1, self.settings.min_frequency)

    @property
    def special(self) -> tuple[str, ...]:
        special = self.settings.special_tokens
        return self.recipe.special_tokens if special is None else special

    def asked(self, library: Library) -> int:
        """How many merges to ask a library for, and to compare."""
        stopped_by_frequency = self.fewest > 1 and not library.takes_min_frequency
        if stopped_by_frequency or not library.stops:
            return len(self.merges)
        return self.settings.num_merges

    def training(self, library: Library) -> Training:
        """Return what the library trains. Raises CorpusError for something that is not text."""
        if isinstance(self.texts, Corpus):
            texts, counts = list(self.texts.pre_tokens), list(self.texts.counts.values())
        else:
            texts, counts = [self.texts] if isinstance(self.texts, str) else list(self.texts), None
        for text in texts:
            check_text(text)
        if counts is None and self.split_pattern.by_line:
            texts = [line for text in texts for line in StringIO(text, newline="\n")]
        return Training(
            texts=texts,
            counts=counts,
            num_merges=self.asked(library),
            min_frequency=self.fewest,
            special_tokens=list(self.special) if library.takes_special_tokens else [],
            max_token_length=self.recipe.max_token_length,
            split=get_split_pattern(self.recipe.split).regex or "",
        )


@dataclass(frozen=True)
class Parity:
    """The result of a check.

    - ``status``: "identical"; "different", and then ``difference`` says where; "missing": the library is not
      installed, or its ``version`` has no trainer; "failed": it gave no answer; "unchecked": there is no
      library to ask;
    - ``recipe``, ``library``, ``version``: the recipe, and the library it was compared with, if any;
    - ``merges``: how many were compared, or how many are the same before the first difference;
    - ``reason``: why there is no comparison, in a sentence or two.
    """

    status: Status
    recipe: str
    library: str | None = None
    version: str | None = None
    merges: int = 0
    difference: Difference | None = None
    reason: str = ""

    @property
    def identical(self) -> bool:
        return self.status == "identical"

    @property
    def library_and_version(self) -> str:
        """The library and its version, such as tokenizers 0.23.3."""
        return " ".join(filter(None, (self.library, self.version)))

    @property
    def sentence(self) -> str:
        """The result as a sentence."""
        if self.identical:
            return f"Identical for {_all_merges(self.merges)}: {self.library_and_version}"
        if self.difference is None:
            return self.reason
        return f"{self._where(self.difference)} {self.difference.why}"

    def _where(self, difference: Difference) -> str:
        if difference.rank is None:
            return f"The {difference.kind} differs in {self.library_and_version}."
        here, there = (
            f"joins {shown(halves)}" if halves else "stops" for halves in (difference.ours, difference.theirs)
        )
        first = f"Merge {difference.rank + 1:,} is the first that differs"
        return f"{first}: bpeviz {here}, {self.library_and_version} {there}."


def _all_merges(count: int) -> str:
    return "the one merge" if count == 1 else f"all {count:,} merges"


def check_parity(
    texts: str | Sequence[str] | Corpus,
    recipe: str | Recipe,
    merges: Sequence[tuple[Pair, int]],
    *,
    num_merges: int | None = None,
    min_frequency: int | None = None,
    special_tokens: Sequence[str] | None = None,
    split: str | SplitPattern | None = None,
    counted: Corpus | None = None,
    timeout: float = DEFAULT_TIMEOUT_SECONDS,
    on_wait: Waiting | None = None,
) -> Parity:
    """Train in the library that ``recipe`` reproduces, and compare merge for merge.

    ``merges`` are those of Trainer.merges. ``num_merges`` is the limit of the training, None if ``merges``
    are only the first of more; ``min_frequency`` and ``special_tokens`` are those of the Trainer, None for
    the recipe's.

    ``on_wait(seconds)`` is called several times a second, with 0 while the check waits for its turn; if it
    raises, the check ends and the caller gets the exception. A crash of the library becomes the result.
    Raises TrainingSettingsError, or CorpusError for something that is not text.
    """
    recipe = get_recipe(recipe)
    settings = TrainingSettings(
        recipe,
        num_merges=len(merges) if num_merges is None else num_merges,
        min_frequency=recipe.min_frequency if min_frequency is None else min_frequency,
        special_tokens=None if special_tokens is None else tuple(special_tokens),
    )
    pattern = None if split is None else get_split_pattern(split)
    if isinstance(texts, Corpus):
        texts = texts.cut_by(recipe.split_pattern(pattern, special_tokens))
    training = ParityCheck(texts, merges, settings, pattern, counted)
    (parity,) = check_all([training], timeout=timeout, on_wait=on_wait)
    return parity


def check_all(
    trainings: Sequence[ParityCheck],
    *,
    timeout: float = DEFAULT_TIMEOUT_SECONDS,
    on_wait: Waiting | None = None,
) -> list[Parity]:
    """Check several trainings; those for one library share a worker."""
    results: dict[int, Parity] = {}
    waiting: dict[str, list[int]] = {}
    for i, training in enumerate(trainings):
        if reason := _cannot_be_asked(training):
            library = LIBRARIES.get(training.recipe.name)
            results[i] = Parity(
                "unchecked", training.recipe.name, library.name if library else None, reason=reason
            )
        else:
            waiting.setdefault(training.recipe.name, []).append(i)
    for name, places in waiting.items():
        asked = [trainings[i] for i in places]
        results.update(zip(places, _ask(LIBRARIES[name], asked, timeout, on_wait), strict=True))
    return [results[i] for i in range(len(trainings))]


def _cannot_be_asked(training: ParityCheck) -> str:
    """Why no library can be asked; empty if one can."""
    recipe = training.recipe
    library = LIBRARIES.get(recipe.name)
    if library is None:
        return (
            f"There is no library on PyPI for the recipe {recipe.name}. The project's tests check it "
            "instead: their trainer counts everything again before each merge, by the published rule."
        )
    texts = training.texts
    longest = recipe.max_token_length
    if longest != get_recipe(recipe.name).max_token_length and not library.takes_max_token_length:
        return (
            f"{library.name} makes tokens of any length, and this training only those of up to {longest:,}. "
            "Train without a longest token to check it."
        )
    if training.split_pattern.of_whole_texts != get_split_pattern(recipe.split):
        return (
            f"{library.name} cuts the text by the pattern {recipe.split}, and this was trained with the "
            f"pattern {training.split_pattern.name}. Train with the recipe's own split pattern to check it."
        )
    whole = 1 if isinstance(texts, str) else None if isinstance(texts, Corpus) else len(texts)
    if library.most_texts is not None and (whole != library.most_texts or training.split_pattern.by_line):
        return f"{library.name} {library.trainer} takes a single text. Give one text to check it."
    return ""


def _ask(
    library: Library, checks: Sequence[ParityCheck], timeout: float, on_wait: Waiting | None
) -> list[Parity]:
    request = LibraryTrainings(library.name, [check.training(library) for check in checks])
    try:
        answer = workers().run(TRAIN, request, None, _Clock(timeout, on_wait))
    except WorkerError as error:
        why, _ = why_it_ended(error.why, "its process", "")
        return [_failed(check, library, None, why) for check in checks]
    except _TooLongError:
        why = f"it took more than {timeout:,.0f} seconds"
        return [_failed(check, library, None, why) for check in checks]
    if isinstance(answer, Missing):
        why = "is not installed where this runs"
        if answer.version is not None:
            why = f"{answer.version} has no {library.trainer}"
            why += f". The check needs a version below {library.below}" if library.below else ""
        reason = f"{library.name} {why}. Install it: {library.install}"
        return [Parity("missing", c.recipe.name, library.name, answer.version, reason=reason) for c in checks]
    results = zip(checks, answer.results, strict=True)
    return [_compared(check, library, answer.version, result) for check, result in results]


class _TooLongError(Exception):
    """The time for a check is up."""


class _Clock:
    """Counts the seconds of a check from its turn on."""

    def __init__(self, timeout: float, on_wait: Waiting | None) -> None:
        self._timeout, self._on_wait = timeout, on_wait
        self._began = time.monotonic()

    def __call__(self, queued: bool) -> None:
        now = time.monotonic()
        if queued:
            self._began = now
        if now - self._began > self._timeout:
            raise _TooLongError
        if self._on_wait is not None:
            self._on_wait(now - self._began)


def _failed(training: ParityCheck, library: Library, version: str | None, why: str) -> Parity:
    name = " ".join(filter(None, (library.name, version)))
    reason = f"{name} gave no merges to compare: {why[:400].rstrip('.')}. Try a shorter text or fewer merges."
    return Parity("failed", training.recipe.name, library.name, version, reason=reason)


def _compared(training: ParityCheck, library: Library, version: str, answer: Trained | NotTrained) -> Parity:
    if isinstance(answer, NotTrained):
        return _failed(training, library, version, answer.words)
    asked = training.asked(library)
    ours = Ours(training.corpus, training.recipe, training.special, training.merges[:asked])
    tokens = answer.tokens if library.gives_ids else None
    difference = find_difference(ours, answer.merges[:asked], tokens)
    name = training.recipe.name
    if difference is None:
        return Parity("identical", name, library.name, version, len(ours.ids))
    return Parity("different", name, library.name, version, difference.rank or 0, difference)
