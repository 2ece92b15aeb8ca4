"""A run that begins with a finished tokenizer: the field, what the page says, and that it is saved."""

import json
from dataclasses import replace
from urllib.parse import parse_qsl

import pytest
from streamlit.testing.v1 import AppTest

from bpeviz import load_pretrained
from bpeviz.errors import TrainingSettingsError
from bpeviz.formats.isolated import continue_in_worker
from bpeviz.runs.run import NamedText, Run
from bpeviz.runs.run_training import RunRequest, train_run
from bpeviz.training.settings import TrainingSettings
from bpeviz.training.start import Start
from bpeviz.ui.kit.starts import start_of, with_start
from bpeviz.ui.restoring import _train_all
from bpeviz.ui.session.describe import describe, files_of
from bpeviz.ui.session.put_back import put_back
from bpeviz.ui.session.saving_state import Digests, SessionToOpen
from bpeviz.ui.session.session import Session
from bpeviz.ui.session.settings_link import read_settings_link, write_settings_link
from bpeviz.ui.session.tokenizers import UploadedTokenizer
from bpeviz.ui.watch.page import watch_page
from bpeviz.ui.watch.run_line import MENU, export_menu
from tests.support.app_test import (
    CAT,
    captions,
    drawn,
    labelled,
    opened,
    plain,
    show_panel,
    shown_run,
    state_of,
    with_run,
)

TEXT = "zorblat krimfex zorblatting krimfexes unzorblat. " * 3
GPT2 = "GPT-2"


def begun(start: Start, num_merges: int = 0, text: str = TEXT) -> Run:
    settings = TrainingSettings("huggingface", num_merges=num_merges, min_frequency=2, start=start)
    return train_run(RunRequest("", NamedText("words", text), settings), lambda *_: None)


def gpt2() -> Start:
    return Start("gpt2", GPT2, load_pretrained("gpt2"))


def choose(app: AppTest, option: str) -> AppTest:
    labelled(app.selectbox, "Begin with").select(option).run()
    assert not app.exception
    return app


def test_the_person_begins_with_gpt2_and_then_with_nothing_again() -> None:
    app = choose(opened(text=TEXT), "gpt2")
    run = shown_run(state_of(app))
    assert (run.name, run.start, len(run.result.new_steps)) == (GPT2, gpt2(), 0)
    assert [s.token_id for s in run.steps][-1] in load_pretrained("gpt2").vocabulary
    assert "of the 50,000 merges of GPT-2. " in captions(app)
    labelled(app.number_input, "New merges").set_value(4).run()
    run = shown_run(state_of(app))
    assert [s.token_id for s in run.result.new_steps] == [50257, 50258, 50259, 50260]
    run = shown_run(state_of(choose(app, "")))
    assert (run.start, run.settings.num_merges) == (None, 4)


def test_a_link_opens_the_same_run() -> None:
    app = opened(text=TEXT, begin="gpt2", merges="3", step="2")
    state = state_of(app)
    run = shown_run(state)
    assert ([*run.steps], state.step) == ([*begun(gpt2(), 3).steps], 2)
    link = write_settings_link(state, run)
    assert link is not None
    assert dict(parse_qsl(link)) == {
        "text": TEXT,
        "begin": "gpt2",
        "recipe": "huggingface",
        "merges": "3",
        "fewest": "2",
        "step": "2",
    }


def test_a_link_begins_only_with_a_built_in_tokenizer() -> None:
    with pytest.raises(Exception, match="a run begins with gpt2, cl100k_base, o200k_base"):
        read_settings_link({"text": TEXT, "begin": "file-1"})
    other = begun(Start("file-1", "mine", load_pretrained("gpt2")))
    assert write_settings_link(Session(), other) is None


def reopened(state: Session) -> tuple[Session, dict[int, object]]:
    """The session after it was saved and opened again, and what its runs became."""
    document, texts = describe(state, Digests())
    files = files_of(state, document)
    to_open = SessionToOpen(document, texts, files=files)
    corpora = {place: NamedText(run.text.name, texts[run.text.digest]) for place, run in to_open.runs.items()}
    trained = _train_all(to_open, corpora, lambda *_: None)
    again = Session()
    runs = [run if isinstance(run, Run) else None for run in trained.values()]
    put_back(again, document, texts, runs, files)
    return again, dict(trained)


