"""Messages between processes: they arrive unchanged, and a damaged one is an error."""

import io

import msgspec
import numpy as np
import numpy.typing as npt
import pytest

from bpeviz.errors import SplitPatternError
from bpeviz.workers.messages import Failure, read_message, write_message
from bpeviz.workers.task import why_it_ended


class Point(msgspec.Struct, tag="point"):
    name: str
    numbers: npt.NDArray[np.int64]


def sent(message: object) -> bytes:
    pipe = io.BytesIO()
    write_message(message, pipe)
    return pipe.getvalue()


def test_messages_come_out_one_after_the_other():
    points = [Point("灯", np.array([1, -2], dtype)) for dtype in (np.int32, np.int64)]
    pipe = io.BytesIO(b"".join(map(sent, points)))
    for point in points:
        read: Point = read_message(pipe, Point | Failure)
        assert (read.name, read.numbers.tolist()) == ("灯", [1, -2])
        assert read.numbers.dtype == point.numbers.dtype
    with pytest.raises(EOFError):
        read_message(pipe, Point)


def test_an_array_that_was_sent_may_be_changed():
    array = read_message(io.BytesIO(sent(Point("a", np.arange(4).reshape(2, 2)))), Point).numbers
    array[0, 0] = 7
    assert array.tolist() == [[7, 1], [2, 3]]


def test_an_error_comes_out_with_its_class_words_and_data():
    error = SplitPatternError("It misses a byte.", pattern="a", byte_offset=3)
    read = read_message(io.BytesIO(sent(Failure.of(error))), Point | Failure).error()
    assert (type(read), str(read), read.__dict__) == (
        SplitPatternError,
        str(error),
        {"pattern": "a", "byte_offset": 3},
    )


def test_an_error_that_quotes_half_of_a_surrogate_pair_can_be_sent():
    error = SplitPatternError("in \ud800", pattern="a\ud800")
    read = read_message(io.BytesIO(sent(Failure.of(error))), Failure).error()
    assert (str(read), read.pattern) == (r"in \ud800", r"a\ud800")


@pytest.mark.parametrize("length", range(12))
def test_a_message_that_is_cut_off_is_the_end(length):
    whole = sent(Point("a", np.arange(2)))
    with pytest.raises(EOFError):
        read_message(io.BytesIO(whole[:length]), Point)


@pytest.mark.parametrize(
    ("ending", "happened", "remedy"),
    [
        ("time", "took too long", "Give less"),
        ("memory", "too much memory", "Give less"),
        ("crashed", "crashed", "Try again, and report it"),
        ("not started", "couldn't start", "in a moment"),
    ],
)
def test_a_task_without_an_answer_says_what_happened_and_what_to_do(ending, happened, remedy):
    why, to_do = why_it_ended(ending, "The check", "Give less.")
    assert why.startswith("The check ")
    assert happened in why
    assert remedy in to_do


def test_a_length_that_cannot_be_takes_no_memory():
    with pytest.raises(EOFError):
        read_message(io.BytesIO(b"\xff" * 8 + b"abc"), Point)


@pytest.mark.parametrize("data", [b"\x07", b"\x80", b"\xc1", msgspec.msgpack.encode({"type": "other"})])
def test_a_message_of_another_type_is_an_error(data):
    with pytest.raises(ValueError, match=r"."):
        read_message(io.BytesIO(len(data).to_bytes(8, "big") + data), Point | Failure)


def test_an_error_of_no_known_class_is_refused():
    with pytest.raises(ValueError, match="no error of the class 'SystemExit'"):
        Failure("SystemExit", (), {}).error()
