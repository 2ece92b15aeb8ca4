"""A player that plays by itself, and one that asks for the next pair, in Chromium."""

import base64
import re
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from bpeviz.browser.run_pack import PlayedRun, pack_run
from bpeviz.runs.run import NamedText, Run
from bpeviz.training.settings import TrainingSettings
from tests.support import app_page as on
from tests.support.saved_player import open_run
from tests.support.trained import LOW, run_of
from tests.support.waiting import wait_for

#: Load a pack as Streamlit does, and note what the player reports from then on.
LOAD = """pack => {
  const { player } = document.bpevizStage;
  window.reports = [];
  player.setStateValue = (_, { step }) => window.reports.push(step);
  player.load(Uint8Array.from(atob(pack), (letter) => letter.charCodeAt(0)));
}"""


def load(page: Page, merges: int | None = None, **more: Any) -> Run:
    """Open a run, then load another pack of it into its player."""
    open_run(page, LOW)
    run = run_of(NamedText("pasted text", LOW), TrainingSettings())
    shown = run
    if merges is not None:
        shown = replace(run, result=replace(run.result.after(merges), pre_tokens=run.pre_tokens))
    given = {"start": 0, "reports": "at rest", **more}
    data = pack_run(PlayedRun(run=shown, title="Text", gap_ranks=run.gap_ranks, **given))
    page.evaluate(LOAD, base64.b64encode(data).decode())
    return run


def reports(page: Page, fewest: int = 0) -> list[int]:
    """The steps that the player reported, once there are so many."""
    wait_for(page, lambda: page.evaluate("window.reports.length") >= fewest, f"{fewest} reports")
    found: list[int] = page.evaluate("window.reports")
    return found


def test_it_plays_by_itself_to_the_end_and_reports_only_there(page: Page) -> None:
    run = load(page, autoplay=20)
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    expect(on.step_field(page)).to_have_value(re.compile("[3-9]"))
    assert reports(page) == []
    on.expect_step(page, len(run.steps))
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    assert reports(page, 1) == [len(run.steps)]


@pytest.mark.parametrize("press", ["ArrowRight", "x", "Space", "pause", "elsewhere"])
def test_the_first_press_stops_it(page: Page, press: str) -> None:
    load(page, autoplay=2)
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    expect(page.get_by_label("Merges per second")).to_have_value("2")
    expect(on.step_field(page)).not_to_have_value("0")  # where it began there is nothing to report
    if press == "pause":
        page.get_by_role("button", name="Pause").click()
    elif press == "elsewhere":
        page.mouse.click(2, 300)
    else:
        page.keyboard.press(press)
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    assert reports(page, 1) == [int(on.step_field(page).input_value())]
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()


def test_a_guess_shows_nothing_of_the_next_pair(page: Page) -> None:
    run = load(page, merges=4, start=4, guess=True)
    made = run.label(run.steps[3].token_id)
    expect(page.locator(".say")).to_have_text(
        f"Done: merge 4 made {made}. Which pair is next? Click a token: it and the next one are your guess."
    )
    expect(page.locator(f"{on.CELLS}.new").first).to_be_visible()
    assert on.marked(page, "left") == on.marked(page, "right") == []
    expect(page.locator(".curve")).to_have_attribute("aria-valuetext", "4 of ?")
    expect(page.locator(".player .of")).to_have_text("?")
    page.keyboard.press("ArrowRight")
    on.expect_step(page, 4)
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".say")).to_contain_text("Next: merge 4 joins ")
    assert on.marked(page, "left")
