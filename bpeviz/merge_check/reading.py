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
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from bpeviz.core.base_vocabulary import GPT2_BYTE_CHARACTERS
from bpeviz.errors import TokenizerFileError
from bpeviz.formats.bounds import MAX_TOKEN_BYTES
from bpeviz.formats.reading import read_tokenizer
from bpeviz.formats.source import FaultError, check_size, decode, in_file, parse_json, unpacked
from bpeviz.merge_check.reference import Halves
from bpeviz.merge_check.written_pairs import (
    CLASSES,
    LITERALS,
    WHAT,
    Half,
    Pairs,
    has_heading,
    lines_of,
    of_csv,
    of_growing,
    of_keys,
    of_lines,
    of_list,
    of_literals,
    of_log,
    of_python,
    refuse_yaml,
)
from bpeviz.text.file_kinds import BEGINNING, encoding_of, kind_of_file, kind_of_pickle
from bpeviz.text.utf8 import text_of
from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = ["PICKLE_LINES", "Merges", "read_merges", "refuse_pickle"]

#: What turns a pickle into a text that can be read.
PICKLE_LINES = (
    "import pathlib, pickle\n"
    'merges = pickle.loads(pathlib.Path("merges.pkl").read_bytes())\n'
    'pathlib.Path("merges.txt").write_text(ascii(list(merges)))'
)


#: Lists and dictionaries, and those of Python that JSON doesn't know: with bytes, tuples or single quotes.
_STRUCTURED = re.compile(r"\s*(?:[\[{(]\s*[\[{(\"'b\]}0-9]|{CLASSES}\()".replace("{CLASSES}", CLASSES))
_PYTHON = re.compile(r"\s*(?:[\[{(][\[{(\s]*(?:b['\"]|'|(?<=\())|{CLASSES}\()".replace("{CLASSES}", CLASSES))
_RANK = re.compile(r"[A-Za-z0-9+/]+=* \d{1,9}")
_BYTE_OF = {character: value for value, character in enumerate(GPT2_BYTE_CHARACTERS)}
_SUBSTITUTES = {character for character in GPT2_BYTE_CHARACTERS if character > "\xff"}


@dataclass(frozen=True)
class Merges:
    """Merges that were read: pairs of bytes, an id as its digits; and the ``format`` in words."""

    halves: tuple[Halves, ...]
    format: str


def read_merges(files: Mapping[str, bytes]) -> Merges:
    """Return the merges in a file, or in the one of several that holds them; the others, such as vocab.json
    beside merges.txt, are not used. Raises TokenizerFileError."""
    faults: list[TokenizerFileError] = []
    for name, data in files.items():
        try:
            with in_file(name):
                if len(files) == 1 or not _is_vocabulary(data):
                    return _read(name, *unpacked(name, data))
        except TokenizerFileError as error:
            faults.append(error)
    raise next(iter(faults), TokenizerFileError(" and ".join(files) or "no file", f"no merges. {WHAT}"))


def _is_vocabulary(data: bytes) -> bool:
    """Return whether a file is GPT-2's vocab.json, or another object without merges."""
    return data.lstrip()[:1] == b"{" and b'"merges"' not in data


def _read(given: str, name: str, data: bytes) -> Merges:
    refuse_pickle(data)
    check_size(data)
    kind = kind_of_file(data[:BEGINNING])
    if kind is not None and not data.startswith(b"GGUF"):
        raise FaultError(f"it is {kind.what}. {kind.remedy}")
    text = decode(data) if encoding_of(data)[1] else text_of(data)
    lines = [] if text is None else lines_of(text)
    if text is None or text.startswith("minbpe v") or _is_ranks(lines):
        return _of_tokenizer(given, data)
    if not lines:
        raise FaultError(f"it is empty. {WHAT}")
    refuse_yaml(lines)
    if pairs := of_log(lines):
        return _made(pairs, "a log")
    if all(LITERALS.fullmatch(line.strip()) for line in lines):
        return _made(of_literals(lines), "Python's own text")
    if _STRUCTURED.match(text):
        try:
            return _of_structure(given, text)
        except FaultError:
            if not (pairs := of_growing(lines)):
                raise
            return _made(pairs, "text")  # it only begins so: a merge may be of two brackets
    return _of_text(name, text, lines)


