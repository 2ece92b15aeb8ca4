"""Every kind of claim once, on texts that can be counted by hand."""

from pathlib import Path
from typing import get_args

import pytest

from bpeviz.lessons.claims import AnyClaim
from bpeviz.lessons.computing import compute
from bpeviz.lessons.prepared import Prepared
from bpeviz.lessons.reading import read_lesson

#: The text of docs/architecture.md: a + a, aa + a, aaa + b; GPT-2 cuts it into aa ab da a ab ac.
LESSON = """
title = "Every claim"
about = "Once."
[runs.letters]
text = "aaabdaaabac"
recipe = "minbpe-basic"
merges = 3
[runs.words]
text = "the cat, the hat"
recipe = "minbpe"
merges = 5
[[stops]]
caption = "CLAIMS"
[[stops]]
caption = "Two."
[[stops]]
caption = "Three."
[try]
sample = "English prose"
recipe = "minbpe"
merges = 10
[claims]
"""
CLAIMS = [
    ('{ of = "tokens" }', 5),
    ('{ of = "tokens", step = 1 }', 9),
    ('{ of = "vocabulary" }', 259),
    ('{ of = "vocabulary", by = "gpt2" }', 50_257),
    ('{ of = "merges" }', 3),
    ('{ of = "merge", merge = 2 }', (b"aa", b"a")),
    ('{ of = "made", merge = 2 }', (b"aaa",)),
    ('{ of = "merge-count", merge = 1 }', 4),
    ('{ of = "tied", merge = 2 }', 2),
    ('{ of = "merge-of", token = "aaab" }', 3),
    ('{ of = "count", pair = ["a", "b"], step = 1 }', 2),
    ('{ of = "pre-token", run = "words", token = " hat" }', 1),
    ('{ of = "bytes", text = "né" }', 3),
    ('{ of = "characters", text = "né" }', 2),
    ('{ of = "occurs", part = "aaab", run = "letters" }', 2),
    ('{ of = "encoded", by = "gpt2", run = "letters" }', 6),
    ('{ of = "encoded", by = "letters", text = "aaabaa" }', 2),
    ('{ of = "pieces", by = "gpt2", run = "letters" }', (b"aa", b"ab", b"da", b"a", b"ab", b"ac")),
    ('{ of = "pieces", by = "gpt2", text = "<|endoftext|>", special = true }', (b"<|endoftext|>",)),
    ('{ of = "ids", by = "gpt2", text = "hello world" }', "31373, 995"),
    ('{ of = "id", by = "gpt2", token = "<|endoftext|>" }', 50_256),
    ('{ of = "continuations", by = "letters", text = "aaab" }', 1),
    ('{ of = "shortest", by = "letters", text = "aaaaab" }', 2),
    ('{ of = "shortest-pieces", by = "letters", text = "aaaaab" }', (b"aa", b"aaab")),
    ('{ of = "ratio", over = "four", under = "two", decimals = 1 }', 2.0),
    ('{ of = "difference", more = "four", less = "two" }', 2),
    ('{ of = "same", one = "four", other = "two" }', "different"),
    ('{ of = "same", one = "two", other = "two" }', "the same"),
    ('{ of = "largest", among = { many = "four", few = "two" } }', "many"),
    ('{ of = "smallest", among = { many = "four", few = "two" } }', "few"),
    ('{ of = "printed", notebook = "course-cat", key = "ids", value = [1, 2] }', "1, 2"),
]


@pytest.fixture(scope="module")
def lesson(tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    named = [f"c{place} = {claim}" for place, (claim, _) in enumerate(CLAIMS)]
    others = ['four = { of = "merge-count", merge = 1 }', 'two = { of = "merge-count", merge = 2 }']
    path: Path = tmp_path_factory.mktemp("lessons") / "99-every-claim.toml"
    caption = " ".join(f"{{c{place}}}" for place in range(len(CLAIMS)))
    path.write_text(LESSON.replace("CLAIMS", caption) + "\n".join([*others, *named]), "utf-8")
    return Prepared(path.name, read_lesson(path))


@pytest.mark.parametrize("place", range(len(CLAIMS)), ids=[claim for claim, _ in CLAIMS])
def test_a_claim_is_what_one_counts_by_hand(lesson: Prepared, place: int) -> None:
    assert compute(lesson, f"c{place}") == CLAIMS[place][1]


def test_every_kind_is_here(lesson: Prepared) -> None:
    assert {type(claim) for claim in lesson.lesson.claims.values()} == set(get_args(AnyClaim))
