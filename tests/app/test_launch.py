"""Starting the page, without starting Streamlit."""

import os
from pathlib import Path

import pytest
from click import Abort, ClickException

from bpeviz.app_folder import APP_FOLDER
from bpeviz.ui.server import launch
from bpeviz.ui.server.launch import ServerSettingError, serve
from tests.support.paths import ROOT


@pytest.fixture(autouse=True)
def _started(monkeypatch, tmp_path):
    """Run in an empty folder, without a browser."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(launch, "_open_browser", lambda port, query: None)


def streamlit_does(monkeypatch, outcome):
    def main(arguments, **_):
        raise outcome

    monkeypatch.setattr(launch.streamlit, "main", main)


def test_the_app_s_folder_is_the_top_of_a_checkout():
    assert APP_FOLDER == ROOT
    assert (APP_FOLDER / "app.py").is_file()


def test_streamlit_runs_the_app_in_its_own_folder(monkeypatch, tmp_path):
    asked = []
    monkeypatch.setattr(
        launch.streamlit, "main", lambda arguments, **_: asked.append((Path.cwd(), *arguments))
    )
    monkeypatch.setenv("BPEVIZ_DATA", "mine")
    assert serve(8765) == 0
    assert asked == [(ROOT, "run", "app.py", "--server.port", "8765")]
    assert os.environ["BPEVIZ_DATA"] == str(tmp_path / "mine")


@pytest.mark.parametrize(("code", "given"), [(0, 0), (3, 3), ("no", 1), (None, 0)])
def test_streamlit_s_exit_code_is_given(code, given, monkeypatch):
    streamlit_does(monkeypatch, SystemExit(code))
    assert serve(8765) == given


def test_ctrl_c_is_an_interrupt_again(monkeypatch):
    streamlit_does(monkeypatch, Abort())
    with pytest.raises(KeyboardInterrupt):
        serve(8765)


def test_a_setting_that_streamlit_refuses_is_an_error(monkeypatch):
    streamlit_does(monkeypatch, ClickException("'big' is no number."))
    with pytest.raises(ServerSettingError, match=r"^'big' is no number\.$"):
        serve(8765)


@pytest.mark.parametrize("headless", [False, True])
@pytest.mark.full
def test_the_page_opens_once_the_server_listens(headless, monkeypatch):
    monkeypatch.undo()
    tries, opened = [], []

    def connect(*_, **__):
        tries.append(1)
        if len(tries) < 3:
            raise ConnectionRefusedError
        return open(os.devnull)  # noqa: PTH123

    monkeypatch.setattr("socket.create_connection", connect)
    monkeypatch.setattr("time.sleep", lambda _: None)
    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.setattr("streamlit.get_option", {"server.headless": headless}.get)
    launch._open_browser(8765)
    assert len(tries) == 3
    assert opened == ([] if headless else ["http://localhost:8765"])


@pytest.mark.full
def test_a_server_that_does_not_come_up_opens_nothing(monkeypatch):
    monkeypatch.undo()
    monkeypatch.setattr(launch, "_LONGEST_START_SECONDS", 0)
    monkeypatch.setattr("webbrowser.open", lambda url: pytest.fail("opened"))
    launch._open_browser(1)
