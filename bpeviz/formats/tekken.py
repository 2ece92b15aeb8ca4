r"""Mistral's tekken JSON: ranks as tiktoken writes them, the split pattern, and the number of special tokens.

    {"config": {"pattern": "…", "default_vocab_size": 131072, "default_num_special_tokens": 1000, …},
     "vocab": [{"rank": 0, "token_bytes": "AA==", "token_str": "\u0000"}, …],
     "special_tokens": [{"rank": 0, "token_str": "<unk>", "is_control": true}, …]}

The special tokens have the first ids: the id of any other token is its rank plus their number. The
vocabulary is longer than the tokenizer: only as many tokens are read as the vocab size leaves room for. The
rules are those of ``mistral_common``'s ``tekken.py``, which gives the ranks to tiktoken. Files without a list
of special tokens have the 20 of the first version. The other special tokens are fillers.
"""

import base64
import binascii

from bpeviz.formats.bounds import check_lengths, check_special_tokens, check_total
from bpeviz.formats.detect import Found
from bpeviz.formats.mergeable_ranks import from_mergeable_ranks
from bpeviz.formats.source import JsonObject, check_utf8
from bpeviz.formats.tiktoken import as_in_tiktoken
from bpeviz.text.split_patterns import SPLIT_PATTERNS, SplitPattern, custom_split_pattern
from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = ["read_tekken"]

#: The special tokens of files that list none, by their ids.
_FIRST_SPECIAL_TOKENS = [
    "<unk>",
    "<s>",
    "</s>",
    "[INST]",
    "[/INST]",
    "[AVAILABLE_TOOLS]",
    "[/AVAILABLE_TOOLS]",
    "[TOOL_RESULTS]",
    "[/TOOL_RESULTS]",
    "[TOOL_CALLS]",
    "[IMG]",
    "<pad>",
    "[IMG_BREAK]",
    "[IMG_END]",
    "[PREFIX]",
    "[MIDDLE]",
    "[SUFFIX]",
    "[SYSTEM_PROMPT]",
    "[/SYSTEM_PROMPT]",
    "[TOOL_CONTENT]",
]


def read_tekken(file: Found) -> Tokenizer:
    """Return the tokenizer of a tekken file. Raises FaultError, SplitPatternError."""
    whole = JsonObject("", file.values)
    config = whole.inner("config")
    reserved = config.required("default_num_special_tokens", int)
    size = config.required("default_vocab_size", int)
    special_tokens = _special_tokens(whole, reserved)
    ranks = _ranks(whole, size - reserved)
    base, merges, unmade = from_mergeable_ranks({token: rank + reserved for token, rank in ranks.items()})
    split = as_in_tiktoken(_split(config.required("pattern", str)))
    return Tokenizer(base, merges, split=split, special_tokens=special_tokens, unmade=unmade)


def _split(pattern: str) -> SplitPattern:
    known = (split for split in SPLIT_PATTERNS.values() if split.regex == pattern)
    return next(known, None) or custom_split_pattern(pattern)


def _special_tokens(whole: JsonObject, reserved: int) -> dict[str, int]:
    """Return the special tokens by their text, fillers included. Raises FaultError."""
    if reserved < 0:
        raise whole.fault("its number of special tokens is negative", "Write a whole number from 0 on.")
    listed = whole.objects("special_tokens")
    found = {token.required("token_str", str): token.required("rank", int) for token in listed}
    if not listed:
        found = {token: i for i, token in enumerate(_FIRST_SPECIAL_TOKENS[:reserved])}
    if len(found) < len(listed) or sorted(found.values()) != list(range(len(found))) or len(found) > reserved:
        raise whole.fault(
            f"its special tokens don't have the ranks from 0 on, each once, and below {reserved:,}",
            "Download the file again.",
        )
    check_total(tokens=reserved)
    found |= {f"<SPECIAL_{i}>": i for i in range(len(found), reserved)}
    check_special_tokens(found)
    for token in found:
        check_utf8(token, "a special token")
    return found


def _ranks(whole: JsonObject, size: int) -> dict[bytes, int]:
    """Return the tokens that the tokenizer has, with their ranks. Raises FaultError."""
    listed = whole.objects("vocab")
    if not 0 < size <= len(listed):
        raise whole.fault(
            f"its config asks for {size:,} tokens, and its vocabulary has {len(listed):,}",
            "Download the file again.",
        )
    check_total(tokens=size)
    ranks: dict[bytes, int] = {}
    for token in listed[:size]:
        try:
            spelled = base64.b64decode(token.required("token_bytes", str), validate=True)
        except (binascii.Error, ValueError):
            raise token.fault("its token_bytes are not base64", "Download the file again.") from None
        if token.required("rank", int) != len(ranks) or spelled in ranks:
            raise token.fault("its rank or its bytes are those of another token", "Download the file again.")
        ranks[spelled] = len(ranks)
    check_lengths(((t, len(t)) for t in ranks), lambda token: f"the token {token[:40]!r}")
    return ranks
