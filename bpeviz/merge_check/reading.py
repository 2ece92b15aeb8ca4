r"""Merges in a file or a pasted text, as pairs of bytes in the order of the file.

    Ġ t                       a text: two tokens a line, a space or a tab between them
    left,right                CSV
    [["Ġ", "t"], …]           JSON: pairs of texts, of lists of bytes, or of ids
    {"(116, 104)": 256, …}    JSON with pairs as keys
    [(b' ', b't'), …]         what Python prints, in a dictionary too
    merge 1/9: (116, 104) -> 256 (b'th') had 6 occurrences    what minbpe prints
    {"model": {"merges": …}}  tokenizer.json

GPT-2's characters, such as Ġ, are turned back into bytes where a file uses them. A minbpe model, a .tiktoken
file and the others are read as tokenizers. A pickle is never opened.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bpeviz.core.base_vocabulary import GPT2_BYTE_CHARACTERS
from bpeviz.errors import TokenizerFileError
from bpeviz.formats.bounds import MAX_TOKEN_BYTES
from bpeviz.formats.byte_level import bytes_of_characters
from bpeviz.formats.reading import read_tokenizer
from bpeviz.formats.source import FaultError, check_size, decode, in_file, unpacked
from bpeviz.merge_check.reference import Halves
from bpeviz.merge_check.written_pairs import WHAT, Half, Pairs, lines_of, written_pairs
from bpeviz.text.file_kinds import BEGINNING, encoding_of, kind_of_file, kind_of_pickle
from bpeviz.text.utf8 import text_of

__all__ = ["PICKLE_LINES", "Merges", "read_merges", "refuse_pickle"]

#: What turns a pickle into a text that can be read.
PICKLE_LINES = (
    "import pathlib, pickle\n"
    'merges = pickle.loads(pathlib.Path("merges.pkl").read_bytes())\n'
    'pathlib.Path("merges.txt").write_text(ascii(list(merges)))'
)

_RANK = re.compile(r"[A-Za-z0-9+/]+=* \d{1,9}")
_SUBSTITUTES = {character for character in GPT2_BYTE_CHARACTERS if character > "\xff"}


@dataclass(frozen=True)
class Merges:
    """Merges that were read: pairs of bytes, an id as its digits."""

    halves: tuple[Halves, ...]


def read_merges(files: Mapping[str, bytes]) -> Merges:
    r"""Return the merges in a file, or in the one of several that holds them; the others, such as vocab.json
    beside merges.txt, are not used. Raises TokenizerFileError.

        read_merges({"merges.txt": b"t h\nth e\n"}).halves  ->  ((b"t", b"h"), (b"th", b"e"))
    """
    faults: list[TokenizerFileError] = []
    for name, data in files.items():
        try:
            with in_file(name):
                if len(files) == 1 or not _is_vocabulary(data):
                    return Merges(tuple(_read(name, *unpacked(name, data))))
        except TokenizerFileError as error:
            faults.append(error)
    raise next(iter(faults), TokenizerFileError(" and ".join(files) or "no file", f"no merges. {WHAT}"))


def _is_vocabulary(data: bytes) -> bool:
    """Return whether a file is GPT-2's vocab.json, or another object without merges."""
    return data.lstrip()[:1] == b"{" and b'"merges"' not in data


def _read(given: str, name: str, data: bytes) -> Iterable[Halves]:
    refuse_pickle(data)
    check_size(data)
    kind = kind_of_file(data[:BEGINNING])
    if kind is not None and not data.startswith(b"GGUF"):
        raise FaultError(f"it is {kind.what}. {kind.remedy}")
    text = decode(data) if encoding_of(data)[1] else text_of(data)
    if text is None:
        return _of_tokenizer(given, data)
    lines = lines_of(text)
    if text.startswith("minbpe v") or _is_ranks(lines):
        return _of_tokenizer(given, data)
    if not lines:
        raise FaultError(f"it is empty. {WHAT}")
    pairs = written_pairs(name, text, lines)
    if pairs is None:
        return _of_tokenizer(given, text.encode())
    if not pairs:
        raise FaultError(f"it has no merges. {WHAT}")
    return _in_bytes(pairs, metaspace=text.lstrip().startswith("{") and '"Metaspace"' in text)


def refuse_pickle(data: bytes) -> None:
    """Raise FaultError for a pickle; it is not opened."""
    kind = kind_of_file(data[:BEGINNING])
    pickled = kind is not None and kind.what in ("a pickle of Python", "a checkpoint of PyTorch")
    if pickled or kind_of_pickle(data):
        raise FaultError(
            "it is a pickle of Python. Opening one can run any program in it, so bpeviz never does. These "
            f"three lines turn your own into a text:\n{PICKLE_LINES}"
        )


def _is_ranks(lines: Sequence[str]) -> bool:
    """Return whether lines are a .tiktoken file: tokens in base64 with ranks that count up."""
    if not all(map(_RANK.fullmatch, lines[:300])):
        return False
    ranks = [line.rpartition(" ")[2] for line in lines[:300]]
    return len(ranks) > 1 and all(int(rank) == place for place, rank in enumerate(ranks, int(ranks[0])))


def _of_tokenizer(name: str, data: bytes) -> Iterable[Halves]:
    tokenizer = read_tokenizer({name: data}, split="gpt2")
    for pair in tokenizer.merges:
        if pair is not None:
            yield tokenizer.token_bytes(pair[0]), tokenizer.token_bytes(pair[1])


# --- to bytes ----------------------------------------------------------------------------------------------


def _in_bytes(pairs: Pairs, *, metaspace: bool) -> Iterable[Halves]:
    """Yield merges as bytes. GPT-2's characters are turned back if the texts use them, and ▁ in a tokenizer
    with a Metaspace. Raises FaultError for a token that is too long."""
    texts = [pair for pair in pairs if isinstance(pair[0], str) and isinstance(pair[1], str)]
    gpt2 = not metaspace and _uses_gpt2_characters(texts)  # type: ignore[arg-type]

    def in_bytes(half: Half) -> bytes:
        if isinstance(half, str):
            if gpt2:
                return bytes_of_characters(half)
            half = half.replace("▁", " ") if metaspace else half
            return half.encode("utf-8", "surrogatepass")
        return half if isinstance(half, bytes) else str(half).encode()

    for left, right in pairs:
        halves = in_bytes(left), in_bytes(right)
        if (longest := max(map(len, halves))) > MAX_TOKEN_BYTES:
            raise FaultError(f"a token has {longest:,} bytes; at most {MAX_TOKEN_BYTES:,} are read.")
        yield halves


def _uses_gpt2_characters(pairs: Sequence[tuple[str, str]]) -> bool:
    """Return whether texts are in GPT-2's characters: all are, and some has one that no other text has, or
    some merge, such as Ã + ©, makes whole characters out of bytes."""
    used = set().union(*(set(half) for pair in pairs for half in pair))
    if not used or not used <= set(GPT2_BYTE_CHARACTERS):
        return False
    if used & _SUBSTITUTES:
        return True
    made = [bytes_of_characters(left + right) for left, right in pairs if not (left + right).isascii()]
    return any(text_of(token) is not None for token in made)
