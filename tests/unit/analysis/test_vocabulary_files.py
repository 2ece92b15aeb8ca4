"""The rows of a vocabulary as files: by hand, then those of a worker against those written here."""

import csv
import io
import json

import pandas as pd
import pytest

from bpeviz import Tokenizer
from bpeviz.analysis import vocabulary_files
from bpeviz.analysis.vocabulary import vocabulary_table
from bpeviz.analysis.vocabulary_files import FileForm, write_rows
from bpeviz.core.base_vocabulary import ByteVocabulary
from bpeviz.text.split_patterns import get_split_pattern
from bpeviz.training.in_one_call import train_tokenizer

EQUALS, ONE, E, ACCENT = (byte for byte in "=1é".encode())
#: Merges "=1" and "é".
TOKENIZER = Tokenizer(
    ByteVocabulary(bytes(range(256))),
    [((EQUALS, ONE), 256), ((E, ACCENT), 257)],
    split=get_split_pattern("none"),
    special_tokens=["<|end|>"],
)


@pytest.fixture
def rows() -> pd.DataFrame:
    table = vocabulary_table(TOKENIZER)
    return table.assign(uses=pd.array([None, *range(1, len(table))], "Int64"))


def test_files_hold_the_rows_in_their_order(rows: pd.DataFrame) -> None:
    some = rows.iloc[[257, 256, 258, 255, 0]]
    assert write_rows(some, "CSV").decode().splitlines() == [
        '"id","text","bytes","length","kind","rank","left","right","uses","valid_utf8","unreachable","cut"',
        '257,"""é""","C3 A9",2,"merged",1,195,169,257,True,False,False',
        '256,"""=1""","3D 31",2,"merged",0,61,49,256,True,False,False',
        '258,"""<|end|>""","3C 7C 65 6E 64 7C 3E",7,"special","","","",258,True,False,False',
        '255,"","FF",1,"base","","","",255,False,True,False',
        '0,"""\\u0000""","00",1,"base","","","","",True,False,False',
    ]
    first, *others = json.loads(write_rows(some, "JSON"))
    assert first == {
        **{"id": 257, "text": "é", "bytes": "C3 A9", "length": 2, "kind": "merged", "rank": 1, "left": 195},
        **{"right": 169, "uses": 257, "valid_utf8": True, "unreachable": False, "cut": False},
    }
    assert [row["text"] for row in others] == ["=1", "<|end|>", None, "\0"]


@pytest.mark.parametrize("form", ["CSV", "JSON"])
@pytest.mark.parametrize("count", [1, 100, 101, 257])
def test_a_worker_writes_the_same_file(
    rows: pd.DataFrame, form: FileForm, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    some = rows.sort_values("length", ascending=False, kind="stable").head(count)
    here = write_rows(some, form)
    monkeypatch.setattr(vocabulary_files, "ROWS_HERE", 100)
    assert write_rows(some, form) == here


@pytest.mark.parametrize("at_once", [2_000, 7, 1])
def test_files_hold_texts_with_line_ends_as_they_are(at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vocabulary_files, "ROWS_HERE", at_once)
    tokenizer = train_tokenizer("灯 灯 <b>\n\n" * 3, "huggingface", num_merges=8)
    table = vocabulary_table(tokenizer).assign(uses=0)
    rows = json.loads(write_rows(table, "JSON"))
    assert len(rows) == tokenizer.n_vocab
    for row in rows:
        token = tokenizer.token_bytes(row["id"])
        assert row["text"] == (token.decode() if row["valid_utf8"] else None)
    heading, *written = csv.reader(io.StringIO(write_rows(table, "CSV").decode(), newline=""))
    assert heading == [*rows[0]]
    # in quotation marks, so that no text is a formula in a spreadsheet
    assert [row[1] and json.loads(row[1]) for row in written] == [row["text"] or "" for row in rows]
    assert list(csv.reader([write_rows(table[:0], "CSV").decode()])) == [heading]
