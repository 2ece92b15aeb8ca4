r"""minbpe's .model files: the split pattern, special tokens, and the merges as pairs of ids.

    minbpe v1
    '(?:[sdmt]|ll|ve|re)| ?\p{L}+|…      the pattern; an empty line splits nothing
    1                                    number of special tokens
    <|endoftext|> 512
    101 32                               makes 256
    256 97                               makes 257

The file has no ids: bytes have their values, and merges make 256, 257 and so on. The pattern is for the
package ``regex``, like ours. When minbpe loads a file, it keeps the pattern that its RegexTokenizer was made
with, so make that with the pattern of the file: RegexTokenizer(pattern). Special tokens have no spaces.
"""

import re
from collections.abc import Iterator

import regex

from bpeviz.core.base_vocabulary import ByteVocabulary
from bpeviz.core.token_chain import Pair
from bpeviz.formats.bounds import check_lengths, check_special_tokens, check_total
from bpeviz.formats.byte_level import not_of_bytes
from bpeviz.formats.detect import Found
from bpeviz.formats.source import FaultError, check_token_id, lines, shown
from bpeviz.text.split_patterns import SPLIT_PATTERNS, SplitPattern, custom_split_pattern
from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = ["minbpe_caution", "minbpe_refusal", "read_minbpe", "write_minbpe"]

_VERSION = "minbpe v1"
_NUMBER = re.compile(r"[0-9]{1,18}")
_BASE = ByteVocabulary(bytes(range(256)))
_NAME_OF = {p.regex or "": p.name for p in SPLIT_PATTERNS.values()}
_EXPORT_AGAIN = "The file may have been edited or cut off; save it again."


def read_minbpe(file: Found) -> Tokenizer:
    """Return the tokenizer of a .model file. Raises FaultError, SplitPatternError."""
    line_at = dict(lines(file.text))
    if line_at.get(1, "").strip() != _VERSION:
        raise FaultError(f"line 1 is {shown(line_at.get(1, ''))}. Only the files of {_VERSION} can be read.")
    split = _split(line_at.pop(2, "").strip())
    specials = _special_total(line_at.pop(3, ""), len(line_at))
    special_lines = [(number, line_at.pop(number, "")) for number in range(4, 4 + specials)]
    merges = _merges([(number, line) for number, line in line_at.items() if number > 3])
    special_tokens = _special_tokens(special_lines, 256 + len(merges))
    check_special_tokens(special_tokens)
    return Tokenizer(_BASE, merges, split=split, special_tokens=special_tokens)


def _split(pattern: str) -> SplitPattern:
    if pattern in _NAME_OF:
        return SPLIT_PATTERNS[_NAME_OF[pattern]]
    split = custom_split_pattern(pattern)
    if fault := _taken_otherwise(split):
        raise FaultError(f"its split pattern {fault} Write it in another way.")
    return split


def _taken_otherwise(split: SplitPattern) -> str:
    """Return what minbpe, which uses findall, reads differently in a pattern; empty if nothing."""
    compiled = split.compiled
    if compiled.groups:
        return "has groups that capture, of which minbpe takes the text in place of the match."
    if compiled.flags & regex.REVERSE:
        return "is searched backwards, and minbpe does not turn the matches around again."
    return ""


def _special_total(line: str, most: int) -> int:
    if not _NUMBER.fullmatch(line.strip()):
        raise FaultError(f"line 3 is {shown(line)}, not the number of special tokens. {_EXPORT_AGAIN}")
    if int(line) > most:
        raise FaultError(f"line 3 announces more special tokens than there are lines. {_EXPORT_AGAIN}")
    return int(line)


def _special_tokens(numbered: list[tuple[int, str]], first_id: int) -> dict[str, int]:
    special_tokens: dict[str, int] = {}
    token_of_id: dict[int, str] = {}
    for number, line in numbered:
        parts = line.split()
        if len(parts) != 2 or not _NUMBER.fullmatch(parts[1]):
            raise FaultError(
                f"line {number:,} is {shown(line)}, not a special token and its id. {_EXPORT_AGAIN}"
            )
        token = parts[0]
        token_id = check_token_id(token, int(parts[1]))
        if token_id < first_id:
            raise FaultError(
                f"line {number:,}: the special token {shown(token)} has the id {token_id:,}, which is that "
                "of a byte or a merge. Give it one after them."
            )
        if token in special_tokens or token_id in token_of_id:
            raise FaultError(
                f"line {number:,}: the special token {shown(token)} or its id {token_id:,} occurs "
                "twice. Remove one of the two."
            )
        special_tokens[token] = token_id
        token_of_id[token_id] = token
    return special_tokens


