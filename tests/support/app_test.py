"""Steps of the tests of the app without a browser: open the page, paste a text, press a button."""

from streamlit.testing.v1 import AppTest

from bpeviz.ui.session.session import Session
from tests.support.paths import APP

__all__ = ["CAT", "address_of", "on_compare_page", "opened", "pasted", "press", "state_of", "typed"]

CAT = "the cat in the hat and the cat on the mat. " * 3


def opened(**parameters: str) -> AppTest:
    """A new session on the first page, with these parameters in its address."""
    app = AppTest.from_file(APP, default_timeout=60)
    for name, value in parameters.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def press(app: AppTest, label: str) -> AppTest:
    """Press the one button with this label."""
    (button,) = [b for b in app.button if b.label == label]
    button.click().run()
    assert not app.exception
    return app


def pasted(text: str = CAT) -> AppTest:
    """A session in which a text was pasted and trained on."""
    app = opened()
    app.text_area(key="pasted").set_value(text)
    return press(app, "Train and watch")


def state_of(app: AppTest) -> Session:
    state: Session = app.session_state["session"]
    return state


def address_of(app: AppTest) -> str:
    """The id of the saved work in the address; empty if nothing is saved."""
    value = app.query_params.get("work", "")
    return value if isinstance(value, str) else value[0]


def on_compare_page(app: AppTest) -> AppTest:
    """The compare page in the same session; AppTest can only switch to pages that are files."""

    def page() -> None:
        from bpeviz.ui.pages.compare.page import compare_page

        compare_page()

    compare = AppTest.from_function(page, default_timeout=60)
    compare.session_state["session"] = app.session_state["session"]
    return compare.run()


def typed(app: AppTest, text: str) -> AppTest:
    """The compare page with a text typed into it."""
    app.button_group[0].set_value("Type").run()
    return app.text_area(key="compare_typed").set_value(text).run()
