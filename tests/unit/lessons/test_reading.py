"""Files of lessons: what is read, and what a mistake in one says."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bpeviz.errors import LessonError
from bpeviz.lessons.computing import Part, compute, fill, plain
from bpeviz.lessons.prepared import Prepared
from bpeviz.lessons.reading import read_lesson

GOOD = """
title = "What is a merge?"
about = "Letters become tokens."

[runs.letters]
text = "aaabdaaabac"
merges = 3

[[stops]]
step = 0
caption = "It has {start} tokens; `a + a` is first."

[[stops]]
step = 1
caption = "Which is next?"
guess = { kind = "pair" }

[[stops]]
caption = "Done: {last}."

[claims]
start = { of = "tokens", step = 0 }
last = { of = "merge", merge = 3 }

[try]
sample = "English prose"
"""


def lesson(folder: Path, text: str) -> Prepared:
    path = folder / "01-merge.toml"
    path.write_text(text, "utf-8")
    return Prepared(path.name, read_lesson(path))


@contextmanager
def refused(field: str, why: str) -> Iterator[None]:
    """Expect a LessonError that names the lesson's file, the field and why."""
    with pytest.raises(LessonError) as raised:
        yield
    assert str(raised.value).startswith(f"Lesson 01-merge.toml, {field}: ")
    assert why in str(raised.value)


def test_a_caption_is_filled_from_its_claims(tmp_path: Path) -> None:
    read = lesson(tmp_path, GOOD)
    assert fill(read, read.lesson.stops[0].caption) == [
        Part("It has "),
        Part("11"),
        Part(" tokens; "),
        Part("a + a", code=True),
        Part(" is first."),
    ]
    assert plain(fill(read, read.lesson.stops[2].caption)) == "Done: aaa + b."


def test_a_stop_without_a_step_is_after_all_merges(tmp_path: Path) -> None:
    read = lesson(tmp_path, GOOD)
    assert [read.material_at(place)[1] for place in range(3)] == [0, 1, 3]


def test_spaces_at_the_edges_of_code_are_visible(tmp_path: Path) -> None:
    read = lesson(tmp_path, GOOD)
    assert fill(read, "` the cat `") == [Part("␣the cat␣", code=True)]


@pytest.mark.parametrize(
    ("before", "after", "field", "why"),
    [
        ("{start}", "11", "stops[0].caption", "'11' is typed"),
        ("{start}", "{begin}", "stops[0].caption", "There is no claim 'begin'"),
        ("`a + a`", "`{start}`", "stops[0].caption", "without backticks"),
        ("Done: {last}.", "Done.", "claims.last", "No caption uses it"),
        ("step = 1", "step = -1", "stops[1].step", ">= 0"),
        ("step = 1", 'run = "x"', "stops[1].run", "There is no run 'x'"),
        ("merges = 3", "merge = 3", "runs[...]", "unknown field `merge`"),
        ('title = "What is a merge?"', "", "file", "missing required field `title`"),
        ('title = "What is a merge?"', "title =", "file", "is not TOML"),
        ('kind = "pair"', 'kind = "pears"', "stops[1].guess.kind", "Invalid value"),
        ("step = 1", "step = 0", "stops[1].step", "Ask at step 1 or later"),
        ("merges = 3", 'tokenizer = "gpt2"', "stops[1].guess", "Ask a choice"),
        ("[try]", 'x = { of = "ratio", over = "start", under = "no" }\n[try]', "claims.x", "no claim 'no'"),
    ],
)
def test_a_mistake_names_the_file_the_field_and_the_remedy(
    tmp_path: Path, before: str, after: str, field: str, why: str
) -> None:
    assert before in GOOD
    with refused(field, why):
        lesson(tmp_path, GOOD.replace(before, after))


@pytest.mark.parametrize(
    ("before", "after", "field", "why"),
    [
        ("step = 1", "step = 3", "stops[1].step", "The run has 3 merges. Give a smaller step."),
        ('text = "aaabdaaabac"', 'sample = "Prose"', "runs.letters", "There is no sample 'Prose'."),
        ('text = "aaabdaaabac"', 'language = "tlh"', "runs.letters", "There is no language 'tlh'."),
        ('text = "aaabdaaabac"', "", "runs.letters", "It has no text."),
        ('text = "aaabdaaabac"', 'text = "a"', "runs.letters", "No merge was made"),
        ("merges = 3", 'recipe = "bpe"', "runs.letters", "bpe"),
        ("merges = 3", 'forced = [["xx", "y"]]', "runs.letters", "There are no tokens 'xx' and 'y'"),
    ],
)
def test_a_run_that_cannot_be_made_names_its_field(
    tmp_path: Path, before: str, after: str, field: str, why: str
) -> None:
    read = lesson(tmp_path, GOOD.replace(before, after))
    with refused(field, why):
        read.material_at(1)


@pytest.mark.parametrize(
    "claim",
    [
        '{ of = "merge", merge = 9 }',
        '{ of = "tokens", step = 9 }',
        '{ of = "merge-of", token = "zz" }',
        '{ of = "count", step = 0, pair = ["zz", "a"] }',
        '{ of = "id", token = "zz" }',
    ],
)
def test_a_claim_that_cannot_be_computed_is_an_error(tmp_path: Path, claim: str) -> None:
    read = lesson(tmp_path, GOOD.replace('{ of = "merge", merge = 3 }', claim))
    with pytest.raises(LessonError, match=r"claims\.last: It can't be computed"):
        compute(read, "last")


def test_forced_merges_come_first(tmp_path: Path) -> None:
    read = lesson(tmp_path, GOOD.replace("merges = 3", 'merges = 3\nforced = [["a", "b"], ["a", "a"]]'))
    assert [step.token for step in read.material().run.steps] == [b"ab", b"aa", b"aaab"]
    assert [choice.rank for choice in read.material().run.choices] == [0, 1]


def test_several_texts_are_lines_whose_ends_are_no_tokens(tmp_path: Path) -> None:
    read = lesson(tmp_path, GOOD.replace('text = "aaabdaaabac"', 'texts = ["aab", "aab"]'))
    material = read.material()
    assert material.text == "aab\naab"
    assert [step.token for step in material.run.steps] == [b"aa", b"aab"]
    assert material.run.history.token_totals.tolist() == [6, 4, 2]


def test_until_a_step_no_later_merge_shows(tmp_path: Path) -> None:
    material = lesson(tmp_path, GOOD).material()
    until = material.until(1)
    assert [step.token for step in until.run.steps] == [b"aa"]
    assert set(until.gap_ranks.tolist()) == {0, *(set(material.gap_ranks.tolist()) - {0, 1, 2})}
    assert b"aaa" not in until.run.tokenizer.vocabulary.values()
    assert until.run.history.token_totals.tolist() == material.run.history.token_totals[:2].tolist()