def _merges(numbered: list[tuple[int, str]]) -> list[tuple[Pair, int]]:
    check_total(tokens=256 + len(numbered))
    merges: dict[Pair, int] = {}
    check_lengths(_read_merges(numbered, merges), lambda number: f"the token of line {number:,}")
    return list(merges.items())


def _read_merges(numbered: list[tuple[int, str]], merges: dict[Pair, int]) -> Iterator[tuple[int, int]]:
    """Add the merges to ``merges``; returns the number of each line and how many bytes its token has."""
    lengths = [1] * 256
    for number, line in numbered:
        pair = _pair(line, number, len(lengths))
        if pair in merges:
            raise FaultError(
                f"line {number:,}: the merge of {pair[0]} with {pair[1]} occurs twice. Remove one of the two."
            )
        merges[pair] = len(lengths)
        lengths.append(lengths[pair[0]] + lengths[pair[1]])
        yield number, lengths[-1]


def _pair(line: str, number: int, known: int) -> Pair:
    """``"256 97"`` -> ``(256, 97)``, both of them among the ``known`` ids from 0."""
    parts = line.split()
    if len(parts) != 2 or not all(map(_NUMBER.fullmatch, parts)):
        raise FaultError(f"line {number:,} is {shown(line)}, not the two ids of a merge. {_EXPORT_AGAIN}")
    left, right = map(int, parts)
    if max(left, right) >= known:
        raise FaultError(
            f"line {number:,} merges the id {max(left, right):,}, which is not a byte and which no merge "
            "before it makes. Order the merges so that each uses what is there."
        )
    return left, right


# --- writing -------------------------------------------------------------------------------------------


def minbpe_refusal(tokenizer: Tokenizer) -> str:
    """Why a tokenizer cannot be written as a .model file; empty if it can."""
    return (
        not_of_bytes(tokenizer)
        or _numbering_refusal(tokenizer)
        or _special_refusal(tokenizer)
        or _pattern_refusal(tokenizer.split)
    )


def _numbering_refusal(tokenizer: Tokenizer) -> str:
    if tokenizer.base != _BASE:
        return "the file holds no ids. minbpe takes each byte's value as its id; here the ids differ."
    if tokenizer.merge_token_ids != list(range(256, 256 + len(tokenizer.merges))):
        return "the file holds no ids. minbpe numbers merges 256, 257, …; here the ids differ."
    if len(set(tokenizer.merges)) < len(tokenizer.merges):
        return "two of its merges are of the same pair, and minbpe takes the later."
    return ""


def _special_refusal(tokenizer: Tokenizer) -> str:
    for token, token_id in tokenizer.special_tokens.items():
        if token.split() != [token]:
            return f"its special token {shown(token)} has white space, at which the file is cut."
        if token_id < 256 + len(tokenizer.merges):
            return f"its special token {shown(token)} has the id of another token."
    return ""


def _pattern_refusal(split: SplitPattern) -> str:
    pattern = split.regex or ""
    if pattern.strip() != pattern or "\n" in pattern or "\r" in pattern:
        return "its split pattern takes more than one line."
    fault = _taken_otherwise(split)
    return fault and f"its split pattern {fault}"


def minbpe_caution(tokenizer: Tokenizer, _: str) -> str:
    """Return what minbpe needs to know to load the file; empty for cl100k, the default of its
    RegexTokenizer."""
    if tokenizer.split.regex == SPLIT_PATTERNS["cl100k"].regex:
        return ""
    if tokenizer.split.regex is None:
        return "In minbpe, load the file with BasicTokenizer: RegexTokenizer would split the text."
    return (
        "minbpe's own load() ignores the split pattern in the file. Make the tokenizer with the pattern, "
        "which is line 2 of the file, then load: RegexTokenizer(pattern)."
    )


def write_minbpe(tokenizer: Tokenizer) -> dict[str, bytes]:
    """Return the .model file of a tokenizer that minbpe_refusal accepts."""
    special_tokens = [f"{token} {token_id}" for token, token_id in tokenizer.special_tokens.items()]
    merges = [f"{left} {right}" for (left, right), _ in tokenizer.paired]
    head = [_VERSION, tokenizer.split.regex or "", str(len(special_tokens))]
    return {"tokenizer.model": "".join(f"{x}\n" for x in [*head, *special_tokens, *merges]).encode("utf-8")}
