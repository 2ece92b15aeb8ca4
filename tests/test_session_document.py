"""A session and its document: what goes in comes out, and what nobody could have written is refused."""

import json
from dataclasses import replace
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpeviz.errors import WorkDocumentError
from bpeviz.fork import Choice
from bpeviz.ui.run import CUSTOM_SPLIT, NamedText, Run, Settings, fork_run, train_again, train_run
from bpeviz.ui.session_document import describe, put_back, texts_of, title_of
from bpeviz.ui.state import Session
from bpeviz.ui.work_document import (
    RunState,
    TextState,
    WorkDocument,
    allowed,
    allowed_choices,
    read_document,
    write_document,
)
from bpeviz.ui.work_fields import Digests
from bpeviz.ui.work_file import read_work_file, write_work_file
from bpeviz.work_store import text_digest

CAT = NamedText("cat", "the cat in the hat and the cat on the mat. " * 3)
EMOJI = NamedText("emoji.txt", "🐈\0 <b>日本</b> " * 5)


def trained(text: NamedText = CAT, **settings: object) -> Run:
    return train_run(text, Settings(**settings), lambda *_: None)  # type: ignore[arg-type]


def a_full_session() -> Session:
    state = Session(source="Upload", pasted="typed", uploaded=EMOJI, sample="German")
    run = trained(num_merges=12)
    pair = run.history.pair_counts(2).iloc[1]
    choice = Choice(2, (int(pair["left"]), int(pair["right"])))
    state.show(run)
    state.show_fork(run.number, fork_run(run, choice, lambda *_: None))
    state.show(trained(EMOJI, recipe="minbpe", num_merges=4))
    state.turn_to(state.runs[1].number)
    state.put_beside(state.runs[0].number)
    state.step, state.pair, state.race_length = 5, run.steps[3].pair, 200
    state.sides = {"left": f"run-{run.number}", "right": "cl100k"}
    state.compare.merges = {("left", f"run-{run.number}"): 3, ("right", "gpt2"): 500}
    state.compare.typed, state.compare.source, state.compare.locked = "é", "Type", True
    state.disagree.recipes, state.disagree.text.uploaded = ("minbpe", "course"), CAT
    state.disagree.pair, state.disagree.split = ("course", "minbpe"), "cl100k"
    state.encode.text, state.encode.ids.own, state.encode.part.own = "a\nb", "1 2", "b"
    state.encode.num_merges = {run.number: 2}
    return state


def again(state: Session) -> Session:
    """What the document of a session brings back."""
    document, texts = describe(state, Digests())
    read = read_document(write_document(document), texts)
    assert read == document
    new = Session()
    put_back(new, read, texts, [run_of(run, texts) for run in document.runs])
    return new


def run_of(run: RunState, texts: dict[str, str]) -> Run:
    corpus = NamedText(run.text.name, texts[run.text.digest])
    return train_again(corpus, run.settings, allowed_choices(run), run.name, lambda *_: None)


def test_a_full_session_comes_back_with_runs_forks_steps_and_fields() -> None:
    state = a_full_session()
    new = again(state)
    assert [r.steps for r in new.runs] == [r.steps for r in state.runs]
    assert [r.name for r in new.runs] == [r.name for r in state.runs]
    assert [r.choices for r in new.runs] == [r.choices for r in state.runs]
    assert new.run is new.runs[1]
    assert new.run_beside is new.runs[0]
    assert (new.step, new.start, new.pair, new.race_length) == (5, 5, state.pair, 200)
    assert new.sides == {"left": f"run-{new.runs[0].number}", "right": "cl100k"}
    assert new.compare.merges == {("left", f"run-{new.runs[0].number}"): 3, ("right", "gpt2"): 500}
    assert new.encode.num_merges == {new.runs[0].number: 2}
    assert describe(new, Digests()) == describe(state, Digests())
    assert title_of(new) == title_of(state)


def test_an_empty_session_comes_back_empty() -> None:
    assert describe(again(Session()), Digests()) == describe(Session(), Digests())


def test_what_could_not_be_trained_again_is_left_out_and_the_rest_stands() -> None:
    state = a_full_session()
    document, texts = describe(state, Digests())
    new = Session()
    put_back(new, document, texts, [state.runs[0], None, None])
    assert new.runs == [state.runs[0]]
    assert new.run is state.runs[0]
    assert new.run_beside is None
    assert new.sides["left"] == f"run-{state.runs[0].number}"
    assert new.pasted == "typed"


def test_nothing_at_all_could_be_trained_again() -> None:
    document, texts = describe(a_full_session(), Digests())
    new = Session()
    put_back(new, document, texts, [None, None, None])
    assert (new.run, new.choosing, new.step) == (None, False, 0)


def test_texts_are_hashed_once_and_forgotten_when_they_are_gone() -> None:
    digests = Digests()
    text = "x" * 1_000_000
    digest = digests.of(text)
    assert digest == text_digest(text.encode())
    assert digests.finish() == {digest: text}
    assert digests.of(text) is digest
    digests.finish()
    assert digests.finish() == {}
    assert digests.of(text) is not digest


def test_a_file_of_work_goes_to_another_machine_and_back() -> None:
    state = a_full_session()
    coming = read_work_file(write_work_file(state))
    assert (coming.document, coming.texts) == describe(state, Digests())
    assert coming.work_id == ""


