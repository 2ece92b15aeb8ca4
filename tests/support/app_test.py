"""Steps of the tests of the app without a browser: open a page, fill in a field, press a button."""

import json
import re
from collections.abc import Callable, Iterable
from typing import Any

from streamlit.testing.v1 import AppTest

from bpeviz.runs.run import NamedText, Run
from bpeviz.training.settings import TrainingSettings
from bpeviz.ui.compare.page import compare_page
from bpeviz.ui.compare.state import CompareState
from bpeviz.ui.session.session import Session
from bpeviz.ui.watch.reports import panel_key
from bpeviz.ui.watch.state import MORE, TABS, Panel, WatchState
from tests.support.paths import APP
from tests.support.trained import run_of

__all__ = [
    "CAT",
    "address_of",
    "biography",
    "captions",
    "compare_of",
    "drawn",
    "first_error",
    "given",
    "labelled",
    "menus",
    "on_compare_page",
    "opened",
    "own_runs",
    "pasted",
    "plain",
    "press",
    "show_panel",
    "shown_run",
    "state_of",
    "typed",
    "watch_of",
    "with_run",
]

CAT = "the cat in the hat and the cat on the mat. " * 3


def opened(**parameters: str) -> AppTest:
    """A new session on the first page, with these parameters in its address."""
    app = AppTest.from_file(APP, default_timeout=60)
    for name, value in parameters.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def drawn(
    part: Callable[..., object], state: Session | None = None, /, before: AppTest | None = None, **given: Any
) -> AppTest:
    """One page or panel of the app, alone: ``part`` is called with what is ``given``. The first message of
    the browser has the fields of ``before``."""
    app = AppTest.from_function(_call, args=(part, given), default_timeout=120)
    app.session_state["session"] = state or Session()
    app._run(before._tree.get_widget_states() if before else None)
    assert not app.exception
    return app


def _call(part, given):  # without types: AppTest runs this source alone
    part(**given)


def compare_of(state: Session) -> CompareState:
    """The state of the page Compare."""
    return state.pages.of(CompareState)


def watch_of(state: Session) -> WatchState:
    """The state of the main page."""
    return state.pages.of(WatchState)


def biography(app: AppTest) -> dict[str, Any]:
    """What the page sends to the only drawing of trees."""
    (shown,) = [c.proto.json for c in app.get("bidi_component") if '"growths"' in c.proto.json]
    packed: dict[str, Any] = json.loads(shown)
    return packed


def labelled(elements: Iterable[Any], label: str) -> Any:
    """The one element with this label."""
    (found,) = [element for element in elements if element.label == label]
    return found


def press(app: AppTest, label: str) -> AppTest:
    """Press the one button with this label."""
    labelled(app.button, label).click().run()
    assert not app.exception
    return app


def pasted(text: str = CAT, panel: Panel = "Pairs") -> AppTest:
    """A session in which a text was given and trained on, with a panel beside the player."""
    app = opened()
    show_panel(app, panel)
    return given(app, NamedText("pasted text", text))


def show_panel(app: AppTest, panel: Panel) -> None:
    """Show a panel at the next run of the page."""
    watch_of(state_of(app)).panel = panel
    app.session_state[panel_key(state_of(app))] = panel if panel in TABS else MORE


def given(app: AppTest, text: NamedText) -> AppTest:
    """Give the page a text, as the menu for the text does."""
    state_of(app).form.wanted = text
    app.run()
    assert not app.exception
    return app


def with_run(text: str = CAT, **settings: Any) -> Session:
    """A session with a run on a text named "cats"."""
    state = Session()
    state.show(run_of(NamedText("cats", text), TrainingSettings(**settings)))
    return state


def shown_run(state: Session) -> Run:
    assert state.run is not None
    return state.run


def plain(markdown: str) -> str:
    """Markdown as people read it, but for the marks of bold text."""
    return re.sub("[\\\\\u2066-\u2069]", "", markdown)


def captions(app: AppTest) -> str:
    """All captions as people read them."""
    return " ".join(plain(caption.value) for caption in app.caption)


def own_runs(state: Session) -> list[Run]:
    """The runs without the sample that a session opens with."""
    return [run for run in state.runs if run.number != state.opened_with]


def menus(app: AppTest) -> str:
    """The labels of the menus as people read them: they say what the run is."""
    blocks = app.get("popover")
    return " ".join(plain(block.proto.popover.label) for block in blocks)


def first_error(app: AppTest) -> str:
    """The first red box as people read it."""
    return plain(app.error[0].value)


def state_of(app: AppTest) -> Session:
    state: Session = app.session_state["session"]
    return state


def address_of(app: AppTest) -> str:
    """The id of the saved work in the address; empty if nothing is saved."""
    value = app.query_params.get("session", "")
    return value if isinstance(value, str) else value[0]


def on_compare_page(app: AppTest) -> AppTest:
    """The compare page in the same session; AppTest can only switch to pages that are files."""
    return drawn(compare_page, app.session_state["session"])


def typed(app: AppTest, text: str) -> AppTest:
    """The compare page with a text typed into it."""
    labelled(app.selectbox, "Text").set_value(("Type", "")).run()
    return app.text_area(key="compare_typed").set_value(text).run()
