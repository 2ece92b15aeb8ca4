"""What the tokens of a vocabulary are like: by hand, GPT-2's, then against counting token by token."""

from collections import Counter, defaultdict

import numpy as np
import pandas as pd
import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from bpeviz import load_pretrained
from bpeviz.analysis.vocabulary import vocabulary_table
from bpeviz.analysis.vocabulary_structure import VocabularyStructure, vocabulary_structure
from bpeviz.formats.reading import read_tokenizer
from tests.support.tokenizer_files import as_file, tiny


def of_tokens(*tokens: bytes, kind: str = "merged") -> VocabularyStructure:
    """The structure of a vocabulary of these tokens alone."""
    return vocabulary_structure(
        pd.DataFrame(
            {
                "token": pd.Series(tokens, dtype=object),
                "length": np.array([len(token) for token in tokens], np.int64),
                "kind": kind,
                "valid_utf8": [is_text(token) for token in tokens],
            }
        )
    )


def is_text(token: bytes) -> bool:
    try:
        token.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def test_a_few_tokens_by_hand() -> None:
    structure = of_tokens(*"the| the|The| cat|12| 灯台|  ".encode().split(b"|"), b"\xe3\x81")
    assert structure.lengths == {2: 3, 3: 2, 4: 2, 7: 1}
    assert structure.scripts == {"Latin": 4, "Common": 2, "Han": 1}
    assert (structure.spaced, structure.unspaced, structure.both) == (3, 2, 1)
    assert structure.cases == [("the", "The")]


def test_words_with_most_spellings_come_first_the_rest_in_the_order_of_the_rows() -> None:
    structure = of_tokens(b" is", b"Is", b"it", b"It", b" IT", b"at", b"AT", b" at")
    assert structure.cases == [("it", "It", "IT"), ("is", "Is"), ("at", "AT")]


def test_special_tokens_and_very_long_ones_count_for_the_lengths_only() -> None:
    assert of_tokens(b"The", b"the", kind="special") == VocabularyStructure({3: 2}, {}, 0, 0, 0, [])
    assert of_tokens(b"a" * 101, b"A" * 101) == VocabularyStructure({101: 2}, {}, 0, 0, 0, [])
    assert of_tokens(b"a" * 100, b"A" * 100).cases == [("a" * 100, "A" * 100)]


def test_the_mark_of_the_end_of_a_word_has_no_letters() -> None:
    """A mark of three letters, so that counting it would make words of single letters."""
    for mark in ("</w>", "<end>"):
        model = {"vocab": {"a": 0, f"E{mark}": 1, f"e{mark}": 2, f",{mark}": 3, f"ae{mark}": 4}}
        model |= {"merges": [["a", f"e{mark}"]], "end_of_word_suffix": mark}
        values = tiny({("added_tokens",): [], ("decoder",): None, ("pre_tokenizer",): None})
        values["model"] |= model
        table = vocabulary_table(read_tokenizer(as_file(values)))
        structure = vocabulary_structure(table[table["kind"] != "special"].sort_values("length"))
        assert structure.scripts == {"Latin": 4, "Common": 1}
        assert (structure.unspaced, structure.cases) == (1, [])


def test_no_token_and_an_empty_one() -> None:
    assert of_tokens() == VocabularyStructure({}, {}, 0, 0, 0, [])
    assert of_tokens(b"") == VocabularyStructure({0: 1}, {}, 0, 0, 0, [])


def test_gpt2_in_figures_that_were_counted_in_another_way() -> None:
    tokenizer = load_pretrained()
    structure = vocabulary_structure(vocabulary_table(tokenizer))
    assert structure.lengths == Counter(map(len, tokenizer.vocabulary.values()))
    special = set(tokenizer.special_tokens.values())
    texts = [
        token.decode()
        for i, token in tokenizer.vocabulary.items()
        if is_text(token) and i not in special and len(token) <= 100
    ]
    for script in ("Latin", "Han", "Greek", "Cyrillic"):
        first = regex.compile(rf"[\p{{Common}}\p{{Inherited}}]*\p{{Script={script}}}", regex.DOTALL)
        assert structure.scripts.get(script, 0) == sum(1 for text in texts if first.match(text))
    assert sum(structure.scripts.values()) == len(texts)


@pytest.mark.filterwarnings("error")
@given(st.lists(st.text("aAbB éÉß灯1\n", max_size=4), unique=True, max_size=30))
def test_spaces_and_cases_are_those_of_counting_word_by_word(texts: list[str]) -> None:
    structure = of_tokens(*(text.encode() for text in texts))
    words = [text for text in texts if len([c for c in text if c.isalpha()]) > 1]
    assert structure.spaced == sum(word[0] == " " for word in words)
    assert structure.unspaced == sum(word[0] != " " for word in words)
    assert structure.both == sum(f" {word}" in words for word in words if word[0] != " ")
    families = defaultdict(set)
    for word in words:
        bare = word[1:] if word[0] == " " else word
        families[bare.lower()].add(bare)
    several = [family for family in families.values() if len(family) > 1]
    assert sorted(map(sorted, structure.cases)) == sorted(map(sorted, several))
