"""The run that train --out run.bpeviz saves for the page: the counts, the settings and a part of the text."""

from argparse import Namespace
from contextlib import suppress

from bpeviz.cli.inputs import invalid_bytes
from bpeviz.cli.parser import UsageError
from bpeviz.corpus.corpus import Corpus
from bpeviz.corpus.corpus_files import CorpusFiles, Place
from bpeviz.corpus.packed_counts import MOST_PRE_TOKENS
from bpeviz.errors import CorpusError
from bpeviz.limits import Limits
from bpeviz.runs.large_corpus import LargeCorpus, distinct_pre_tokens, shown_text
from bpeviz.sessions.allowed import MOST_SETTING
from bpeviz.sessions.document import MOST_FEW, MOST_NAME_CHARACTERS
from bpeviz.sessions.session_file import run_file
from bpeviz.training.settings import TrainingSettings
from bpeviz.training.trainer import Trainer

__all__ = ["check_counts", "check_run", "left_out", "run_bytes"]


def check_run(arguments: Namespace) -> None:
    """Raise UsageError for settings that the page doesn't have."""
    if arguments.format is not None:
        raise UsageError(
            f"--format is for tokenizers, and --out {arguments.out.name} saves a run: leave one out."
        )
    special = arguments.special_token or ()
    if len(special) > MOST_FEW or any(len(token) > MOST_NAME_CHARACTERS for token in special):
        raise UsageError(
            f"The page takes up to {MOST_FEW} special tokens of up to {MOST_NAME_CHARACTERS} characters. "
            "Leave some out, or save the tokenizer instead: --out tokenizer.json."
        )


def check_counts(corpus: Corpus) -> None:
    """Raise CorpusError if the page would refuse a run file with these counts."""
    most, packed = Limits(), corpus.packed
    written = len(packed.packed) * 4 / 3 + most.max_text_bytes  # in base64, beside the shown text
    if (
        written > most.max_upload_bytes
        or packed.byte_total > most.max_counts_bytes
        or len(corpus.counts) > MOST_PRE_TOKENS
    ):
        raise CorpusError(
            f"The page takes no run with {len(corpus.counts):,} distinct pre-tokens, {written / 1e6:,.0f} MB "
            "as a file. Save the tokenizer instead, --out tokenizer.json, or train on a part of the files."
        )


def run_bytes(trainer: Trainer, arguments: Namespace) -> bytes:
    """Return the run file of a trainer after its merges.

    It has at most as many merges as the page takes: those are the first ones of the longer training.
    """
    most = Limits()
    result = trainer.result()
    merges = trainer.num_merges or len(result.steps)
    if trainer.min_frequency > MOST_SETTING:
        merges = len(result.steps)  # the page would make more
    settings = TrainingSettings(
        trainer.recipe.name,
        num_merges=max(1, min(merges, most.max_merges)),
        min_frequency=min(trainer.min_frequency, MOST_SETTING),
        special_tokens=arguments.special_token and tuple(arguments.special_token),
        max_token_length=arguments.max_token_length,
        by_line=trainer.corpus.split.by_line,
    )
    whole = _whole(arguments, trainer)
    try:
        beginning = whole.files.beginning if whole.files else Place(0, 0)
        shown = shown_text(result, whole, beginning, most.max_text_bytes)
    except CorpusError:  # the files can't be read again, or not be cut
        shown = distinct_pre_tokens(trainer.corpus, whole, most.max_text_bytes)
    return run_file(settings, shown)


def left_out(trainer: Trainer) -> str | None:
    """Return what the run file of a trainer lacks, in words."""
    most = Limits().max_merges
    return f"the merges after the first {most:,}" if len(trainer.merges) > most else None


def _whole(arguments: Namespace, trainer: Trainer) -> LargeCorpus:
    """Return the corpus, with its files if they can be read again."""
    if arguments.files and "-" not in arguments.files:
        with suppress(CorpusError):  # a pipe is no file
            return LargeCorpus.of(CorpusFiles.of(arguments.files, invalid_bytes(arguments)))
    name = arguments.counts.name if arguments.counts else "standard input"
    return LargeCorpus(name, trainer.corpus.byte_total)
