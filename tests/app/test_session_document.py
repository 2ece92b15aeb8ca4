"""A session and its document: what goes in comes out, and what nobody could have written is refused."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import inspect

from bpeviz.errors import SavedSessionError, TrainingSettingsError
from bpeviz.runs.run import NamedText, Run
from bpeviz.runs.run_training import RunRequest, fork_run, train_run
from bpeviz.runs.typed_text import MOST_TYPED_BYTES
from bpeviz.sessions.allowed import allowed, allowed_run
from bpeviz.sessions.document import SavedPage, SavedRun, SavedSession, SavedSettings, SavedText
from bpeviz.sessions.document_json import read_document, write_document
from bpeviz.sessions.page_fields import Text, write_page
from bpeviz.sessions.store import text_digest
from bpeviz.training.choice import Choice
from bpeviz.training.settings import CUSTOM_SPLIT, TrainingSettings
from bpeviz.ui.compare.comparer import read_rivals, take_over
from bpeviz.ui.compare.state import CompareFields, CompareState, SeveralFields
from bpeviz.ui.encode.state import EncodeFields, EncodeState
from bpeviz.ui.kit.compared_text import UploadedText
from bpeviz.ui.kit.messages import picked_point, picked_rows
from bpeviz.ui.kit.pairs import read_picked
from bpeviz.ui.kit.pick_side import picked_side
from bpeviz.ui.kit.player import read_report
from bpeviz.ui.recipes.state import RecipesFields, RecipesState
from bpeviz.ui.session.describe import describe, title_of
from bpeviz.ui.session.form import FormState
from bpeviz.ui.session.opening import fit, read_session_file, write_session_file
from bpeviz.ui.session.put_back import put_back, texts_of
from bpeviz.ui.session.saving_state import Digests, SessionToOpen
from bpeviz.ui.session.session import Session
from bpeviz.ui.watch.state import WatchFields, WatchState
from tests import support
from tests.support.app_test import compare_of, watch_of
from tests.support.trained import run_of

CAT = NamedText("cat", "the cat in the hat and the cat on the mat. " * 3)
EMOJI = NamedText("emoji.txt", "🐈\0 <b>日本</b> " * 5)


def trained(text: NamedText = CAT, **settings: object) -> Run:
    return run_of(text, TrainingSettings(**settings), lambda *_: None)  # type: ignore[arg-type]


def a_full_session() -> Session:
    state = Session()
    state.form = FormState(typed="typed")
    run = replace(trained(num_merges=12), number=1)
    pair = run.history.pair_counts(2).iloc[1]
    choice = Choice(2, (int(pair["left"]), int(pair["right"])))
    state.show(run)
    state.show_fork(run.number, replace(fork_run(run, choice, lambda *_: None), number=2))
    state.show(replace(trained(EMOJI, recipe="minbpe", num_merges=4), number=3))
    for kept in list(state.runs):
        state.rename(kept.number, kept.about)
    state.turn_to(state.runs[1].number)
    state.put_beside(state.runs[0].number)
    state.step = 5
    state.pages.of(WatchState).saved = WatchFields(run.steps[3].pair, "Race", 200)
    state.tokenizers.picked = {"left": f"run-{run.number}", "right": "cl100k"}
    compare = compare_of(state).saved
    compare.set_merges("left", f"run-{run.number}", 3)
    compare.set_merges("right", "gpt2", 500)
    compare.text.typed, compare.text.source, compare.locked = Text("é"), "Type", True
    recipes = RecipesFields(recipes=("minbpe", "course"), pair=("course", "minbpe"), split="cl100k")
    recipes.text.uploaded = UploadedText.of(CAT)
    state.pages.of(RecipesState).saved = recipes
    state.pages.of(EncodeState).saved = EncodeFields(
        text=Text("a\nb"), ids=Text("1 2"), part="b", num_merges={run.number: 2}
    )
    return state


def again(state: Session) -> Session:
    """What the document of a session brings back."""
    document, texts = describe(state, Digests())
    read = read_document(write_document(document), texts)
    assert read == document
    new = Session()
    put_back(new, read, texts, [run_from(run, texts) for run in document.runs])
    return new


def run_from(run: SavedRun, texts: dict[str, str]) -> Run:
    corpus = NamedText(run.text.name, texts[run.text.digest])
    return train_run(RunRequest(run.name, corpus, allowed_run(run), number=run.number), lambda *_: None)


def test_a_full_session_comes_back_with_runs_forks_steps_and_fields() -> None:
    state = a_full_session()
    new = again(state)
    assert [r.steps for r in new.runs] == [r.steps for r in state.runs]
    assert [r.name for r in new.runs] == [r.name for r in state.runs]
    assert [r.choices for r in new.runs] == [r.choices for r in state.runs]
    assert new.run is new.runs[1]
    assert new.run_beside is new.runs[0]
    assert (new.step, new.start, watch_of(new).pair, watch_of(new).race_length) == (
        5,
        5,
        watch_of(state).pair,
        200,
    )
    assert new.tokenizers.picked == {"left": f"run-{new.runs[0].number}", "right": "cl100k"}
    assert compare_of(new).saved.merges_by_side == {
        ("left", f"run-{new.runs[0].number}"): 3,
        ("right", "gpt2"): 500,
    }
    assert new.pages.of(EncodeState).saved == state.pages.of(EncodeState).saved
    assert [r.number for r in new.runs] == [1, 2, 3]
    assert describe(new, Digests()) == describe(state, Digests())
    assert title_of(new, describe(new, Digests())[0]) == title_of(state, describe(state, Digests())[0])


def test_the_fields_of_several_tokenizers_come_back() -> None:
    state = a_full_session()
    numbers = [run.number for run in state.runs]
    fields = compare_of(state).saved.several
    fields.baseline = f"run-{numbers[0]}"
    fields.source, fields.part, fields.line = "Parallel sample", 34, 7
    new = again(state)
    baseline = f"run-{new.runs[0].number}"
    assert compare_of(new).saved.several == SeveralFields(baseline, "Parallel sample", 34, 7)


def test_more_rows_come_back() -> None:
    state = a_full_session()
    compare_of(state).saved.others = ("cl100k_base", f"run-{state.runs[1].number}")
    new = again(state)
    assert compare_of(new).saved.others == ("cl100k_base", f"run-{new.runs[1].number}")


@pytest.mark.parametrize(("length", "kept"), [(MOST_TYPED_BYTES, True), (MOST_TYPED_BYTES + 1, False)])
def test_a_typed_text_that_the_field_does_not_take_is_not_restored(length: int, kept: bool) -> None:
    state = Session(form=FormState(typed="a" * length))
    assert again(state).form.typed == (state.form.typed if kept else "")


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
    assert new.tokenizers.picked["left"] == f"run-{state.runs[0].number}"
    assert new.form.typed == "typed"


def test_nothing_at_all_could_be_trained_again() -> None:
    document, texts = describe(a_full_session(), Digests())
    new = Session()
    put_back(new, document, texts, [None, None, None])
    assert (new.run, new.step) == (None, 0)


def test_texts_are_hashed_once_and_forgotten_when_they_are_gone() -> None:
    digests = Digests()
    text = "x" * 1_000_000
    digest = digests.of(text)
    assert digest == text_digest(text.encode())
    assert digests.collect_texts() == {digest: text}
    assert digests.of(text) is digest
    digests.collect_texts()
    assert digests.collect_texts() == {}
    assert digests.of(text) is not digest


def test_a_session_file_goes_to_another_machine_and_back() -> None:
    state = a_full_session()
    to_open = read_session_file(write_session_file(state))
    assert (to_open.document, to_open.texts) == describe(state, Digests())
    assert to_open.saved_id == ""


SAVED = (Path(support.__file__).parent / "session_version_4.json").read_bytes()


def test_the_format_stays_that_of_version_4() -> None:
    assert json.loads(write_session_file(a_full_session())) == json.loads(SAVED)


def test_a_saved_file_comes_back() -> None:
    to_open = read_session_file(SAVED)
    new = Session()
    put_back(
        new, to_open.document, to_open.texts, [run_from(run, to_open.texts) for run in to_open.document.runs]
    )
    for kind in (CompareState, EncodeState, RecipesState, WatchState):
        new.pages.of(kind)  # otherwise it is saved as it was read, with the file's line ends
    assert describe(new, Digests()) == describe(a_full_session(), Digests())


FIELDS = sorted(json.loads(SAVED)["document"].keys() - {"runs", "version"})


@pytest.mark.parametrize("name", FIELDS)
def test_a_field_that_a_document_lacks_stays_as_in_a_new_session(name: str) -> None:
    to_open = read_session_file(broken(lambda file: file["document"].pop(name)))
    new = Session()
    put_back(new, to_open.document, to_open.texts, [None, None, None])
    usual = json.loads(write_document(describe(Session(), Digests())[0]))
    assert json.loads(write_document(describe(new, Digests())[0]))[name] == usual[name]


@pytest.mark.parametrize("kind", [SavedSession, WatchFields, CompareFields, RecipesFields, EncodeFields])
def test_every_text_number_and_list_of_a_document_has_a_limit(kind: type) -> None:
    """Also those of a state that somebody adds a field to."""
    unlimited: list[str] = []

    def walk(type_: Any, path: str) -> None:
        match type_:
            case inspect.StrType(max_length=None, pattern=None) | inspect.IntType(le=None, lt=None):
                unlimited.append(path)
            case inspect.StructType() | inspect.DataclassType():
                for field in type_.fields:
                    walk(field.type, f"{path}.{field.name}")
            case inspect.UnionType():
                for each in type_.types:
                    walk(each, path)
            case inspect.VarTupleType() | inspect.ListType():
                if type_.max_length is None:
                    unlimited.append(path)
                walk(type_.item_type, f"{path}[]")
            case inspect.TupleType():
                for each in type_.item_types:
                    walk(each, f"{path}[]")
            case inspect.DictType():
                if type_.max_length is None:
                    unlimited.append(path)
                walk(type_.key_type, f"{path} key")
                walk(type_.value_type, f"{path}{{}}")

    walk(inspect.type_info(kind), "")
    # check_choices limits those of a choice.
    of_choices = [".runs[].choices[].rank", ".runs[].choices[].pair[]", ".runs[].choices[].pair[]"]
    assert unlimited == (of_choices if kind is SavedSession else [])


def broken(change: Any) -> bytes:
    """The file of a session with something changed in it."""
    file = json.loads(write_session_file(a_full_session()))
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
        broken(lambda file: file["document"].update(version="1")),
        broken(lambda file: file["document"].update(step=-1)),
        broken(lambda file: file["document"].update(step=1e300)),
        broken(lambda file: file["document"].update(pages="/etc/passwd")),
        broken(lambda file: file["document"]["pages"]["encode"].update(texts=["../../etc/passwd"])),
        broken(lambda file: file["document"]["runs"][1].update(number=1)),
        broken(lambda file: file["document"].update(typed="../../etc/passwd")),
        broken(lambda file: file["document"].update(runs=file["document"]["runs"] * 100)),
        broken(lambda file: file["document"]["settings"].update(num_merges="many")),
        broken(lambda file: file["document"]["runs"][0].update(choices=[{"rank": "x"}])),
    ],
    ids=range(20),
)
def test_a_file_that_is_no_session_is_refused_with_a_reason(data: bytes) -> None:
    with pytest.raises(SavedSessionError, match="This session can't be opened: "):
        read_session_file(data)


@pytest.mark.parametrize(("version", "says"), [(3, "a bpeviz before 0.1.0"), (99, "a newer bpeviz")])
def test_a_file_of_another_version_says_whose_it_is(version: int, says: str) -> None:
    with pytest.raises(SavedSessionError, match=f"{says} made it"):
        read_session_file(broken(lambda file: file["document"].update(version=version)))


def as_file(document: object) -> bytes:
    return json.dumps({"document": document, "texts": {}}).encode()


ANY_JSON = st.recursive(
    st.none() | st.integers() | st.text(), lambda of: st.lists(of) | st.dictionaries(st.text(), of)
)


@given(st.binary() | ANY_JSON.map(as_file))
def test_any_other_file_is_refused(data: bytes) -> None:
    with pytest.raises(SavedSessionError):
        read_session_file(data)


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        (SavedSettings(recipe="nonesuch"), "no recipe called 'nonesuch'"),
        (SavedSettings(recipe="x" * 1_000), "no recipe called 'xxx"),
        (SavedSettings(split="nonesuch"), "no split pattern called"),
        (SavedSettings(num_merges=0), "merges go from 1 to 20,000"),
        (SavedSettings(num_merges=10**9), "merges go from 1 to 20,000"),
        (SavedSettings(min_frequency=-1), "minimum frequency"),
        (SavedSettings(vocab_size=0), "vocabulary size goes from 1 to 1,000,000"),
        (SavedSettings(max_token_length=10**7), "longest token goes from 1 to 1,000,000"),
        (SavedSettings(split=CUSTOM_SPLIT, custom_pattern="(" * 10_001), "too long"),
    ],
)
def test_settings_that_the_page_does_not_offer_are_refused(settings: SavedSettings, says: str) -> None:
    with pytest.raises(SavedSessionError, match=says):
        allowed(settings)
    form = msgspec.structs.replace(describe(Session(), Digests())[0], settings=settings)
    new = Session()
    put_back(new, form, {}, [])
    assert new.form.settings == TrainingSettings()


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
    with pytest.raises(SavedSessionError):
        allowed_run(SavedRun(1, "run", SavedText("text", "0" * 64), SavedSettings(), choices))


@pytest.mark.parametrize(
    ("choices", "says"),
    [
        (
            (Choice(501, (1, 2)),),
            "choice at rank 501 .* cannot be followed: training stops after 500 merges",
        ),
        ((Choice(5, (1, 2)), Choice(5, (3, 4))), "choice at rank 5 .*merge .* followed: another pair"),
        ((Choice(5, (1, 2)), Choice(5, (3, 4), "veto")), "choice at rank 5 .*veto .* cannot be followed"),
    ],
)
def test_choices_that_cannot_be_followed_say_why(choices: tuple[Choice, ...], says: str) -> None:
    with pytest.raises(SavedSessionError, match=says):
        allowed_run(SavedRun(1, "run", SavedText("text", "0" * 64), SavedSettings(), choices))


def test_a_saved_run_whose_training_ends_before_a_choice_says_why() -> None:
    """Its choices fit the number of merges, but the pairs run out before."""
    saved = SavedRun(
        1, "run", SavedText("text", "0" * 64), SavedSettings(min_frequency=1), (Choice(400, (1, 2)),)
    )
    corpus = NamedText("text", "abab abab")
    with pytest.raises(TrainingSettingsError, match="training stops after 3 merges"):
        train_run(RunRequest(saved.name, corpus, allowed_run(saved)), lambda *_: None)


def test_a_document_of_odd_values_does_no_harm_to_the_page() -> None:
    """Well-formed, but of things that are not there: each is left as a new session has it."""
    state = a_full_session()
    document, texts = describe(state, Digests())
    odd = msgspec.structs.replace(
        document,
        step=10**9,
        shown=63,
        beside=2,
        sides={"left": "run-99999999999999999999", "right": "../x"},
    )
    watch = WatchFields(pair=(5, 2**31 - 1), race_length=7)
    recipes = msgspec.Raw(b'{"recipes": ["a", "minbpe"], "num_merges": 4999, "split": "x"}')
    pages = {"watch": write_page(watch, str), "recipes": SavedPage(recipes)}
    odd = msgspec.structs.replace(odd, pages=pages)
    new = Session()
    put_back(new, odd, texts, state.runs)
    assert watch_of(new).race_length == 50
    assert new.run is not None
    assert new.run is state.runs[-1]
    assert new.step == len(state.runs[-1].steps)
    watch_of(new).follow(new.run)
    assert watch_of(new).pair is None
    found = new.pages.of(RecipesState).saved
    assert (found.recipes, found.num_merges, found.split) == (("minbpe",), 4999, "gpt2")


def test_a_text_that_is_not_utf_8_is_refused() -> None:
    with pytest.raises(SavedSessionError, match="not UTF-8"):
        texts_of({"a": b"\xff"}, ["a"])


def test_a_changed_name_is_a_changed_document() -> None:
    state = a_full_session()
    before = write_document(describe(state, Digests())[0])
    state.runs[0] = replace(state.runs[0], name="another")
    assert write_document(describe(state, Digests())[0]) != before


LONG = "9" * 5_000


@pytest.mark.parametrize("key", [f"run-{LONG}", "run-", "run-x", "run--1", "run-²", "run-٣", "run-99"])
def test_the_key_of_a_run_that_is_not_there_picks_what_a_new_session_picks(key: str) -> None:
    state = a_full_session()
    state.tokenizers.picked["left"] = key
    document, texts = describe(state, Digests())
    read_document(write_document(document), texts)
    new = Session()
    put_back(new, document, texts, state.runs)
    assert picked_side(new, "left") == f"run-{new.shown}"


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d["runs"][0].update(name="x" * 201),
        lambda d: d["runs"][0]["text"].update(name="x" * 100_000),
        lambda d: d["pages"].update({"x" * 201: {"fields": {}}}),
        lambda d: d.update(sides={"left": f"run-{LONG}"}),
        lambda d: d["pages"]["encode"].update(more=1),
        lambda d: d["runs"][0].update(number=10**9),
        lambda d: d["settings"].update(custom_pattern="x" * 10_001),
        lambda d: d["settings"].update(num_merges=10**18),
        lambda d: d["runs"][0]["settings"].update(recipe="x" * 300),
        lambda d: d["settings"].update(custom_pattern="x" * 2_000_000),
        lambda d: d.update(runs=[], training={"parent": 0}),
        lambda d: d.update(training={"parent": -1}),
        lambda d: d.update(training={"parent": "x"}),
    ],
    ids=range(13),
)
def test_a_document_above_its_bounds_is_refused(change: Any) -> None:
    with pytest.raises(SavedSessionError):
        read_session_file(broken(lambda file: change(file["document"])))


@pytest.mark.parametrize(
    ("address", "fields"),
    [
        ("encode", {"part": "x" * 5_001}),
        ("encode", {"sample": "x"}),
        ("encode", {"num_merges": {"x": 1}}),
        ("encode", {"text": ["x"]}),
        ("watch", {"pair": [10**30, 1]}),
        ("compare", {"others": ["x" * 201]}),
        ("recipes", [1]),
    ],
)
def test_the_fields_of_a_page_above_its_bounds_are_as_in_a_new_session(address: str, fields: Any) -> None:
    data = broken(lambda file: file["document"]["pages"][address].update(fields=fields))
    to_open, new = read_session_file(data), Session()
    put_back(new, to_open.document, to_open.texts, [])
    for kind in (CompareState, EncodeState, RecipesState, WatchState):
        new.pages.of(kind)
    pages, usual = (describe(state, Digests())[0].pages for state in (new, Session()))
    assert pages.get(address) == usual.get(address)


def test_a_page_that_nobody_opens_is_saved_as_it_came() -> None:
    to_open = read_session_file(SAVED)
    new = Session()
    put_back(new, to_open.document, to_open.texts, [])
    document, texts = describe(new, Digests())
    assert document.pages["encode"] == to_open.document.pages["encode"]
    assert texts.keys() >= set(document.pages["encode"].texts)


@pytest.mark.parametrize("value", [-1, 10**30, 2**53 + 1, "x", None, float("nan"), {}, [], True, 1.5])
def test_no_state_is_written_that_cannot_be_read_again(value: Any) -> None:
    state = a_full_session()
    state.step = value
    with pytest.raises(SavedSessionError):
        write_document(describe(state, Digests())[0])


SHOWN = trained(num_merges=12)
ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=5),
    st.lists(st.integers(), max_size=3),
)
MESSAGES = st.one_of(
    ODD,
    st.dictionaries(st.sampled_from(["at", "selection"]), ODD),
    st.fixed_dictionaries(
        {
            name: st.fixed_dictionaries(
                dict.fromkeys(("step", "left", "right", "locked", "serial"), ODD)
                | {"number": st.just(SHOWN.number)}
            )
            for name in ("at", "picked")
        }
    ),
    st.fixed_dictionaries({"selection": st.dictionaries(st.sampled_from(["points", "rows"]), ODD)}),
)


@given(MESSAGES)
def test_no_message_of_a_component_makes_a_session_that_cannot_be_saved(message: Any) -> None:
    state = Session()
    state.show(SHOWN)
    step = read_report(message, SHOWN)
    if step is not None:
        state.step = step
    if choice := read_picked(message, len(SHOWN.steps)):
        watch_of(state).saved.pair, state.step = choice.pair, choice.step
    if rivals := read_rivals(message, (len(SHOWN.steps), 10)):
        take_over(state, (len(SHOWN.steps), 10), rivals)
    assert {*picked_rows(message, 3)} <= {0, 1, 2}
    assert picked_point(message) is None or isinstance(picked_point(message), dict)
    document, texts = describe(state, Digests())
    assert read_document(write_document(document), texts) == document
    assert 0 <= state.step <= len(SHOWN.steps)


def mutated(document: Any, place: int, value: Any) -> Any:
    """The document with the value at one of its places, counted depth first, replaced."""
    count = 0

    def walk(node: Any) -> Any:
        nonlocal count
        count += 1
        if count == place:
            return value
        if isinstance(node, dict):
            return {key: walk(child) for key, child in node.items()}
        return [walk(child) for child in node] if isinstance(node, list) else node

    return walk(document)


@given(
    st.integers(1, 130),
    st.integers(1, 130),
    ODD | st.sampled_from([LONG, 0, 1, 2, 5, 60, 10**9, f"run-{LONG}"]),
)
def test_a_document_with_any_value_changed_is_refused_or_gives_a_session_that_can_be_saved(
    first: int, second: int, value: Any
) -> None:
    document, texts = describe(FULL, Digests())
    plain = json.loads(write_document(document))
    data = json.dumps(mutated(mutated(plain, first, value), second, value))
    try:
        to_open, _ = fit(SessionToOpen(read_document(data, texts), texts))
    except SavedSessionError:
        return
    new = Session()
    runs = [run if place < len(to_open.document.runs) else None for place, run in enumerate(FULL.runs)]
    put_back(new, to_open.document, to_open.texts, runs[: len(to_open.document.runs)])
    again, again_texts = describe(new, Digests())
    assert read_document(write_document(again), again_texts) == again


FULL = a_full_session()


def test_a_file_of_a_million_texts_is_refused_at_the_first() -> None:
    """Read to the end, they hold up everybody for seconds."""
    texts = b",".join(b'"%d":""' % n for n in range(200_000))
    with pytest.raises(SavedSessionError, match="key"):
        read_session_file(b'{"document":{},"texts":{' + texts + b"}}")
