"""A run: one text trained with one set of rules, and how to train it.

Long texts train in another process, because in this one all visitors' pages would wait.
"""

import itertools
from contextlib import suppress
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt
import pandas as pd

from bpeviz.cached import cached_property
from bpeviz.core.gap_ranks import GapRanks
from bpeviz.core.token_chain import Pair
from bpeviz.core.top_pairs import TopPairs
from bpeviz.corpus.corpus import Corpus
from bpeviz.corpus.corpus_files import CorpusFiles, Place
from bpeviz.jobs.training_process import train_here, train_in_process
from bpeviz.limits import limits
from bpeviz.runs.large_corpus import (
    FILES_MISSING,
    LargeCorpus,
    ShownPart,
    ShownText,
    check_files,
    distinct_pre_tokens,
    held_result,
    hold,
    pre_token_indices,
    shown_text,
)
from bpeviz.runs.run_names import FORK_NAME, RUN_NAME
from bpeviz.runs.training_words import LAID_OUT_FROM, Progress, TrainingWords
from bpeviz.text.errors import CorpusError
from bpeviz.text.split_patterns import SplitPattern
from bpeviz.text.token_text import visible
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.training.choice import Choice, continued_with
from bpeviz.training.history import MergeHistory
from bpeviz.training.merge_step import MergeStep
from bpeviz.training.recipes import Recipe
from bpeviz.training.result import TrainingResult
from bpeviz.training.settings import TrainingSettings
from bpeviz.training.text_training import OnTraining, Source, Train, UncountedFiles, UncountedText

__all__ = [
    "OWN_PROCESS_BYTES",
    "SHOWN_PAIRS",
    "NamedText",
    "Run",
    "RunRequest",
    "check_text_size",
    "fork_request",
    "fork_run",
    "new_number",
    "run_request",
    "train_run",
    "trainer_for",
]

#: Longer texts train in another process; shorter ones finish sooner than it starts.
OWN_PROCESS_BYTES = 200_000
#: A text that is not split takes this many times as long.
UNSPLIT_TIMES = 5
#: How many pairs the page shows at a step.
SHOWN_PAIRS = 20


@dataclass(frozen=True)
class NamedText:
    """A text with the name that the page shows for it.

    With a ``part``, a larger corpus is trained on, and the text is the part of it that the page shows; it is
    empty before the training.
    """

    name: str
    text: str
    part: ShownPart | None = None

    @classmethod
    def of_files(cls, files: CorpusFiles, owner: object = None) -> "NamedText":
        """Files to train on; see LargeCorpus."""
        return cls(_part_name(whole := LargeCorpus.of(files, owner)), "", ShownPart(whole))

    @classmethod
    def of_shown(cls, shown: ShownText) -> "NamedText":
        """The shown part of a large corpus."""
        return cls(_part_name(shown.part.whole), shown.text, shown.part)

    @cached_property
    def byte_total(self) -> int:
        """The bytes of the text itself."""
        return len(self.text.encode("utf-8", "surrogatepass"))

    @property
    def trained_bytes(self) -> int:
        """The bytes of what is trained on."""
        return self.part.whole.byte_total if self.part else self.byte_total

    @property
    def trained_name(self) -> str:
        """The name of what is trained on."""
        return self.part.whole.name if self.part else self.name


def _part_name(whole: LargeCorpus) -> str:
    return f"shown part of {whole.name}"


