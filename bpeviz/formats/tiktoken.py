"""tiktoken's files: a token in base64 and its rank on every line.

    IQ== 0
    IGE= 257

The file names no merges; they follow from the ranks (see mergeable_ranks). It has no special tokens and no
split pattern. Unless the caller gives a pattern, the name of the file says it: it is that of an encoding of
tiktoken, such as ``r50k_base.tiktoken``, or holds the name of a pattern, such as ``rustbpe-split.tiktoken``.
bpeviz writes files with such a name. With any other name a person must choose the pattern: another one gives
other ids.

A rank is both the place of a merge and the id of its token. So bpeviz writes the ids. They do not start at 0
if special tokens have the first ones; tiktoken accepts that, and its ``Encoding`` takes the special tokens
with their ids. Special tokens themselves are not written.
"""

import base64
import re
from dataclasses import replace

from bpeviz.core.base_vocabulary import ByteVocabulary
from bpeviz.formats.bounds import check_lengths, check_special_tokens, check_total
from bpeviz.formats.byte_level import learned_tokens, not_of_bytes
from bpeviz.formats.detect import Found
from bpeviz.formats.mergeable_ranks import from_mergeable_ranks
from bpeviz.formats.source import FaultError, JsonObject, check_token_id, lines, shown
from bpeviz.text.split_patterns import (
    SPLIT_PATTERNS,
    SplitPattern,
    custom_split_pattern,
    get_split_pattern,
)
from bpeviz.text.token_text import visible
from bpeviz.tokenizer.symbol_merger import Merge
from bpeviz.tokenizer.tiktoken_merger import TiktokenMerger
from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = [
    "MAX_SQUARED_LENGTHS",
    "as_in_tiktoken",
    "read_js_tiktoken",
    "read_tiktoken",
    "split_of_name",
    "tiktoken_caution",
    "tiktoken_refusal",
    "write_tiktoken",
]

#: The time to recover the merge of a token grows with the square of its length. This many squared bytes take
#: some ten seconds; GPT-2's tokens have 2.5 million.
MAX_SQUARED_LENGTHS = 100_000_000
MOST_DIGITS = 10

_RANK = re.compile(r"[+-]?[0-9]{1,18}")
_SPLIT_OF_NAME = {
    **{f"{name}-split": name for name in SPLIT_PATTERNS},
    **dict.fromkeys(("gpt2", "r50k_base", "p50k_base", "p50k_edit"), "gpt2"),
    **dict.fromkeys(("r50k", "p50k"), "gpt2"),
    **dict.fromkeys(("cl100k", "cl100k_base"), "cl100k"),
    **dict.fromkeys(("o200k", "o200k_base", "o200k_harmony"), "o200k"),
    **dict.fromkeys(("qwen", "qwen2"), "qwen2"),
    **dict.fromkeys(("qwen3_5", "qwen3_6"), "qwen3.5"),
}


def read_tiktoken(file: Found, split: SplitPattern | None) -> Tokenizer:
    """Return the tokenizer of a .tiktoken file. Raises FaultError."""
    base, merges, unmade = _parts(_ranks(file.text))
    split = split or split_of_name(file.name)
    if split is None:
        raise FaultError(
            "the file holds ranks but no split pattern, and its name says none. Give the pattern of its "
            "model: split=... in Python, --split or --split-regex on the command line. Llama 3 "
            "uses llama3; Llama 4 and GPT-4o o200k; GPT-4 cl100k; Qwen qwen2, from 3.5 on qwen3.5."
        )
    return Tokenizer(base, merges, split=as_in_tiktoken(split), unmade=unmade)


def read_js_tiktoken(file: Found) -> Tokenizer:
    """Return the tokenizer of js-tiktoken's JSON, which Claude's package has too. It has all: ranks, pattern
    and special tokens. Raises FaultError, SplitPatternError.

        {"pat_str": "…", "special_tokens": {"<EOT>": 0}, "bpe_ranks": "! 5 IQ== Ig=="}      "!" has the rank 5
    """
    whole = JsonObject("", file.values)
    listed: list[str] = []
    for number, line in lines(whole.required("bpe_ranks", str)):
        mark, first, *tokens = [*line.split(), "", ""][: max(2, len(line.split()))]
        if mark != "!" or not first.isdecimal() or len(first) > MOST_DIGITS:
            raise whole.fault(f"line {number:,} of bpe_ranks doesn't begin with ! and a rank")
        listed += (f"{token} {int(first) + i}" for i, token in enumerate(tokens))
    special_tokens = {
        token: check_token_id(token, token_id)
        for token, token_id in whole.optional("special_tokens", dict[str, object]()).items()
    }
    check_special_tokens(special_tokens)
    base, merges, unmade = _parts(_ranks("\n".join(listed)))
    pattern = whole.required("pat_str", str)
    known = (split for split in SPLIT_PATTERNS.values() if split.regex == pattern)
    split = as_in_tiktoken(next(known, None) or custom_split_pattern(pattern))
    return Tokenizer(base, merges, split=split, special_tokens=special_tokens, unmade=unmade)


