"""Counting on Dask gives the counts of one process in the same order, for any ranges and workers."""

import io
import os
import re
import signal
import sys
import threading
import time
from codecs import BOM_UTF16_BE, BOM_UTF16_LE, BOM_UTF32_BE
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import dask
import fsspec
import pytest
from distributed import LocalCluster
from fsspec.implementations.memory import MemoryFileSystem
from hypothesis import assume, example, given
from hypothesis import strategies as st

from bpeviz import SPLIT_PATTERNS, Corpus, Trainer, custom_split_pattern
from bpeviz.corpus.dask_counting import _count, _jobs, _merged, corpus_from_dask
from bpeviz.errors import CorpusError, SplitPatternError
from tests.support.paths import ROOT
from tests.support.texts import ANY_TEXT, BORDERS_OF_SPLITTING

PATTERNS = pytest.mark.parametrize("name", SPLIT_PATTERNS)
#: Sentences in scripts with and without spaces, of one to four bytes a character.
SENTENCES = ["the cat's hat ", "д'Артаньян, ", "日本語の文。\n", "ภาษาไทย ", "नमस्ते\u3000", "🙂🙂\r\n"]
MANY_SCRIPTS = st.lists(st.sampled_from([*SENTENCES, "\u2028\x85\xa0", "  \x1c "]), max_size=8).map("".join)
TEXT = MANY_SCRIPTS | BORDERS_OF_SPLITTING | ANY_TEXT


@pytest.fixture
def _look(monkeypatch):
    """Look for the end of a stretch in the smallest steps, and read text in the smallest parts."""
    monkeypatch.setattr("bpeviz.corpus.dask_counting._LOOK", 8)
    monkeypatch.setattr("bpeviz.text.utf8.PART", 3)
    monkeypatch.setattr("bpeviz.corpus.blocks.BLOCK_CHARACTERS", 4)


@pytest.fixture(scope="module")
def memory():
    """A function that puts files into memory and returns their URLs."""
    files = fsspec.filesystem("memory")

    def put(*contents: bytes) -> list[str]:
        for i, content in enumerate(contents):
            files.pipe(f"/texts/{i}.txt", content)
        return [f"memory://texts/{i}.txt" for i in range(len(contents))]

    yield put
    files.rm("/texts", recursive=True)


def counted(urls, pattern, range_bytes, errors="strict"):
    """The counts of corpus_from_dask, without Dask."""
    jobs = _jobs(urls, pattern, range_bytes)
    return list(_merged(_count(job, pattern, errors) for job in jobs).items())


def in_one_process(contents, pattern, errors="strict"):
    corpus = Corpus.from_files(map(io.BytesIO, contents), pattern, errors=errors, processes=1)
    return list(corpus.counts.items())


@pytest.mark.usefixtures("_look")
@PATTERNS
@given(texts=st.lists(TEXT, min_size=1, max_size=3), range_bytes=st.integers(1, 20))
@example(["日本語の文 と 日本語"], 1)
@example(["a\u3000 b\u3000\u3000c\x1c d!\n e\r\n\r\n f"], 1)
def test_any_ranges_give_the_counts_of_one_process(memory, name, texts, range_bytes):
    contents = [text.encode() for text in texts]
    pattern = SPLIT_PATTERNS[name]
    assert counted(memory(*contents), pattern, range_bytes) == in_one_process(contents, pattern)


@pytest.mark.usefixtures("_look")
@PATTERNS
@given(
    pieces=st.lists(TEXT.map(str.encode) | st.binary(max_size=4), max_size=6), range_bytes=st.integers(1, 9)
)
@example([b"a\x80\x80 b c", b"\xe3\x80\xe3\x80\x80 \x80\x80\x80\x80 d"], 1)
def test_bytes_that_are_not_utf8_are_replaced_the_same(memory, name, pieces, range_bytes):
    data, pattern = b"".join(pieces), SPLIT_PATTERNS[name]
    assume(not data.startswith((BOM_UTF16_LE, BOM_UTF16_BE, BOM_UTF32_BE)))  # see the next test
    found = counted(memory(data), pattern, range_bytes, "replace")
    assert found == in_one_process([data], pattern, "replace")


@pytest.mark.usefixtures("_look")
@pytest.mark.parametrize("codec", ["utf-16", "utf-16-be", "utf-32", "utf-32-be"])
def test_a_file_in_another_encoding_is_refused_with_the_remedy(memory, codec):
    data = "\ufeffthe cat in the hat".encode(codec)
    assert in_one_process([data], SPLIT_PATTERNS["gpt2"]) != {}  # whole, it can be read
    with pytest.raises(CorpusError, match=r"is UTF-(16|32), and .* Convert it to UTF-8\."):
        counted(memory(data), SPLIT_PATTERNS["gpt2"], 4, "replace")


