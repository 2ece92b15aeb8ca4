"""Players of training results, tokenizers and comparisons, and their options."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any

import numpy as np

from bpeviz.analysis.compare import Comparison
from bpeviz.browser.comparison_pack import Rival
from bpeviz.core.gap_ranks import GapRanks
from bpeviz.errors import CorpusError, PlayerError, SplitPatternError
from bpeviz.runs.replay import replay
from bpeviz.runs.run import NamedText, Run, new_number
from bpeviz.standalone.content import check_size, comparison_content, run_content
from bpeviz.standalone.options import Options, checked_words, read_options, wrong_option
from bpeviz.standalone.page import Content
from bpeviz.standalone.player import Player
from bpeviz.text.utf8 import check_text
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.training.history import MergeHistory
from bpeviz.training.result import TrainingResult
from bpeviz.training.settings import TrainingSettings

__all__ = [
    "make_player",
    "player_of_comparison",
    "player_of_history",
    "player_of_result",
    "player_of_rivals",
    "player_of_run",
    "player_of_tokenizer",
]

MOST_NAME = 200
#: The options of a comparison besides the names and the lock: nothing in it plays.
OF_COMPARISONS = ("height", "theme", "caption")
#: Who chose the merges that the recipe didn't.
AUTHOR = "the author"
#: The name of a text that has none.
TEXT_NAME = "Text"


def make_player(
    content_at: Callable[[int], Content], *, last: int, step: int | None, options: Options
) -> Player:
    """Return the player of a page; with bpeviz[notebook] one that Python can follow and move."""
    return _player_class()(content_at, last=last, step=step, options=options)


@cache
def _player_class() -> type[Player]:
    try:
        from bpeviz.standalone.live import LivePlayer
    except ImportError:  # the extra isn't installed
        return Player
    return LivePlayer


def player_of_run(run: Run, *, beside: Run | None = None, step: int | None = None, **options: Any) -> Player:
    """Return the player of a run, alone or beside another run on the same text, for a file."""
    chosen = _options(options)
    content = partial(run_content, run, beside=beside, **_of_options(chosen))
    return Player(content, last=len(run.steps), step=step, options=chosen)


def player_of_result(
    result: TrainingResult,
    text: str | None = None,
    *,
    text_name: str = TEXT_NAME,
    step: int | None = None,
    **options: Any,
) -> Player:
    """Return the player of a training result on a text; without a text, on its distinct pre-tokens, as they
    came.

    Raises PlayerError, and what the tokenizer raises for a text that it can't encode.
    """
    chosen = _options(options)
    shown = _shown(result, text, text_name)
    content = partial(
        run_content,
        shown.run,
        gap_ranks=shown.gap_ranks,
        text_bytes=shown.text_bytes,
        chooser=AUTHOR,
        **_of_options(chosen),
    )
    return make_player(content, last=len(result.steps), step=step, options=chosen)


def player_of_history(history: MergeHistory, text: str | None = None, **options: Any) -> Player:
    """Return the player of a trainer's history: see player_of_result. Raises PlayerError."""
    if not isinstance(history.result, TrainingResult):
        raise PlayerError("This history doesn't come from a trainer. Use Trainer.player, or train.")
    result = replace(history.result)
    vars(result)["history"] = history  # it is made already
    return player_of_result(result, text, **options)


def player_of_tokenizer(
    tokenizer: Tokenizer,
    text: str,
    *,
    name: str = "this tokenizer",
    text_name: str = TEXT_NAME,
    step: int | None = None,
    **options: Any,
) -> Player:
    """Return the player of a finished tokenizer: its merges on a text, by rank. It opens at the last step.

    Raises PlayerError, and CorpusError for a tokenizer whose merges can't be replayed.
    """
    chosen = _options(options, "name")
    checked_words("name", name, most=MOST_NAME)
    check_text(text)
    check_size(text)
    run = replay(NamedText(text_name, text), tokenizer, name)
    content = partial(run_content, run, **_of_options(chosen))
    last = len(run.steps)
    return make_player(content, last=last, step=last if step is None else step, options=chosen)


