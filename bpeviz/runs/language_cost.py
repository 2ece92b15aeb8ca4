"""What the language of a text costs: tokens for the same sentences in it and in English."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import lru_cache

import numpy as np

from bpeviz.errors import BpevizError
from bpeviz.runs.parallel_sample import LANGUAGES, Language, parallel_sentences
from bpeviz.runs.run import NamedText
from bpeviz.text.unicode_scripts import COMMON, INHERITED, SCRIPTS, UNKNOWN, scripts_of
from bpeviz.tokenizer.encoded_text import EncodedText
from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = ["dearest_language", "language_cost", "language_of", "times_english"]

ENGLISH = LANGUAGES["en"]
#: So many characters of a text say which script it is in.
MOST_READ = 10_000
_JAPANESE = {"Hiragana", "Katakana"}
_NO_SCRIPT = (COMMON, INHERITED, UNKNOWN)


def language_of(text: str) -> Language | None:
    """Return the first language of the parallel sample in the script that most characters of a text have.

    "नमस्ते"  ->  Hindi

    None for Latin letters, which say nothing about the language, and for scripts that the sample lacks.
    """
    characters = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    counts = np.bincount(scripts_of(characters), minlength=len(SCRIPTS))
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
            costs[name] = times_english(tokenizer, language)
    if not costs:
        return ""
    first, *others = (f"{cost:.1f} times as many in {name}" for name, cost in costs.items())
    times = " and ".join([first.replace("as many", "as many tokens", 1), *others])
    return f"Compared with English, {_in_its_script(language)} takes {times}."


def dearest_language(texts: Iterable[NamedText], tokenizer: Tokenizer, num_merges: int) -> str:
    """Say which language of the texts costs a tokenizer most after ``num_merges`` merges; empty if no
    language is known. Each text says its language by its script, or by its name, such as "German".

    Tokens per character would be unfair to scripts whose characters mean more: the same sentences in all
    languages are not.
    """
    names = {language.name: language for language in LANGUAGES.values()}
    found = {names.get(text.name) or language_of(text.text[:MOST_READ]) for text in texts}
    languages = [language for language in LANGUAGES.values() if language in found - {ENGLISH}]
    try:
        costs = {each: times_english(tokenizer, each, num_merges) for each in languages}
    except BpevizError:  # it can't spell the sentences
        return ""
    if not costs:
        return ""
    most = max(costs, key=costs.__getitem__)
    start = f"{most.name} costs most of these languages" if len(costs) > 1 else most.name
    times = f"{costs[most]:.1f} times as many tokens as English, for the same sentences."
    return f"{start}: {times}" if len(costs) > 1 else f"{start} takes {times}"


def times_english(tokenizer: Tokenizer, language: Language, num_merges: int | None = None) -> float:
    """Return how many tokens the parallel sample takes in a language for each token of its English sentences.

    Raises what Tokenizer.encode raises.
    """
    merges = len(tokenizer.merges) if num_merges is None else num_merges
    of_language, of_english = (
        sum(each.token_total(merges) for each in _encoded(tokenizer, lang)) for lang in (language, ENGLISH)
    )
    return of_language / of_english


def _in_its_script(language: Language) -> str:
    """Return how to name a text whose script is that of ``language``, and perhaps of others."""
    if sum(other.script == language.script for other in LANGUAGES.values()) == 1:
        return language.name
    return f"text in {language.script} letters, measured in {language.name},"


@lru_cache(maxsize=100)
def _encoded(tokenizer: Tokenizer, language: Language) -> tuple[EncodedText, ...]:
    return tuple(tokenizer.encode_text(sentence) for sentence in parallel_sentences(language.code))
