"""Warming up in the background."""

import pytest

from bpeviz import load_pretrained
from bpeviz.errors import TokenizerFileError
from bpeviz.ui.server import server_process


def test_gpt2_is_read_and_its_encoder_set_up() -> None:
    server_process._read_gpt2()
    assert {"_tiktoken_merger", "vocab_sizes"} <= vars(load_pretrained("gpt2")).keys()


def test_without_gpt2_s_files_nothing_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def missing(name: str) -> None:
        asked.append(name)
        raise TokenizerFileError(name, "its files are not on this machine.")

    monkeypatch.setattr(server_process, "load_pretrained", missing)
    server_process._read_gpt2()
    assert asked == ["gpt2"]
