"""The page in a frame of another one: the player alone, from an address that a person can write by hand."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qsl

import pytest
from streamlit.runtime.context import ContextProxy
from streamlit.testing.v1 import AppTest

from bpeviz.runs.run import NamedText
from bpeviz.runs.samples import FIRST_STEP, first_run
from bpeviz.training.settings import TrainingSettings
from bpeviz.ui import restoring
from bpeviz.ui.session import saving
from bpeviz.ui.session.form import YOUR_TEXT
from bpeviz.ui.session.session import Session
from bpeviz.ui.session.settings_link import MOST_TEXT_BYTES, write_settings_link
from tests.support.app_test import address_of, opened, plain, shown_run, state_of
from tests.support.trained import run_of


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("BPEVIZ_DATA", str(tmp_path))
    yield tmp_path
    saving._open.cache_clear()


@pytest.fixture
def embedded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streamlit says that the page is in a frame."""
    monkeypatch.setattr(ContextProxy, "is_embedded", True)


def shown(app: AppTest) -> tuple[int, int]:
    """The merges of the run, and the step on show."""
    state = state_of(app)
    return len(shown_run(state).steps), state.step


@pytest.mark.usefixtures("embedded")
def test_an_address_by_hand_shows_the_player_and_saves_nothing() -> None:
    app = opened(text="low lower lowest", recipe="minbpe", merges="4", step="3")
    run = state_of(app).run
    assert run is not None
    assert (run.corpus.text, run.corpus.name, run.recipe.name) == ("low lower lowest", YOUR_TEXT, "minbpe")
    assert shown(app) == (4, 3)
    assert len(app.get("bidi_component")) == len(app.get("link_button")) == 1
    assert not app.button
    assert address_of(app) == ""
    assert saving.store().recent(9) == []
    app.run()
    assert shown(app) == (4, 3)


@pytest.mark.usefixtures("embedded")
def test_without_parameters_it_is_the_sample_not_what_the_person_did_last(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(restoring, "remembered", lambda: pytest.fail("a frame asked for the last session"))
    app = opened()
    assert state_of(app).run is first_run()
    assert shown(app) == (len(first_run().steps), FIRST_STEP)


@pytest.mark.usefixtures("embedded")
@pytest.mark.parametrize(
    ("parameters", "says"),
    [
        ({"text": ""}, "1 to 2,000 bytes"),
        ({"text": "é" * (MOST_TEXT_BYTES // 2 + 1)}, "1 to 2,000 bytes"),
        ({"sample": "nonesuch"}, "no sample called 'nonesuch'"),
        ({"text": "low", "merges": "-1"}, "merges is a whole number"),
    ],
)
def test_an_address_that_makes_no_sense_is_said_above_the_sample(
    parameters: dict[str, str], says: str
) -> None:
    app = opened(**parameters)
    (warning,) = app.warning
    assert says in plain(warning.value)
    assert state_of(app).run is first_run()


@pytest.mark.usefixtures("embedded")
def test_a_text_without_a_merge_shows_its_tokens_and_says_why() -> None:
    app = opened(text="abc")
    assert not app.warning
    assert not app.error
    run = shown_run(state_of(app))
    assert (run.corpus.text, len(run.steps), shown(app)) == ("abc", 0, (0, 0))
    (player,) = app.get("bidi_component")
    assert b"No pair occurs 2 times, so nothing is merged." in player.proto.bytes


@pytest.mark.usefixtures("embedded")
@pytest.mark.parametrize(
    "parameters",
    [
        {"text": ""},
        {"text": "abc", "recipe": "nonesuch"},
        {"text": "abc", "merges": "-1"},
        {"text": "abc", "size": "9"},
        {"sample": "nonesuch"},
    ],
)
def test_a_frame_says_nothing_about_sessions(parameters: dict[str, str]) -> None:
    app = opened(**parameters)
    said = " ".join(plain(box.value) for box in (*app.warning, *app.info, *app.error, *app.caption))
    assert "You see the sample instead." in said
    assert "session" not in said


@pytest.mark.usefixtures("embedded")
def test_a_step_beyond_the_last_merge_is_the_last() -> None:
    assert shown(opened(text="aaabdaaabac", merges="3", step="99")) == (3, 3)


def test_a_short_text_is_in_an_address_and_opens_again() -> None:
    text = "the cat in the hat & 100% <b>猫</b>\n\x1b + #"
    state = Session()
    state.show(run_of(NamedText(YOUR_TEXT, text), TrainingSettings(num_merges=3)))
    state.step = 2
    link = write_settings_link(state, shown_run(state))
    assert link is not None
    app = opened(**dict(parse_qsl(link)))
    again = state_of(app)
    assert shown_run(again).corpus.text == again.form.typed == text
    assert shown(app) == (3, 2)


def test_a_longer_text_is_in_no_address() -> None:
    state = Session()
    state.show(run_of(NamedText(YOUR_TEXT, "a" * (MOST_TEXT_BYTES + 1)), TrainingSettings(num_merges=2)))
    assert write_settings_link(state, shown_run(state)) is None
