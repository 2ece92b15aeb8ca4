"""The walks through the reference notebooks: their runs and figures are those that the notebooks printed."""

import json
from functools import reduce
from typing import Any

import pytest

from bpeviz.core.base_vocabulary import GPT2_BYTE_CHARACTERS
from bpeviz.lessons.claims import Printed
from bpeviz.lessons.computing import compute
from bpeviz.lessons.prepared import prepared
from bpeviz.lessons.reading import lesson_files, lesson_named
from tests.support.paths import ROOT

CASES = {
    case["name"]: case
    for case in json.loads((ROOT / "tests" / "parity" / "notebooks.json").read_text("utf-8"))
}
WALKS = [slug for slug in lesson_files() if lesson_named(slug).kind == "walk"]
COURSES = ("course-cat", "course-transformers", "course-hugging-face")


def shown(token: bytes) -> str:
    """A token as the notebooks print it, with Ġ for a space."""
    return "".join(GPT2_BYTE_CHARACTERS[value] for value in token)


def pair(slug: str, name: str) -> list[str]:
    value = compute(prepared(slug), name)
    assert isinstance(value, tuple)
    return [shown(token) for token in value]


def test_there_is_a_walk_through_every_notebook() -> None:
    assert [f"walk-{name}" for name in CASES] == WALKS


@pytest.mark.parametrize("name", COURSES)
def test_the_run_of_a_course_makes_the_merges_that_the_notebook_printed(name: str) -> None:
    material = prepared(f"walk-{name}").material()
    tokens = material.run.result.merged_bytes
    assert [[shown(left), shown(right)] for left, right in tokens] == CASES[name]["merges"]
    assert material.run.tokenizer.n_vocab == CASES[name]["vocab_size"]
    assert material.text.split("\n") == CASES[name]["texts"]


@pytest.mark.parametrize("name", COURSES)
def test_the_size_in_the_caption_is_the_one_asked_for(name: str) -> None:
    assert compute(prepared(f"walk-{name}"), "size") == CASES[name]["vocab_size"]


@pytest.mark.parametrize("name", ["course-transformers", "course-hugging-face"])
def test_the_first_pair_in_the_caption(name: str) -> None:
    assert pair(f"walk-{name}", "first") == CASES[name]["first_pair"]
    assert compute(prepared(f"walk-{name}"), "first_count") == CASES[name]["first_pair_count"]


COUNTS = {
    "course-cat": {"h e": "he", "Ġ t": "space_t", "t h": "th", "T h": "Th", "r e": "re"},
    "course-hugging-face": {
        "T h": "Th",
        "h i": "hi",
        "i s": "is",
        "Ġ i": "space_i",
        "Ġ t": "space_t",
        "t h": "th",
    },
}


@pytest.mark.parametrize("name", COUNTS)
def test_the_pair_counts_in_the_caption(name: str) -> None:
    lesson = prepared(f"walk-{name}")
    printed = CASES[name]["pair_counts_before_first_merge"]
    assert {written: compute(lesson, claim) for written, claim in COUNTS[name].items()} == printed


def test_the_cat_s_pre_tokens_vocabulary_and_encoding() -> None:
    lesson, case = prepared("walk-course-cat"), CASES["course-cat"]
    counts = case["pre_token_counts"]
    assert [compute(lesson, name) for name in ("the", "capital", "stop")] == [
        counts[written] for written in ("Ġthe", "The", ".")
    ]
    assert compute(lesson, "base") == case["vocab_size"] - len(case["merges"])
    assert pair("walk-course-cat", "encoded") == case["encode"]["tokens"]


def test_the_mistake_of_course_transformers() -> None:
    case = CASES["course-transformers"]
    assert pair("walk-course-transformers", "written") == case["notebook_merges"][0] == case["merges"][5]
    assert compute(prepared("walk-course-transformers"), "number") == 6


def test_the_word_that_the_course_cuts_after_the_first_merge() -> None:
    (word, tokens), *_ = CASES["course-hugging-face"]["split_after_first_merge"].items()
    caption = lesson_named("walk-course-hugging-face").stops[2].caption
    assert f"` {word[1:]}` becomes `{' '.join(tokens).replace('Ġ', '␣')}`" in caption
    tokenizer = prepared("walk-course-hugging-face").material().run.tokenizer.after(1)
    assert [shown(tokenizer.token_bytes(i)) for i in tokenizer.encode(f" {word[1:]}")] == tokens


def test_the_integers_of_bytes_wikipedia_are_the_letters() -> None:
    example = CASES["bytes-wikipedia"]["int_example"]
    text = prepared("walk-bytes-wikipedia").material().text
    assert text == "".join("abcd"[integer - 1] for integer in example["ids"])
    names = {1: "a", 2: "b", -1: "aa", -2: "ab"}
    forced = lesson_named("walk-bytes-wikipedia").runs["notebook"].forced
    assert [list(each) for each in forced] == [
        [names[i] for i in merge] for merge in example["notebook_merges"]
    ]
    assert compute(prepared("walk-bytes-wikipedia"), "end") == example["result_length"]


def test_gpt2_s_ids_beside_characters_verdict() -> None:
    lesson, case = prepared("walk-characters-verdict"), CASES["characters-verdict"]["gpt2"]
    assert lesson.material("gpt2").text == case["text"]
    assert compute(lesson, "gpt2") == ", ".join(map(str, case["ids"]))
    assert compute(lesson, "gpt2_size") == case["vocab_size"]


def test_the_player_shows_the_tokens_that_the_notebook_printed() -> None:
    for slug, run, name in (
        ("walk-characters-verdict", "sentence", "encode_by_merge_rank"),
        ("walk-bytes-wikipedia", "hello", "encode"),
    ):
        material, case = prepared(slug).material(run), CASES[slug.removeprefix("walk-")]
        assert material.text == case[name]["text"]
        assert material.run.tokenizer.encode(material.text) == case[name]["ids"]
        assert material.replayed


def test_the_merges_on_the_article_are_those_that_the_notebook_printed() -> None:
    lesson = lesson_named("walk-bytes-wikipedia")
    tokens = {value: chr(value) for value in range(256)}
    for number, (left, right) in enumerate(CASES["bytes-wikipedia"]["notebook_merges"]):
        tokens[256 + number] = tokens[left] + tokens[right]
        written = (tokens[left], tokens[right], 256 + number)
        assert lesson.runs["article"].replayed[number] == lesson.runs["hello"].replayed[number] == written


PRINTED = [
    pytest.param(claim, id=f"{slug}-{name}")
    for slug in WALKS
    for name, claim in lesson_named(slug).claims.items()
    if isinstance(claim, Printed)
]


@pytest.mark.parametrize("claim", PRINTED)
def test_a_quoted_figure_is_the_one_that_the_notebook_printed(claim: Printed) -> None:
    printed: Any = reduce(lambda found, key: found[key], claim.key.split("."), CASES[claim.notebook])
    quoted = list(claim.value) if isinstance(claim.value, tuple) else claim.value
    assert quoted == (float(printed) if isinstance(printed, str) else printed)
