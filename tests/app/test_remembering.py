"""Which session the browser opens again when a person comes back."""

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from bpeviz.runs.run import NamedText
from bpeviz.runs.samples import first_run
from bpeviz.sessions.document import SavedSession
from bpeviz.ui import remembering, session_menu
from bpeviz.ui.session import saving
from bpeviz.ui.session.describe import describe
from bpeviz.ui.session.form import YOUR_TEXT
from bpeviz.ui.session.saving_state import Digests, SessionToOpen
from bpeviz.ui.watch import text_menu
from tests.support.app_test import CAT, address_of, given, opened, show_panel, state_of, watch_of

SAMPLE = {"sample": "English prose", "recipe": "minbpe", "merges": "60"}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("BPEVIZ_DATA", str(tmp_path))
    yield
    saving._open.cache_clear()


class Browser:
    """A browser's address and cookies: ``opens`` is a visit, whose cookies the browser has afterwards."""

    def __init__(self, patch: pytest.MonkeyPatch, url: str = "http://localhost:8501/") -> None:
        self.cookies: dict[str, str] = {}
        self.paths: set[str] = set()
        self.url = url
        context = SimpleNamespace(cookies=self.cookies, url=url, is_embedded=False)
        patch.setattr("bpeviz.ui.kit.address.st.context", context)
        patch.setattr(remembering, "mount_part", self.mounted)

    def mounted(self, part: str, *, key: str, data: dict[str, object]) -> None:
        """What remember.js does."""
        if part != "remember":
            return
        self.paths.add(str(data["path"]))
        if data["seconds"]:
            self.cookies[str(data["name"])] = str(data["session"])
        else:
            self.cookies.pop(str(data["name"]), None)


@pytest.fixture
def browser(monkeypatch: pytest.MonkeyPatch) -> Browser:
    return Browser(monkeypatch)


def rename(app: AppTest) -> None:
    """Change something: the name of the shown run."""
    run = state_of(app).run
    assert run is not None
    state_of(app).rename(run.number, "mine")
    app.run()
    assert not app.exception


def trained() -> AppTest:
    return given(opened(), NamedText(YOUR_TEXT, CAT)).run()


def document_of(app: AppTest) -> SavedSession:
    return describe(state_of(app), Digests())[0]


def text_on_show(app: AppTest) -> str:
    run = state_of(app).run
    assert run is not None
    return run.corpus.text


def test_a_session_that_the_browser_began_is_opened_again(browser: Browser) -> None:
    app = trained()
    assert list(browser.cookies.values()) == [address_of(app)]
    again = opened()
    assert text_on_show(again) == CAT
    assert address_of(again) == address_of(app)


@pytest.mark.parametrize("parameters", [{"fbclid": "x"}, {"lesson": "what-is-a-merge"}, {"stop": "2"}])
def test_other_parameters_of_the_address_open_it_too(browser: Browser, parameters: dict[str, str]) -> None:
    trained()
    assert text_on_show(opened(**parameters)) == CAT


def test_a_session_of_somebody_else_is_not_remembered_also_when_changed(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = address_of(trained())
    own = Browser(monkeypatch)
    app = opened(session=other)
    rename(app)
    assert address_of(app) == other
    assert own.cookies == {}
    assert state_of(opened()).run is first_run()


def test_a_link_to_a_sample_leaves_the_person_s_own_session(browser: Browser) -> None:
    own = address_of(trained())
    app = opened(**SAMPLE)
    state_of(app).step = 7
    app.run()
    assert address_of(app) == ""
    assert list(browser.cookies.values()) == [own]
    assert text_on_show(opened()) == CAT


def test_a_typed_text_is_saved_at_once(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    app = opened()
    reruns: list[bool] = []
    monkeypatch.setattr(text_menu, "session", lambda: state_of(app))
    monkeypatch.setattr("bpeviz.ui.watch.text_menu.st.rerun", lambda: reruns.append(True))
    monkeypatch.setattr(
        "bpeviz.ui.session.saving.st.query_params", SimpleNamespace(to_dict=dict, from_dict=lambda _: None)
    )
    text_menu._note(CAT)
    saved = saving.store().load(state_of(app).saving.saved_id)
    assert saved is not None
    assert CAT.encode() in saved.texts.values()
    assert state_of(app).form.wanted == NamedText(YOUR_TEXT, CAT)
    assert reruns


def test_a_new_session_begins_with_the_panels_of_a_first_visit_and_saves_nothing(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = opened()
    show_panel(app, "Tables")
    app.run()
    assert address_of(app) != ""
    script = SimpleNamespace(session_state=app.session_state, query_params=app.query_params)
    with monkeypatch.context() as patch:
        patch.setattr(session_menu, "st", script)
        session_menu._start_new()
    new = app.run()
    assert not new.exception
    assert watch_of(state_of(new)).panel == "Pairs"
    assert address_of(new.run()) == ""
    assert browser.cookies == {}


def test_a_session_that_fails_to_open_is_forgotten_if_the_person_starts_a_new_one(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved_id = address_of(trained())
    again = opened()
    state_of(again).saving.to_open = SessionToOpen(document_of(again), {}, saved_id)
    monkeypatch.setattr(
        "bpeviz.ui.session.saving.st.query_params", SimpleNamespace(to_dict=dict, clear=lambda: None)
    )
    remembering.give_up(state_of(again))
    remembering.remember(state_of(again))
    assert browser.cookies == {}


def test_somebody_else_s_session_that_fails_to_open_leaves_the_own_one(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    trained()
    again = opened()
    state_of(again).saving.to_open = SessionToOpen(document_of(again), {}, "B" * 22)
    monkeypatch.setattr(
        "bpeviz.ui.session.saving.st.query_params", SimpleNamespace(to_dict=dict, clear=lambda: None)
    )
    remembering.give_up(state_of(again))
    remembering.remember(state_of(again))
    assert len(browser.cookies) == 1


def test_two_servers_of_one_host_have_a_cookie_each(monkeypatch: pytest.MonkeyPatch) -> None:
    Browser(monkeypatch, "http://localhost:8501/")
    first = remembering._cookie()
    Browser(monkeypatch, "http://localhost:8502/learn")
    assert remembering._cookie() != first


@pytest.mark.parametrize(
    ("url", "folder"),
    [
        ("https://host/", "/"),
        ("https://host/learn", "/"),
        ("https://host/bpeviz/", "/bpeviz/"),
        ("https://host/bpeviz/compare", "/bpeviz/"),
        ("https://host/a;b/", "/"),
        ("https://host:x/", "/"),
        ("http://[", "/"),
        ("", "/"),
    ],
)
def test_the_cookie_is_sent_to_the_app_only(url: str, folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    Browser(monkeypatch, url)
    assert remembering._folder() == folder
