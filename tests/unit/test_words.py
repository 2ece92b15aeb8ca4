"""The words of the interface: short sentences, and none of the phrases that say little.

The strings of the Python, HTML and JavaScript files under bpeviz/ui and bpeviz/cli, and the messages of every
error.
"""

import re

import pytest

from bpeviz.ui.kit.words import explained
from tools.interface_words import PACKAGE, READ, shown_in, word_count

MOST_WORDS = 20
#: Phrases that a plain sentence does without.
PHRASES = re.compile(
    r"\b(of (its|their|your|one's) own|as it stands|anew|what came of|put (it )?away|"
    r"(taken|take it) along|alike|(is|are) (said|told)|brought back|stands? (there )?twice|"
    r"for want of|(is|are) kept|saved work|your work|as it is now)\b|"
    r"\bgoes on[;.]",
    re.IGNORECASE,
)


def offenders(shown: dict[str, list[str]]) -> list[str]:
    """What to rewrite."""
    return [f"{file}: {each}" for file, all_of_it in shown.items() for each in all_of_it]


SHOWN = {
    file.relative_to(PACKAGE).as_posix(): shown_in(file)
    for file in sorted(PACKAGE.rglob("*"))
    if file.suffix in READ
}


def test_no_sentence_of_the_interface_is_long() -> None:
    long = {file: [s for s in all_of_it if word_count(s) > MOST_WORDS] for file, all_of_it in SHOWN.items()}
    assert offenders(long) == []


def test_no_sentence_of_the_interface_is_roundabout() -> None:
    odd = {file: [s for s in all_of_it if PHRASES.search(s)] for file, all_of_it in SHOWN.items()}
    assert offenders(odd) == []


#: One file of each kind that is read; a reader that finds nothing in it would let every sentence pass.
EACH_KIND = (
    *(
        "browser/player/player.html",
        "browser/player/sentence.js",
        "lessons/data/19-walk-bytes-wikipedia.toml",
    ),
    *("cli/train.py", "errors.py", "ui/kit/pick_side.py"),
)


@pytest.mark.parametrize("name", EACH_KIND)
def test_a_file_of_each_kind_is_read(name: str) -> None:
    assert len(SHOWN[name]) > 3


def test_terms_are_words_of_their_sentence() -> None:
    assert word_count(re.sub("<[^>]*>.*</span>", "", explained("A [[pair]] here"))) == 3
