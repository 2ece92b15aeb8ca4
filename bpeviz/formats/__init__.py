"""Tokenizer files: read what other libraries wrote, and write what they read.

    tokenizer.json                      Hugging Face                                 huggingface.py
    vocab.json + merges.txt             GPT-2's pair, also encoder.json + vocab.bpe  gpt2.py
    cl100k_base.tiktoken                tiktoken's ranks                             tiktoken.py
    tekken.json                         Mistral's ranks with a split pattern         tekken.py
    tokenizer.model                     SentencePiece                                sentencepiece.py
    tokenizer.model                     minbpe                                       minbpe.py
    codes.bpe                           subword-nmt's codes                          subword_nmt.py
    vocab.json + bpe_merges.txt         the pair of "LLMs from scratch"              llms_from_scratch.py

sentencepiece_model.py writes SentencePiece's files, and metaspace.py a tokenizer.json of characters.

A file may come from anywhere: no code in it is run, its size is limited, and anything wrong with it raises a
TokenizerFileError before there is a tokenizer. A file is read only if the tokenizer gives the same ids as the
library that the file comes from. Only the encoding is
read, not the special tokens that a library puts around a text, truncation or padding.

A file is written only if the library that reads it gives the same ids as the tokenizer; what a format cannot
hold is refused with the reason (writing.py). storage.py handles folders and files on a disk.
"""

from collections.abc import Mapping
from dataclasses import replace

from bpeviz.formats.detect import READABLE, Found, begins_with_a_rank, detect
from bpeviz.formats.errors import TokenizerFileError, TokenizerFileWarning
from bpeviz.formats.gpt2 import read_gpt2_pair
from bpeviz.formats.huggingface import read_huggingface
from bpeviz.formats.llms_from_scratch import NOTEBOOK_PATTERNS, read_llms_from_scratch
from bpeviz.formats.minbpe import read_minbpe
from bpeviz.formats.sentencepiece import read_sentencepiece
from bpeviz.formats.source import MAX_FILE_BYTES, FaultError, in_file
from bpeviz.formats.subword_nmt import may_be_codes, read_subword_nmt
from bpeviz.formats.tekken import read_tekken
from bpeviz.formats.tiktoken import read_tiktoken, split_of_name
from bpeviz.formats.writing import FILE_FORMATS, FileFormat, caution, refusal, write_tokenizer
from bpeviz.text.split_patterns import CUSTOM, DEFAULT_TIMEOUT_SECONDS, SplitPattern, get_split_pattern
from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = [
    "FILE_FORMATS",
    "MAX_FILE_BYTES",
    "NOTEBOOK_PATTERNS",
    "FileFormat",
    "TokenizerFileWarning",
    "caution",
    "read_tokenizer",
    "refusal",
    "says_no_split",
    "write_tokenizer",
]

_LONE_HALF = {
    "vocabulary": "this is the vocabulary of GPT-2's pair of files. Give merges.txt (or vocab.bpe) with it.",
    "merges": "these are the merges of GPT-2's pair of files. Give vocab.json (or encoder.json) with them.",
    "tokens by id": "this is the vocabulary of a pair of “LLMs from scratch”. Give bpe_merges.txt with it.",
    "pairs": "these are the merges of a pair of “LLMs from scratch”. Give vocab.json with them.",
}


def read_tokenizer(
    files: Mapping[str, bytes],
    *,
    split: str | SplitPattern | None = None,
    split_timeout: float = DEFAULT_TIMEOUT_SECONDS,
) -> Tokenizer:
    """The tokenizer in ``files``, names to contents: one file, or the two of a pair.

    The content says which format a file has. ``split`` is the split pattern, or its name, for files that hold
    none. Without it, GPT-2's pair gets ``gpt2``; a .tiktoken file the pattern that its name says, or an error
    if it says none (see formats.tiktoken); the pair of "LLMs from scratch" ``words`` or ``lines``, as its
    merges show (see formats.llms_from_scratch). The other formats hold a pattern, and ``split`` is not
    used. Special tokens have the ids of the file; as everywhere, encoding takes them for
    plain text unless ``allowed_special`` names them. ``split_timeout`` is how many seconds a pattern in the
    files may take on a text.

    Raises TokenizerFileError for a file that is damaged, too large, of another format or of a tokenizer that
    bpeviz cannot reproduce; SplitPatternError for an unknown ``split`` or a regular expression that does
    not compile.
    """
    asked = _asked(split)
    tokenizer = _read(files, asked)
    if tokenizer.split.name == CUSTOM and asked is None:
        tokenizer.split = replace(tokenizer.split, timeout_seconds=split_timeout)
    return tokenizer


def _asked(split: str | SplitPattern | None) -> SplitPattern | None:
    if split is None or isinstance(split, SplitPattern):
        return split
    return NOTEBOOK_PATTERNS.get(split) or get_split_pattern(split)


def says_no_split(name: str, beginning: bytes) -> bool:
    """Whether a file holds ranks and its name says no split pattern, so that somebody must choose one.

    The ``beginning`` of the file is enough.
    """
    return split_of_name(name) is None and begins_with_a_rank(beginning)


def _read(files: Mapping[str, bytes], pattern: SplitPattern | None) -> Tokenizer:
    if not 1 <= len(files) <= 2:
        raise TokenizerFileError(f"{len(files):,} files", f"give one file, or the two of a pair. {READABLE}")
    found: dict[str, Found] = {}
    for name, data in files.items():
        with in_file(name):
            file = detect(name, data)
            found[file.format] = file
            if len(files) == 1:
                return _read_one(file, pattern)
    match sorted(found):
        case ["pairs", "tokens by id"]:
            return read_llms_from_scratch(found["tokens by id"], found["pairs"], pattern)
        case ["merges", "vocabulary"]:
            return read_gpt2_pair(found["vocabulary"], found["merges"], pattern)
    together = " and ".join(files)
    wholes = [
        f.name
        for f in found.values()
        if f.format in ("huggingface", "tiktoken", "minbpe", "tekken", "sentencepiece")
    ]
    remedy = f"{wholes[0]} is a whole tokenizer: give it alone." if wholes else READABLE
    raise TokenizerFileError(together, f"these two are not a pair. {remedy}")


#: The reader of each format of which one file is a whole tokenizer.
_READERS = {
    "huggingface": read_huggingface,
    "minbpe": read_minbpe,
    "tekken": read_tekken,
    "sentencepiece": read_sentencepiece,
    "codes": read_subword_nmt,
}


def _read_one(file: Found, pattern: SplitPattern | None) -> Tokenizer:
    if file.format == "tiktoken":
        return read_tiktoken(file, pattern)
    if file.format == "merges" and may_be_codes(file.text):
        return read_subword_nmt(file)
    if file.format not in _READERS:
        raise FaultError(_LONE_HALF[file.format])
    return _READERS[file.format](file)
