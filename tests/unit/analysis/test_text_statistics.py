"""What a text costs: by hand, then GPT-2's samples against tiktoken, then any text against loops."""

import math
import re
import unicodedata

import numpy as np
import numpy.typing as npt
import pandas as pd
import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from bpeviz import Tokenizer, load_pretrained, train_tokenizer
from bpeviz.analysis.text_statistics import TextTotals, per_line, per_script, text_totals
from bpeviz.core.gap_ranks import is_token_end
from bpeviz.errors import CorpusError
from bpeviz.text.unicode_scripts import SCRIPTS, scripts_of
from tests.support.gpt2_of_tiktoken import reference
from tests.support.paths import SAMPLE_TEXTS
from tests.support.texts import ANY_TEXT, TIGHT_TEXT

Ends = npt.NDArray[np.bool_]


def ends_of(*tokens: str | bytes) -> Ends:
    """Token ends of a text that is cut like this."""
    lengths = [len(t.encode() if isinstance(t, str) else t) for t in tokens]
    is_end = np.zeros(sum(lengths), bool)
    is_end[np.cumsum(lengths, dtype=int) - 1] = True
    return is_end


def trained(name: str, texts: list[str], num_merges: int) -> Tokenizer:
    return train_tokenizer(texts, name, num_merges=num_merges)


def counts(table: pd.DataFrame) -> dict[str, tuple[int, int, int]]:
    """script -> characters, bytes, tokens"""
    columns = (table[c] for c in ("script", "characters", "bytes", "tokens"))
    return {script: tuple(row) for script, *row in zip(*columns, strict=True)}


def test_the_cat_in_the_hat_by_hand():
    text, is_end = "the cat in the hat", ends_of("the", " c", "at", " in", " the", " h", "at")
    totals = text_totals(text, is_end)
    assert totals == TextTotals(bytes=18, characters=18, tokens=7)
    assert totals.bytes_per_token == totals.characters_per_token == 18 / 7
    # spaces are characters of Common, but none is a separate token
    assert counts(per_script(text, is_end)) == {"Latin": (14, 14, 7), "Common": (4, 4, 0)}


def test_a_token_belongs_to_its_first_script_even_if_it_holds_part_of_a_character():
    text = "a 灯 é! 台"
    tokens = ("a", b" \xe7", b"\x81", b"\xaf", " é", "!", b" \xe5\x8f", b"\xb0")
    assert counts(per_script(text, ends_of(*tokens))) == {
        "Common": (4, 4, 1),
        "Latin": (2, 3, 2),
        "Han": (2, 6, 5),
    }


def test_a_token_with_two_scripts_counts_for_the_first():
    assert counts(per_script("灯a", ends_of("灯a"))) == {"Latin": (1, 1, 0), "Han": (1, 3, 1)}
    assert counts(per_script("... 灯a", ends_of("... 灯a")))["Han"] == (1, 3, 1)


def test_combining_marks_are_counted_as_common():
    text = "e\u0301"
    assert counts(per_script(text, ends_of("e", "\u0301"))) == {"Latin": (1, 1, 1), "Common": (1, 2, 1)}
    assert counts(per_script(text, ends_of(text))) == {"Latin": (1, 1, 1), "Common": (1, 2, 0)}


def test_scripts_come_by_their_characters_and_have_no_quotient_without_tokens():
    table = per_script("the cat", ends_of("the", " cat"))
    assert table["script"].tolist() == ["Latin", "Common"]
    assert table["characters_per_token"][0] == table["bytes_per_token"][0] == 3
    assert math.isnan(table["characters_per_token"][1])


def test_lines_by_hand():
    text = "def f():\n    return 1\n\nlast"
    is_end = ends_of("def", " f", "():", "\n   ", " return", " 1", "\n\n", "la", "st")
    lines = per_line(text, is_end)
    assert lines["line"].tolist() == [1, 2, 3, 4]
    assert lines["text"].tolist() == ["def f():", "    return 1", "", "last"]
    assert lines["characters"].tolist() == lines["bytes"].tolist() == [9, 13, 1, 4]
    # a newline with the indentation after it belongs to the line that it indents, two newlines to the second
    assert lines["tokens"].tolist() == [3, 3, 1, 2]


def test_a_long_line_is_shortened_but_counted_in_full():
    text = "ab" * 100 + "\n"
    (line,) = per_line(text, ends_of(text), limit=11).itertuples(index=False)
    assert (line.text, line.characters) == ("ababa…babab", 201)


def test_other_line_ends_end_no_line():
    text = "a\rb\u2028c\x0bd\r\ne"
    assert per_line(text, ends_of(text))["text"].tolist() == ["a\rb\u2028c\x0bd\r", "e"]


def test_an_empty_text_has_no_lines_and_no_scripts():
    nothing = np.zeros(0, bool)
    totals = text_totals("", nothing)
    assert (totals, totals.bytes_per_token) == (TextTotals(0, 0, 0), 0)
    assert totals.characters_per_token == 0
    assert per_script("", nothing).empty
    assert per_line("", nothing).empty


