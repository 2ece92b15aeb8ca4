"""Files of pre-token counts, from us or from other engines: read unchanged, or refused."""

import csv
import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpeviz import RECIPES, SPLIT_PATTERNS, Corpus, Trainer
from bpeviz.corpus.count_files import COUNT_FILES, check_counts_name, read_counts, write_counts
from bpeviz.errors import BpevizError, CorpusError, SplitPatternError
from tests.support.paths import ROOT
from tests.support.texts import ANY_TEXT, BORDERS_OF_SPLITTING, TIGHT_TEXTS

#: Values that readers and writers of CSV often misread.
AWKWARD = [
    *('"', '""', ",", "\r", "\n", "\r\n", "\n\r", "\0", '"\n"', ',"', '",', "a\rb", "\r,", "\ufeff", "\x1a"),
    *("NA", "null", "NaN", "None", "nan", "1", "-0", "true", "=1+1", "+a", "@a", "'"),
    *("", " a", "a ", " ", "\t"),
    *("pre_token", "count", "pre_token,count", "#", "\\", '\\"', "\\N", "🙂", "é", "\u2028", "\x85", "\x1c"),
]
PRE_TOKEN = st.one_of(
    st.sampled_from(AWKWARD[:-3]), st.lists(st.sampled_from(AWKWARD), max_size=6).map("".join), ANY_TEXT
)
COUNTS = st.dictionaries(PRE_TOKEN.filter(bool), st.integers(1, 2**40), max_size=12)
FORMATS = pytest.mark.parametrize("suffix", COUNT_FILES)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("counts")


def items(corpus: Corpus) -> list[tuple[str, int]]:
    return list(corpus.counts.items())


def csv_file(folder: Path, text: str | bytes, name: str = "a.csv") -> Path:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def parquet_file(folder: Path, columns: dict[str, object]) -> Path:
    pq.write_table(pa.table(columns), folder / "a.parquet")
    return folder / "a.parquet"


def refused(path: Path) -> str:
    with pytest.raises(CorpusError) as caught:
        read_counts(path, "gpt2")
    name, _, why = str(caught.value).partition(": ")
    assert name == str(path)
    assert re.fullmatch(r"[A-Za-z][^\n]*\.", why)
    assert len(why) < 300
    return why


@FORMATS
@given(counts=COUNTS)
def test_what_is_written_is_read(folder, suffix, counts):
    path = folder / f"a{suffix}"
    write_counts(Corpus.from_counts(counts, "spaces"), path)
    corpus = read_counts(path, "spaces")
    assert items(corpus) == list(counts.items())
    assert corpus.split == SPLIT_PATTERNS["spaces"]


def _by_csv_module(frame, path):
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(frame.columns)
        rows.writerows(zip(*(frame[c].tolist() for c in frame.columns), strict=True))


WRITERS = {
    "csv": _by_csv_module,
    "csv, everything quoted": lambda frame, path: frame.to_csv(path, index=False, quoting=csv.QUOTE_ALL),
    "pandas": lambda frame, path: frame.to_csv(path, index=False),
    "pandas with its index": lambda frame, path: frame.to_csv(path),
    "pandas for Excel": lambda frame, path: frame.to_csv(
        path, index=False, encoding="utf-8-sig", lineterminator="\r\n"
    ),
    "pyarrow": lambda frame, path: pa.csv.write_csv(pa.Table.from_pandas(frame, preserve_index=False), path),
}


@pytest.mark.parametrize("writer", WRITERS)
@given(counts=COUNTS, turned=st.booleans())
def test_what_others_write_as_csv_is_read(folder, writer, counts, turned):
    columns = {
        "pre_token": pd.Series(list(counts), dtype="object"),
        "count": pd.Series(list(counts.values()), dtype="int64"),
    }
    frame = pd.DataFrame(dict(reversed(columns.items())) if turned else columns)
    WRITERS[writer](frame, folder / "b.csv")
    assert items(read_counts(folder / "b.csv", "none")) == list(counts.items())


@given(counts=COUNTS)
def test_what_is_written_as_csv_others_read(folder, counts):
    path = folder / "c.csv"
    write_counts(Corpus.from_counts(counts), path)
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    assert rows == [["pre_token", "count"], *([p, str(n)] for p, n in counts.items())]
    options = pa.csv.ConvertOptions(strings_can_be_null=False, column_types={"pre_token": pa.string()})
    table = pa.csv.read_csv(
        path, parse_options=pa.csv.ParseOptions(newlines_in_values=True), convert_options=options
    )
    assert table["pre_token"].to_pylist() == list(counts)
    assert table["count"].to_pylist() == list(counts.values())


