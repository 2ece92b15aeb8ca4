"""The example of docs/lessons.md is a lesson, and its tables name what there is."""

import re
from pathlib import Path
from typing import get_args

import pytest

from bpeviz.lessons.claims import AnyClaim
from bpeviz.lessons.computing import compute, fill, plain
from bpeviz.lessons.prepared import Prepared
from bpeviz.lessons.reading import read_lesson
from tests.support.paths import ROOT

PAGE = (ROOT / "docs" / "lessons.md").read_text("utf-8")


@pytest.fixture
def example(tmp_path: Path) -> Prepared:
    (text,) = re.findall(r"^```toml\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    path = tmp_path / "21-what-is-a-wall.toml"
    path.write_text(text, "utf-8")
    return Prepared(path.name, read_lesson(path))


def test_the_example_is_a_lesson(example: Prepared) -> None:
    captions = [plain(fill(example, stop.caption)) for stop in example.lesson.stops]
    assert captions[0] == "The text has 16 bytes. t + h is merged first."
    assert [example.material_at(place)[1] for place in range(3)] == [1, 5, 5]


def test_the_figures_of_the_example_are_right(example: Prepared) -> None:
    assert {name: compute(example, name) for name in example.lesson.claims} == {
        "bytes": 16,
        "first": (b"t", b"h"),
        "merges": 5,
        "words_tokens": 8,
        "whole_tokens": 7,
        "fewest": "no walls",
    }


def test_the_table_of_claims_has_every_kind() -> None:
    rows = re.findall(r"^\| ((?:`[a-z-]+`(?:, )?)+) \|", PAGE.split("| `of` |")[1], re.MULTILINE)
    named = {name for row in rows for name in re.findall(r"`([a-z-]+)`", row)}
    assert named == {kind.__struct_config__.tag for kind in get_args(AnyClaim)}
