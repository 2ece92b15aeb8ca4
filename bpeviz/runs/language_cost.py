"""What the language of a text costs: tokens for the same sentences in it and in English."""

from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache

import numpy as np

from bpeviz.errors import BpevizError
from bpeviz.runs.parallel_sample import LANGUAGES, Language, parallel_sentences
from bpeviz.text.unicode_scripts import COMMON, INHERITED, SCRIPTS, UNKNOWN, scripts_of
from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = ["language_cost", "language_of"]

ENGLISH = LANGUAGES["en"]
_JAPANESE = {"Hiragana", "Katakana"}
_NO_SCRIPT = (COMMON, INHERITED, UNKNOWN)


def language_of(text: str) -> Language | None:
    """Return the first language of the parallel sample in the script that most characters of a text have.

    "नमस्ते"  ->  Hindi

    None for Latin letters, which say nothing about the language, and for scripts that the sample lacks.
    """
    counts = np.bincount(scripts_of(np.array([ord(c) for c in text], np.uint32)), minlength=len(SCRIPTS))
    counts[list(_NO_SCRIPT)] = 0
    if not counts.any():
        return None
    script = SCRIPTS[int(counts.argmax())]
    written = {SCRIPTS[int(number)] for number in np.flatnonzero(counts)}
    if script in _JAPANESE or (script == "Han" and written & _JAPANESE):
        script = "Japanese"
    if script == ENGLISH.script:
        return None
    return next((language for language in LANGUAGES.values() if language.script == script), None)


def language_cost(text: str, tokenizers: Mapping[str, Tokenizer]) -> str:
    """Say what the language of ``text`` costs in tokenizers, by name; empty if the language isn't known.

    The figures are those of the parallel sample, the same sentences in both languages.
    """
    language = language_of(text)
    if language is None:
        return ""
    costs = {}
    for name, tokenizer in tokenizers.items():
        with suppress(BpevizError):  # one that can't spell the sentences
            costs[name] = _tokens(tokenizer, language) / _tokens(tokenizer, ENGLISH)
    if not costs:
        return ""
    several = sum(other.script == language.script for other in LANGUAGES.values()) > 1
    what = f"{language.script} text, such as {language.name}," if several else language.name
    times = ", ".join(f"{cost:.1f} times in {name}" for name, cost in costs.items())
    return f"{what} takes more tokens than English: {times}."


@lru_cache(maxsize=100)
def _tokens(tokenizer: Tokenizer, language: Language) -> int:
    return sum(len(tokenizer.encode_ordinary(sentence)) for sentence in parallel_sentences(language.code))
