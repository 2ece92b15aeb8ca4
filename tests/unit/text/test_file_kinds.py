"""Files that are no text, and texts in other encodings than UTF-8."""

import bz2
import gzip
import io
import json
import lzma
import pickle
import sqlite3
import tarfile
import zipfile

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpeviz.corpus.corpus import Corpus
from bpeviz.corpus.corpus_files import CorpusFiles, Place
from bpeviz.corpus.dask_counting import corpus_from_dask
from bpeviz.errors import CorpusError, CorpusWarning, TokenizerFileError
from bpeviz.formats.reading import read_tokenizer
from bpeviz.text.file_kinds import kind_of_file, kind_of_pickle
from bpeviz.text.utf8 import decode_utf8
from tests.support.texts import ANY_TEXT

TEXT = "the cat in the hat, the café\n" * 4


def zipped(*names: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in names:
            content, method = (
                ("application/epub+zip", zipfile.ZIP_STORED) if name == "mimetype" else (TEXT, None)
            )
            archive.writestr(name, content, method)
    return file.getvalue()


def in_tar() -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("a.txt"))
    return file.getvalue()


def parquet() -> bytes:
    file = io.BytesIO()
    pyarrow.parquet.write_table(pa.table({"text": [TEXT]}), file)
    return file.getvalue()


def arrow() -> bytes:
    file = io.BytesIO()
    table = pa.table({"text": [TEXT]})
    with pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table)
    return file.getvalue()


def array() -> bytes:
    file = io.BytesIO()
    np.save(file, np.arange(9))
    return file.getvalue()


def database() -> bytes:
    with sqlite3.connect(":memory:") as connection:
        connection.execute("CREATE TABLE a (b)")
        return connection.serialize()


HEADER = json.dumps({"w": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}}).encode()
POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"a" * 64 + b"\nsize 5\n"
BINARY = {
    "gzip": gzip.compress(TEXT.encode()),
    "bzip2": bz2.compress(TEXT.encode()),
    "xz": lzma.compress(TEXT.encode()),
    "tar": in_tar(),
    "zip": zipped("a.txt"),
    "docx": zipped("[Content_Types].xml", "_rels/.rels", "word/document.xml"),
    "xlsx": zipped("[Content_Types].xml", "_rels/.rels", "docProps/app.xml", "xl/workbook.xml"),
    "e-book": zipped("mimetype", "OEBPS/content.opf"),
    "PyTorch": zipped("archive/data.pkl", "archive/version"),
    "pickle": pickle.dumps({"model": TEXT}, protocol=2),
    "safetensors": len(HEADER).to_bytes(8, "little") + HEADER + bytes(4),
    "GGUF": b"GGUF" + (2).to_bytes(4, "little") + bytes(16),
    "PDF": b"%PDF-1.4\n%\xe2\xe3\n",
    "PNG": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
    "JPEG": b"\xff\xd8\xff\xe0\0\x10JFIF",
    "Parquet": parquet(),
    "Arrow": arrow(),
    "NumPy": array(),
    "SQLite": database(),
    "Git LFS": POINTER,
    "git-annex": b"/annex/objects/SHA256E-s5--abc.json\n",
}


@pytest.mark.parametrize("kind", BINARY)
def test_the_kind_is_named_with_a_way_out_for_a_corpus_and_a_tokenizer(kind, tmp_path):
    path = tmp_path / "some file"
    path.write_bytes(BINARY[kind])
    for errors in ("strict", "replace"):
        with pytest.raises(CorpusError, match=kind) as caught:
            Corpus.from_files([path], "gpt2", errors=errors)
        assert "replace invalid bytes" not in str(caught.value)
    if kind not in ("gzip", "GGUF"):  # these are opened
        with pytest.raises(TokenizerFileError, match=kind) as refused:
            read_tokenizer({"some file": BINARY[kind]})
        assert "save it as UTF-8" not in str(refused.value)