@dataclass(frozen=True, eq=False)
class Run:
    """A training result on a named text.

    ``number`` identifies the run in its session; ``name`` is for people, and ``about`` says more.
    ``settings`` are those that the person chose, with the choices of a fork.
    """

    number: int
    name: str
    corpus: NamedText
    settings: TrainingSettings
    result: TrainingResult = field(repr=False)

    @property
    def about(self) -> str:
        """What the run is: the last choice of a fork, or the text and the recipe."""
        if not self.choices:
            return f"{self.corpus.trained_name}, {self.recipe.name}"
        choice = self.choices[-1]
        pair, merge = self.pair_label(choice.pair), f"merge {choice.rank + 1:,}"
        return f"without {pair} from {merge} on" if choice.action == "veto" else f"{pair} at {merge}"

    @property
    def cut_short(self) -> str:
        """Why fewer merges were made than asked for; empty if all were made."""
        return self._cut_short(self.stop_reason)

    @property
    def cut_short_briefly(self) -> str:
        """The same for a line with little room."""
        if self.stop_reason.startswith("The most frequent pair occurs"):
            least = self.settings.min_frequency
            return self._cut_short(f"no pair occurs {'twice' if least == 2 else f'{least:,} times'}")
        reason = self.stop_reason.partition(":")[0].rstrip(".")
        return self._cut_short(reason[:1].lower() + reason[1:])

    def _cut_short(self, reason: str) -> str:
        made, asked = len(self.steps), self.settings.num_merges
        return "" if made >= asked else f"{made:,} of {asked:,} merges: {reason}"

    @property
    def choices(self) -> tuple[Choice, ...]:
        """The merges that the person chose or vetoed."""
        return self.settings.choices

    @property
    def form_settings(self) -> TrainingSettings:
        """The settings as the form shows them: without the choices."""
        return replace(self.settings, choices=())

    @property
    def recipe(self) -> Recipe:
        """The recipe of the training."""
        return self.result.recipe

    @property
    def split(self) -> SplitPattern:
        """The pattern that split the text."""
        return self.result.split

    @property
    def steps(self) -> tuple[MergeStep, ...]:
        """The merges, by rank."""
        return self.result.steps

    @property
    def stop_reason(self) -> str:
        """Why there are no more merges."""
        return self.result.stop_reason

    @property
    def tokenizer(self) -> Tokenizer:
        """The tokenizer with all merges."""
        return self.result.tokenizer

    @property
    def history(self) -> MergeHistory:
        """The corpus after any number of merges."""
        return self.result.history

    @property
    def pre_tokens(self) -> npt.NDArray[np.int64]:
        """The pre-tokens of the text in order, as indices in the corpus."""
        return self.result.pre_tokens

    @property
    def gap_ranks(self) -> GapRanks:
        """The gap ranks of the text."""
        return self.result.gap_ranks

    @property
    def top_pairs(self) -> TopPairs:
        """The pairs for the chart at every step: the bars, and the first pair without the next merge and the
        vetoed ones."""
        vetoes = sum(choice.action == "veto" for choice in self.choices)
        return self.history.top_pairs(max(SHOWN_PAIRS, vetoes + 2))

    @cached_property
    def merges_table(self) -> pd.DataFrame:
        """A row for every merge, by rank, with readable tokens."""
        return pd.DataFrame(
            {
                "merge": [s.rank + 1 for s in self.steps],
                "left": [self.label(s.pair[0]) for s in self.steps],
                "right": [self.label(s.pair[1]) for s in self.steps],
                "token": [self.label(s.token_id) for s in self.steps],
                "token id": [s.token_id for s in self.steps],
                "count": [s.count for s in self.steps],
                "tied": [s.tied for s in self.steps],
                "tokens after": [s.token_total for s in self.steps],
            }
        )

    def vetoed(self, step: int) -> set[Pair]:
        """The pairs that the person has vetoed after ``step`` merges."""
        return {c.pair for c in self.choices if c.rank <= step and c.action == "veto"}

    def pair_label(self, pair: Pair) -> str:
        """A pair as readable text."""
        return f"{self.label(pair[0])} + {self.label(pair[1])}"

    def label(self, token_id: int) -> str:
        """A token as readable text."""
        return visible(self.tokenizer.token_bytes(token_id))

    def showing(self, shown: ShownText) -> "Run":
        """The same run, showing another part of its corpus.

        Raises CorpusError if the run's split pattern doesn't cut there.
        """
        pre_tokens = shown.pre_tokens
        if self.result.corpus is not shown.counted:
            pre_tokens = pre_token_indices(self.result, shown.text)
        run = replace(self, corpus=NamedText.of_shown(shown), result=self.result.on_text(pre_tokens))
        hold(run.result, self.settings)
        if "merges_table" in vars(self):
            vars(run)["merges_table"] = self.merges_table
        return run


@dataclass(frozen=True)
class RunRequest:
    """A run to train: its name, text and settings; for a fork, the number of its ``parent``.

    ``counted`` are the counts of a large corpus, so that it is not read again if the split pattern is theirs.
    """

    name: str
    corpus: NamedText
    settings: TrainingSettings
    parent: int | None = None
    counted: Corpus | None = field(default=None, repr=False, compare=False)


def run_request(corpus: NamedText, settings: TrainingSettings, like: Run | None = None) -> RunRequest:
    """The request for a run on ``corpus``. If ``like`` has the same text and rules, the run keeps its choices
    at the ranks that it reaches."""
    again = like is not None and like.corpus == corpus and like.settings.same_rules(settings)
    made = like.choices if like and again else ()
    choices = tuple(choice for choice in made if choice.rank < settings.num_merges)
    name = like.name if like and again and choices == made else RUN_NAME
    same = like is not None and corpus.part is not None and like.corpus.part == corpus.part
    counted = like.result.corpus if like and same else None
    return RunRequest(name, corpus, replace(settings, choices=choices), counted=counted)


def fork_request(parent: Run, choice: Choice) -> RunRequest:
    """The request for a run like ``parent`` with one more choice."""
    settings = replace(parent.settings, choices=continued_with(parent.choices, choice))
    return RunRequest(FORK_NAME, parent.corpus, settings, parent.number)


def _check_size(text: NamedText) -> None:
    """Raise CorpusError if the page does not take this text."""
    if text.part is None and not text.text:
        raise CorpusError("There is no text yet. Paste some, upload a file, or pick a sample.")
    check_text_size(text.byte_total)