@given(texts=st.lists(BORDERS_OF_SPLITTING, min_size=1, max_size=4))
def test_partial_counts_in_order_add_up_to_those_of_the_whole(folder, texts):
    parts = folder / "parts.parquet"
    parts.mkdir(exist_ok=True)
    for old in parts.iterdir():
        old.unlink()
    (parts / "_SUCCESS").touch()
    (parts / ".part-0.csv.crc").touch()
    for i, text in enumerate(texts):
        write_counts(Corpus.from_text(text), parts / f"part-{i}{COUNT_FILES[i % 2]}")
    assert items(read_counts(parts, "gpt2")) == items(Corpus.from_texts(texts))


def test_a_trainer_learns_the_same_merges_from_a_file_as_from_the_text(tmp_path):
    corpus = Corpus.from_text((ROOT / "sample_texts/english-prose.txt").read_text("utf-8"), "gpt2")
    for suffix in COUNT_FILES:
        write_counts(corpus, tmp_path / f"a{suffix}")
        for recipe in ("minbpe", "huggingface"):  # one of them breaks ties by what is seen first
            one = Trainer(corpus, recipe, num_merges=100)
            other = Trainer(read_counts(tmp_path / f"a{suffix}", "gpt2"), recipe, num_merges=100)
            assert list(one.steps()) == list(other.steps())


@FORMATS
def test_no_rows_are_an_empty_corpus(tmp_path, suffix):
    write_counts(Corpus.from_text(""), tmp_path / f"a{suffix}")
    assert items(read_counts(tmp_path / f"a{suffix}", "gpt2")) == []


@pytest.mark.parametrize("part", [1, 2, 3, 7])
def test_csv_is_read_in_parts(folder, part, monkeypatch):
    monkeypatch.setattr("bpeviz.text.utf8.PART", part)
    path = csv_file(folder, '\ufeffcount,id,pre_token\r\n1,"",a🙂\r\n2,x,"\r\n""\n"\r\n\r\n3,y,a🙂')
    assert items(read_counts(path, "gpt2")) == [("a🙂", 4), ('\r\n"\n', 2)]


def test_long_pre_tokens_are_read_and_many_rows_written(tmp_path, monkeypatch):
    monkeypatch.setattr("bpeviz.corpus.count_files._ROWS", 7)
    counts = {'a"\n' * 500_000: 1, **{str(i): i for i in range(1, 50)}}
    for suffix in COUNT_FILES:
        write_counts(Corpus.from_counts(counts), tmp_path / f"a{suffix}")
        assert items(read_counts(tmp_path / f"a{suffix}", "none")) == list(counts.items())


STRINGS = [pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int8(), pa.string())]


@pytest.mark.parametrize("strings", STRINGS, ids=str)
@pytest.mark.parametrize("numbers", [pa.uint8(), pa.int32(), pa.uint64()], ids=str)
def test_parquet_may_have_any_kind_of_strings_and_of_whole_numbers(tmp_path, strings, numbers):
    columns = {
        "x": [1.5, None],
        "count": pa.array([2, 1], numbers),
        "pre_token": pa.array(["é", "a"], strings),
    }
    path = parquet_file(tmp_path, columns)
    assert items(read_counts(path, "gpt2")) == [("é", 2), ("a", 1)]
    pd.read_parquet(path).set_index("pre_token").to_parquet(path)
    assert items(read_counts(str(path), "gpt2")) == [("é", 2), ("a", 1)]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "it must have one column named pre_token, and has ''."),
        ("pre_token\na\n", "it must have one column named count, and has 'pre_token'."),
        ("pre_token,count,count\n", "it must have one column named count, and has 'pre_token', 'count', 'c"),
        ("token;count\na;1", "it must have one column named pre_token, and has 'token;count'."),
        ("pre_token,count\ra,1\r", "one column named count, and has 'pre_token', 'count\\ra', '1'."),
        ("x" * 10_000, "it must have one column named pre_token, and has 'xxx"),
        ("pre_token,count\n,1", "row 1 (header not counted) has no pre-token. Leave such rows out."),
        ('pre_token,count\na,1\n"",1', "row 2 (header not counted) has no pre-token."),
        ("pre_token,count\na", "doesn't have the header's 2 values."),
        ("pre_token,count\na,b,1", "doesn't have the header's 2 values."),
        ('pre_token,count\na"b"c,1', "doesn't have the header's 2 values."),
        ('pre_token,count\n"say \\"hi\\"",1', "doesn't have the header's 2 values."),
        ('pre_token,count\n"a,1\nb,2', "the quotation marks of the row '\"a,1' are never closed."),
        ("pre_token,count\na,0", "has the count 0. Counts are whole numbers from 1 to"),
        ("pre_token,count\na,-1", "has the count -1."),
        ("pre_token,count\na,1.5", "has the count '1.5'."),
        ("pre_token,count\na,+7", "has the count '+7'."),
        ("pre_token,count\na,1.0", "has the count '1.0'."),
        ("pre_token,count\na,", "has the count ''."),
        ("pre_token,count\na,NaN", "has the count 'NaN'."),
        ("pre_token,count\na,1e3", "has the count '1e3'."),
        ("pre_token,count\na,1_0", "has the count '1_0'."),
        ("pre_token,count\na,٣", "has the count '٣'."),
        ("pre_token,count\na,1\r\n", "has the count '1\\r'."),
        ("pre_token,count\na,4611686018427387905", "has the count 4,611,686,018,427,387,905."),
        (f"pre_token,count\na,{'9' * 9_999}", "has the count '999"),
        ("pre_token,count\né,4611686018427387904", "The counts stand for more than 4,611,686,018,427"),
        ("pre_token,count\n" + "a,4611686018427387904\n" * 9, "The counts stand for more than"),
    ],
)  # fmt: skip
def test_csv_that_holds_no_counts_is_refused(tmp_path, text, why):
    assert why in refused(csv_file(tmp_path, text))


