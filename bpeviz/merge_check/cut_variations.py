"""Variations of the hook “cut”: other texts, parts, blocks, split patterns and special tokens."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

import regex

from bpeviz.formats.byte_level import in_byte_characters
from bpeviz.merge_check.reference import Rules
from bpeviz.merge_check.texts import Texts
from bpeviz.merge_check.variation import Variation
from bpeviz.text.split_patterns import SPLIT_PATTERNS, WORDS, SplitPattern
from bpeviz.training.recipes import Recipe

__all__ = ["by_value", "cut_variations"]

#: The special token that most texts of courses have, if none is named.
USUAL_SPECIAL = "<|endoftext|>"
#: How rarely a pre-token may occur before a trainer leaves it out.
RARE_WORDS = (2, 3, 4, 5, 10)
#: How much people read of a file for a first try, and in which blocks.
ROUND_NUMBERS = sorted({n * 10**k for n in (1, 2, 5) for k in range(2, 7)} | {2**k for k in range(8, 23)})
SHARES = (1, 5, 10, 20, 25, 50, 75, 80, 90, 95, 99)
LINES = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000)
BLOCKS = sorted({10**k for k in range(3, 7)} | {2**k for k in (*range(10, 18), 20)})

#: What becomes of a text, or of a pre-token.
Change = Callable[[str], Iterable[str]]


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


def by_value(recipe: Recipe) -> Recipe:
    """Return the recipe with the 256 bytes as its base vocabulary, without special tokens."""
    return replace(recipe, base="bytes-by-value", special_tokens_at="last", cuts_at_special_tokens=False)


# --- pre-tokens ------------------------------------------------------------------------------------------


def _keeping(change: Change) -> dict[str, object]:
    """Return the hook that turns each pre-token into others."""

    def keep(counts: Mapping[str, int]) -> Mapping[str, int]:
        changed: dict[str, int] = {}
        for pre_token, times in counts.items():
            for part in change(pre_token):
                changed[part] = changed.get(part, 0) + times
        return changed

    return {"keep": keep}


def _frequent(fewest: int, counts: Mapping[str, int]) -> Mapping[str, int]:
    return {pre_token: times for pre_token, times in counts.items() if times >= fewest}


_NUMBER = regex.compile(r"\s?\p{N}{2,}")


def _digits(pattern: str, pre_token: str) -> list[str]:
    return re.findall(pattern, pre_token) if _NUMBER.fullmatch(pre_token) else [pre_token]


def _pre_tokens(rules: Rules) -> Iterator[Variation]:
    once = "Yours counts each distinct pre-token once, and not as often as it occurs"
    yield Variation("words-once", "once", once, hooks={"keep": lambda counts: dict.fromkeys(counts, 1)})
    rare = "Yours leaves out pre-tokens that occur fewer than "
    for fewest in RARE_WORDS:
        hooks = {"keep": partial(_frequent, fewest)}
        yield Variation("minimum-frequency", f"pre-tokens-{fewest}", rare, f"{fewest} times", hooks)
    lead = "Yours cuts numbers into single digits, "
    for name, pattern, rest in (
        ("with-spaces", r"(?s)\s?.", "the first with the space before it"),
        ("alone", r"(?s).", "and the space before them is alone"),
    ):
        yield Variation("digits", name, lead, rest, _keeping(partial(_digits, pattern)))
    if "bytes" in rules.recipe.base:
        bytes_alone = {"recipe": by_value(rules.recipe)}
        spelled = _keeping(lambda p: [in_byte_characters(p.encode())])
        what = "Yours writes the text in GPT-2's characters and merges the bytes of those: Ġ is two bytes"
        yield Variation("gpt2-text", "trained", what, hooks=spelled | bytes_alone)
        spaces = _keeping(lambda p: [p.replace(" ", "Ġ")])
        what = "Yours writes Ġ for each space of the pre-tokens, and merges its two bytes"
        yield Variation("gpt2-text", "trained-spaces", what, hooks=spaces | bytes_alone)


# --- texts -----------------------------------------------------------------------------------------------


def _reading(change: Change) -> dict[str, object]:
    """Return the hook that turns each text into others."""
    return {"read": lambda texts: [part for text in texts for part in change(text)]}


def _without_ends(text: str) -> list[str]:
    return [line.rstrip("\r") for line in text.split("\n")]


def _texts(rules: Rules) -> Iterator[Variation]:
    nfkc, nfc = (partial(unicodedata.normalize, form) for form in ("NFKC", "NFC"))
    lf, crlf = partial(re.sub, r"\r\n?", "\n"), partial(re.sub, r"\r?\n", "\r\n")
    stripped = "strips white space from both ends of"
    changes: tuple[tuple[str, str, Change], ...] = (
        ("text-mode", "opens the file in text mode, which turns \\r\\n into \\n", lambda t: [lf(t)]),
        ("crlf", "reads \\r\\n at the end of each line, where this text has \\n", lambda t: [crlf(t)]),
        ("lower-case", "reads the text in lower case", lambda t: [t.lower()]),
        ("nfkc", "normalizes the text by NFKC first", lambda t: [nfkc(t)]),
        ("nfc", "normalizes the text by NFC first", lambda t: [nfc(t)]),
        ("nfkc-lower-case", "normalizes by NFKC and in lower case", lambda t: [nfkc(t).lower()]),
        ("stripped", f"{stripped} the text", lambda t: [t.strip()]),
        ("lines-stripped", f"reads lines, and {stripped} each", lambda t: map(str.strip, t.split("\n"))),
        ("without-line-ends", "reads lines without their line ends", _without_ends),
        ("lines-joined", "joins lines without their line ends", lambda t: ["".join(t.splitlines())]),
        ("lines-spaced", "joins lines with a space", lambda t: [" ".join(t.splitlines())]),
    )
    for name, what, change in changes:
        yield Variation("text", name, "Yours ", what, _reading(change))
    if "bytes" in rules.recipe.base:
        what = "Yours writes Ġ for each space before it cuts the text, and Ġ is a letter for the pattern"
        yield Variation("gpt2-text", "before-walls", what, hooks=_reading(lambda t: [t.replace(" ", "Ġ")]))


def _first(characters: int, texts: Sequence[str]) -> Iterator[str]:
    """Yield only the first characters of all texts together."""
    for text in texts:
        yield text[:characters]
        characters = max(0, characters - len(text))


def _parts(texts: Sequence[str]) -> Iterator[Variation]:
    total, lines = sum(map(len, texts)), "".join(texts).splitlines(keepends=True)

    def part(name: str, rest: str, characters: int) -> Variation:
        lead = "Yours reads only the first part of the text: the first "
        return Variation("part", f"first-{name}", lead, rest, {"read": partial(_first, characters)})

    for number in ROUND_NUMBERS:
        if number < total:
            yield part(f"{number}", f"{number:,} characters", number)
    for share in SHARES:
        yield part(f"{share}-percent", f"{share} %", total * share // 100)
    if len(texts) > 1:
        yield part("file", "file", len(texts[0]))
    for number in LINES:
        if number < len(lines):
            rest = "line" if number == 1 else f"{number:,} lines"
            yield part(f"{number}-lines", rest, sum(map(len, lines[:number])))


def _blocks(texts: Sequence[str]) -> Iterator[Variation]:
    lead = "Yours reads the text in blocks, which cut words: each has "
    for size in BLOCKS:
        if size < max(map(len, texts)):
            hooks = _reading(lambda t, size=size: [t[at : at + size] for at in range(0, len(t), size)])  # type: ignore[misc]
            yield Variation("blocks", f"{size}", lead, f"{size:,} characters", hooks)


# --- split patterns and special tokens -------------------------------------------------------------------


def _walls(rules: Rules) -> Iterator[Variation]:
    split = rules.split
    cuts = f"cuts the text by the pattern {split.name}" if split.regex else "doesn't cut the text"
    lead = f"Yours has other walls, which no merge crosses: the rule {cuts}, yours "
    words_alone = _keeping(lambda pre_token: [] if pre_token.isspace() else [pre_token])
    others: list[tuple[str, SplitPattern, str, dict[str, object]]] = [
        (name, pattern, f"cuts it by {name}" if pattern.regex else "doesn't cut it", {})
        for name, pattern in SPLIT_PATTERNS.items()
        if pattern.regex != split.regex
    ]
    whitespace = SPLIT_PATTERNS["whitespace"]
    others += [
        ("words", WORDS, "cuts it into words with the white space before them", {}),
        ("words-alone", whitespace, "cuts it into words and leaves white space out", words_alone),
    ]
    for name, pattern, rest, hooks in others:
        cut = pattern.cut_at(split.special_tokens)
        cut = cut.line_by_line() if split.by_line else cut
        yield Variation("walls", name, lead, rest, {"split": cut, **hooks})
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

    def without(text: str) -> list[str]:
        for token in tokens:
            text = text.replace(token, "")
        return [text]

    if split.special_tokens:
        what = "Yours doesn't cut the text at special tokens, so it merges parts of them"
        yield Variation("special-tokens", "not-cut", what, hooks={"split": uncut})
    else:
        what = "Yours cuts special tokens out of the text, and the rule doesn't"
        yield Variation("special-tokens", "cut", what, hooks={"split": cut})
    what = "Yours deletes special tokens from the text, so what stands beside them becomes neighbours"
    yield Variation("special-tokens", "joined", what, hooks={**_reading(without), "split": uncut})
    bare = replace(rules.recipe, cuts_at_special_tokens=False)
    what = "Yours cuts the text at special tokens, and then merges the bytes of each as of any word"
    hooks = {"split": cut, "merges_special": True, "recipe": bare}
    yield Variation("special-tokens", "whole", what, hooks=hooks)
    parts = tuple({part: None for token in tokens if "|" in token for part in token.split("|") if part})
    if parts:
        what = "Yours cuts at parts of special tokens: | means “or” in a regular expression, so use re.escape"
        yield Variation("special-tokens", "unescaped", what, hooks={"split": split.cut_at(parts)})
