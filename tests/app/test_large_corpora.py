"""Large corpora on the page: files of this machine, large uploads, runs that the command line saved."""

import gc
import io
import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs

import pytest
from streamlit.testing.v1 import AppTest

from bpeviz.cli import main
from bpeviz.corpus.corpus_files import CorpusFiles
from bpeviz.limits import Limits, limits
from bpeviz.runs.run import NamedText
from bpeviz.runs.run_training import run_request
from bpeviz.runs.samples import first_run
from bpeviz.training.settings import TrainingSettings
from bpeviz.ui.server.hosting import start_with
from bpeviz.ui.session.saving import save_file
from bpeviz.ui.watch.interactive_page import interactive_page
from tests.support.app_test import (
    address_of,
    captions,
    first_error,
    labelled,
    menus,
    opened,
    plain,
    press,
    shown_run,
    state_of,
    watch_of,
)

CAT = "the cat in the hat and the cat on the mat. " * 100
DOG = "a dog and a log and a fog and a lighthouse\n" * 50


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A page that shows 1,000 bytes and takes uploads of 20,000."""
    first_run()  # its sample has more bytes: it is there before, whichever test comes first
    monkeypatch.setattr("bpeviz.limits._LOCAL", Limits(max_text_bytes=1_000, max_corpus_upload_bytes=20_000))
    limits.cache_clear()
    yield
    limits.cache_clear()


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    paths = [tmp_path / "cat.txt", tmp_path / "dog.txt"]
    for path, text in zip(paths, (CAT, DOG), strict=True):
        path.write_text(text)
    return paths


@pytest.fixture
def started(files: list[Path], small: None) -> Iterator[CorpusFiles]:
    """A server that was started with two files."""
    start_with(found := CorpusFiles.of(files))
    yield found
    start_with(None)


def trained() -> AppTest:
    return opened().button(key="server_files").click().run()


@pytest.mark.usefixtures("started")
def test_of_a_part_the_browser_is_told_how_often_a_picked_pair_occurs_in_the_whole_corpus() -> None:
    app = trained()
    state = state_of(app)
    run = shown_run(state)
    watch_of(state).saved.pair = run.steps[0].pair
    app.run()
    (told,) = [json.loads(c.proto.json) for c in app.get("bidi_component") if '"serial"' in c.proto.json]
    assert told["counts"] == run.history.pair_life(run.steps[0].pair).counts.tolist()
    assert told["counts"][0] == run.steps[0].count > run.corpus.text.count("at")


def said_to_a_newcomer(app: AppTest) -> str:
    return " ".join(each.proto.body for each in app.get("html"))


def shown(app: AppTest) -> str:
    (caption,) = [c for c in captions_of(app) if "the whole corpus" in c or c.startswith("Showing all")]
    return caption


def captions_of(app: AppTest) -> list[str]:
    return [plain(caption.value) for caption in app.caption]


@pytest.mark.usefixtures("started")
def test_files_of_the_start_are_offered_and_train() -> None:
    app = opened()
    assert "Open “Text” to train on the files that you started with." in said_to_a_newcomer(app)
    assert "cat.txt, 4,300 bytes\ndog.txt, 2,150 bytes" in app.text[0].value
    app.button(key="server_files").click().run()
    run = shown_run(state_of(app))
    assert run.history.token_total(0) == len(CAT + DOG)
    assert "Text **2 files** · 6,450 bytes" in menus(app)
    assert shown(app).startswith(
        "Showing 1.0 kB of 6.5 kB: **cat.txt** from byte 1. Counts, pairs and merges"
    )


@pytest.mark.usefixtures("started")
def test_another_file_can_be_shown() -> None:
    app = trained()
    before = shown_run(state_of(app))
    labelled(app.selectbox, "File").select(1).run()
    press(app, "Show this part")
    after = shown_run(state_of(app))
    assert "**dog.txt** from byte 1." in shown(app)
    assert after.corpus.text == DOG[: after.corpus.byte_total]
    assert after.history is before.history
    assert after.number == before.number
    press(app, "Next part")
    assert "**dog.txt** from byte 1,001." in shown(app)
    assert shown_run(state_of(app)).corpus.text in DOG


@pytest.mark.usefixtures("started")
def test_a_word_is_found_in_another_file() -> None:
    app = trained()
    labelled(app.text_input, "Find in the whole corpus").set_value("lighthouse")
    press(app, "Next")
    assert "“lighthouse” is at byte 33 of dog.txt, in the first lines below." in captions(app)
    assert "lighthouse" in shown_run(state_of(app)).corpus.text[:300]
    press(app, "Next")
    assert "“lighthouse” is at byte 76 of dog.txt" in captions(app)
    press(app, "Previous")
    press(app, "Previous")
    assert f"“lighthouse” is at byte {49 * 43 + 33:,} of dog.txt" in captions(app)


@pytest.mark.usefixtures("started")
def test_a_word_that_is_nowhere_says_so() -> None:
    app = trained()
    labelled(app.text_input, "Find in the whole corpus").set_value("Lighthouse")
    press(app, "Next")
    assert "“Lighthouse” doesn't occur in this corpus. Check upper and lower case." in first_error(app)
    assert "**cat.txt** from byte 1." in shown(app)


@pytest.mark.usefixtures("started")
def test_a_fork_and_another_part_are_shown_together() -> None:
    app = trained()
    state = state_of(app)
    state.turn_to(shown_run(state).number)
    press(app, "Next part")
    assert state.parts == 1
    assert all(run.corpus == shown_run(state).corpus for run in state.runs)


def test_a_reload_finds_the_same_part_without_counting_again(started: CorpusFiles) -> None:
    app = trained()
    labelled(app.selectbox, "File").select(1).run()
    press(app, "Show this part")
    part = shown_run(state_of(app)).corpus
    again = opened(session=address_of(app))
    assert shown_run(state_of(again)).corpus.text == part.text
    assert shown(again) == shown(app)
    assert labelled(again.button, "Show this part")
    Path(started.files[0].path).write_text("changed")
    again = opened(session=address_of(app))
    assert shown_run(state_of(again)).steps == shown_run(state_of(app)).steps
    labelled(again.selectbox, "File").select(0).run()
    press(again, "Show this part")
    assert "cat.txt has changed since it was opened" in first_error(again)


@pytest.mark.usefixtures("started")
def test_a_session_of_files_opens_on_a_server_without_them() -> None:
    app = trained()
    start_with(None)
    again = opened(session=address_of(app))
    assert shown(again) == shown(app)
    assert not [button for button in again.button if button.label == "Show this part"]
    assert not [button for button in again.button if button.key == "server_files"]


@pytest.mark.usefixtures("started")
def test_a_session_does_not_hold_the_text_that_is_not_shown() -> None:
    from bpeviz.ui.session.opening import read_session_file, write_session_file

    app = trained()
    written = write_session_file(state_of(app))
    assert b"lighthouse" not in written
    to_open = read_session_file(written)
    assert [len(text) for text in to_open.texts.values()] == [shown_run(state_of(app)).corpus.byte_total]


def test_a_run_of_the_command_line_opens_with_its_counts(
    files: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "run.bpeviz"
    command = ["train", *map(str, files), "--merges", "30", "--recipe", "minbpe", "--out", str(out)]
    assert main(command, stdout=io.BytesIO()) == 0
    app = opened(
        **{name: value[0] for name, value in parse_qs(save_file(out.read_bytes(), out.name)).items()}
    )
    run = shown_run(state_of(app))
    assert len(run.steps) == 30
    assert run.recipe.name == "minbpe"
    assert run.history.token_total(0) == len(CAT + DOG)
    assert shown(app).startswith("Showing 4.3 kB of 6.5 kB: **cat.txt** from byte 1.")


def test_counts_of_the_command_line_show_their_pre_tokens(files: list[Path], tmp_path: Path) -> None:
    counts, out = tmp_path / "counts.csv", tmp_path / "run.bpeviz"
    assert main(["count", *map(str, files), "--out", str(counts)], stdout=io.BytesIO()) == 0
    command = ["train", "--counts", str(counts), "--split", "gpt2", "--merges", "30", "--out", str(out)]
    assert main(command, stdout=io.BytesIO()) == 0
    app = opened(
        **{name: value[0] for name, value in parse_qs(save_file(out.read_bytes(), out.name)).items()}
    )
    assert shown(app).startswith(
        "The page has only the counts of **counts.csv**, 6.5 kB. The text below lists"
    )
    assert shown_run(state_of(app)).corpus.text.startswith("the cat in the hat and on mat.")


def upload(app: AppTest, **contents: str) -> AppTest:
    sent = [(f"{name}.txt", text.encode(), "text/plain") for name, text in contents.items()]
    app.file_uploader(key="dropped-0").set_value(sent).run()
    assert not app.exception
    return app


@pytest.mark.usefixtures("small")
def test_a_large_upload_is_stored_and_trained_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    app = upload(opened(), cat=CAT, dog=DOG)
    assert len(list(tmp_path.glob("bpeviz-upload-*"))) == 1
    assert "Showing 1.0 kB of 6.5 kB: **cat.txt**" in shown(app)
    assert shown_run(state_of(app)).history.token_total(0) == len(CAT + DOG)
    app.session_state["session"] = None
    del app
    gc.collect()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("small")
def test_an_upload_over_the_limit_is_refused() -> None:
    app = upload(opened(), much="x " * 10_001)
    (told,) = [plain(box.value) for box in (*app.error, *app.warning, *app.info)]
    assert "These files have 20,002 bytes" in told
    assert "bpeviz app FILE" in told


def test_an_interrupted_training_on_files_starts_again(
    started: CorpusFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = opened()
    wanted = run_request(NamedText.of_files(started), TrainingSettings(num_merges=7))
    state_of(app).training.wanted = wanted
    with monkeypatch.context() as patch:
        patch.setattr("bpeviz.ui.restoring._train_interrupted_run", lambda state: None)
        app.run()
    again = opened(session=address_of(app))
    assert len(shown_run(state_of(again)).steps) == 7
    assert shown(again).startswith("Showing 1.0 kB of 6.5 kB: **cat.txt**")


@pytest.mark.usefixtures("started")
def test_the_real_library_makes_the_same_merges_of_all_files() -> None:
    pytest.importorskip("tokenizers.trainers")  # from 1.0 on it has none
    app = press(trained(), "Same merges as tokenizers?")
    assert any("Identical for all" in each.value for each in app.markdown)


def test_a_saved_page_says_which_part_it_shows(started: CorpusFiles) -> None:
    run = shown_run(state_of(trained()))
    part = run.corpus.part
    assert part is not None
    page = interactive_page(run, None, 3).decode()
    assert (
        f"Corpus: {started.name}, {started.byte_total:,} bytes. This page shows cat.txt, bytes 1 to " in page
    )
    assert f"<title>{started.name}: recipe huggingface, " in page
