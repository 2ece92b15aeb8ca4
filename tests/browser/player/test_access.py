"""The player by keyboard and for screen readers, in Chromium."""

import pytest
from playwright.sync_api import Page, expect

from bpeviz.runs.samples import read_sample
from bpeviz.training.settings import TrainingSettings
from tests.support import app_page as on
from tests.support.saved_player import open_run
from tests.support.trained import LOW

PROSE = read_sample("English prose")
#: The control with the focus: its name as a screen reader has it, and whether an outline shows the
#: focus; null outside of the player.
FOCUSED = """() => {
  let active = document.activeElement;
  while (active.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  if (!active.closest(".player")) return null;
  const name = active.getAttribute("aria-label") ?? active.textContent.trim();
  return [name, getComputedStyle(active).outlineStyle !== "none"];
}"""

#: For many frames while the player plays: its step, and what it tells screen readers.
FRAMES = """async () => {
  const { player } = document.bpevizStage;
  player.command("play");
  const frames = [];
  for (let i = 0; i < 60; i++) {
    await new Promise(requestAnimationFrame);
    const { svg } = player.scrubber;
    frames.push([player.step, player.sentence.getAttribute("aria-live"), svg.getAttribute("aria-valuenow")]);
  }
  player.command("play");
  return frames;
}"""


@pytest.mark.gate
def test_the_scrubber_has_the_keys_of_a_slider(page: Page) -> None:
    open_run(page, PROSE, TrainingSettings(num_merges=60))
    slider = page.get_by_role("slider", name="Merge", exact=True)
    slider.focus()
    for key, step in (
        ("PageUp", 10),
        ("ArrowUp", 11),
        ("ArrowRight", 12),
        ("PageDown", 2),
        ("ArrowDown", 1),
        ("ArrowLeft", 0),
        ("PageDown", 0),
        ("End", 60),
        ("PageUp", 60),
        ("Home", 0),
    ):
        page.keyboard.press(key)
        on.expect_step(page, step)
        expect(slider).to_have_attribute("aria-valuetext", f"{step} of 60 merges")
        expect(slider).to_be_focused()


def test_screen_readers_hear_steps_at_rest_and_none_while_playing(page: Page) -> None:
    open_run(page, PROSE, TrainingSettings(num_merges=300))
    page.get_by_label("Merges per second").select_option("4")
    frames = page.evaluate(FRAMES)
    assert len({step for step, _, _ in frames}) > 1
    assert {(live, value) for _, live, value in frames} == {("off", "0")}
    expect(page.locator(".say")).to_have_attribute("aria-live", "polite")
    last = int(on.step_field(page).input_value())
    expect(page.locator(".curve")).to_have_attribute("aria-valuenow", str(last))


def test_the_tab_key_reaches_every_control_by_its_name_and_shows_where_it_is(page: Page) -> None:
    open_run(page, LOW, step=6)
    page.locator(on.CELLS).nth(2).click()
    page.get_by_role("button", name="Back one merge").focus()
    page.keyboard.press("Shift+Tab")
    seen = []
    while control := page.evaluate(FOCUSED):
        name, outlined = control
        assert outlined, name
        seen.append(name)
        page.keyboard.press("Tab")
    assert seen[:12] == [
        "First",
        "Back one merge",
        "▶\ufe0e Play",
        "Next merge",
        "Last",
        "Go to the previous tie",
        "Go to the next tie",
        "Go to the previous change in view",
        "Go to the next change in view",
        "Merge",
        "Merges made",
        "Merges per second",
    ]
    assert {"Find a token", "Text with token boundaries", "Close the token's card", "Next occurrence"} <= {
        *seen
    }
