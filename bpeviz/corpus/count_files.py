r"""Files of pre-token counts: read counts of other machines or engines as a corpus, and write those of one.

    pre_token,count          CSV: UTF-8, commas, quotation marks around a value and doubled inside it
    "the",2                  Parquet: a column of strings and one of whole numbers
    " cat",1

Rows are in the order in which the pre-tokens first occur: recipes that settle ties by what is seen first
learn other merges from another order. A pre-token may have several rows, for example if partial counts of
several machines follow each other: the counts are added, and the first row sets the place. Other columns are
ignored.
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, BinaryIO

from bpeviz.corpus.corpus import MOST_BYTES, Corpus
from bpeviz.corpus.counting import Counts
from bpeviz.errors import CorpusError
from bpeviz.text.file_names import as_path, replacing
from bpeviz.text.split_patterns import SplitPattern, get_split_pattern
from bpeviz.text.token_text import shorten
from bpeviz.text.utf8 import decode_parts
from bpeviz.words import counted

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["COUNT_FILES", "check_counts_name", "read_counts", "write_counts"]

_COLUMNS = ("pre_token", "count")
#: How many rows of Parquet are in memory at once.
_ROWS = 50_000

_Row = tuple[str | None, int | None]


def read_counts(path: str | os.PathLike[str], split: str | SplitPattern) -> Corpus:
    """Return the corpus of a file that ends in .csv or .parquet, or of all such files in a folder, in order
    of name.

    ``split`` is the pattern that cut the pre-tokens; a file does not say. Files are read part by part: only
    the distinct pre-tokens, and a group of rows of a Parquet file, are in memory. Raises CorpusError for
    a file or a count that is wrong, and SplitPatternError.
    """
    pattern = get_split_pattern(split)
    counts: Counts = {}
    if not isinstance(path, str | os.PathLike):
        raise CorpusError(f"read_counts takes a path, not {type(path).__name__}.")
    try:
        for file in _files(as_path(path)):
            _add_rows(counts, file)
    except OSError as error:
        raise _fault(path, f"{error.strerror or error}. Check the path and its permissions.") from None
    try:
        return Corpus(MappingProxyType(counts), pattern)
    except CorpusError as error:
        raise _fault(path, str(error)) from None


def write_counts(corpus: Corpus, path: str | os.PathLike[str]) -> None:
    """Write the counts of a corpus to a file that ends in .csv or .parquet, atomically.

    CSV holds the values unchanged, even if a spreadsheet would take them for formulas. Raises
    CorpusError.
    """
    if not isinstance(corpus, Corpus):
        raise CorpusError(f"write_counts takes a Corpus and a path, not {type(corpus).__name__} first.")
    name = check_counts_name(path)
    try:
        place = as_path(path).resolve()  # so that a symbolic link stays one
        if place.exists() and not place.is_file():
            raise _fault(
                path,
                "it is a folder, a device or a pipe, and would be replaced. Give the name of a file.",
            )
        with replacing(place) as file:
            _FORMATS[name][1](corpus, file)
    except OSError as error:
        raise _fault(
            path, f"it cannot be written ({error.strerror}). Choose a place that can be written to."
        ) from None


def check_counts_name(path: str | os.PathLike[str]) -> str:
    """Return the kind of file that a name stands for, one of COUNT_FILES. Raises CorpusError for any
    other."""
    if not isinstance(path, str | os.PathLike):
        raise CorpusError(f"A file of counts is given by its path, not by {type(path).__name__}.")
    suffix = Path(path).suffix.lower()
    if suffix not in _FORMATS:
        raise _fault(
            path, f"its name does not say what it is. Files of counts end in {' or '.join(_FORMATS)}."
        )
    return suffix


def _files(path: Path) -> list[Path]:
    """Return the file itself, or the parts that an engine wrote into a folder."""
    if not path.is_dir():
        return [path]
    files = sorted(p for p in path.iterdir() if p.suffix.lower() in _FORMATS and p.name[0] not in "._")
    if not files:
        raise _fault(path, f"this folder holds no file that ends in {' or '.join(_FORMATS)}.")
    return files


def _add_rows(counts: Counts, file: Path) -> None:
    read, _ = _FORMATS[check_counts_name(file)]
    for row, (pre_token, count) in enumerate(read(file), 1):
        if not pre_token:
            raise _row_fault(file, row, "has no pre-token", "Leave such rows out")
        if count is None or not 0 < count <= MOST_BYTES:
            what = "has no count" if count is None else f"has the count {count:,}"
            raise _row_fault(file, row, what, f"Counts are whole numbers from 1 to {MOST_BYTES:,}")
        counts[pre_token] = counts.get(pre_token, 0) + count


def _fault(file: str | os.PathLike[str], why: str) -> CorpusError:
    return CorpusError(f"{os.fspath(file)}: {why}")


def _row_fault(file: Path, row: int, what: str, remedy: str) -> CorpusError:
    return _fault(file, f"row {row:,} (header not counted) {what}. {remedy}.")


def _check_columns(file: Path, names: list[str]) -> None:
    for column in _COLUMNS:
        if names.count(column) != 1:
            found = shorten(", ".join(map(repr, names)), 100) or "none"
            raise _fault(
                file, f"it must have one column named {column}, and has {found}. Rename its columns."
            )


# CSV, without the csv module. That one limits the length of values for the whole process. It also reads a
# carriage return without quotation marks as a line end, though it writes one itself if lines end in \n.
# pyarrow's reader does too; it also accepts misplaced quotation marks and refuses values longer than a block.

_FIELD = re.compile(r'(?:"([^"]*(?:""[^"]*)*)"|([^",]*))(,|\Z)')


def _read_csv(path: Path) -> Iterator[_Row]:
    with path.open("rb") as file:
        records = _records(path, _lines(decode_parts(file, str(path), quiet=True)))
        header = next(records)
        end = "\r" if header.endswith("\r") else ""
        names = _fields(header.removesuffix(end)) or []
        _check_columns(path, names)
        pre_token, count = map(names.index, _COLUMNS)
        for row, record in enumerate((r for r in records if r not in ("", end)), 1):
            fields = _fields(record.removesuffix(end))
            if fields is None or len(fields) != len(names):
                what = f"doesn't have the header's {counted(len(names), 'value')}"
                remedy = "Put values with commas, quotation marks or line ends in quotation marks"
                raise _row_fault(path, row, what, f"{remedy}, and double those inside")
            yield fields[pre_token], _whole_number(path, row, fields[count])


def _lines(parts: Iterable[str]) -> Iterator[str]:
    """Yield the lines of a text that comes in parts, cut at line feeds."""
    waiting: list[str] = []
    for part in parts:
        first, *others = part.split("\n")
        waiting.append(first)
        if others:
            yield "".join(waiting)
            yield from others[:-1]
            waiting = [others[-1]]
    yield "".join(waiting)


def _records(path: Path, lines: Iterable[str]) -> Iterator[str]:
    """Yield the rows, header first: lines, joined again if quotation marks are open."""
    waiting: list[str] = []
    for line in lines:
        is_open = line.count('"') % 2 == (0 if waiting else 1)
        if waiting or is_open:
            waiting.append(line)
        if not is_open:
            yield "\n".join(waiting) if waiting else line
            waiting = []
    if waiting:
        start = shorten(repr(waiting[0]), 40)
        raise _fault(
            path,
            f"the quotation marks of the row {start} are never closed. Double those inside a value.",
        )


def _fields(record: str) -> list[str] | None:
    """Return the values of a row; None if quotation marks are in wrong places."""
    if '"' not in record:
        return record.split(",")
    fields: list[str] = []
    at = 0
    while found := _FIELD.match(record, at):
        quoted, plain, comma = found.groups()
        fields.append(plain if quoted is None else quoted.replace('""', '"'))
        if not comma:
            return fields
        at = found.end()
    return None


def _whole_number(path: Path, row: int, written: str) -> int:
    if re.fullmatch(r"-?[0-9]{1,30}", written):
        return int(written)
    what = f"has the count {shorten(repr(written), 40)}"
    raise _row_fault(
        path, row, what, f"Counts are whole numbers from 1 to {MOST_BYTES:,}, written in digits only"
    )


def _write_csv(corpus: Corpus, file: BinaryIO) -> None:
    file.write(f"{','.join(_COLUMNS)}\r\n".encode())
    for pre_token, count in corpus.counts.items():
        doubled = pre_token.replace('"', '""')
        file.write(f'"{doubled}",{count}\r\n'.encode())


# Parquet


def _read_parquet(path: Path) -> Iterator[_Row]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with path.open("rb") as source, pq.ParquetFile(source, pre_buffer=False) as file:
            _check_types(path, file.schema_arrow)
            for batch in file.iter_batches(_ROWS, columns=list(_COLUMNS)):
                columns = [batch.column(name).to_pylist() for name in _COLUMNS]
                yield from zip(*columns, strict=True)
    except UnicodeDecodeError:
        raise _fault(path, "a pre-token is not UTF-8. Write the counts again as text.") from None
    except (pa.ArrowException, OSError) as error:
        if isinstance(error, OSError) and error.strerror:
            raise
        why = shorten(str(error).splitlines()[0], 100).rstrip(".") if str(error) else type(error).__name__
        raise _fault(path, f"it can't be read as a Parquet file ({why}). Write it again.") from None


def _check_types(path: Path, schema: "pa.Schema") -> None:
    import pyarrow.types as kinds

    _check_columns(path, schema.names)
    pre_token, count = (schema.field(name).type for name in _COLUMNS)
    if kinds.is_dictionary(pre_token):
        pre_token = pre_token.value_type
    if not (
        kinds.is_string(pre_token) or kinds.is_large_string(pre_token) or kinds.is_string_view(pre_token)
    ):
        raise _fault(path, f"its column pre_token is of {pre_token}. Write it as strings.")
    if not kinds.is_integer(count):
        raise _fault(path, f"its column count is of {count}. Write it as whole numbers of 64 bits.")


def _write_parquet(corpus: Corpus, file: BinaryIO) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = pa.schema(zip(_COLUMNS, (pa.large_string(), pa.int64()), strict=True))
    with pq.ParquetWriter(file, schema) as writer:
        items = iter(corpus.counts.items())
        while rows := list(islice(items, _ROWS)):
            writer.write_batch(pa.record_batch(list(zip(*rows, strict=True)), schema=schema))


_FORMATS: dict[str, tuple[Callable[[Path], Iterator[_Row]], Callable[[Corpus, BinaryIO], None]]] = {
    ".csv": (_read_csv, _write_csv),
    ".parquet": (_read_parquet, _write_parquet),
}
#: How the names of files of counts end.
COUNT_FILES = tuple(_FORMATS)
