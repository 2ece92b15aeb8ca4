"""Read a tokenizer from files: the content says which format they have."""

import gc
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace

from bpeviz.errors import TokenizerFileError, warn
from bpeviz.formats.beside_a_model import SOURCE, TARGET, read_model_with_others
from bpeviz.formats.detect import Found, begins_with_a_rank, detect
from bpeviz.formats.gguf import gguf_says_no_split, read_gguf
from bpeviz.formats.huggingface import read_huggingface
from bpeviz.formats.llms_from_scratch import (
    NOTEBOOK_PATTERNS,
    notebook_says_no_split,
    read_llms_from_scratch,
)
from bpeviz.formats.minbpe import read_minbpe
from bpeviz.formats.model_folder import BESIDE_A_PAIR
from bpeviz.formats.other_files import READABLE
from bpeviz.formats.sentencepiece import read_sentencepiece
from bpeviz.formats.source import FaultError, in_file, unpacked, unpacked_beginning
from bpeviz.formats.subword_nmt import may_be_codes, read_subword_nmt
from bpeviz.formats.tekken import read_tekken
from bpeviz.formats.tiktoken import read_js_tiktoken, read_tiktoken, split_of_name
from bpeviz.formats.vocab_and_merges import pair_says_no_split, read_clip_merges, read_pair
from bpeviz.text.split_patterns import (
    CUSTOM,
    DEFAULT_TIMEOUT_SECONDS,
    SPLIT_PATTERNS,
    SplitPattern,
    get_split_pattern,
)
from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = ["MOST_FILES", "read_tokenizer", "says_no_split", "split_choices"]

#: Marian's two SentencePiece models with their vocab.json, and three files that may be beside them in a
#: model's folder.
MOST_FILES = 6
_LONE_HALF = {
    "vocabulary": "this is the vocabulary of GPT-2's pair of files. Give merges.txt (or vocab.bpe) with it.",
    "merges": "these are the merges of GPT-2's pair of files. Give vocab.json (or encoder.json) with them.",
    "tokens by id": "this is the vocabulary of a pair of “LLMs from scratch”. Give bpe_merges.txt with it.",
    "pairs": "these are the merges of a pair of “LLMs from scratch”. Give vocab.json with them.",
    "added tokens": "these are the added tokens of a model, without its vocabulary.",
    "tokenizer config": "these are the settings of a model's tokenizer, without its vocabulary.",
    "special tokens map": "these are the special tokens of a model, without its vocabulary.",
}
_WITH_THE_PAIR = "Give vocab.json and merges.txt with it, or the model's tokenizer.json alone."


def read_tokenizer(
    files: Mapping[str, bytes],
    *,
    split: str | SplitPattern | None = None,
    split_timeout: float = DEFAULT_TIMEOUT_SECONDS,
) -> Tokenizer:
    """Return the tokenizer in ``files``, names to contents: one file, or the two of a pair, with up to three
    files that are beside a pair in a model's folder.

    The content says which format a file has. ``split`` is the split pattern, or its name, for files that hold
    none. Without it, GPT-2's pair gets that of its class, or ``gpt2`` with a TokenizerFileWarning if nothing
    names one; a .tiktoken file the pattern that its name says, or an error
    if it says none (see formats.tiktoken); the pair of "LLMs from scratch" ``lines`` if its merges show it,
    or ``words-and-line-ends`` with a TokenizerFileWarning (see formats.llms_from_scratch). The other formats
    hold a pattern, and ``split`` is not used. Special tokens have the ids of the file; as everywhere,
    encoding takes them for plain text unless ``allowed_special`` names them. ``split_timeout`` is how many
    seconds a pattern in the files may take on a text.

    Raises TokenizerFileError for a file that is damaged, too large, of another format or of a tokenizer that
    bpeviz cannot reproduce; SplitPatternError for an unknown ``split`` or a regular expression that does
    not compile.
    """
    asked = _asked(split)
    with _without_collecting():
        tokenizer = _read(files, asked)
    if tokenizer.split.name == CUSTOM and asked is None:
        tokenizer.split = replace(tokenizer.split, timeout_seconds=split_timeout)
    return tokenizer