def check_text_size(byte_total: int) -> None:
    """Raise CorpusError if the page does not take a text of so many bytes."""
    if byte_total > limits().max_text_bytes:
        most = limits().max_text_megabytes
        raise CorpusError(
            f"This text has {byte_total:,} bytes; the page takes up to {most} MB. "
            "Shorten it, or train in Python: Trainer(Corpus.from_files(…))."
        )


_numbers = itertools.count(1)


def new_number() -> int:
    """A number that no other run of this server has."""
    return next(_numbers)


def fork_run(parent: Run, choice: Choice, on_progress: Progress) -> Run:
    """Train a run like ``parent`` with one more choice; see train_run. Raises PairNotFoundError too."""
    return train_run(fork_request(parent, choice), on_progress, parent=parent)


def train_run(request: RunRequest, on_progress: Progress, *, parent: Run | None = None) -> Run:
    """Train a run. A fork starts from the merges that it shares with its ``parent``.

    ``on_progress(share, phase)`` is called several times a second and may raise to cancel. Raises BpevizError
    if the text or settings cannot train, and TrainingProcessError if the process of a long text ends early.
    """
    corpus, settings = request.corpus, request.settings
    source = parent.result.after(settings.choices[-1].rank) if parent else _source(request)
    result = _train(source, corpus, settings, on_progress)
    if not result.steps:
        raise CorpusError(_nothing_learned(corpus, result))
    on_progress(LAID_OUT_FROM, "Laying out the text")
    if parent is not None:
        result = replace(result, pre_tokens=parent.pre_tokens)
    elif corpus.part is not None:
        shown = _first_shown(corpus, corpus.part, result)
        corpus, result = NamedText.of_shown(shown), result.on_text(shown.pre_tokens)
        hold(result, settings)  # packs the counts for saving, while the progress is shown
    run = Run(new_number(), request.name, corpus, settings, result)
    run.gap_ranks  # noqa: B018 - computed now, while the progress is shown, and kept
    return run


def _train(
    source: Source, corpus: NamedText, settings: TrainingSettings, on_progress: Progress
) -> TrainingResult:
    """Train on ``source``, unless some session holds the same result. Known counts stay in memory once."""
    counted = source.corpus if isinstance(source, TrainingResult) else source
    if isinstance(source, Corpus) and (held := held_result(source, settings)):
        return held
    result = trainer_for(corpus)(source, settings, TrainingWords(on_progress).tell)
    return replace(result, corpus=counted) if isinstance(counted, Corpus) else result


def _source(request: RunRequest) -> Source:
    """What to train on. Raises CorpusError, SplitPatternError."""
    corpus = request.corpus
    _check_size(corpus)
    split = request.settings.split_pattern(limits().split_timeout_seconds)
    if corpus.part is None:
        return UncountedText(corpus.text, split)
    if request.counted is not None and request.counted.split == split:
        return request.counted
    files = corpus.part.whole.files
    if files is None:
        if (counted := request.counted) is None:
            raise CorpusError(FILES_MISSING)
        raise CorpusError(
            f"This server has only the counts of this corpus, for the split pattern {counted.split.name}. "
            "Choose it, or start the app with the files: bpeviz app FILE …"
        )
    check_files(files, split, limits().max_text_bytes)
    return UncountedFiles(files, split)


def _first_shown(corpus: NamedText, part: ShownPart, result: TrainingResult) -> ShownText:
    """What to show of a large corpus after training: its text so far, else its beginning, else pre-tokens."""
    most = limits().max_text_bytes
    if corpus.text and part.place is not None:
        with suppress(CorpusError):  # another split pattern may not cut there
            indices = pre_token_indices(result, corpus.text)
            return ShownText(part, corpus.text, indices, result.corpus)
    with suppress(CorpusError):
        beginning = part.whole.files.beginning if part.whole.files else Place(0, 0)
        return shown_text(result, part.whole, beginning, most)
    return distinct_pre_tokens(result.corpus, part.whole, most)


def trainer_for(corpus: NamedText) -> Train:
    """The function that trains on ``corpus``: in another process if the text is long."""

    def train(source: Source, settings: TrainingSettings, on_progress: OnTraining) -> TrainingResult:
        times = UNSPLIT_TIMES if source.split.regex is None else 1
        counted = source.corpus if isinstance(source, TrainingResult) else source
        # a saved session may say any size of its corpus, but its counts are here
        size = counted.byte_total if isinstance(counted, Corpus) else corpus.trained_bytes
        train = train_in_process if size * times > OWN_PROCESS_BYTES else train_here
        return train(source, settings, on_progress)

    return train


def _nothing_learned(corpus: NamedText, result: TrainingResult) -> str:
    if corpus.part is None and len(corpus.text) == 1:
        return "A text of one character has no pair to merge. Paste at least a few words."
    return (
        f"Nothing can be merged in this text. {result.stop_reason} "
        "Paste a longer text, lower the minimum frequency, or choose a split pattern with longer pre-tokens."
    )
