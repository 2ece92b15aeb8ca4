"""What a file is that is no text, by its first bytes: its kind, and how to get the text or the file meant.

%PDF-1.7 …                                   a PDF document
version https://git-lfs.github.com/spec/v1   a pointer of Git LFS, in place of the file
"""

import re
from dataclasses import asdict, dataclass

__all__ = [
    "BEGINNING",
    "LONGEST_MARK",
    "FileKind",
    "encoding_of",
    "kind_of_file",
    "kind_of_pickle",
    "kinds_for_javascript",
]

#: How many bytes of a file show its kind.
BEGINNING = 4096


@dataclass(frozen=True)
class FileKind:
    """The kind of a file: ``what`` it is, to follow "it is", and sentences with the way out."""

    what: str
    remedy: str


_UNPACK = "Unpack it, and give the file in it."
_SAVE_TEXT = "Save its text as a plain text file (.txt) in UTF-8."
_TOKENIZER = "It holds numbers, no text: give the tokenizer file beside it, such as tokenizer.json."
_NEVER_RUN = (
    "Opening one can run any program in it, so bpeviz never does. Export what it holds as text or JSON."
)

_GZIP = FileKind("compressed by gzip", "Unpack it with gunzip, and give the file that comes out.")
_PICKLE = FileKind("a pickle of Python", _NEVER_RUN)
_TORCH = FileKind("a checkpoint of PyTorch", f"{_TOKENIZER} {_NEVER_RUN}")

