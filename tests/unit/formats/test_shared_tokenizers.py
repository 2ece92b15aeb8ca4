"""Sessions that read the same files get one tokenizer, which is read once."""

import gc
import threading
from collections.abc import Callable

import pytest

from bpeviz.errors import TokenizerFileError
from bpeviz.formats import shared_tokenizers
from bpeviz.formats.reading import read_tokenizer
from bpeviz.formats.shared_tokenizers import TOKEN_BYTES, SharedTokenizers, read_shared
from bpeviz.tokenizer.tokenizer import Tokenizer
from tests.support.tokenizer_files import as_file, minbpe_model, ranks, tiny

#: The bytes that the store counts for a tokenizer of 256 bytes and one merge.
SIZE = TOKEN_BYTES * (257 + 1)


def read(files: dict[str, bytes], split: str | None = None) -> Tokenizer:
    return read_shared(files, split=split, split_timeout=10.0)


def make() -> Tokenizer:
    return read_tokenizer(minbpe_model("97 98"))


def counted() -> tuple[list[Tokenizer], Callable[[], Tokenizer]]:
    made: list[Tokenizer] = []

    def reads() -> Tokenizer:
        made.append(make())
        return made[-1]

    return made, reads


@pytest.fixture(autouse=True)
def _nothing_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_tokenizers, "_shared", SharedTokenizers(lambda: 10**9))


def test_the_same_files_are_one_tokenizer() -> None:
    assert read(as_file(tiny())) is read(as_file(tiny()))


def test_another_split_pattern_name_or_content_is_another_tokenizer() -> None:
    files = ranks({b"ab": 256}, "mine.tiktoken")
    (data,) = files.values()
    read_once = [
        read(files, "gpt2"),
        read(files, "cl100k"),
        read({"o200k_base.tiktoken": data}),
        read({"gpt2.tiktoken": data}),
        read(ranks({b"ac": 256}, "mine.tiktoken"), "gpt2"),
        shared_tokenizers.read_shared(files, split="gpt2", split_timeout=2.0),
    ]
    assert len(set(map(id, read_once))) == len(read_once)
    assert [each.split.name for each in read_once[:4]] == ["gpt2", "cl100k", "o200k", "gpt2"]


def test_a_tokenizer_that_somebody_uses_is_shared_however_many_are_read() -> None:
    shared = SharedTokenizers(lambda: 2 * SIZE)
    used = shared.get(b"used", make)
    for n in range(5):
        shared.get(b"%d" % n, make)
    made, reads = counted()
    assert shared.get(b"used", reads) is used
    assert made == []


def test_those_used_last_stay_up_to_a_size() -> None:
    shared = SharedTokenizers(lambda: 2 * SIZE)
    made, reads = counted()
    for key in (b"a", b"b", b"a", b"c"):
        shared.get(key, reads)
    made.clear()
    gc.collect()
    for key in (b"a", b"c"):
        shared.get(key, reads)
    assert len(made) == 0
    shared.get(b"b", reads)
    assert len(made) == 1


@pytest.mark.full
def test_two_who_ask_at_once_wait_for_one_reading() -> None:
    shared = SharedTokenizers(lambda: 10**9)
    both = threading.Barrier(2, timeout=0.5)
    found: list[Tokenizer] = []
    readings: list[bool] = []

    def slowly() -> Tokenizer:
        try:
            both.wait()  # for another reading at the same time
        except threading.BrokenBarrierError:
            readings.append(True)
        return make()

    asking = [threading.Thread(target=lambda: found.append(shared.get(b"key", slowly))) for _ in range(2)]
    for each in asking:
        each.start()
    for each in asking:
        each.join()
    assert found[0] is found[1]
    assert readings == [True]


def test_a_reading_that_fails_keeps_nothing_and_may_be_tried_again() -> None:
    shared = SharedTokenizers(lambda: 10**9)

    def fails() -> Tokenizer:
        raise TokenizerFileError("x", "no")

    with pytest.raises(TokenizerFileError):
        shared.get(b"key", fails)
    assert len(shared.get(b"key", make).merges) == 1