@contextmanager
def _without_collecting() -> Iterator[None]:
    """Keep Python from looking for cycles: there are none among a million small tuples, and it would take a
    third of the time."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _asked(split: str | SplitPattern | None) -> SplitPattern | None:
    if split is None or isinstance(split, SplitPattern):
        return split
    return NOTEBOOK_PATTERNS.get(split) or get_split_pattern(split)


def says_no_split(beginnings: Mapping[str, bytes]) -> bool:
    """Return True if files don't tell which split pattern to use: a file of ranks with a name that says none,
    a GGUF file whose split is not known, GPT-2's pair without the class of its tokenizer, or a pair of "LLMs
    from scratch" that several of its notebooks may have made.

    ``beginnings`` has the first 100,000 bytes of each file by its name.
    """
    return bool(split_choices(beginnings))


def split_choices(beginnings: Mapping[str, bytes]) -> Sequence[str]:
    """Return the names of the split patterns to choose from for files that don't say theirs: see
    says_no_split. Empty for all other files."""
    beginnings = {name.removesuffix(".gz"): unpacked_beginning(data) for name, data in beginnings.items()}
    if len(beginnings) > 1:
        if notebook_says_no_split(beginnings):
            return list(NOTEBOOK_PATTERNS)
        return list(SPLIT_PATTERNS) if pair_says_no_split(beginnings) else []
    unsaid = (
        (split_of_name(name) is None and begins_with_a_rank(data)) or gguf_says_no_split(data)
        for name, data in beginnings.items()
    )
    return list(SPLIT_PATTERNS) if any(unsaid) else []


def _read(files: Mapping[str, bytes], pattern: SplitPattern | None) -> Tokenizer:
    if not 1 <= len(files) <= MOST_FILES:
        raise TokenizerFileError(f"{len(files):,} files", f"give the files of one tokenizer. {READABLE}")
    if {SOURCE, TARGET} <= files.keys():
        warn(f"{TARGET} was not used: it is of the language that the model translates into.")
        files = {name: data for name, data in files.items() if name != TARGET}
    found: list[Found] = []
    for name, data in files.items():
        with in_file(name):
            found.append(detect(*unpacked(name, data)))
            if len(files) == 1:
                return _read_one(found[0], pattern)
    beside = [file for file in found if file.format in BESIDE_A_PAIR]
    main = sorted((file for file in found if file not in beside), key=lambda file: file.format)
    match [file.format for file in main]:
        case ["pairs", "tokens by id"] if not beside:
            return read_llms_from_scratch(main[1], main[0], pattern)
        case ["sentencepiece"] | ["sentencepiece", "vocabulary"]:
            return read_model_with_others(main[0], [*main[1:], *beside])
        case ["merges" | "codes", "vocabulary"]:
            return read_pair(main[1], main[0], beside, pattern)
    wholes = [file.name for file in main if file.format in (*_READERS, "tiktoken", "gguf")]
    remedy = f"{wholes[0]} is a whole tokenizer: give it alone." if wholes else READABLE
    these = "these two are not a pair" if len(files) == 2 else "these are not the files of one tokenizer"
    raise TokenizerFileError(" and ".join(files), f"{these}. {remedy}")


#: The reader of each format of which one file is a whole tokenizer.
_READERS = {
    "huggingface": read_huggingface,
    "minbpe": read_minbpe,
    "tekken": read_tekken,
    "sentencepiece": read_sentencepiece,
    "codes": read_subword_nmt,
    "js-tiktoken": read_js_tiktoken,
    "clip": read_clip_merges,
}


def _read_one(file: Found, pattern: SplitPattern | None) -> Tokenizer:
    if file.format == "tiktoken":
        return read_tiktoken(file, pattern)
    if file.format == "gguf":
        return read_gguf(file, pattern)
    if file.format == "merges" and not file.text.strip():
        raise FaultError(f"it is empty. {READABLE}")
    if file.format == "merges" and may_be_codes(file.text):
        return read_subword_nmt(file)
    if file.format not in _READERS:
        beside = f" {_WITH_THE_PAIR}" if file.format in BESIDE_A_PAIR else ""
        raise FaultError(_LONE_HALF[file.format] + beside)
    return _READERS[file.format](file)
