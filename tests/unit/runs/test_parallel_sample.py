"""The parallel sample: as many sentences in every language, each in its script."""

from collections import Counter
from unicodedata import is_normalized

import numpy as np
import pytest

from bpeviz.runs.parallel_sample import LANGUAGES, parallel_sentences
from bpeviz.text.unicode_scripts import COMMON, INHERITED, SCRIPTS, scripts_of
from tests.support.paths import ROOT

FOLDER = ROOT / "sample_texts" / "parallel"
#: The Script properties of a script that has several.
SEVERAL = {"Japanese": {"Han", "Hiragana", "Katakana"}}
EVERY_LANGUAGE = pytest.mark.parametrize("code", list(LANGUAGES))


def script_counts(text: str) -> Counter[str]:
    """How many characters of the text have each Script property, besides Common and Inherited."""
    scripts = scripts_of(np.frombuffer(text.encode("utf-32-le"), np.uint32))
    return Counter(SCRIPTS[number] for number in scripts.tolist() if number not in (COMMON, INHERITED))


def test_there_are_at_least_30_languages_in_12_scripts() -> None:
    assert len(LANGUAGES) >= 30
    assert len({language.script for language in LANGUAGES.values()}) >= 12
    assert len({language.name for language in LANGUAGES.values()}) == len(LANGUAGES)
    assert {path.name for path in FOLDER.iterdir()} == {f"{code}.txt" for code in LANGUAGES}


@EVERY_LANGUAGE
def test_a_language_has_the_same_12_sentences(code: str) -> None:
    sentences = parallel_sentences(code)
    assert len(set(sentences)) == len(sentences) == 12
    assert all(sentence == sentence.strip() and is_normalized("NFC", sentence) for sentence in sentences)
    assert (FOLDER / f"{code}.txt").read_bytes() == "".join(f"{s}\n" for s in sentences).encode()


@EVERY_LANGUAGE
def test_every_sentence_is_in_the_script_of_its_language(code: str) -> None:
    script = LANGUAGES[code].script
    for sentence in parallel_sentences(code):
        assert set(script_counts(sentence)) <= SEVERAL.get(script, {script}), sentence
    if script in SEVERAL:
        assert set(script_counts("".join(parallel_sentences(code)))) == SEVERAL[script]


def test_no_sentence_is_in_two_languages() -> None:
    every = [sentence for code in LANGUAGES for sentence in parallel_sentences(code)]
    assert len(set(every)) == len(every)
