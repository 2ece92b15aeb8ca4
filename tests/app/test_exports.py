"""Files that the server makes when a person asks for one."""

import threading

import pytest

from bpeviz.ui.kit import exports
from bpeviz.ui.kit.exports import made_once


def test_who_asks_again_within_some_seconds_gets_the_same_file(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    later: list[threading.Timer] = []

    class Timer(threading.Timer):
        def start(self) -> None:
            later.append(self)

    def make() -> bytes:
        made.append(1)
        return bytes(made)

    monkeypatch.setattr(exports.threading, "Timer", Timer)
    ask = made_once(make)
    assert [ask() for _ in range(60)] == [b"\1"] * 60
    later[0].function()  # the seconds are over
    assert ask() == b"\1\1"
    assert len(later) == 2


def test_a_file_that_could_not_be_made_is_tried_again() -> None:
    made: list[int] = []

    def make() -> bytes:
        made.append(1)
        if len(made) == 1:
            raise MemoryError
        return b"file"

    ask = made_once(make)
    with pytest.raises(MemoryError):
        ask()
    assert ask() == b"file"
