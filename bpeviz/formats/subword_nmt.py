"""subword-nmt's codes: merges by rank, as texts. The last character of a word carries </w>.

    #version: 0.2
    l o
    lo w</w>

The file is a whole tokenizer without ids. Its base vocabulary has every character of the merges, once as it
is and once at the end of a word, in alphabetical order; merges make the ids after these. The recipe
``subword-nmt`` numbers its tokens the same way, but knows all characters of its corpus, so its ids change
when it is saved and loaded.

The tokens are those of ``subword_nmt.apply_bpe``, line by line. Characters that the merges lack stay as they
are, with ids above those of the vocabulary. If a pair is there twice, the first counts. If words hold white
space such as U+00A0, ``learn_bpe`` also writes lines with a token that no line makes. They never happen and
are left out. Files from before version 0.2, without a heading, write </w> as a separate symbol and are
refused.
"""

import re
from collections.abc import Iterable, Mapping

from bpeviz.core.base_vocabulary import CharacterVocabulary
from bpeviz.core.token_chain import Pair
from bpeviz.formats.bounds import check_lengths, check_total
from bpeviz.formats.characters import character_pairs, same_text_refusal
from bpeviz.formats.detect import END_OF_WORD, Found
from bpeviz.formats.source import FaultError, lines, shown, split_merge
from bpeviz.text.split_patterns import get_split_pattern
from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = [
    "may_be_codes",
    "read_subword_nmt",
    "subword_nmt_caution",
    "subword_nmt_refusal",
    "write_subword_nmt",
]

_HEADING = "#version: 0.2"
_VERSION = re.compile(r"#version:(?:.*\s)?0\.2(?:\.0+)*")


def may_be_codes(text: str) -> bool:
    """Return whether merges without an end of a word can be codes: others nearly always have Ġ or ▁, for
    a space."""
    (_, heading), *merges = lines(text)
    return bool(merges and _VERSION.fullmatch(heading.strip()) and not {"Ġ", "▁"} & {*text})


def read_subword_nmt(file: Found) -> Tokenizer:
    """Return the tokenizer of a file of codes. Raises FaultError."""
    (first, heading), *rest = lines(file.text)
    if not _VERSION.fullmatch(heading.strip()):
        raise FaultError(
            f"line {first} is {shown(heading)}. Only codes that begin with {_HEADING} can be read. Learn "
            "them again with subword-nmt 0.2 or later."
        )
    check_total(merges=len(rest))
    line_of: dict[tuple[str, str], int] = {}
    for number, line in rest:
        line_of.setdefault(split_merge(line.strip(" \r"), f"line {number:,}"), number)
    check_lengths(
        ((number, len("".join(pair).encode("utf-8"))) for pair, number in line_of.items()),
        lambda number: f"the token of line {number:,}",
    )
    symbols = _symbols(line_of)
    check_total(tokens=len(symbols) + len(line_of))
    ids = {symbol: i for i, symbol in enumerate(symbols)}
    base = CharacterVocabulary(ids, end_of_word=END_OF_WORD, whitespace="drop-spaces", unknown="keep")
    return Tokenizer(base, _merges(line_of, {**ids}), split=get_split_pattern("spaces"))


def _symbols(pairs: Iterable[tuple[str, str]]) -> list[str]:
    """Every character of the pairs, as it is and at the end of a word, sorted."""
    characters = {
        character for pair in pairs for part in pair for character in part.removesuffix(END_OF_WORD)
    }
    return sorted(characters | {character + END_OF_WORD for character in characters})


def _merges(line_of: Mapping[tuple[str, str], int], ids: dict[str, int]) -> list[tuple[Pair, int]]:
    """Return the ids of each merge that can happen. A new token gets the next id, which is added to ``ids``;
    one that is there keeps its id."""
    merges: list[tuple[Pair, int]] = []
    missing: dict[str, int] = {}
    for pair, number in line_of.items():
        unknown = [part for part in pair if part not in ids]
        missing |= dict.fromkeys(unknown, number)
        if not unknown:
            left, right = pair
            merges.append(((ids[left], ids[right]), ids.setdefault(left + right, len(ids))))
    for part, number in missing.items():
        if part in ids:
            raise FaultError(
                f"line {number:,} uses {shown(part)}, which only a later line makes. subword-nmt writes such "
                "codes if words hold white space such as U+00A0: make it spaces and learn the codes again."
            )
    return merges


# --- writing -------------------------------------------------------------------------------------------


def subword_nmt_refusal(tokenizer: Tokenizer) -> str:
    """Why a tokenizer cannot be written as codes; empty if it can."""
    base = tokenizer.base
    if not isinstance(base, CharacterVocabulary):
        return "it is made of bytes, and the file holds characters."
    if base.end_of_word != END_OF_WORD:
        return f"it does not mark the end of a word with {END_OF_WORD}."
    if tokenizer.split.regex != get_split_pattern("spaces").regex or base.whitespace != "drop-spaces":
        return f"its split pattern is {tokenizer.split.name}, and subword-nmt splits at spaces and line ends."
    if any(set(symbol) & set(" \r\n") for symbol in base.ids):
        return "one of its tokens holds a space or a line end, at which the file is cut."
    return same_text_refusal(tokenizer, {})


def subword_nmt_caution(tokenizer: Tokenizer, _: str) -> str:
    """Says which program cannot load the file; empty if all can."""
    if not tokenizer.merges:
        return "Without merges, neither subword-nmt nor bpeviz can load the file."
    text = write_subword_nmt(tokenizer)["codes.bpe"].decode("utf-8")
    if END_OF_WORD in text or may_be_codes(text):
        return ""
    return "subword-nmt loads the file, but bpeviz takes its Ġ or ▁ for a sign of another format."


def write_subword_nmt(tokenizer: Tokenizer) -> dict[str, bytes]:
    """Return the file of codes of a tokenizer that subword_nmt_refusal accepts."""
    pairs = [f"{left} {right}\n" for left, right in character_pairs(tokenizer)]
    return {"codes.bpe": "".join([f"{_HEADING}\n", *pairs]).encode("utf-8")}