@pytest.mark.parametrize(
    ("data", "offset"),
    [
        (b"pre_token,count\ncaf\xe9,1", 19),
        (b"pre_token,count\n\xed\xa0\x80,1", 16),
        (b"pre_token,count\na,1\n\xe6\x97", 20),
    ],
)
def test_csv_that_is_not_utf8_is_refused(tmp_path, data, offset):
    path = csv_file(tmp_path, data)
    with pytest.raises(CorpusError, match="is not UTF-8") as caught:
        read_counts(path, "gpt2")
    assert str(caught.value).startswith(f"{path} is not UTF-8: the byte at offset {offset} ")


INTEGERS, TEXTS = pa.array([1, 2]), pa.array(["a", "b"])


@pytest.mark.parametrize(
    ("columns", "why"),
    [
        ({}, "it must have one column named pre_token, and has none."),
        ({"pre_token": TEXTS}, "it must have one column named count, and has 'pre_token'."),
        ({"pre_token": INTEGERS, "count": INTEGERS}, "column pre_token is of int64. Write it as strings."),
        ({"pre_token": TEXTS.cast(pa.binary()), "count": INTEGERS}, "its column pre_token is of binary."),
        ({"pre_token": TEXTS, "count": TEXTS}, "count is of string. Write it as whole numbers of 64 bits."),
        ({"pre_token": TEXTS, "count": pa.array([1.0, 2.0])}, "its column count is of double."),
        ({"pre_token": TEXTS, "count": pa.array([[1], [2]])}, "its column count is of list<"),
        ({"pre_token": TEXTS, "count": pa.nulls(2)}, "its column count is of null."),
        ({"pre_token": TEXTS, "count": pa.array([True, False])}, "its column count is of bool."),
        ({"pre_token": TEXTS, "count": pa.array([1, None])}, "row 2 (header not counted) has no count."),
        ({"pre_token": TEXTS, "count": pa.array([1, -2])}, "row 2 (header not counted) has the count -2."),
        ({"pre_token": TEXTS, "count": pa.array([1, 2**64 - 1], pa.uint64())}, "has the count 18,"),
        ({"pre_token": ["a", None], "count": INTEGERS}, "row 2 (header not counted) has no pre-token."),
        ({"pre_token": ["", "a"], "count": INTEGERS}, "row 1 (header not counted) has no pre-token."),
        ({"pre_token": TEXTS, "count": pa.array([2**62, 1])}, "The counts stand for more than"),
    ],
)  # fmt: skip
def test_parquet_that_holds_no_counts_is_refused(tmp_path, columns, why):
    assert why in refused(parquet_file(tmp_path, columns))


def test_parquet_with_a_column_twice_is_refused(tmp_path):
    table = pa.table([TEXTS, INTEGERS, INTEGERS], names=["pre_token", "count", "count"])
    pq.write_table(table, tmp_path / "a.parquet")
    assert refused(tmp_path / "a.parquet").startswith("it must have one column named count")


