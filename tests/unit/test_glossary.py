"""The glossary: short sentences, and the copies of it are those of today."""

import json
import re

import pytest

from bpeviz.glossary import GLOSSARY, PAGE, SCRIPT, as_javascript, as_markdown, page_with_glossary
from bpeviz.ui.kit.words import explained
from tests.support.paths import ROOT

MOST_WORDS = 20


@pytest.mark.parametrize("term", GLOSSARY)
def test_a_term_is_explained_in_at_most_two_short_sentences(term: str) -> None:
    sentences = re.split(r"(?<=[.!?]) ", GLOSSARY[term])
    assert len(sentences) <= 2
    assert all(sentence.endswith(".") for sentence in sentences)
    assert all(len(sentence.split()) <= MOST_WORDS for sentence in sentences)


def test_the_page_of_documentation_lists_the_glossary() -> None:
    page = (ROOT / PAGE).read_text("utf-8")
    assert as_markdown() in page, "run python -m bpeviz.glossary"
    assert page_with_glossary(page.replace("- **fork**", "- **fourk**")) == page


def test_the_page_s_scripts_have_the_glossary() -> None:
    script = (ROOT / SCRIPT).read_text("utf-8")
    assert script == as_javascript(), "run python -m bpeviz.glossary"
    literal = script[script.index("= {") + 2 : script.rindex("}")].rstrip().rstrip(",") + "}"
    assert json.loads(literal) == GLOSSARY


def test_a_term_explains_itself_under_its_name_or_other_words() -> None:
    html = explained("A [[pair]] & its [[merge|merges]]")
    assert re.sub("<[^>]*>", "|", html) == (
        f"A |pair|{GLOSSARY['pair']}|| &amp; its |merges|{GLOSSARY['merge']}||"
    )


def test_a_person_s_text_in_a_sentence_is_escaped() -> None:
    html = explained("A [[pair]] of {name}.", name="<b>[[merge]] {name}</b>")
    assert html.endswith(" of <bdi>&lt;b&gt;[[merge]] {name}&lt;/b&gt;</bdi>.")


def test_a_term_that_nobody_explains_is_refused() -> None:
    with pytest.raises(KeyError, match="unknown term"):
        explained("A [[unknown term]].")