def test_a_run_that_begins_with_a_file_is_saved_with_the_file() -> None:
    state = Session()
    merges = b"#version: 0.2\nz o\nzo r\n"
    vocabulary = b'{"z":0,"o":1,"r":2,"b":3,"l":4,"a":5,"t":6,"zo":7,"zor":8}'
    uploaded = UploadedTokenizer.of({"vocab.json": vocabulary, "merges.txt": merges}, "gpt2", "mine")
    key = state.tokenizers.add(uploaded, uploaded.read())
    state.show(begun(start_of(state, key), 2, "zorblatzorblat"))
    before = shown_run(state)
    assert [step.token for step in before.steps][:2] == [b"zo", b"zor"]
    again, _ = reopened(state)
    assert [*shown_run(again).steps] == [*before.steps]
    assert again.form.settings == before.form_settings


def test_a_run_that_begins_with_another_run_is_saved_after_it() -> None:
    state = with_run(CAT, num_merges=5)
    first = shown_run(state)
    state.show(begun(start_of(state, f"run-{first.number}"), 3, CAT))
    before = shown_run(state)
    assert [s.token for s in before.steps][:5] == [s.token for s in first.steps]
    again, _ = reopened(state)
    assert [*shown_run(again).steps] == [*before.steps]
    # a chain of runs would have to be trained one after the other
    with pytest.raises(TrainingSettingsError, match="not here any more"):
        start_of(state, f"run-{before.number}")


def test_a_saved_run_whose_tokenizer_is_gone_says_so() -> None:
    state = with_run(CAT, num_merges=5)
    number = shown_run(state).number
    state.show(begun(start_of(state, f"run-{number}"), 3, CAT))
    state.runs = [run for run in state.runs if run.number != number]
    _, trained = reopened(state)
    assert "Add its file on Compare" in str(trained[0])


def test_a_run_that_another_begins_with_is_deleted_after_that_one() -> None:
    state = with_run(CAT, num_merges=5)
    first = shown_run(state)
    state.show(begun(start_of(state, f"run-{first.number}"), 3, CAT))
    later = shown_run(state)
    state.drop(first.number)
    assert (state.problem, len(state.runs)) == (
        f"“{later.name}” begins with this run. Delete that one first.",
        2,
    )
    state.drop(later.number)
    assert [run.number for run in state.runs] == [first.number]


def test_another_start_begins_without_new_merges() -> None:
    settings = TrainingSettings(num_merges=700)
    begun_with = with_start(settings, gpt2())
    assert (begun_with.num_merges, with_start(begun_with, None).num_merges) == (0, 500)
    assert with_start(begun_with, gpt2()) is begun_with


def test_the_panel_tells_ranks_and_what_new_merges_save() -> None:
    app = choose(opened(text=TEXT), "gpt2")
    show_panel(app, "Start")
    labelled(app.number_input, "New merges").set_value(6).run()
    assert not app.exception
    said = captions(app)
    assert "take the most frequent pair of this text at that moment." in said
    assert "On this text they save" in said
    labelled(app.text_area, "A second text, to see what they save elsewhere").input("unlike words").run()
    assert "On the second text they save nothing." in captions(app)


def test_the_persons_own_file_is_saved_with_the_new_merges() -> None:
    state = Session()
    model = {"type": "BPE", "vocab": {"z": 0, "o": 1, "r": 2, "zo": 3}, "merges": ["z o"]}
    split = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    file = {"version": "1.0", "added_tokens": [], "pre_tokenizer": split, "model": model}
    files = {"tokenizer.json": json.dumps(file).encode()}
    uploaded = UploadedTokenizer.of(files, None, "mine")
    key = state.tokenizers.add(uploaded, uploaded.read())
    state.show(begun(start_of(state, key), 1, "zorzorzor"))
    app = drawn(export_menu, state, run=shown_run(state))
    app.session_state[MENU] = True
    app.run()
    assert not app.exception
    assert "tokenizer.json, all else as it was" in [
        plain(button.label) for button in app.get("download_button")
    ]
    new = [(step.pair, step.token_id) for step in shown_run(state).result.new_steps]
    (data,) = continue_in_worker(files, new).values()
    assert json.loads(data)["model"] == {
        **model,
        "vocab": {**model["vocab"], "zor": 4},
        "merges": ["z o", "zo r"],
    }


def test_no_new_merges_after_a_start_is_no_number_of_merges_without_one() -> None:
    state = with_run(CAT)
    state.form.settings = replace(state.form.settings, num_merges=0)
    assert labelled(drawn(watch_page, state).number_input, "Merges").value == 1
