"""Every error is fit to show to a person, and carries its data."""

import pickle
import re
from typing import get_args

import pytest

from bpeviz import errors
from bpeviz.errors import BpevizError, UnspellableTextError

EXAMPLES = [
    (errors.BareSpecialTokenError("<s>"), {"given": "<s>"}),
    (
        errors.PlayerOptionError("speed", 7, "Choose one of 1, 2."),
        {"option": "speed", "value": 7},
    ),
    (errors.PlayerFileError("a.html", "No space left on device"), {"name": "a.html"}),
    (errors.NoFigureError("There is no text to show. Give the player a text."), {}),
    (errors.NoTokenizerError("compare", "str"), {"function": "compare", "given": "str"}),
    (
        errors.BatchError("decode_batch", "lists of ids", "decode"),
        {"method": "decode_batch", "other": "decode"},
    ),
    (errors.SplitPatternError("It does not compile.", pattern="("), {"pattern": "(", "byte_offset": None}),
    (errors.SplitPatternError("A gap.", pattern="a", byte_offset=3), {"pattern": "a", "byte_offset": 3}),
    (errors.SplitPatternBusyError("Try again.", pattern="("), {"pattern": "(", "byte_offset": None}),
    (errors.CorpusError("A count must be at least 1."), {}),
    (errors.FileEncodingError("a.txt", 1234), {"path": "a.txt", "byte_offset": 1234}),
    (errors.LoneSurrogateError(5, 0xD800), {"position": 5, "code_point": 0xD800}),
    (errors.CorpusTooLargeError(1001, 1000), {"byte_total": 1001, "limit": 1000}),
    (errors.CountingError(3), {"processes": 3}),
    (errors.DaskUnavailableError("dask"), {"package": "dask"}),
    (errors.ClusterError(None, "it has no memory."), {"scheduler": None, "why": "it has no memory."}),
    (errors.PackedCountsError("they are damaged"), {"why": "they are damaged"}),
    (errors.CountsFileError("a.csv", "it is empty."), {"file_name": "a.csv", "why": "it is empty."}),
    (errors.UnknownRecipeError("bpe", ["minbpe", "course"]), {"name": "bpe", "known": ("minbpe", "course")}),
    (errors.TrainingSettingsError("Give one, not both.", setting="vocab_size"), {"setting": "vocab_size"}),
    (
        errors.ChoiceError(9, (1, 2), "veto", "training stops after 5 merges", "Leave it out"),
        {"rank": 9, "pair": (1, 2), "action": "veto", "setting": "choices"},
    ),
    (errors.TrainingProcessError("memory"), {"why": "memory"}),
    (
        errors.LessonError("01-merge.toml", "stops[0].step", "The run has 3 merges. Give a smaller step."),
        {
            "file": "01-merge.toml",
            "field": "stops[0].step",
            "why": "The run has 3 merges. Give a smaller step.",
        },
    ),
    (errors.PairNotFoundError((1, 2)), {"pair": (1, 2)}),
    (errors.UnspellableTextError(["é", "日"]), {"characters": ("é", "日")}),
    (errors.UnknownTokenError(-1, 50257), {"token_id": -1}),
    (errors.UnknownSpecialTokenError("<a>", ["<b>"]), {"token": "<a>", "known": ("<b>",)}),
    (errors.UnknownSpecialTokenError("<a>", []), {"token": "<a>", "known": ()}),
    (errors.UnknownEncodingOrderError("rank"), {"order": "rank"}),
    (errors.PretrainedUnavailableError("gpt2", "its files are missing."), {"name": "gpt2"}),
    (errors.PipelineError("it panicked"), {"why": "it panicked", "said": ""}),
    (errors.TokenizerFileError("x.json", "it is empty."), {"file_name": "x.json", "why": "it is empty."}),
    (
        errors.UnwritableTokenizerError("gpt2", "its split pattern is not gpt2.", ["minbpe"]),
        {"format": "gpt2", "why": "its split pattern is not gpt2.", "others": ("minbpe",)},
    ),
    (errors.UnwritableTokenizerError("gpt2", "it is made of characters.", []), {"others": ()}),
    (
        errors.ServerSettingError("BPEVIZ_HOSTED", "perhaps", "Write 1 or 0."),
        {"variable": "BPEVIZ_HOSTED", "value": "perhaps"},
    ),
    (errors.UnknownFileFormatError("onnx", ["gpt2"]), {"format": "onnx", "known": ("gpt2",)}),
    *(
        (errors.StorageError("/d/a.sqlite3", reason, "it said"), {"reason": reason})
        for reason in get_args(errors.StorageError.Reason)
    ),
    (errors.SessionTooLargeError(1001, 1000), {}),
    (errors.SessionChangedError(), {}),
    (errors.SavedSessionError("it is not one"), {"reason": "it is not one"}),
    (errors.DamagedSessionError(), {}),
]
EXAMPLE = pytest.mark.parametrize(("error", "data"), EXAMPLES, ids=lambda value: type(value).__name__)