def player_of_comparison(
    comparison: Comparison, *, names: tuple[str, str] = ("A", "B"), locked: bool = False, **options: Any
) -> Player:
    """Return the player of two tokenizers on one text; with ``locked``, at equal vocabulary sizes.

    Raises PlayerError.
    """
    if not isinstance(names, Sequence) or isinstance(names, str | bytes) or len(names) != 2:
        raise wrong_option("names", names, "Give two names.")
    for name in names:
        checked_words("names", name, most=MOST_NAME)
    if not isinstance(locked, bool):
        raise wrong_option("locked", locked, "Say True or False.")
    _check_options_of_comparison(options)
    if comparison.compared is None:
        raise PlayerError("This comparison doesn't know its text. Make it with compare(text, a, b).")
    text, *tokenizers = comparison.compared
    check_size(text)
    left, right = (
        Rival(name, tokenizer, tokenizer.encode_text(text), len(tokenizer.merges))
        for name, tokenizer in zip(names, tokenizers, strict=True)
    )
    return player_of_rivals(text, (left, right), locked=locked, **options)


def player_of_rivals(
    text: str, rivals: tuple[Rival, Rival], others: Sequence[Rival] = (), *, locked: bool, **options: Any
) -> Player:
    """Return the player of two sides on one text, and of others, each at its number of merges.

    Raises PlayerError.
    """
    _check_options_of_comparison(options)
    chosen = _options(options)
    content = comparison_content(text, rivals, others, locked=locked)
    # no step that Python could set
    return Player(lambda _: content, last=0, step=None, options=chosen)


def _check_options_of_comparison(given: dict[str, Any]) -> None:
    """Raise PlayerError for an option that a comparison doesn't have."""
    for option, value in given.items():
        if option not in OF_COMPARISONS:
            known = ", ".join(("names", "locked", *OF_COMPARISONS))
            raise wrong_option(option, value, f"The options of a comparison are {known}.")


def _options(given: dict[str, Any], *others: str) -> Options:
    """Return the options with these names; the player has ``others`` too. Raises PlayerError for an unknown
    one."""
    known = vars(Options()).keys()
    for option, value in given.items():
        if option not in known:
            raise wrong_option(option, value, f"The options are {', '.join((*others, 'step', *known))}.")
    return read_options(**given)


def _of_options(options: Options) -> dict[str, Any]:
    """Return what the content of a page needs of the options."""
    return {"autoplay": options.speed if options.autoplay else 0, "pairs": "pairs" in options.panels}


@dataclass(frozen=True)
class _Shown:
    """A result on a text: as a run; the gap ranks of the text, if they aren't the run's; and the bytes of
    what was trained on, of which the text may be a part."""

    run: Run
    gap_ranks: GapRanks | None
    text_bytes: int


def _shown(result: TrainingResult, text: str | None, text_name: str) -> _Shown:
    """Return the result on a text, or on the distinct pre-tokens of the corpus."""
    if not result.steps:
        raise PlayerError(
            f"No merge was made. {result.stop_reason} Ask for more merges, or train on a longer text."
        )
    corpus = result.corpus
    gap_ranks, text_bytes = None, corpus.byte_total
    if text is None:
        text = "".join(corpus.pre_tokens)
        check_size(text)
        result = result.on_text(np.arange(len(corpus.pre_tokens), dtype=np.int64))
    else:
        check_text(text)
        check_size(text)  # before the work
        try:
            indices = result.history.pre_token_indices(text)
            result = result.on_text(indices)
            if len(indices) == corpus.pre_token_total:  # all of it
                text_bytes = len(text.encode("utf-8"))
        except (CorpusError, SplitPatternError):  # it has other pre-tokens than the corpus
            gap_ranks = result.tokenizer.gap_ranks(text)
    settings = TrainingSettings(
        result.recipe, num_merges=len(result.steps), min_frequency=1, choices=result.choices
    )
    run = Run(new_number(), "Run", NamedText(text_name, text), settings, result)
    return _Shown(run, gap_ranks, text_bytes)
