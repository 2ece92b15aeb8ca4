"""The words of the interface: short sentences, and none of the phrases that say little.

The strings of the Python, HTML and JavaScript files under bpeviz/ui and bpeviz/cli, and the messages of every
error.
"""

import re
from pathlib import Path

import pytest

from bpeviz.ui.kit.words import explained
from tests.support.interface_words import (
    PACKAGE,
    READ,
    error_sentences,
    html_sentences,
    page_sentences,
    script_sentences,
    sentences,
    shown_in,
    word_count,
)

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


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two? Three", ["One.", "Two?", "Three"]),
        ("**Saved.** Then more.", ["**Saved.", "Then more."]),
        ("up to 2.5 MB in a.txt", ["up to 2.5 MB in a.txt"]),
        ("a line\nanother", ["a line", "another"]),
    ],
)
def test_sentences_end_with_a_mark_or_a_line(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


def test_signs_alone_are_no_words() -> None:
    assert word_count("a + b · “c” 12 –") == 4


def test_strings_are_read_whole_and_docstrings_not_at_all(tmp_path: Path) -> None:
    file = tmp_path / "page.py"
    file.write_text(
        '"""No docstring."""\n'
        "def f(name, many):\n"
        '    """Nor this."""\n'
        '    st.caption("Begins here "\n        f"and has {name} in it. Then more.")\n'
        "    x = f\"{'many words' if many else name} stay\"\n"
        'class SomeError(BpevizError):\n    """Nor this."""\n'
        '    def __init__(self):\n        super().__init__("It broke. Mend it.")\n'
        'def g():\n    raise SomeError(f"the {name} is bad")\n'
    )
    of_the_page = ["Begins here and has X in it.", "Then more.", "X stay", "many words"]
    of_errors = ["It broke.", "Mend it.", "the X is bad"]
    assert sorted(page_sentences(file)) == sorted(of_the_page + of_errors)
    assert sorted(error_sentences(file)) == sorted(of_errors)


def test_the_strings_of_a_script_are_read_and_its_comments_not(tmp_path: Path) -> None:
    file = tmp_path / "page.js"
    file.write_text(
        '// "No" string.\n/* "Nor" this. */\n'
        "const says = `Merge ${number(n + 1)} makes ${`a ${b} of`} it. Then more.`;\n"
        'const quoted = "It\'s a \\"name\\"."; // and "no" more\n'
        "const plain = value.replace(/[\"'`]/g, '') || \"none // at all\";\n"
    )
    assert script_sentences(file) == [
        "Merge X makes X it.",
        "Then more.",
        "a X of",
        'It\'s a "name".',
        "none // at all",
    ]


def test_the_text_of_a_page_and_what_its_attributes_say_are_read(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text(
        '<!-- Not this. -->\n<button title="Go on (→)" aria-label="Next">Next <b>merge</b></button>\n'
        '<p>One &amp; two.\nThree</p><input placeholder="Find" value="no" />'
    )
    assert html_sentences(file) == ["Go on (→)", "Next", "Next merge", "One & two.", "Three", "Find"]


@pytest.mark.parametrize("said", ["Training goes on; wait.", "It goes on.", "It puts it away anew."])
def test_a_roundabout_phrase_is_found(said: str) -> None:
    assert PHRASES.search(said)


@pytest.mark.parametrize("name", ["browser/player/player.html", "browser/player/sentence.js"])
def test_the_page_s_own_files_are_read(name: str) -> None:
    assert len(SHOWN[name]) > 3


def test_terms_are_words_of_their_sentence() -> None:
    assert word_count(re.sub("<[^>]*>.*</span>", "", explained("A [[pair]] here"))) == 3
