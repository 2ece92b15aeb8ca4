"""What Python writes for the trainer of the browser. tests/parity/test_browser_trainer.py uses it in Node."""

import json
import re

import pytest
import regex

from bpeviz import RECIPES
from bpeviz.browser.trainer_table import for_javascript, trainer_table
from bpeviz.text.split_patterns import SPLIT_PATTERNS


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        (r"\p{L}++|\p{N}{1,3}+", r"\p{L}+|\p{N}{1,3}"),
        (r"[^\r\n]?+\p{L}+|a*+", r"[^\r\n]?\p{L}+|a*"),
        ("'(?i:[st]|ll)", "'(?:[SsſTt]|[Ll][Ll])"),
        (r"\s++$", r"\s+$"),
    ],
)
def test_a_pattern_without_what_javascript_lacks(pattern: str, expected: str) -> None:
    assert for_javascript(pattern) == expected


def test_every_recipe_and_every_named_pattern_is_there() -> None:
    table = json.loads(json.dumps(trainer_table()))
    assert list(table["recipes"]) == list(RECIPES)
    assert list(table["splits"]) == list(SPLIT_PATTERNS)
    assert table["recipes"]["cs336"]["special_tokens"] == ["<|endoftext|>"]
    assert all(
        table["recipes"][name]["tie_sentence"] == recipe.tie_sentence for name, recipe in RECIPES.items()
    )


def test_every_class_in_a_pattern_has_its_ranges() -> None:
    table = json.loads(json.dumps(trainer_table()))
    names = {name for split in table["splits"].values() for name in re.findall(r"\\p\{(\w+)\}", split or "")}
    assert names | {"s"} <= set(table["classes"])
    assert table["classes"]["isspace"].startswith(r"\u{9}-\u{d}\u{1c}-\u{20}\u{85}\u{a0}")


@pytest.mark.parametrize("name", ["L", "N", "M", "Han"])
def test_ranges_are_those_of_the_regex_package(name: str) -> None:
    ranges = trainer_table()["classes"]
    assert isinstance(ranges, dict)
    inside = regex.compile(
        "[" + re.sub(r"\\u\{(\w+)\}", lambda code: rf"\U{code[1]:0>8}", ranges[name]) + "]"
    )
    characters = [chr(code) for code in (*range(0xD800), *range(0xE000, 0x34000))]
    expected = regex.compile(rf"\p{{{name}}}")
    assert [c for c in characters if inside.match(c)] == [c for c in characters if expected.match(c)]
