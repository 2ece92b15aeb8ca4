r"""What the trainer of the browser needs to know: recipes, split patterns, kinds of characters, sentences.

Python writes it into the page, so no rule is written twice. Browsers know different versions of Unicode: the
classes of characters in a split pattern are spelled out there, from the tables of the ``regex`` package.

    gpt2      '(?:[sdmt]|ll|ve|re)| ?\p{L}+| …      with   L   \u{41}-\u{5a}\u{61}-\u{7a}\u{aa}…
"""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import asdict
from functools import cache

import numpy as np
import numpy.typing as npt
import regex

from bpeviz.core.base_vocabulary import GPT2_BYTE_CHARACTERS
from bpeviz.runs.run import NO_OTHER_PAIR, NO_PAIR, SHOWN_PAIRS, SO_NOTHING, TOO_RARE
from bpeviz.text.characters import as_in_older_unicode, kinds_of
from bpeviz.text.named_patterns import NAMED_PATTERNS, WHITESPACE
from bpeviz.text.split_patterns import MAX_PATTERN_LENGTH
from bpeviz.training.recipes import LONGEST_TOKEN, RECIPES
from bpeviz.training.settings import TrainingSettings
from bpeviz.training.trainer import STOPS, TOO_SMALL

__all__ = ["for_javascript", "trainer_table"]

#: The fields of TrainingSettings that the browser takes as they are.
_SETTINGS = (
    "recipe",
    "custom_pattern",
    "num_merges",
    "vocab_size",
    "min_frequency",
    "special_tokens",
    "max_token_length",
    "choices",
)
#: What the page takes: ``typed`` is a text that trains at each key, ``setting`` the highest number in a
#: field, ``first_size`` the vocabulary size that a person begins with.
LIMITS = {
    "bytes": 1_000_000,
    "typed": 10_000,
    "merges": 20_000,
    "setting": 1_000_000,
    "special_tokens": 20,
    "pattern": MAX_PATTERN_LENGTH,
    "split_seconds": 2,
    "first_size": 1_000,
}
#: The classes in the named patterns, by the names that they have there.
_CLASSES = {
    "s": r"\s",
    **{name: rf"\p{{{name}}}" for name in ("L", "Lu", "Ll", "Lt", "Lm", "Lo", "M", "N", "Han")},
}
#: Those that differ in the older Unicode of OpenAI's tokenizers.
_OLDER = ("L", "Lu", "Ll", "Lt", "Lm", "Lo", "M", "N")
_ALL = np.arange(0x110000, dtype=np.uint32)
#: A quantifier that gives nothing back. JavaScript has none; what follows one in the named patterns never
#: matches what it took, so giving back changes nothing.
_POSSESSIVE = re.compile(r"(?:(?<=[?*+])|(?<=\d\}))\+")
_ANY_CASE = re.compile(r"\(\?i:([^()]*)\)")
_LETTERS = re.compile(r"\[\w+\]|[a-z]")


@cache
def trainer_table() -> dict[str, object]:
    """Return the table, as values of JSON. ``TrainerTable`` in trainer/rules.js is what arrives."""
    older = as_in_older_unicode(_ALL)
    return {
        "recipes": {
            name: {**asdict(recipe), "base_words": recipe.base_words, "tie_sentence": recipe.tie_sentence}
            for name, recipe in RECIPES.items()
        },
        "splits": {
            name: None if pattern.regex is None else for_javascript(pattern.regex)
            for name, pattern in NAMED_PATTERNS.items()
        },
        "classes": _classes(),
        "older": {name: _ranges(_is(_CLASSES[name])[older]) for name in _OLDER},
        "byte_order": sorted(range(256), key=GPT2_BYTE_CHARACTERS.__getitem__),
        "sentences": {
            **STOPS,
            **{f"longest_{unit}": LONGEST_TOKEN[unit] for unit in LONGEST_TOKEN},
            "small": TOO_SMALL,
            "too_rare": TOO_RARE,
            "no_pair": NO_PAIR,
            "nothing": NO_OTHER_PAIR,
            "so_nothing": SO_NOTHING,
            "unreadable": "This browser can't read the split pattern: {why}.",
            "empty_match": "The split pattern matches the empty string. "
            "Every alternative must match at least one character.",
            "uncovered": "The split pattern leaves out a part of the text. Add |\\s+|\\S at its end, say.",
            "too_slow": "The split pattern takes too long on this text. Try a simpler one.",
            "lost_choice": "This text can't follow your own merges. Clear them, and choose again.",
        },
        "shown_pairs": SHOWN_PAIRS,
        "settings": {name: getattr(TrainingSettings(), name) for name in _SETTINGS} | {"split": ""},
        "limits": LIMITS,
    }


def for_javascript(pattern: str) -> str:
    r"""Return a named pattern without what JavaScript lacks: ``(?i:ll)`` is ``(?:[Ll][Ll])``.

    Its classes, such as ``\p{L}``, stay: the browser puts the ranges of ``classes`` in their place.
    """
    return _ANY_CASE.sub(_in_any_case, _POSSESSIVE.sub("", pattern))


def _in_any_case(found: re.Match[str]) -> str:
    def either(letter: re.Match[str]) -> str:
        inside = "".join(map(_cases, letter[0].strip("[]")))
        return f"[{inside}]"

    return f"(?:{_LETTERS.sub(either, found[1])})"


@cache
def _cases(letter: str) -> str:
    """Return the characters that are a letter if case doesn't matter: s is also ſ."""
    return "".join(regex.findall(letter, _every_character(), regex.IGNORECASE))


def _every_character() -> str:
    return _ALL.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")


def _classes() -> dict[str, str]:
    """Return the classes of characters, as they stand between the brackets of a regular expression."""
    return {
        **{name: _ranges(_is(kind)) for name, kind in _CLASSES.items()},
        "isspace": _ranges(_is(WHITESPACE)),
        "unprintable": _ranges(_where(lambda character: not character.isprintable())),
        "marks": _ranges(_where(lambda character: unicodedata.category(character).startswith("M"))),
    }


def _is(kind: str) -> npt.NDArray[np.bool_]:
    """Return for every character whether a regular expression matches it."""
    matches: npt.NDArray[np.bool_] = kinds_of(_ALL, (kind,)) > 0
    return matches


def _where(holds: Callable[[str], bool]) -> npt.NDArray[np.bool_]:
    return np.fromiter(map(holds, _every_character()), np.bool_, len(_ALL))


def _ranges(inside: npt.NDArray[np.bool_]) -> str:
    r"""Return the characters at which a table is true: ``\u{41}-\u{5a}\u{61}-\u{7a}…``."""
    inside = inside.copy()
    inside[0xD800:0xE000] = False  # no text holds halves of surrogate pairs
    starts, ends = np.flatnonzero(np.diff(np.r_[False, inside, False].astype(np.int8))).reshape(-1, 2).T
    return "".join(
        rf"\u{{{start:x}}}" if start == end else rf"\u{{{start:x}}}-\u{{{end:x}}}"
        for start, end in zip(starts.tolist(), (ends - 1).tolist(), strict=True)
    )