def test_every_error_has_an_example_here():
    classes = {getattr(errors, name) for name in errors.__all__}
    assert {type(error) for error, _ in EXAMPLES} == classes - {BpevizError}


@EXAMPLE
def test_every_error_is_one_of_ours_and_carries_its_data(error, data):
    assert isinstance(error, BpevizError)
    assert {name: getattr(error, name) for name in data} == data


@EXAMPLE
def test_every_message_is_one_to_three_plain_sentences(error, data):
    message = str(error)
    assert re.fullmatch(r"[A-Za-z][^\n]*[.]", message)
    assert 1 <= len(re.findall(r"[.](?: |$)", message)) <= 3
    assert "Error" not in message


@EXAMPLE
def test_every_error_is_the_same_in_another_process(error, data):
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert (str(again), vars(again)) == (str(error), vars(error))


def test_a_file_or_a_string_that_has_no_utf8_form_is_an_error_of_the_corpus():
    assert issubclass(errors.FileEncodingError, errors.CorpusError)
    assert issubclass(errors.LoneSurrogateError, errors.CorpusError)


@pytest.mark.parametrize(
    ("error", "named"),
    [
        (errors.FileEncodingError("a.txt", 1234), ["a.txt", "UTF-8", "offset 1,234"]),
        (errors.LoneSurrogateError(1234, 0xD800), ["1,234", "U+D800"]),
        (errors.UnknownRecipeError("bpe", ["minbpe", "course"]), ["'bpe'", "minbpe, course"]),
        (errors.PairNotFoundError((97, 98)), ["(97, 98)", "top_pairs()"]),
        (errors.UnknownTokenError(50257, 50257), ["50257", "below 50,257"]),
        (errors.UnknownSpecialTokenError("<a>", ["<b>", "<c>"]), ["'<a>'", "<b>, <c>"]),
        (errors.UnknownSpecialTokenError("<a>", []), ["'<a>'", "none"]),
        (
            errors.PretrainedUnavailableError("gpt2", "its files are missing."),
            ["'gpt2'", "files are missing"],
        ),
        (errors.UnwritableTokenizerError("gpt2", "why.", ["minbpe", "tiktoken"]), ["minbpe, tiktoken."]),
        (errors.UnwritableTokenizerError("gpt2", "why.", []), ["another recipe"]),
        (errors.UnknownFileFormatError("onnx", ["gpt2", "minbpe"]), ["'onnx'", "gpt2, minbpe"]),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_message_names_what_went_wrong(error, named):
    assert [part for part in named if part not in str(error)] == []


def test_at_most_ten_characters_are_shown_and_the_others_counted():
    assert "'a' (U+0061), 'b' (U+0062)." in str(UnspellableTextError("ab"))
    assert "'j' (U+006A)." in str(UnspellableTextError("abcdefghij"))
    assert "'j' (U+006A) and 2 more." in str(UnspellableTextError("abcdefghijkl"))
