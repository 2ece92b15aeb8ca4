"""The choice “Line by line” in Rules: it trains again, and a link to the settings has it."""

from streamlit.testing.v1 import AppTest

from bpeviz.training.in_one_call import train
from bpeviz.ui.session.settings_link import read_settings_link, write_settings_link
from tests.support.app_test import labelled, pasted, shown_run, state_of

TEXT = "a b\n\n\nc d\n\n\n" * 4


def tokens(app: AppTest) -> list[bytes]:
    return [step.token for step in shown_run(state_of(app)).steps]


def test_a_tick_trains_line_by_line_and_another_click_whole_texts() -> None:
    app = pasted(TEXT)
    whole = [step.token for step in train(TEXT, num_merges=500, min_frequency=2)]
    assert tokens(app) == whole
    app = labelled(app.checkbox, "Line by line").check().run()
    assert not app.exception
    assert tokens(app) == [b" b", b" d"]
    state = state_of(app)
    link = write_settings_link(state, shown_run(state))
    assert link is not None
    assert "lines=1" in link
    app = labelled(app.checkbox, "Line by line").uncheck().run()
    assert tokens(app) == whole
    (opened,) = read_settings_link({"text": TEXT, "lines": "1"}).runs.values()
    assert opened.settings.by_line