@pytest.mark.usefixtures("_look")
@given(
    text=TEXT,
    bad=st.sampled_from([b"\x80", b"\xff", b"\xe3\x80", b"\xed\xa0\x80"]),
    range_bytes=st.integers(1, 9),
    data=st.data(),
)
def test_the_first_byte_that_is_not_utf8_is_named(memory, text, bad, range_bytes, data):
    before = data.draw(st.integers(0, len(text)))
    content = text[:before].encode() + bad + text[before:].encode()
    with pytest.raises(CorpusError, match="is not UTF-8") as expected:
        in_one_process([content], "gpt2")
    with pytest.raises(CorpusError, match="is not UTF-8") as caught:
        counted(memory(content), SPLIT_PATTERNS["gpt2"], range_bytes)
    place = " is not UTF-8: the byte at offset "
    assert str(caught.value).partition(place)[2] == str(expected.value).partition(place)[2]
    assert str(caught.value).partition(place)[0].endswith("texts/0.txt")


class Counted(io.BytesIO):
    """A file of fsspec that counts the bytes read from it."""

    full_name = "counted"
    bytes_read = 0

    def read(self, size):
        data = super().read(size)
        self.bytes_read += len(data)
        return data

    def __exit__(self, *_):
        pass


@pytest.mark.usefixtures("_look")
@pytest.mark.parametrize("words", [[b"a" * 3_000, b" b"], [b"b" * 100, b" " + b"a" * 3_000]])
def test_a_long_stretch_is_read_a_few_times_only(memory, words):
    file, pattern = Counted(b"".join(words)), SPLIT_PATTERNS["gpt2"]
    jobs = [replace(job, file=file) for job in _jobs(memory(file.getvalue()), pattern, 100)]
    assert len(jobs) > 30
    found = [_count(job, pattern, "strict") for job in jobs]
    assert _merged(found) == {word.decode(): 1 for word in words}
    assert sum(map(bool, found)) <= 2
    assert file.bytes_read < 5 * len(file.getvalue())


def test_a_pattern_without_stretches_has_one_job_a_file(memory):
    urls = memory(b"the cat", b"in the hat", b"")
    for pattern in (SPLIT_PATTERNS["none"], custom_split_pattern(r"\w+|\W+")):
        assert [(job.start, job.end) for job in _jobs(urls, pattern, 2)] == [(0, sys.maxsize)] * 3
        assert counted(urls, pattern, 2) == in_one_process([b"the cat", b"in the hat"], pattern)


@pytest.fixture
def _in_this_thread():
    with dask.config.set(scheduler="synchronous"):
        yield


@pytest.mark.usefixtures("_in_this_thread")
def test_files_are_given_by_path_by_url_or_by_pattern(tmp_path, memory, monkeypatch):
    contents = [f"the {name} in the hat {name}".encode() for name in ("cat", "bat", "rat")]
    for name, content in zip("cab", contents, strict=True):
        (tmp_path / f"{name}.txt").write_bytes(content)
    by_name = in_one_process([contents[1], contents[2], contents[0]], "gpt2")
    assert list(corpus_from_dask(f"{tmp_path}/*.txt").counts.items()) == by_name
    monkeypatch.chdir(tmp_path)
    for paths in (tmp_path / "c.txt", "c.txt", [str(tmp_path / "c.txt")], f"file://{tmp_path}/c.txt"):
        corpus = corpus_from_dask(paths, "o200k", range_bytes=4)
        assert list(corpus.counts.items()) == in_one_process(contents[:1], "o200k")
        assert corpus.split == SPLIT_PATTERNS["o200k"]
    paths = iter([*memory(*contents), "b.txt"])
    assert list(corpus_from_dask(paths).counts.items()) == in_one_process([*contents, contents[2]], "gpt2")
    assert corpus_from_dask([]).counts == {}


@pytest.mark.usefixtures("_in_this_thread")
def test_a_file_that_has_changed_is_counted_again(memory):
    assert corpus_from_dask(memory(b"ab")).counts == {"ab": 1}
    assert corpus_from_dask(memory(b"cd")).counts == {"cd": 1}


@pytest.mark.usefixtures("_in_this_thread")
def test_a_file_of_unknown_length_is_one_job(memory, monkeypatch):
    urls = memory(b"the cat in the hat")
    monkeypatch.setattr(MemoryFileSystem, "info", lambda *_: {"type": "file", "size": None})
    assert corpus_from_dask(urls, range_bytes=1).byte_total == 18


@pytest.mark.usefixtures("_in_this_thread")
def test_what_cannot_be_counted_raises_with_the_reason(tmp_path, memory):
    for path, why in (
        (tmp_path / "no.txt", f"{tmp_path}/no.txt cannot be read: No such file or directory."),
        (f"{tmp_path}/*.txt", f"No file matches {tmp_path}/*.txt. Check the path."),
        (tmp_path, f"it is a folder; for the files in it, write file://{tmp_path}/*."),
        ("memory://texts/no", "memory://texts/no cannot be read: /texts/no."),
        ("nosuch://a", "nosuch://a cannot be read: Protocol not known: nosuch."),
    ):
        with pytest.raises(CorpusError, match=re.escape(why)):
            corpus_from_dask(path)
    for range_bytes in (0, -1, 1.5, True, "a"):
        with pytest.raises(CorpusError, match="range_bytes must be a whole number of at least 1, not "):
            corpus_from_dask(memory(b"a"), range_bytes=range_bytes)
    with pytest.raises(SplitPatternError):
        corpus_from_dask("nosuch://a", "nosuch")


