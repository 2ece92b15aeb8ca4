"""Variations of the hook “cut”: other texts, parts, blocks, split patterns and special tokens."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

import regex

from bpeviz.core.base_vocabulary import GPT2_BYTE_CHARACTERS
from bpeviz.merge_check.reference import Read, Rules
from bpeviz.merge_check.texts import Texts
from bpeviz.merge_check.variation import Variation
from bpeviz.text.split_patterns import SPLIT_PATTERNS, WORDS, SplitPattern

__all__ = ["cut_variations"]

#: The special token that most texts of courses have, if none is named.
USUAL_SPECIAL = "<|endoftext|>"
#: How rarely a pre-token may occur before a trainer leaves it out.
RARE_WORDS = (2, 3, 4, 5, 10)
#: How much people read of a file for a first try, and in which blocks.
ROUND_NUMBERS = sorted({n * 10**k for n in (1, 2, 5) for k in range(2, 7)} | {2**k for k in range(8, 23)})
SHARES = (1, 5, 10, 20, 25, 50, 75, 80, 90, 95, 99)
LINES = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000)
BLOCKS = (
    1_000,
    1_024,
    2_048,
    4_096,
    8_192,
    10_000,
    16_384,
    32_768,
    65_536,
    100_000,
    131_072,
    1_000_000,
    2**20,
)


def cut_variations(rules: Rules, texts: Texts) -> Iterator[Variation]:
    """Yield those that this text can show. Without the texts, only the pre-tokens can be changed."""
    yield from _pre_tokens(rules)
    if texts.cut:
        return
    yield from _special_tokens(rules, texts)
    if texts.texts:
        yield from _texts(rules)
    yield from _walls(rules)
    if texts.texts:
        yield from _parts(texts.texts)
        yield from _blocks(texts.texts)


# --- pre-tokens ------------------------------------------------------------------------------------------

Counts = Mapping[str, int]


def _changed(change: Callable[[str], Iterable[str]]) -> Callable[[Counts], Counts]:
    """Return the hook that turns each pre-token into others."""

    def keep(counts: Counts) -> Counts:
        changed: dict[str, int] = {}
        for pre_token, times in counts.items():
            for part in change(pre_token):
                changed[part] = changed.get(part, 0) + times
        return changed

    return keep


def _rare(fewest: int) -> Callable[[Counts], Counts]:
    return lambda counts: {pre_token: times for pre_token, times in counts.items() if times >= fewest}


_NUMBER = regex.compile(r"\s?\p{N}{2,}")


def _digits(pre_token: str, pattern: str) -> list[str]:
    return re.findall(pattern, pre_token) if _NUMBER.fullmatch(pre_token) else [pre_token]


def _pre_tokens(rules: Rules) -> Iterator[Variation]:
    once = "Yours counts each distinct pre-token once, and not as often as it occurs"
    yield Variation("words-once", "once", once, hooks={"keep": lambda counts: dict.fromkeys(counts, 1)})
    rare = "Yours leaves out pre-tokens that occur fewer than "
    for fewest in RARE_WORDS:
        hooks = {"keep": _rare(fewest)}
        yield Variation("minimum-frequency", f"pre-tokens-{fewest}", rare, f"{fewest:,} times", hooks)
    lead = "Yours cuts numbers into single digits, "
    for name, pattern, rest in (
        ("with-spaces", r"(?s)\s?.", "the first with the space before it"),
        ("alone", r"(?s).", "and the space before them is alone"),
    ):
        digits = _changed(lambda pre_token, pattern=pattern: _digits(pre_token, pattern))  # type: ignore[misc]
        yield Variation("digits", name, lead, rest, {"keep": digits})
    if "bytes" in rules.recipe.base:
        spelled = _changed(lambda p: ["".join(map(GPT2_BYTE_CHARACTERS.__getitem__, p.encode()))])
        what = "Yours writes the text in GPT-2's characters and merges the bytes of those: Ġ is two bytes"
        yield Variation("gpt2-text", "trained", what, hooks={"keep": spelled, "symbols": "bytes"})
        spaces = _changed(lambda p: [p.replace(" ", "Ġ")])
        what = "Yours writes Ġ for each space of the pre-tokens, and merges its two bytes"
        yield Variation("gpt2-text", "trained-spaces", what, hooks={"keep": spaces, "symbols": "bytes"})


# --- texts -----------------------------------------------------------------------------------------------


def _each(change: Callable[[str], str]) -> Read:
    return lambda texts: [change(text) for text in texts]


def _lines(change: Callable[[str], str]) -> Read:
    """Return the hook that reads each line alone."""
    return lambda texts: [change(line) for text in texts for line in text.split("\n")]


def _text_mode(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _crlf(text: str) -> str:
    return re.sub(r"\r?\n", "\r\n", text)


def _texts(rules: Rules) -> Iterator[Variation]:
    nfkc, nfc = (partial(unicodedata.normalize, form) for form in ("NFKC", "NFC"))
    changes: tuple[tuple[str, str, Read], ...] = (
        ("text-mode", "opens the file in text mode, which turns \\r\\n into \\n", _each(_text_mode)),
        ("crlf", "reads \\r\\n at the end of each line, where this text has \\n", _each(_crlf)),
        ("lower-case", "reads the text in lower case", _each(str.lower)),
        ("nfkc", "normalizes the text by NFKC first", _each(nfkc)),
        ("nfc", "normalizes the text by NFC first", _each(nfc)),
        ("nfkc-lower-case", "normalizes by NFKC and in lower case", _each(lambda t: nfkc(t).lower())),
        ("stripped", "strips white space from both ends of the text", _each(str.strip)),
        ("lines-stripped", "reads lines, and strips white space from both ends of each", _lines(str.strip)),
        ("without-line-ends", "reads lines without their line ends", _lines(lambda line: line.rstrip("\r"))),
        ("lines-joined", "joins lines without their line ends", _each(lambda t: "".join(t.splitlines()))),
        ("lines-spaced", "joins lines with a space", _each(lambda t: " ".join(t.splitlines()))),
    )
    for name, what, read in changes:
        yield Variation("text", name, "Yours ", what, {"read": read})
    if "bytes" in rules.recipe.base:
        what = "Yours writes Ġ for each space before it cuts the text, and Ġ is a letter for the pattern"
        hooks = {"read": _each(lambda t: t.replace(" ", "Ġ"))}
        yield Variation("gpt2-text", "before-walls", what, hooks=hooks)


def _first(characters: int) -> Read:
    """Return the hook that reads only the first characters of all texts together."""

    def read(texts: Sequence[str]) -> Iterator[str]:
        left = characters
        for text in texts:
            yield text[:left]
            left = max(0, left - len(text))

    return read


def _parts(texts: Sequence[str]) -> Iterator[Variation]:
    total, lead = sum(map(len, texts)), "Yours reads only the first part of the text: the first "
    for number in ROUND_NUMBERS:
        if number < total:
            hooks = {"read": _first(number)}
            yield Variation("part", f"first-{number}", lead, f"{number:,} characters", hooks)
    for share in SHARES:
        hooks = {"read": _first(total * share // 100)}
        yield Variation("part", f"first-{share}-percent", lead, f"{share} %", hooks)
    if len(texts) > 1:
        yield Variation("part", "first-file", lead, "file", {"read": lambda texts: texts[:1]})
    lines = "".join(texts).splitlines(keepends=True)
    for number in LINES:
        if number < len(lines):
            part = sum(map(len, lines[:number]))
            rest = "line" if number == 1 else f"{number:,} lines"
            yield Variation("part", f"first-{number}-lines", lead, rest, {"read": _first(part)})


def _in_blocks(size: int) -> Read:
    return lambda texts: [text[at : at + size] for text in texts for at in range(0, len(text), size)]


def _blocks(texts: Sequence[str]) -> Iterator[Variation]:
    lead = "Yours reads the text in blocks, which cut words: each has "
    for size in BLOCKS:
        if size < max(map(len, texts)):
            yield Variation("blocks", f"{size}", lead, f"{size:,} characters", {"read": _in_blocks(size)})


# --- split patterns and special tokens -------------------------------------------------------------------


def _walls(rules: Rules) -> Iterator[Variation]:
    split = rules.split
    cuts = f"cuts the text by the pattern {split.name}" if split.regex else "doesn't cut the text"
    lead = f"Yours has other walls, which no merge crosses: the rule {cuts}, yours "

    def wall(name: str, pattern: SplitPattern, rest: str, **hooks: object) -> Variation:
        cut = pattern.cut_at(split.special_tokens)
        return Variation(
            "walls", name, lead, rest, {"split": cut.line_by_line() if split.by_line else cut, **hooks}
        )

    for name, pattern in SPLIT_PATTERNS.items():
        if pattern.regex != split.regex:
            yield wall(name, pattern, f"cuts it by {name}" if pattern.regex else "doesn't cut it")
    yield wall("words", WORDS, "cuts it into words with the white space before them")
    words_alone = _changed(lambda pre_token: [] if pre_token.isspace() else [pre_token])
    rest = "cuts it into words and leaves white space out"
    yield wall("words-alone", SPLIT_PATTERNS["whitespace"], rest, keep=words_alone)
    if split.by_line:
        whole = replace(split, by_line=False, stretch=None)
        yield Variation("walls", "whole-text", lead, "cuts it as one text", {"split": whole})
    else:
        yield Variation("walls", "by-line", lead, "cuts it line by line", {"split": split.line_by_line()})


def _special_tokens(rules: Rules, texts: Texts) -> Iterator[Variation]:
    split = rules.split
    tokens = tuple(dict.fromkeys((*split.special_tokens, *rules.special_tokens, USUAL_SPECIAL)))
    if not any(token in text for text in texts.texts for token in tokens):
        return
    uncut, cut = split.cut_at(()), split.cut_at(tokens)

    def without(texts: Sequence[str]) -> Iterator[str]:
        for text in texts:
            for token in tokens:
                text = text.replace(token, "")  # noqa: PLW2901
            yield text

    if split.special_tokens:
        what = "Yours doesn't cut the text at special tokens, so it merges parts of them"
        yield Variation("special-tokens", "not-cut", what, hooks={"split": uncut})
    else:
        what = "Yours cuts special tokens out of the text, and the rule doesn't"
        yield Variation("special-tokens", "cut", what, hooks={"split": cut})
    what = "Yours deletes special tokens from the text, so what stands beside them becomes neighbours"
    yield Variation("special-tokens", "joined", what, hooks={"read": without, "split": uncut})
    bare = replace(rules.recipe, cuts_at_special_tokens=False)
    what = "Yours cuts the text at special tokens, and then merges the bytes of each as of any word"
    hooks = {"split": cut, "merges_special": True, "recipe": bare}
    yield Variation("special-tokens", "whole", what, hooks=hooks)
    parts = tuple({part: None for token in tokens if "|" in token for part in token.split("|") if part})
    if parts:
        what = "Yours cuts at parts of special tokens: | means “or” in a regular expression, so use re.escape"
        yield Variation("special-tokens", "unescaped", what, hooks={"split": split.cut_at(parts)})
