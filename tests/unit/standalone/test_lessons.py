"""The lessons that Python writes into the playground: all of them, with what each stop says and asks."""

import json
from typing import Any

import pytest

from bpeviz.lessons.computing import fill, plain
from bpeviz.lessons.guessing import candidates
from bpeviz.lessons.lesson import GROUPS, ChoiceGuess, PairGuess, RunSpec
from bpeviz.lessons.prepared import prepared
from bpeviz.lessons.reading import lesson_files, lesson_named
from bpeviz.standalone.lessons import lesson_packs, training_order
from tests.support.lesson_table import lesson, said, table

SLUGS = list(lesson_files())


def header(name: str) -> dict[str, Any]:
    pack = lesson_packs()[name]
    read: dict[str, Any] = json.loads(pack[4 : 4 + int.from_bytes(pack[:4], "little")])
    return read


def test_every_lesson_is_there_in_its_group() -> None:
    assert [each["slug"] for each in table()["lessons"]] == SLUGS
    assert list(table()["groups"]) == list(GROUPS)
    kinds = {each["kind"] for each in table()["lessons"] if each["slug"] != "tour"}
    assert kinds == set(GROUPS)


@pytest.mark.parametrize("slug", SLUGS)
def test_every_stop_says_what_it_says_in_the_app(slug: str) -> None:
    expected, given = prepared(slug), lesson(slug)
    assert said(given["title"]) == plain(fill(expected, expected.lesson.title))
    assert len(given["stops"]) == len(expected.lesson.stops)
    for place, stop in enumerate(expected.lesson.stops):
        own = given["stops"][place]
        assert said(own["caption"]) == plain(fill(expected, stop.caption))
        assert own["step"] == expected.material_at(place)[1]
        assert (own["guess"] is None) == (stop.guess is None)
        assert (own["rows"] is None) == (not stop.rows)
        assert own["until"] == (stop.action.step if stop.action else None)


@pytest.mark.parametrize("slug", SLUGS)
def test_every_guess_has_one_right_answer(slug: str) -> None:
    for place, stop in enumerate(lesson_named(slug).stops):
        if stop.guess is None:
            continue
        guess = lesson(slug)["stops"][place]["guess"]
        (right,) = [answer for answer in guess["answers"] if answer["right"]]
        match stop.guess:
            case ChoiceGuess(right=words):
                assert said(right["words"]) == plain(fill(prepared(slug), words))
            case PairGuess():
                material, step = prepared(slug).material_at(place)
                assert tuple(right["pair"]) == material.run.steps[step].pair
                ties = [each for each in guess["answers"] + guess["others"] if each["ties"]]
                assert len(ties) == material.run.steps[step].tied - 1


@pytest.mark.parametrize("slug", SLUGS)
def test_every_run_trains_in_the_browser_or_is_packed(slug: str) -> None:
    for name, spec in lesson_named(slug).runs.items():
        order = lesson(slug)["runs"][name]
        assert order == training_order(spec)
        assert (order is None) == (f"{slug}/{name}" in lesson_packs())
        if order is None:
            made = prepared(slug).material(name)
            assert header(f"{slug}/{name}")["num_merges"] == len(made.run.steps)
            assert (f"{slug}/{name}/pairs" in lesson_packs()) == (not made.replayed)


def test_a_packed_guess_has_no_later_merge() -> None:
    stop = lesson("walk-course-cat")["stops"][3]
    assert (stop["run"], stop["step"]) == ("cat", 1)
    before = header("walk-course-cat/cat/1")
    assert before["num_merges"] == 1
    whole = header("walk-course-cat/cat")
    assert len(before["labels"]) == len(whole["labels"]) - whole["num_merges"] + 1


@pytest.mark.parametrize(
    ("spec", "trains"),
    [
        (RunSpec(text="abab"), True),
        (RunSpec(sample="DNA repeats", recipe="huggingface"), True),
        (RunSpec(text="abab", tokenizer="gpt2"), False),
        (RunSpec(text="abab", forced=(("a", "b"),)), False),
        (RunSpec(texts=("ab", "ab")), False),
        (RunSpec(text="12 34", pattern=r"\d+"), False),
    ],
)
def test_what_the_browser_trains(spec: RunSpec, *, trains: bool) -> None:
    assert (training_order(spec) is not None) == trains


def test_a_pair_that_is_less_frequent_is_told_as_in_the_app() -> None:
    """The page fills this sentence for a pair that a person picks in the text."""
    material, step = prepared("what-is-a-merge").material_at(3)
    rare = next(each for each in candidates(material.run, step, 50) if not (each.right or each.ties))
    first, rest = table()["less_frequent"].split("{pair}")
    assert first == ""
    assert rare.why.startswith(f"{rare.label}{rest.split('{')[0]}")