def broken(change: Any) -> bytes:
    """The file of a session with something changed in it."""
    file = json.loads(write_work_file(a_full_session()))
    change(file)
    return json.dumps(file).encode()


def change_a_text(file: Any) -> None:
    file["texts"][next(iter(file["texts"]))] += " "


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"null",
        b"[" * 200_000,
        b'{"document": {}, "texts": {}}',
        b'{"document":' + b"[" * 100_000 + b"]" * 100_000 + b',"texts":{}}',
        b'\xff{"document": {}}',
        b'{"document": 1' + b"0" * 1_000_000 + b', "texts": {}}',
        broken(lambda file: file.update(more=1)),
        broken(lambda file: file["texts"].popitem()),
        broken(change_a_text),
        broken(lambda file: file["document"].update(version=2)),
        broken(lambda file: file["document"].update(version="1")),
        broken(lambda file: file["document"].update(step=-1)),
        broken(lambda file: file["document"].update(step=1e300)),
        broken(lambda file: file["document"].update(source="/etc/passwd")),
        broken(lambda file: file["document"].update(pasted="../../etc/passwd")),
        broken(lambda file: file["document"].update(runs=file["document"]["runs"] * 100)),
        broken(lambda file: file["document"]["settings"].update(num_merges="many")),
        broken(lambda file: file["document"]["runs"][0].update(choices=[{"rank": "x"}])),
    ],
    ids=range(19),
)
def test_a_file_that_is_no_work_is_refused_with_a_reason(data: bytes) -> None:
    with pytest.raises(WorkDocumentError, match="This is no work that can be opened here: "):
        read_work_file(data)


def as_file(document: object) -> bytes:
    return json.dumps({"document": document, "texts": {}}).encode()


ANY_JSON = st.recursive(
    st.none() | st.integers() | st.text(), lambda of: st.lists(of) | st.dictionaries(st.text(), of)
)


@given(st.binary() | ANY_JSON.map(as_file))
def test_any_other_file_is_refused(data: bytes) -> None:
    with pytest.raises(WorkDocumentError):
        read_work_file(data)


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        (Settings(recipe="nonesuch"), "no recipe called 'nonesuch'"),
        (Settings(recipe="x" * 1_000), "no recipe called 'xxx"),
        (Settings(split="nonesuch"), "no split pattern called"),
        (Settings(num_merges=0), "merges go from 1 to 20,000"),
        (Settings(num_merges=10**9), "merges go from 1 to 20,000"),
        (Settings(min_frequency=-1), "fewest occurrences"),
        (Settings(split=CUSTOM_SPLIT, custom_pattern="(" * 10_001), "too long"),
    ],
)
def test_settings_that_the_page_does_not_offer_are_refused(settings: Settings, says: str) -> None:
    with pytest.raises(WorkDocumentError, match=says):
        allowed(settings)
    form = msgspec.structs.replace(describe(Session(), Digests())[0], settings=settings)
    new = Session()
    put_back(new, form, {}, [])
    assert new.settings == Settings()


@pytest.mark.parametrize(
    "choices",
    [
        (Choice(-1, (1, 2)),),
        (Choice(501, (1, 2)),),
        (Choice(5, (1, 2)), Choice(4, (1, 2))),
        (Choice(5, (-1, 2)),),
        (Choice(5, (1, 2**31)),),
    ],
)
def test_choices_that_nobody_could_have_made_are_refused(choices: tuple[Choice, ...]) -> None:
    with pytest.raises(WorkDocumentError):
        allowed_choices(RunState("run", TextState("text", "0" * 64), Settings(), choices))


def test_a_document_of_odd_values_does_no_harm_to_the_page() -> None:
    """Well-formed, but of things that are not there: each is left as a new session has it."""
    state = a_full_session()
    document, texts = describe(state, Digests())
    odd: WorkDocument = msgspec.structs.replace(
        document,
        sample="none such",
        library_megabytes=3,
        step=10**9,
        shown=63,
        beside=1,
        pair=(-5, 10**18),
        race_length=7,
        sides={"left": "run-99999999999999999999", "right": "../x"},
    )
    odd = msgspec.structs.replace(
        odd,
        disagree=msgspec.structs.replace(odd.disagree, recipes=("a", "minbpe"), num_merges=0, split="x"),
    )
    new = Session()
    put_back(new, odd, texts, state.runs)
    assert (new.sample, new.library_megabytes, new.race_length) == ("English prose", 1, 50)
    assert new.run is state.runs[-1]
    assert new.step == len(state.runs[-1].steps)
    assert new.pair is None
    assert (new.disagree.recipes, new.disagree.num_merges, new.disagree.split) == (("minbpe",), 1, "gpt2")


def test_a_text_that_is_not_utf_8_is_refused() -> None:
    with pytest.raises(WorkDocumentError, match="not UTF-8"):
        texts_of({"a": b"\xff"}, ["a"])


def test_a_changed_name_is_a_changed_document() -> None:
    state = a_full_session()
    before = write_document(describe(state, Digests())[0])
    state.runs[0] = replace(state.runs[0], name="another")
    assert write_document(describe(state, Digests())[0]) != before