def test_a_file_that_is_deleted_before_it_is_counted(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"the cat")
    [job] = _jobs(tmp_path / "a.txt", SPLIT_PATTERNS["gpt2"], 9)
    (tmp_path / "a.txt").unlink()
    with pytest.raises(CorpusError, match=r"a\.txt cannot be read: No such file or directory\."):
        _count(job, SPLIT_PATTERNS["gpt2"], "strict")


@pytest.mark.parametrize("package", ["dask.bag", "distributed"])
def test_without_dask_the_error_says_how_to_install_it(package, monkeypatch, memory):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(CorpusError, match=rf"{package}.*pip install -r requirements/dask\.txt"):
        corpus_from_dask(memory(b"a"), scheduler="tcp://127.0.0.1:1")


# real processes

PROSE = ROOT / "sample_texts/english-prose.txt"


def test_by_default_dask_counts_in_processes_of_this_machine(tmp_path):
    data = PROSE.read_bytes()
    (tmp_path / "bad.txt").write_bytes(data[:1_000] + b"\xff" + data)
    with dask.config.set(num_workers=2):
        corpus = corpus_from_dask(PROSE, range_bytes=len(data) // 3)
        assert list(corpus.counts.items()) == in_one_process([data], "gpt2")
        with pytest.raises(CorpusError, match="is not UTF-8") as caught:
            corpus_from_dask(tmp_path / "bad.txt")
    assert "the byte at offset 1,000 " in str(caught.value)


@pytest.fixture(scope="module")
def cluster():
    """Three workers, each a process with one thread; the scheduler runs in this process."""
    with LocalCluster(
        n_workers=3, threads_per_worker=1, host="127.0.0.1", dashboard_address=None, memory_limit=0
    ) as cluster:
        yield cluster


def kill_a_busy_worker(cluster, done):
    """After half of the tasks, kill a worker that works on some and holds the counts of others.

    Returns its address, and how many tasks it worked on and held.
    """
    while not done.is_set():
        states = [task.state for task in list(cluster.scheduler.tasks.values())]
        halfway = 2 * sum(state in ("memory", "released") for state in states) > len(states)
        for nanny in list(cluster.workers.values()):
            worker = cluster.scheduler.workers.get(nanny.worker_address)
            if halfway and worker and worker.processing and worker.has_what:
                os.kill(nanny.pid, signal.SIGKILL)
                return nanny.worker_address, len(worker.processing), len(worker.has_what)
        time.sleep(0.001)
    return None


def test_a_worker_that_is_killed_changes_nothing(cluster, tmp_path):
    files = sorted(PROSE.parent.glob("*.txt"))
    (tmp_path / "all.txt").write_bytes(b"\n".join(path.read_bytes() for path in files) * 2)
    paths = [tmp_path / "all.txt", PROSE]
    one = Corpus.from_files(paths, "gpt2", processes=1)
    done = threading.Event()
    with ThreadPoolExecutor(1) as thread:
        killing = thread.submit(kill_a_busy_worker, cluster, done)
        several = corpus_from_dask(paths, scheduler=cluster.scheduler_address, range_bytes=5_000)
        done.set()
    address, at_work, held = killing.result()
    assert min(at_work, held) > 0
    assert address not in cluster.scheduler.workers
    assert list(several.counts.items()) == list(one.counts.items())
    for recipe in ("minbpe", "huggingface"):
        expected, found = (Trainer(corpus, recipe, num_merges=200) for corpus in (one, several))
        assert list(found.steps()) == list(expected.steps())
        assert len(found.merges) == 200


def test_an_error_of_a_worker_is_raised_here(cluster, tmp_path):
    (tmp_path / "a.txt").write_bytes(b"the cat in the hat" * 100 + b"\xff")
    with pytest.raises(CorpusError, match="is not UTF-8") as caught:
        corpus_from_dask(tmp_path / "a.txt", scheduler=cluster.scheduler_address, range_bytes=100)
    assert "the byte at offset 1,800 " in str(caught.value)


def die(job, pattern, errors):
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_part_that_kills_every_worker(cluster, monkeypatch):
    monkeypatch.setattr("bpeviz.corpus.dask_counting._count", die)
    monkeypatch.setattr(cluster.scheduler, "allowed_failures", 0)
    with pytest.raises(CorpusError, match=r"several workers ended over the same part") as caught:
        corpus_from_dask(PROSE, scheduler=cluster.scheduler_address)
    assert cluster.scheduler_address in str(caught.value)


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "nosuch://a", "a b"])
def test_a_scheduler_that_is_not_there(address):
    with (
        dask.config.set({"distributed.comm.timeouts.connect": "100ms"}),
        pytest.raises(
            CorpusError, match=f"Dask could not count on {address}: the scheduler cannot be reached"
        ),
    ):
        corpus_from_dask(PROSE, scheduler=address)
