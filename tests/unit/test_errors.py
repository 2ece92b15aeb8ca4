"""Every error is fit to show to a person, and comes out of another process as it was raised."""

import pickle
import re
from collections.abc import Callable
from typing import Any, get_args

import pytest

from bpeviz import (
    Choice,
    Corpus,
    Tokenizer,
    Trainer,
    compare,
    errors,
    load_pretrained,
    steps_with,
    train_tokenizer,
)
from bpeviz.corpus.packed_counts import unpack_counts
from bpeviz.errors import BpevizError, CorpusError
from bpeviz.formats.writing import write_tokenizer
from bpeviz.training.recipes import RECIPES, get_recipe


def of(recipe: str, **options: Any) -> Tokenizer:
    """A tokenizer of one merge."""
    return train_tokenizer("ab ab", recipe, num_merges=1, **options)


#: Errors as callers meet them, with what their messages must name.
PROVOKED: dict[str, tuple[Callable[[], object], list[str]]] = {
    "half a pair": (lambda: Corpus.from_text("x" * 1234 + "\ud800"), ["1,234", "U+D800"]),
    "counts": (lambda: Corpus.from_counts({"ab": 0}), ["count"]),
    "too many counts": (lambda: Corpus.from_counts({"ab": 2**62}), [f"{2**62:,} bytes"]),
    "packed counts": (lambda: unpack_counts(b"", 3), ["bpeviz train"]),
    "no recipe": (lambda: get_recipe("bpe"), ["'bpe'", ", ".join(RECIPES)]),
    "no pair": (lambda: Trainer(Corpus.from_text("ab")).step((97, 97)), ["(97, 97)", "top_pairs()"]),
    "choice": (lambda: [*steps_with(Trainer(Corpus.from_text("ab")), [Choice(0, (1,))])], ["rank 0", "(1,)"]),
    "no pattern": (lambda: Corpus.from_text("ab", "gpt5"), ["gpt5"]),
    "no token": (lambda: of("minbpe").token_bytes(300), ["id 300", "below 257"]),
    "no special token": (
        lambda: of("minbpe", special_tokens=["<b>", "<c>"]).encode("", allowed_special=["<a>"]),
        ["'<a>'", "<b>, <c>"],
    ),
    "no special tokens": (
        lambda: of("minbpe").encode("", allowed_special=["<a>"]),
        ["none"],
    ),
    "a bare special token": (
        lambda: of("minbpe").encode("", allowed_special="<a>"),
        ["['<a>']"],
    ),
    "no batch": (lambda: of("minbpe").encode_batch("ab"), ["encode_batch", "use encode"]),
    "no order": (
        lambda: of("minbpe").encode("ab", order="rank"),
        ["'rank'", "merge-rank"],
    ),
    "no character": (
        lambda: of("sentencepiece", special_tokens=[]).encode("é日"),
        ["'é' (U+00E9), '日' (U+65E5)."],
    ),
    "no tokenizer": (lambda: compare("ab", "gpt2", "gpt2"), ["compare", "not str"]),
    "no pretrained": (lambda: load_pretrained("gpt5"), ["'gpt5'", "gpt2"]),
    "no format": (lambda: write_tokenizer(of("minbpe"), "onnx"), ["'onnx'", "gpt2"]),
    "unwritable": (
        lambda: write_tokenizer(of("minbpe"), "subword-nmt"),
        ["subword-nmt", "minbpe"],
    ),
    "no step": (lambda: of("minbpe").player("ab", step=9), ["step", "9"]),
    "no text": (
        lambda: of("minbpe").player(""),
        ["Give the player a text."],
    ),
}
MADE: list[BpevizError] = [
    errors.SplitPatternError("A gap.", pattern="a", byte_offset=3),
    errors.SplitPatternBusyError("Try again.", pattern="("),
    errors.TrainingProcessError("The training crashed."),
    errors.TokenizerFileError("x.json", "it is empty."),
    errors.PipelineError("it panicked"),
    *(
        errors.StorageError("/d/a.sqlite3", reason, "it said")
        for reason in get_args(errors.StorageError.Reason)
    ),
    errors.SavedSessionError("it is not one"),
    errors.SessionTooLargeError(1001, 1000),
    errors.SessionChangedError(),
    errors.LessonError("01-merge.toml", "stops[0].step", "The run has 3 merges. Give a smaller step."),
    errors.ServerSettingError("Port 80 is in use. Give another one with --port."),
]


def _raised(provoke: Callable[[], object]) -> BpevizError:
    with pytest.raises(BpevizError) as caught:
        provoke()
    return caught.value


def _is_fit_to_show(error: BpevizError) -> bool:
    message = str(error)
    sentences = len(re.findall(r"[.](?: |$)", message))
    return (
        bool(re.fullmatch(r"[A-Za-z][^\n]*[.]", message)) and 1 <= sentences <= 3 and "Error" not in message
    )


@pytest.mark.parametrize(("provoke", "named"), PROVOKED.values(), ids=PROVOKED.keys())
def test_a_message_names_what_went_wrong_in_one_to_three_plain_sentences(provoke, named):
    error = _raised(provoke)
    assert _is_fit_to_show(error)
    assert [part for part in named if part not in str(error)] == []


@pytest.mark.parametrize("error", MADE, ids=lambda error: type(error).__name__)
def test_every_error_is_fit_to_show_and_the_same_in_another_process(error):
    assert _is_fit_to_show(error)
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert (str(again), vars(again)) == (str(error), vars(error))


def test_every_class_is_tried_here():
    classes = {
        kind
        for name in errors.__all__
        if isinstance(kind := getattr(errors, name), type) and issubclass(kind, BpevizError)
    }
    tried = {type(error) for error in [*MADE, *(_raised(provoke) for provoke, _ in PROVOKED.values())]}
    assert classes - tried == {BpevizError}


def test_a_split_pattern_says_where_it_misses_a_byte():
    error = errors.SplitPatternError("A gap.", pattern="a", byte_offset=3)
    assert (error.pattern, error.byte_offset) == ("a", 3)


def test_a_file_or_a_string_that_has_no_utf8_form_is_an_error_of_the_corpus(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"\xff")
    assert type(_raised(lambda: Corpus.from_files([tmp_path / "a.txt"], "gpt2"))) is CorpusError
    assert type(_raised(lambda: Corpus.from_text("\ud800"))) is CorpusError