def test_bytes_that_a_tokenizer_skips_are_in_no_token():
    text = "ab ab\nab"
    tokenizer = trained("subword-nmt", [text], 5)
    is_end = is_token_end(tokenizer.gap_ranks(text), 5)
    assert text_totals(text, is_end) == TextTotals(8, 8, 3)
    assert per_line(text, is_end)["tokens"].tolist() == [2, 1]
    assert counts(per_script(text, is_end)) == {"Latin": (6, 6, 3), "Common": (2, 2, 0)}


def test_ends_of_another_text_are_refused():
    with pytest.raises(CorpusError, match="has 3 bytes, but token counts are given for 2"):
        text_totals("abc", np.zeros(2, bool))
    with pytest.raises(CorpusError, match="half of a surrogate pair"):
        per_line("\ud800", np.zeros(3, bool))


# --- GPT-2, by tiktoken ----------------------------------------------------------------------------------


@pytest.mark.parametrize("path", SAMPLE_TEXTS, ids=lambda path: path.name)
def test_samples_cost_the_same_as_with_tiktoken(path):
    text = path.read_text("utf-8")
    gpt2, utf8 = load_pretrained("gpt2"), text.encode()
    is_end = is_token_end(gpt2.gap_ranks(text), 50_000)
    ids = reference().encode_ordinary(text)
    assert text_totals(text, is_end) == TextTotals(len(utf8), len(text), len(ids))
    lines: dict[int, int] = {}
    end = 0
    for token_id in ids:
        end += len(reference().decode_single_token_bytes(token_id))
        line = utf8[: end - 1].count(b"\n")
        lines[line] = lines.get(line, 0) + 1
    table = per_line(text, is_end)
    assert table["tokens"].tolist() == [lines.get(i, 0) for i in range(len(table))]
    assert per_script(text, is_end)["tokens"].sum() == len(ids)


# --- any text, by loops ----------------------------------------------------------------------------------


def script(character: str) -> str:
    found = [
        name
        for name in SCRIPTS
        if name != "Unknown" and regex.match(rf"\p{{Script={name.replace(' ', '_')}}}", character)
    ]
    return found[0] if found else "Unknown"


@st.composite
def cut_text(draw: st.DrawFn) -> tuple[str, Ends]:
    """A text and any token ends, the last byte one of them."""
    text = draw(ANY_TEXT | TIGHT_TEXT | st.text("a 灯é\u0301\n1", max_size=30))
    length = len(text.encode())
    is_end = np.array(draw(st.lists(st.booleans(), min_size=length, max_size=length)), bool)
    is_end[-1:] = True
    return text, is_end


@given(cut=cut_text())
def test_any_text_by_loops(cut):
    text, is_end = cut
    owner = [c for c in text for _ in c.encode()]
    own = {c: "Common" if script(c) == "Inherited" else script(c) for c in set(text)}
    expected: dict[str, list[int]] = {name: [0, 0, 0] for name in own.values()}
    for character in text:
        expected[own[character]][0] += 1
        expected[own[character]][1] += len(character.encode())
    start = 0
    for end in np.flatnonzero(is_end):
        scripts = [own[c] for c in owner[start : end + 1] if own[c] != "Common"]
        expected[scripts[0] if scripts else "Common"][2] += 1
        start = end + 1
    table = counts(per_script(text, is_end))
    assert table == {name: tuple(row) for name, row in expected.items()}
    lines = re.findall(rb"[^\n]*\n|[^\n]+", text.encode())
    assert per_line(text, is_end)["bytes"].tolist() == [len(line) for line in lines]


@given(cut=cut_text())
def test_rows_add_up_to_the_totals(cut):
    text, is_end = cut
    totals = text_totals(text, is_end)
    for table in (per_script(text, is_end), per_line(text, is_end)):
        sums = TextTotals(*(int(table[c].sum()) for c in ("bytes", "characters", "tokens")))
        assert sums == totals


# --- scripts ---------------------------------------------------------------------------------------------


def test_scripts_of_known_characters():
    text = "a灯ひカЖع अ한\u03a9א1!🙂\u0301ก"
    names = [SCRIPTS[i] for i in scripts_of(np.frombuffer(text.encode("utf-32-le"), np.uint32)).tolist()]
    assert names == [
        *("Latin", "Han", "Hiragana", "Katakana", "Cyrillic", "Arabic", "Common", "Devanagari", "Hangul"),
        *("Greek", "Hebrew", "Common", "Common", "Common", "Inherited", "Thai"),
    ]


def test_every_assigned_character_has_a_script_that_is_named():
    code_points = np.array([*range(0xD800), *range(0xE000, 0x110000)], np.uint32)[::7]
    scripts = scripts_of(code_points)
    nameless = [chr(c) for c in code_points[scripts == SCRIPTS.index("Unknown")].tolist()]
    assert {unicodedata.category(c) for c in nameless} <= {"Cn", "Co"}