@pytest.mark.parametrize("raw", [b"caf\xe9", b"\xed\xa0\x80"])
def test_parquet_that_is_not_utf8_is_refused(tmp_path, raw):
    offsets, data = pa.py_buffer(b"\0\0\0\0" + len(raw).to_bytes(4, "little")), pa.py_buffer(raw)
    broken = pa.Array.from_buffers(pa.string(), 1, [None, offsets, data])
    path = parquet_file(tmp_path, {"pre_token": broken, "count": [1]})
    assert refused(path) == "a pre-token is not UTF-8. Write the counts again as text."


@pytest.mark.parametrize("data", [b"", b"pre_token,count\na,1\n", b"PAR1", b"PAR1" + bytes(99) + b"PAR1"])
def test_a_file_that_is_not_parquet_is_refused(tmp_path, data):
    assert refused(csv_file(tmp_path, data, "a.parquet")).startswith("it can't be read as a Parquet file (")


@given(data=st.data())
def test_damaged_parquet_is_read_or_refused(folder, data):
    path = folder / "damaged.parquet"
    write_counts(Corpus.from_counts({"the": 2, " cat": 1}), path)
    damaged = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 3))):
        damaged[data.draw(st.integers(0, len(damaged) - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(damaged)
    with suppress(BpevizError):
        read_counts(path, "gpt2")


@given(
    data=st.binary(max_size=60) | st.text('pre_token,count\r\n"1a', max_size=60).map(str.encode),
    head=st.booleans(),
)
def test_any_bytes_are_counts_or_refused(folder, data, head):
    path = csv_file(folder, b"pre_token,count\n" * head + data, "any.csv")
    with suppress(BpevizError):
        read_counts(path, "gpt2")


def test_files_that_cannot_be_read_are_named(tmp_path):
    for name in ("a", "a.txt", "a.csv.gz", "parquet"):
        assert refused(csv_file(tmp_path, "pre_token,count\n", name)).endswith(
            "Files of counts end in .csv or .parquet."
        )
    assert check_counts_name("A.CSV") == ".csv"
    for suffix in COUNT_FILES:
        why = "No such file or directory. Check the path and its permissions."
        assert refused(tmp_path / f"missing{suffix}") == why
    (tmp_path / "none.csv").mkdir()
    assert refused(tmp_path / "none.csv") == "this folder holds no file that ends in .csv or .parquet."
    with pytest.raises(SplitPatternError):
        read_counts(tmp_path / "missing.csv", "nothing")


def test_a_failed_write_keeps_the_existing_file(tmp_path, monkeypatch):
    corpus, path = Corpus.from_text("the cat"), tmp_path / "a.csv"
    for place, why in (
        (tmp_path / "a.txt", "its name does not say what it is."),
        (tmp_path / "no" / "a.csv", r"it cannot be written \(No such file or directory\)\."),
        (tmp_path / "b.csv", "it is a folder, a device or a pipe, and would be replaced."),
    ):
        (tmp_path / "b.csv").mkdir(exist_ok=True)
        with pytest.raises(CorpusError, match=re.escape(str(place)) + f": {why}"):
            write_counts(corpus, place)
    path.write_bytes(b"old")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(CorpusError, match="No space left on device"):
        write_counts(corpus, path)
    assert path.read_bytes() == b"old"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.csv", "b.csv"]


def test_a_file_is_replaced_through_a_link(tmp_path):
    (tmp_path / "link.csv").symlink_to(tmp_path / "a.csv")
    write_counts(Corpus.from_text("the cat"), tmp_path / "link.csv")
    assert (tmp_path / "a.csv").read_bytes() == b'pre_token,count\r\n"the",1\r\n" cat",1\r\n'
    assert (tmp_path / "link.csv").is_symlink()


def test_reading_counts_needs_no_pandas():
    program = (
        "import sys, bpeviz.corpus.count_files as _; "
        "raise SystemExit(bool({'pandas', 'pyarrow'} & sys.modules.keys()))"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


@pytest.mark.parametrize(
    "recipe", [r for r in RECIPES.values() if r.tie != "first-seen"], ids=lambda r: r.name
)
@given(texts=TIGHT_TEXTS, shuffled=st.randoms(use_true_random=False))
def test_the_order_of_rows_matters_only_for_first_seen_ties(recipe, texts, shuffled):
    corpus = Corpus.from_texts(texts, recipe.split)
    rows = list(corpus.counts.items())
    shuffled.shuffle(rows)
    trainers = (
        Trainer(c, recipe, num_merges=30) for c in (corpus, Corpus.from_counts(dict(rows), recipe.split))
    )
    one, other = ([(step.token, step.count) for step in trainer.steps()] for trainer in trainers)
    assert one == other
