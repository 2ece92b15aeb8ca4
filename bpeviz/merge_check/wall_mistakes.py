"""Mistakes before the first merge: another split pattern, special tokens, and a text that is changed."""

from collections.abc import Iterator
from dataclasses import replace

from bpeviz.merge_check.changes import Change
from bpeviz.merge_check.rules import Rules, Texts
from bpeviz.text.split_patterns import SPLIT_PATTERNS, WORDS, SplitPattern

__all__ = ["wall_mistakes"]

#: The special token that most texts of courses have, if none is named.
USUAL_SPECIAL = "<|endoftext|>"


def wall_mistakes(rules: Rules, texts: Texts) -> Iterator[Change]:
    """Yield the mistakes for which the text is cut again."""
    yield from _walls(rules)
    yield from _special_tokens(rules, texts)
    yield from _texts(rules, texts)


def _walls(rules: Rules) -> Iterator[Change]:
    cuts = f"cuts the text by the pattern {rules.split.name}" if rules.split.regex else "doesn't cut the text"
    lead = f"Yours has other walls, which no merge crosses: the rule {cuts}, yours "

    def wall(name: str, pattern: SplitPattern, rest: str) -> Change:
        cut = pattern.cut_at(rules.split.special_tokens)
        cut = cut.line_by_line() if rules.split.by_line else cut
        return Change("walls", name, lead, rest, lambda of: replace(of, split=cut))

    for name, pattern in SPLIT_PATTERNS.items():
        if pattern.regex != rules.split.regex:
            yield wall(name, pattern, f"cuts it by {name}" if pattern.regex else "doesn't cut it")
    yield wall("words", WORDS, "cuts it into words with the white space before them")
    whitespace = SPLIT_PATTERNS["whitespace"]
    cut = whitespace.cut_at(rules.split.special_tokens)
    yield Change(
        "walls",
        "words-alone",
        lead,
        "cuts it into words and leaves white space out",
        lambda of: replace(of, split=cut, spaces=False),
    )
    if rules.split.by_line:
        whole = replace(rules.split, by_line=False, stretch=None)
        yield Change("walls", "whole-text", lead, "cuts it as one text", lambda of: replace(of, split=whole))
    else:
        lines = rules.split.line_by_line()
        yield Change("walls", "by-line", lead, "cuts it line by line", lambda of: replace(of, split=lines))


def _special_tokens(rules: Rules, texts: Texts) -> Iterator[Change]:
    cut = rules.split.special_tokens
    tokens = tuple(dict.fromkeys((*cut, *rules.special_tokens, USUAL_SPECIAL)))
    if not texts.holds_any(tokens):
        return
    if cut:
        yield Change(
            "special-tokens",
            "not-cut",
            "Yours doesn't cut the text at special tokens, so it merges parts of them",
            rules=lambda of: replace(of, split=of.split.cut_at(())),
        )
    else:
        yield Change(
            "special-tokens",
            "cut",
            "Yours cuts special tokens out of the text, and the rule doesn't",
            rules=lambda of: replace(of, split=of.split.cut_at(tokens)),
        )
    yield Change(
        "special-tokens",
        "joined",
        "Yours deletes special tokens from the text, so what stands beside them becomes neighbours",
        rules=lambda of: replace(
            of, before="no special tokens", special_tokens=tokens, split=of.split.cut_at(())
        ),
    )
    yield Change(
        "special-tokens",
        "whole",
        "Yours cuts the text at special tokens, and then merges the bytes of each as of any word",
        rules=lambda of: replace(
            of,
            split=of.split.cut_at(tokens),
            whole=True,
            recipe=replace(of.recipe, cuts_at_special_tokens=False),
        ),
    )
    parts = {part: None for token in tokens if "|" in token for part in token.split("|") if part}
    if parts:
        yield Change(
            "special-tokens",
            "unescaped",
            "Yours cuts the text at parts of special tokens: | means “or” in a regular expression, so use "
            "re.escape",
            rules=lambda of: replace(of, split=of.split.cut_at(tuple(parts))),
        )


def _texts(rules: Rules, texts: Texts) -> Iterator[Change]:
    if texts.texts is None:
        return
    yield Change(
        "text",
        "lower-case",
        "Yours reads the text in lower case",
        rules=lambda of: replace(of, before="lower case"),
    )
    if "bytes" in rules.recipe.base:
        yield Change(
            "gpt2-text",
            "before-walls",
            "Yours writes Ġ for each space before it cuts the text, and Ġ is a letter for the pattern",
            rules=lambda of: replace(of, before="Ġ for spaces"),
        )