def _parts(ranks: dict[bytes, int]) -> tuple[ByteVocabulary, list[Merge], dict[int, bytes]]:
    check_total(tokens=len(ranks))
    check_lengths(((t, len(t)) for t in ranks), lambda token: f"the token {_quoted(token)}")
    if sum(len(token) ** 2 for token in ranks) > MAX_SQUARED_LENGTHS:
        raise FaultError(
            "its tokens are so long that finding their merges would take too much time. Export the "
            "tokenizer as tokenizer.json, which names the merges."
        )
    return from_mergeable_ranks(ranks)


def as_in_tiktoken(split: SplitPattern) -> SplitPattern:
    """Return the pattern as tiktoken searches with it, whose Unicode is older."""
    return replace(split, older_unicode=True)


def split_of_name(name: str) -> SplitPattern | None:
    """Return the split pattern that the name of a file of ranks says; None if it says none."""
    split = _SPLIT_OF_NAME.get(re.sub(r"(\.(tiktoken|txt|bpe))+$", "", name.lower()))
    return get_split_pattern(split) if split else None


def _ranks(text: str) -> dict[bytes, int]:
    ranks: dict[bytes, int] = {}
    token_of_rank: dict[int, bytes] = {}
    for number, line in lines(text):
        token, rank = _parse(line, f"line {number:,}")
        if token in ranks:
            raise FaultError(
                f"line {number:,}: the token {_quoted(token)} occurs twice. Remove one of the two."
            )
        if rank in token_of_rank:
            raise FaultError(
                f"line {number:,}: the tokens {_quoted(token_of_rank[rank])} and {_quoted(token)} have "
                f"the same rank {rank:,}. Give each token a different rank."
            )
        ranks[token] = rank
        token_of_rank[rank] = token
    ranks.pop(b"", None)  # Whisper's files have an empty token, which no text is ever encoded to
    return ranks


def _quoted(token: bytes) -> str:
    return repr(visible(token[:100]))


def _parse(line: str, place: str) -> tuple[bytes, int]:
    parts = line.split()
    try:
        if len(parts) != 2 or not _RANK.fullmatch(parts[1]):
            raise ValueError
        token = b"" if parts[0] == "=" else base64.b64decode(parts[0], validate=True)
    except ValueError:
        raise FaultError(
            f"{place} is {shown(line)}, which is not a token in base64 and its rank, a whole number. "
            "The file may have been edited or cut off; copy or download it again."
        ) from None
    return token, check_token_id(parts[0], int(parts[1]))


def tiktoken_refusal(tokenizer: Tokenizer) -> str:
    """Why a tokenizer cannot be written as ranks; empty if it can."""
    if refusal := not_of_bytes(tokenizer):
        return refusal
    if len(tokenizer.base.symbols) < 256:
        return "it lacks some of the 256 bytes, which tiktoken must have."
    if TiktokenMerger.of(tokenizer.base, tokenizer.paired) is None:
        return (
            "tiktoken merges whatever spells a token. Here two tokens have the same bytes, or no merge makes "
            "one of them, so tiktoken would give other ids."
        )
    ids = list(learned_tokens(tokenizer))
    if ids != sorted(ids):
        return "its ids are not in the order of its merges, and the file has one number for both."
    return ""


def tiktoken_caution(tokenizer: Tokenizer, name: str) -> str:
    """Return what a file of ranks called ``name`` does not say of a tokenizer, with the remedy; empty if
    nothing."""
    cautions: list[str] = []
    said = split_of_name(name)
    if said is None or said.regex != tokenizer.split.regex:
        known = _name(tokenizer.split)
        by_name = f", or save it as {known}" if split_of_name(known) else ""
        cautions.append(
            f"The file holds no split pattern, and its name stands for {said.name if said else 'none'}. "
            f"Give the pattern when you load it: split=...{by_name}."
        )
    if tokenizer.special_tokens:
        cautions.append(
            "The file holds no special tokens. Give them with their ids to the program that reads it."
        )
    return " ".join(cautions)


def write_tiktoken(tokenizer: Tokenizer) -> dict[str, bytes]:
    """Return the .tiktoken file of a tokenizer that tiktoken_refusal accepts."""
    ranks = [(base64.b64encode(token), rank) for rank, token in learned_tokens(tokenizer).items()]
    return {_name(tokenizer.split): b"".join(b"%s %d\n" % line for line in ranks)}


def _name(split: SplitPattern) -> str:
    """Return the name of the file to write, which says its split pattern if that has a name."""
    names = (p.name for p in SPLIT_PATTERNS.values() if p.regex == split.regex)
    return next((f"{name}-split.tiktoken" for name in names), "tokenizer.tiktoken")
