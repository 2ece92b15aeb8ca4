"""Training a run: what to train, and in which process.

Long texts train in another process, because in this one all visitors' pages would wait.
"""

from contextlib import suppress
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from bpeviz.corpus.corpus import Corpus
from bpeviz.corpus.corpus_files import Place
from bpeviz.errors import CorpusError
from bpeviz.limits import limits
from bpeviz.runs.large_corpus import (
    FILES_MISSING,
    ShownPart,
    ShownText,
    check_files,
    distinct_pre_tokens,
    pre_token_indices,
    remember_result,
    remembered_result,
    shown_text,
)
from bpeviz.runs.run import NamedText, Run, new_number
from bpeviz.runs.run_names import usual_name
from bpeviz.runs.training_words import LAID_OUT_FROM, Progress, TrainingWords
from bpeviz.training.choice import Choice, continued_with
from bpeviz.training.in_worker import train_here, train_in_worker
from bpeviz.training.result import TrainingResult
from bpeviz.training.settings import TrainingSettings
from bpeviz.training.start import spell_texts
from bpeviz.training.text_training import OnTraining, Source, Train, UncountedFiles, UncountedText

__all__ = [
    "OWN_PROCESS_BYTES",
    "RunRequest",
    "check_text_size",
    "choose_train_function",
    "fork_request",
    "fork_run",
    "run_request",
    "train_run",
]

#: Longer texts train in another process; shorter ones finish sooner than it starts.
OWN_PROCESS_BYTES = 200_000
#: A text that is not split takes this many times as long.
UNSPLIT_TIMES = 5


@dataclass(frozen=True)
class RunRequest:
    """A run to train: its text and settings, the ``number`` that it gets, and its ``name``, empty for the
    usual one; for a fork, the number of its ``parent``.

    ``counted`` are the counts of a large corpus, so that it is not read again if the split pattern is theirs.
    """

    name: str
    corpus: NamedText
    settings: TrainingSettings
    parent: int | None = None
    counted: Corpus | None = field(default=None, repr=False, compare=False)
    number: int = field(default_factory=new_number, compare=False)


def run_request(corpus: NamedText, settings: TrainingSettings, like: Run | None = None) -> RunRequest:
    """Return the request for a run on ``corpus``. If ``like`` has the same text and rules, the run keeps its
    choices at the ranks that it reaches."""
    again = like is not None and like.corpus == corpus and like.settings.same_rules(settings)
    made = like.choices if like and again else ()
    choices = tuple(choice for choice in made if like and _reaches(settings, like, choice))
    name = like.name if like and again and choices == made else ""
    same = like is not None and corpus.part is not None and like.corpus.part == corpus.part
    counted = like.result.corpus if like and same else None
    return RunRequest(name, corpus, replace(settings, choices=choices), counted=counted)


def _reaches(settings: TrainingSettings, like: Run, choice: Choice) -> bool:
    """Return whether a training as ``like``, with other limits, makes the merge of a choice."""
    size = settings.vocab_size
    return choice.rank < settings.num_merges and (
        size is None or like.result.after(choice.rank).vocab_size < size
    )


def fork_request(parent: Run, choice: Choice) -> RunRequest:
    """Return the request for a run like ``parent`` with one more choice."""
    settings = replace(parent.settings, choices=continued_with(parent.choices, choice))
    return RunRequest("", parent.corpus, settings, parent.number)


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


def fork_run(parent: Run, choice: Choice, on_progress: Progress) -> Run:
    """Train a run like ``parent`` with one more choice; see train_run. Raises PairNotFoundError too."""
    return train_run(fork_request(parent, choice), on_progress, parent=parent)