#: Each kind by a pattern of its first bytes. Those that begin with letters have more than these: a text may
#: too.
_KINDS = (
    (rb"\x1f\x8b", _GZIP),
    (rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)", FileKind("compressed by bzip2", "Unpack it with bunzip2.")),
    (rb"\xfd7zXZ\0", FileKind("compressed by xz", "Unpack it with unxz.")),
    (rb"[\x22-\x28]\xb5\x2f\xfd", FileKind("compressed by zstd", "Unpack it with unzstd.")),
    (rb"7z\xbc\xaf\x27\x1c", FileKind("a 7z archive", _UNPACK)),
    (rb"Rar!\x1a\x07", FileKind("a RAR archive", _UNPACK)),
    (rb".{257}ustar[\0 ]", FileKind("a tar archive", _UNPACK)),
    (rb"PK\x03\x04.{22,300}?(?:/data\.pkl|/\.format_version|/byteorder)", _TORCH),
    (rb"PK\x03\x04.*?word/", FileKind("a document of Word (docx)", _SAVE_TEXT)),
    (rb"PK\x03\x04.*?ppt/", FileKind("a presentation (pptx)", _SAVE_TEXT)),
    (
        rb"PK\x03\x04.*?xl/",
        FileKind("a sheet of Excel (xlsx)", "Save its text as CSV or plain text in UTF-8."),
    ),
    (
        rb"PK\x03\x04.*?mimetypeapplication/(?:epub|vnd\.oasis)",
        FileKind("an e-book or a document", _SAVE_TEXT),
    ),
    (rb"PK\x03\x04|PK\x05\x06", FileKind("a zip archive", _UNPACK)),
    (rb"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", FileKind("a document of Microsoft Office", _SAVE_TEXT)),
    (rb"%PDF-\d\.\d", FileKind("a PDF document", f"{_SAVE_TEXT} The program pdftotext does it.")),
    (rb"\x89PNG\r\n\x1a\n", FileKind("a picture (PNG)", "Give a file of text.")),
    (rb"\xff\xd8\xff", FileKind("a picture (JPEG)", "Give a file of text.")),
    (rb"GIF8[79]a.{1,4}\0", FileKind("a picture (GIF)", "Give a file of text.")),
    (rb"RIFF.{4}(?:WEBP|WAVE|AVI )", FileKind("a picture, sound or film (RIFF)", "Give a file of text.")),
    (
        rb"PAR1[\0-\x08\x0e-\x1f]",
        FileKind(
            "a Parquet file",
            "Write its column of text into a text file. If it has the columns pre_token and count, it can "
            "be read as counts: bpeviz train --counts.",
        ),
    ),
    (
        rb"ARROW1\0\0|\xff\xff\xff\xff.{2}\0\0",
        FileKind("an Arrow file", "Write its column of text into a text file."),
    ),
    (rb"\x89HDF\r\n\x1a\n", FileKind("an HDF5 file", _TOKENIZER)),
    (rb"\x93NUMPY", FileKind("an array of NumPy", _TOKENIZER)),
    (rb"SQLite format 3\0", FileKind("an SQLite database", "Write its texts into a text file.")),
    (
        rb"GGUF(?:[\x01-\x0f]\0\0\0|\0\0\0[\x01-\x0f])",
        FileKind("a GGUF file, which holds a model", "Tokenizers can be read from it, but no text."),
    ),
    (rb"(?=.{8}\{\s*[\"}]).{2,5}\0{3}", FileKind("a file of weights (safetensors)", _TOKENIZER)),
    (rb"\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19\.", _TORCH),
    (rb"\x80[\x02-\x05][\x00-\xff]", _PICKLE),
    (rb"\x7fELF|MZ.{56,62}\0\0", FileKind("a program", "Give a file of text.")),
    (
        rb"version https://git-lfs\.github\.com/spec/v1\r?\n(?:.*\n)*oid sha256:",
        FileKind(
            "a pointer of Git LFS, in place of the file itself",
            "Get the file: run git lfs pull in the repository, or download it from the repository's page.",
        ),
    ),
    (
        rb"/annex/objects/|(?:\.\./)*\.git/annex/objects/",
        FileKind("a pointer of git-annex, in place of the file itself", "Get the file: run git annex get."),
    ),
)
_UNMARKED = FileKind(
    "UTF-16 without the mark that says so: every second byte is 0",
    "Convert it to UTF-8, such as with iconv -f UTF-16LE -t UTF-8.",
)
_COMPILED = [(re.compile(pattern, re.DOTALL), kind) for pattern, kind in _KINDS]
#: The marks at the start of a text that name its encoding; the longer first, because one begins with another.
_MARKS = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\0\0", "utf-32"),
    (b"\0\0\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
#: The instructions that a pickle in the oldest format begins with.
_OLD_PICKLES = (b"(", b"c", b"]", b"}")
LONGEST_MARK = b"\0\0\xfe\xff"
#: The fewest bytes that show UTF-16 without a mark.
_FEWEST = 8


def kind_of_file(beginning: bytes) -> FileKind | None:
    """Return the kind of a file that is no text, by its first BEGINNING bytes; None if it may be a text."""
    found = next((kind for pattern, kind in _COMPILED if pattern.match(beginning)), None)
    if found is None and _is_unmarked(beginning):
        return _UNMARKED
    return found


def kinds_for_javascript() -> dict[str, object]:
    """Return the kinds as values of JSON: each pattern matches at the start, with a character for each byte
    and “.” for all of them. ``FileKinds`` in playground/text_files.js is what arrives."""
    kinds = [{"pattern": pattern.decode("ascii"), **asdict(kind)} for pattern, kind in _KINDS]
    return {"beginning": BEGINNING, "kinds": kinds, "unmarked": asdict(_UNMARKED)}


def encoding_of(beginning: bytes) -> tuple[str, bytes]:
    """Return the name of the encoding that a mark at the start of a text says, and the mark; UTF-8 without
    one."""
    return next(((name, mark) for mark, name in _MARKS if beginning.startswith(mark)), ("utf-8", b""))


def kind_of_pickle(data: bytes) -> FileKind | None:
    """Return the kind of a pickle in the oldest format, which is ASCII; None if bytes are none. It runs
    nothing."""
    import pickletools

    if data[:1] not in _OLD_PICKLES or not data.rstrip().endswith(b"."):
        return None
    try:
        for _ in pickletools.genops(data):
            pass
    except Exception:  # what is no pickle raises errors of many classes
        return None
    return _PICKLE


def _is_unmarked(beginning: bytes) -> bool:
    """Return whether bytes look like letters in UTF-16 or UTF-32 without a mark: at every second place a
    small number, for some of them 0, and letters between; or three of four bytes are 0."""
    if len(beginning) < _FEWEST or encoding_of(beginning)[1]:
        return False
    low, high = beginning[::2], beginning[1::2]
    zeros = sorted(beginning[place::4].count(0) / len(beginning[place::4]) for place in range(4))
    return _are_halves(low, high) or _are_halves(high, low) or (zeros[0] < 0.1 and zeros[1] > 0.9)


def _are_halves(low: bytes, high: bytes) -> bool:
    small = sum(value < ord(" ") for value in high) / len(high)
    letters = sum(value >= ord(" ") or value in b"\t\r\n" for value in low) / len(low)
    return high.count(0) > 1 and small > 0.8 and letters > 0.8
