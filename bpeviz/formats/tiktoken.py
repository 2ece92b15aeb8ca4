"""tiktoken's files: a token in base64 and its rank on every line.

    IQ== 0
    IGE= 257

The file names no merges; they follow from the ranks (see mergeable_ranks). It carries no special tokens, so
there are none, and no split pattern: unless one is asked for, it is the one that goes with the name of the
file, gpt2 for gpt2, r50k and p50k, o200k for o200k, and cl100k for any other. A file that is written has the
name of its pattern in its own, as in ``rustbpe-split.tiktoken``, by which it is known again.

A rank is both the place of a merge and the id of its token. So the ids are written, which do not start at 0
where special tokens have the first ones: tiktoken takes them so, and the special tokens can be given to its
``Encoding`` with their own ids. Special tokens themselves are not written.
"""

import base64
import re

from bpeviz.errors import TokenizerFileError
from bpeviz.formats.byte_level import learned_tokens, not_of_bytes
from bpeviz.formats.detect import Found
from bpeviz.formats.source import check_token_id, lines, shown
from bpeviz.mergeable_ranks import from_mergeable_ranks
from bpeviz.rust_merger import RustMerger
from bpeviz.split_patterns import SPLIT_PATTERNS, SplitPattern, get_split_pattern
from bpeviz.token_text import visible
from bpeviz.tokenizer import Tokenizer

__all__ = ["MAX_SQUARED_LENGTHS", "read_tiktoken", "tiktoken_refusal", "write_tiktoken"]

#: Recovering the merge of a token takes time with the square of its length. This many squared bytes take
#: some ten seconds; those of GPT-2 are 2.5 million.
MAX_SQUARED_LENGTHS = 100_000_000

_RANK = re.compile(r"[+-]?[0-9]{1,18}")
_SPLIT_OF_NAME = {
    **{f"{name}-split": name for name in SPLIT_PATTERNS},
    **{"gpt2": "gpt2", "r50k": "gpt2", "p50k": "gpt2", "o200k": "o200k"},
}


def read_tiktoken(file: Found, split: SplitPattern | None) -> Tokenizer:
    """The tokenizer of a .tiktoken file. Raises TokenizerFileError."""
    ranks = _ranks(file)
    if sum(len(token) ** 2 for token in ranks) > MAX_SQUARED_LENGTHS:
        raise TokenizerFileError(
            file.name,
            "its tokens are so long that finding their merges would take too much time. Export the "
            "tokenizer as tokenizer.json, which names the merges.",
        )
    base, merges = from_mergeable_ranks(ranks, file.name)
    return Tokenizer(base, merges, split=split or get_split_pattern(_split_of_name(file.name)))


def _split_of_name(name: str) -> str:
    return next((split for part, split in _SPLIT_OF_NAME.items() if part in name.lower()), "cl100k")


def _ranks(file: Found) -> dict[bytes, int]:
    ranks: dict[bytes, int] = {}
    token_of_rank: dict[int, bytes] = {}
    for number, line in lines(file.name, file.text):
        token, rank = _parse(line, f"line {number:,}", file.name)
        if token in ranks:
            raise TokenizerFileError(
                file.name,
                f"line {number:,}: the token {_quoted(token)} stands there twice. Remove one of the two.",
            )
        if rank in token_of_rank:
            raise TokenizerFileError(
                file.name,
                f"line {number:,}: the tokens {_quoted(token_of_rank[rank])} and {_quoted(token)} have "
                f"the same rank {rank:,}. Give each token a rank of its own.",
            )
        ranks[token] = rank
        token_of_rank[rank] = token
    return ranks


def _quoted(token: bytes) -> str:
    return repr(visible(token[:100]))


def _parse(line: str, place: str, name: str) -> tuple[bytes, int]:
    parts = line.split()
    try:
        if len(parts) != 2 or not _RANK.fullmatch(parts[1]):
            raise ValueError
        token = base64.b64decode(parts[0], validate=True)
    except ValueError:
        raise TokenizerFileError(
            name,
            f"{place} is {shown(line)}, which is not a token in base64 and its rank, a whole number. "
            "The file may have been edited or cut off; copy or download it again.",
        ) from None
    return token, check_token_id(name, parts[0], int(parts[1]))


def tiktoken_refusal(tokenizer: Tokenizer) -> str:
    """Why a tokenizer cannot be written as ranks; empty where it can."""
    if refusal := not_of_bytes(tokenizer):
        return refusal
    if len(tokenizer.base.symbols) < 256:
        return "it lacks some of the 256 bytes, which tiktoken must have."
    merges = list(zip(tokenizer.merges, tokenizer.merge_token_ids, strict=True))
    if RustMerger.of(tokenizer.base, merges) is None:
        return (
            "tiktoken merges whatever spells a token, and of this one two tokens are spelled alike or one is "
            "never made, so that its ids would be others."
        )
    ids = list(learned_tokens(tokenizer))
    if ids != sorted(ids):
        return "its ids are not in the order of its merges, and the file has one number for both."
    return ""


def write_tiktoken(tokenizer: Tokenizer) -> dict[str, bytes]:
    """The .tiktoken file of a tokenizer that tiktoken_refusal has nothing against."""
    names = (p.name for p in SPLIT_PATTERNS.values() if p.regex == tokenizer.split.regex)
    name = next((f"{name}-split.tiktoken" for name in names), "tokenizer.tiktoken")
    ranks = [(base64.b64encode(token), rank) for rank, token in learned_tokens(tokenizer).items()]
    return {name: b"".join(b"%s %d\n" % line for line in ranks)}