def _of_structure(given: str, text: str) -> Merges:
    if _PYTHON.match(text):
        return _made(of_python(text), "Python's own text")
    return _of_json(given, text.encode(), parse_json(text))


def _of_text(name: str, text: str, lines: Sequence[str]) -> Merges:
    if name.endswith((".csv", ".tsv")) or has_heading(lines):
        return _made(of_csv(text), "CSV")
    return _made(of_lines(lines), "text")


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


def _of_tokenizer(name: str, data: bytes) -> Merges:
    tokenizer = read_tokenizer({name: data}, split="gpt2")
    return Merges(tuple(_halves_of(tokenizer)), "tokenizer")


def _halves_of(tokenizer: Tokenizer) -> Iterable[Halves]:
    for pair in tokenizer.merges:
        if pair is not None:
            yield tokenizer.token_bytes(pair[0]), tokenizer.token_bytes(pair[1])


# --- JSON and Python ---------------------------------------------------------------------------------------


def _of_json(name: str, data: bytes, value: object) -> Merges:
    if pairs := of_keys(value):
        return _made(pairs, "JSON")
    if isinstance(value, dict):
        model = value.get("model")
        listed = model.get("merges") if isinstance(model, dict) else value.get("merges")
        if not isinstance(listed, list):
            return _of_tokenizer(name, data)
        written = data.decode("utf-8", "replace")
        if '"Metaspace"' in written:
            return _made(of_list(listed), "tokenizer.json", lambda half: half.replace("▁", " ").encode())
        return _made(of_list(listed), "tokenizer.json" if isinstance(model, dict) else "JSON")
    if isinstance(value, list):
        return _made(of_list(value), "JSON")
    raise FaultError(f"its JSON is no list of merges. {WHAT}")


# --- to bytes ----------------------------------------------------------------------------------------------


def _made(pairs: Pairs, format: str, encode: Callable[[str], bytes] | None = None) -> Merges:
    """Return merges as bytes. ``encode`` turns texts into bytes; by default GPT-2's characters are turned
    back if the texts use them."""
    if not pairs:
        raise FaultError(f"it has no merges. {WHAT}")
    texts = [pair for pair in pairs if isinstance(pair[0], str) and isinstance(pair[1], str)]
    if encode is None:
        encode = _from_gpt2 if _uses_gpt2_characters(texts) else _in_utf8  # type: ignore[arg-type]
    halves = tuple((_bytes(left, encode), _bytes(right, encode)) for left, right in pairs)
    longest = max(len(half) for pair in halves for half in pair)
    if longest > MAX_TOKEN_BYTES:
        raise FaultError(f"a token has {longest:,} bytes; at most {MAX_TOKEN_BYTES:,} are read.")
    return Merges(halves, format)


def _bytes(half: Half, encode: Callable[[str], bytes]) -> bytes:
    if isinstance(half, bytes):
        return half
    return str(half).encode() if isinstance(half, int) else encode(half)


def _in_utf8(half: str) -> bytes:
    return half.encode("utf-8", "surrogatepass")


def _from_gpt2(half: str) -> bytes:
    return bytes(map(_BYTE_OF.__getitem__, half))


def _uses_gpt2_characters(pairs: Sequence[tuple[str, str]]) -> bool:
    """Return whether texts are in GPT-2's characters: all are, and some has one that no other text has, or
    some merge, such as Ã + ©, makes whole characters out of bytes."""
    used = set().union(*(set(half) for pair in pairs for half in pair))
    if not used or not used <= _BYTE_OF.keys():
        return False
    if used & _SUBSTITUTES:
        return True
    made = [_from_gpt2(left + right) for left, right in pairs if not (left + right).isascii()]
    return any(text_of(token) is not None for token in made)