@given(
    text=ANY_TEXT.filter(str.isprintable),
    first=st.sampled_from(["GGUF", "PAR1", "%PDF", "PK", "Rar!", "BZh9", "MZ"]),
)
def test_a_text_may_begin_with_the_same_letters(text, first):
    assert kind_of_file((first + text).encode()) is None


@pytest.mark.parametrize("text", ["", "a", "a\0b", "\0" * 99, "a\n" * 50, "a\tb\t\n" * 9, "\0\1" * 9])
def test_bytes_of_zero_are_text_too(text):
    assert decode_utf8(text.encode(), "a.txt") == text


LANGUAGES = [TEXT, "Привет, мир! Как дела?\n", "שלום לכל העולם\n", "abc 123\r\n", "Ελλάδα και ο κόσμος"]


@pytest.mark.parametrize("text", LANGUAGES)
def test_utf16_is_read_with_its_mark_and_refused_without(text, tmp_path):
    path = tmp_path / "a.txt"
    for data in (text.encode("utf-16"), b"\xfe\xff" + text.encode("utf-16-be"), text.encode("utf-32")):
        path.write_bytes(data)
        assert Corpus.from_files([path], "none").counts == {text: 1}
        assert decode_utf8(data, "a.txt") == text
    for data in (text.encode("utf-16-le"), text.encode("utf-16-be")):
        path.write_bytes(data)
        for errors in ("strict", "replace"):
            with pytest.raises(CorpusError, match="UTF-16 without the mark"):
                Corpus.from_files([path], "none", errors=errors)
    with pytest.raises(CorpusError, match="UTF-16 without the mark"):
        decode_utf8(TEXT.encode("utf-32-le"), "a.txt")


@pytest.mark.parametrize("part", [1, 2, 3, 5, 1_000])
@given(text=ANY_TEXT.filter(lambda text: not text.startswith("\0")))  # UTF-32's mark is UTF-16's and U+0000
def test_files_in_parts_give_the_same_text(part, text):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("bpeviz.text.utf8.PART", part)
        for encoding in ("utf-16", "utf-32"):
            file = io.BytesIO(text.encode(encoding))
            assert "".join(Corpus.from_files([file], "none").counts) == text


def test_what_is_not_utf16_names_the_first_invalid_byte(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes("ab".encode("utf-16") + b"\0\xdc" + b"c\0")
    with pytest.raises(CorpusError, match=r"a\.txt is not UTF-16: the byte at offset 6 "):
        Corpus.from_files([path], "none")
    assert Corpus.from_files([path], "none", errors="replace").pre_tokens == ("ab\ufffdc",)


def test_a_mark_at_the_start_is_no_text_and_a_warning_says_so(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"\xef\xbb\xbfthe\n\xef\xbb\xbfthe")
    with pytest.warns(CorpusWarning, match=r"a\.txt: the byte order mark at its start"):
        assert Corpus.from_files([path], "whitespace").pre_tokens == ("the", "\n", "\ufeffthe")
    with pytest.warns(CorpusWarning, match="byte order mark"):
        assert decode_utf8(b"\xef\xbb\xbfcat", "b.txt") == "cat"
    with pytest.warns(CorpusWarning), pytest.raises(CorpusError, match="offset 4 "):
        decode_utf8(b"\xef\xbb\xbfa\xff", "b.txt")


def test_what_is_read_in_parts_must_be_utf8(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(TEXT.encode("utf-16"))
    for read in (lambda: CorpusFiles.of([path]).part(Place(0, 0), 1_000), lambda: corpus_from_dask([path])):
        with pytest.raises(CorpusError, match="UTF-16, and only UTF-8 can be read in parts"):
            read()


@pytest.mark.parametrize("protocol", [0, 1, 2, 5])
def test_a_pickle_of_any_protocol_is_named(protocol):
    data = pickle.dumps({"merges": ["a", "b"]}, protocol)
    with pytest.raises(TokenizerFileError, match="a pickle of Python"):
        read_tokenizer({"tokenizer.pkl": data})


@pytest.mark.parametrize("data", [b"", b".", b"I am a text.", b"No."])
def test_a_text_is_no_pickle(data):
    assert kind_of_pickle(data) is None