def train_run(request: RunRequest, on_progress: Progress, *, parent: Run | None = None) -> Run:
    """Train a run. A fork starts from the merges that it shares with its ``parent``.

    ``on_progress(share, phase)`` is called several times a second and may raise to cancel. Raises BpevizError
    if the text or settings cannot train, and TrainingProcessError if the process of a long text ends early.
    """
    corpus, settings = request.corpus, request.settings
    source, order = (parent.result.after(settings.choices[-1].rank), None) if parent else _source(request)
    result = _train_unless_known(source, corpus, settings, on_progress)
    if order is not None:
        result = replace(result, pre_tokens=order)
    if not result.steps and settings.vocab_size == result.vocab_size:
        size = f"{result.vocab_size:,}"
        raise CorpusError(f"The recipe begins with {size} tokens. Ask for a larger vocabulary.")
    on_progress(LAID_OUT_FROM, "Laying out the text")
    if parent is not None:
        result = replace(result, pre_tokens=parent.pre_tokens)
    elif corpus.part is not None:
        shown = _first_shown(corpus, corpus.part, result)
        corpus, result = NamedText.of_shown(shown), result.on_text(shown.pre_tokens)
        remember_result(result, settings)  # packs the counts for saving, while the progress is shown
    run = Run(request.number, request.name, corpus, settings, result)
    run = run if run.name else replace(run, name=usual_name(run))
    run.gap_ranks  # noqa: B018 - computed now, while the progress is shown, and kept
    return run


def _train_unless_known(
    source: Source, corpus: NamedText, settings: TrainingSettings, on_progress: Progress
) -> TrainingResult:
    """Train on ``source``, unless some session uses the same result. Known counts stay in memory once."""
    counted = source.corpus if isinstance(source, TrainingResult) else source
    if isinstance(source, Corpus) and (known := remembered_result(source, settings)):
        return known
    result = choose_train_function(corpus)(source, settings, TrainingWords(on_progress).tell)
    return replace(result, corpus=counted) if isinstance(counted, Corpus) else result


def _source(request: RunRequest) -> tuple[Source, npt.NDArray[np.int64] | None]:
    """Return what to train on, and the pre-tokens of the text in order if they are known already. Raises
    BpevizError."""
    corpus, start = request.corpus, request.settings.start
    _check_size(corpus)
    if start and start.tokenizer.pipeline:
        if corpus.part is not None:
            raise CorpusError(
                f"A library prepares texts for {start.name}, so a run on a large corpus can't begin with it. "
                "Begin with another tokenizer, or with nothing."
            )
        return spell_texts(start.tokenizer, [corpus.text])
    return _unspelled(request), None


def _unspelled(request: RunRequest) -> Source:
    """Return what to train on if no library spells it. Raises CorpusError, SplitPatternError."""
    corpus = request.corpus
    split = request.settings.split_pattern(limits().split_timeout_seconds)
    if corpus.part is None:
        return UncountedText(corpus.text, split)
    if request.counted is not None and request.counted.split == split:
        return request.counted
    files = corpus.part.whole.files
    if files is None:
        if (counted := request.counted) is None:
            raise CorpusError(FILES_MISSING)
        same = counted.split.name == split.name
        counted_for = "other special tokens" if same else f"the split pattern {counted.split.name}"
        raise CorpusError(
            f"This server has only the counts of this corpus, for {counted_for}. Choose "
            f"{'a recipe with these' if same else 'it'}, or start the app with the files: bpeviz app FILE …"
        )
    check_files(files, split, limits().max_text_bytes)
    return UncountedFiles(files, split)


def _first_shown(corpus: NamedText, part: ShownPart, result: TrainingResult) -> ShownText:
    """Return what to show of a large corpus after training: its text so far, else its beginning, else
    pre-tokens."""
    most = limits().max_text_bytes
    if corpus.text and part.place is not None:
        with suppress(CorpusError):  # another split pattern may not cut there
            indices = pre_token_indices(result, corpus.text)
            return ShownText(part, corpus.text, indices, result.corpus)
    with suppress(CorpusError):
        beginning = part.whole.files.beginning if part.whole.files else Place(0, 0)
        return shown_text(result, part.whole, beginning, most)
    return distinct_pre_tokens(result.corpus, part.whole, most)


def choose_train_function(corpus: NamedText) -> Train:
    """Return the function that trains on ``corpus``: in another process if the text is long."""

    def train_by_size(source: Source, settings: TrainingSettings, on_progress: OnTraining) -> TrainingResult:
        times = UNSPLIT_TIMES if source.split.regex is None else 1
        counted = source.corpus if isinstance(source, TrainingResult) else source
        # a saved session may say any size of its corpus, but its counts are here
        size = counted.byte_total if isinstance(counted, Corpus) else corpus.trained_bytes
        train_there = train_in_worker if size * times > OWN_PROCESS_BYTES else train_here
        return train_there(source, settings, on_progress)

    return train_by_size
