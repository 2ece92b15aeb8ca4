"""How fast the page answers in headless Chromium, with 1 MB of the standard library and 5,000 merges.

Starts the app on a free port; prints a Markdown table. All panels are open, a pair and a token picked; then
once more with a fork beside the run. Click to paint ends with the first task after the animation frame that
follows the click; a chart is there when its labels have changed.
"""

import statistics
import time
from typing import Any

from playwright.sync_api import Page, expect, sync_playwright

from tests.support.app_page import CELLS, expect_settled, go_to, scroll_to, steady, stop_at
from tests.support.chromium import QUIET, find_chromium, serving

MERGES = 5_000
FORK_AT = 1_000
HELPERS = """
window.shadow = () => [...document.querySelectorAll('*')]
  .find(e => e.shadowRoot?.querySelector('.bpeviz')).shadowRoot;
window.painted = () => new Promise(done => requestAnimationFrame(() => {
  const channel = new MessageChannel();
  channel.port1.onmessage = done;
  channel.port2.postMessage(0);
}));
window.sleep = ms => new Promise(done => setTimeout(done, ms));
"""
#: Notes when the first element of the player that fits is there to be painted, counted from now.
WATCH = """selector => {
  const began = performance.now();
  const there = () => [...document.querySelectorAll('*')].some(e => e.shadowRoot?.querySelector(selector));
  window.arrival = (async () => {
    while (!there()) await painted();
    await painted();
    return performance.now() - began;
  })();
}"""
CLICKS = """async pause => {
  const next = shadow().querySelector('[data-go=next]');
  const times = [];
  for (let i = 0; i < 40; i++) {
    const began = performance.now();
    next.click();
    await painted();
    times.push(performance.now() - began);
    await sleep(pause);
  }
  return times;
}"""
HOVERS = """async n => {
  const cells = [...shadow().querySelectorAll('.card.main .tok')];
  const tip = shadow().querySelector('.card.main .tip');
  const times = [];
  for (let i = 0; i < n; i++) {
    const cell = cells[(i * 37) % cells.length];
    const box = cell.getBoundingClientRect();
    const began = performance.now();
    const at = { bubbles: true, composed: true, clientX: box.left + 2, clientY: box.top + 2 };
    cell.dispatchEvent(new PointerEvent('pointermove', at));
    if (tip.hidden) throw new Error('no tip');
    await painted();
    times.push(performance.now() - began);
    await sleep(50);
  }
  shadow().querySelector('.card.main .text').dispatchEvent(new PointerEvent('pointerleave'));
  return times;
}"""
CHART = """async () => {
  const labels = () => [...document.querySelectorAll('[aria-label="Most frequent pairs"] .ytick text')]
    .map(e => e.textContent).join();
  const before = labels();
  const began = performance.now();
  shadow().querySelector('[data-go=next]').click();
  while (labels() === before && performance.now() - began < 5000) await new Promise(requestAnimationFrame);
  return performance.now() - began;
}"""
SEEKS = """async n => {
  const player = shadow().bpevizPlayer;
  const times = [];
  for (let i = 0; i < n; i++) {
    const began = performance.now();
    player.go(Math.floor(player.last * ((i * 0.618) % 1)));
    await painted();
    times.push(performance.now() - began);
    await sleep(150);
  }
  return times;
}"""
FRAMES = """async seconds => {
  const play = shadow().querySelector('.play');
  play.click();
  const began = performance.now();
  let frames = 0;
  while (performance.now() - began < seconds * 1000) {
    await new Promise(requestAnimationFrame);
    frames++;
  }
  play.click();
  return frames / seconds;
}"""


def open_run(page: Page, address: str, merges: int = MERGES) -> float:
    """Train on the sample; seconds from the click to the first painted cell."""
    page.goto(address)
    page.get_by_text("Pick a sample").click()
    page.get_by_text("Python standard library", exact=True).click()
    expect(page.get_by_text("Megabytes of it")).to_be_visible()
    field = page.get_by_label("Merges", exact=True)
    field.fill(str(merges))
    field.press("Enter")
    time.sleep(2)
    return until_painted(page, ".card.main .tok", "Train and watch")


def until_painted(page: Page, selector: str, button: str) -> float:
    """Seconds from just before a click on a button until the player has painted what fits ``selector``."""
    page.evaluate(HELPERS)
    page.evaluate(WATCH, selector)
    page.get_by_role("button", name=button).click()
    return float(page.evaluate("window.arrival")) / 1000


def open_panels(page: Page) -> None:
    """Pick a pair and a token, so that every panel has something to show."""
    stop_at(page, FORK_AT)
    expect_settled(page)
    field = steady(page).get_by_label("Look at a pair")
    scroll_to(field)
    field.click()
    page.get_by_role("listbox").get_by_role("option").nth(3).click()
    expect(page.get_by_role("figure", name="Life of the pair")).to_be_visible()
    page.locator(f"{CELLS}:not(.one)").first.click()
    expect(page.locator(".card.token .tree .node").first).to_be_visible()


def fork(page: Page) -> float:
    """Choose the picked pair; seconds from the click to both texts painted at the step."""
    stop_at(page, FORK_AT)
    taken = until_painted(page, ".card.other .tok", "Merge it next instead")
    expect(page.locator(".say")).to_contain_text("You chose it")
    return taken


class Received:
    """How many bytes a page gets over its connection to the server."""

    def __init__(self, page: Page) -> None:
        self._bytes = 0
        page.on("websocket", lambda socket: socket.on("framereceived", self._add))

    def _add(self, frame: str | bytes) -> None:
        self._bytes += len(frame)

    def since_asked(self) -> str:
        """The bytes since the last time somebody asked."""
        got, self._bytes = self._bytes, 0
        return f"{got / 1e6:.2f} MB"


def spread(times: Any) -> str:
    return f"{statistics.median(times):.0f} ms (most {max(times):.0f})"


def measure(page: Page) -> list[tuple[str, str]]:
    page.evaluate(HELPERS)
    time.sleep(3)
    figures = [
        (
            f"next: click to painted text, a click every {pause} ms, median of 40",
            spread(page.evaluate(CLICKS, pause)),
        )
        for pause in (150, 700)
    ]
    charts = []
    for _ in range(12):
        time.sleep(1.2)
        charts.append(page.evaluate(CHART))
    figures.append(("next: click to changed chart of pairs, median of 12", spread(charts)))
    figures.append(("any step: seek to painted text, median of 40", spread(page.evaluate(SEEKS, 40))))
    figures.append(("hover: pointer to painted details, median of 40", spread(page.evaluate(HOVERS, 40))))
    for speed in ("60", "240"):
        go_to(page, 1)
        page.get_by_label("Merges per second").select_option(speed)
        time.sleep(1.5)
        figures.append((f"playback at {speed} merges/s", f"{page.evaluate(FRAMES, 6):.1f} frames/s"))
    return figures


def main() -> None:
    with serving() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=list(QUIET))
        page = browser.new_page(viewport={"width": 1360, "height": 950})
        received = Received(page)
        shown = open_run(page, address)
        time.sleep(2)  # charts come after the text
        to_show = received.since_asked()
        page.evaluate(HELPERS)
        page.evaluate(CLICKS, 150)
        time.sleep(2)
        by_steps = received.since_asked()
        open_panels(page)
        alone = measure(page)
        forked = fork(page)
        beside = measure(page)
        print(f"| 1 MB, {MERGES:,} merges, all panels open | one run | a fork beside it |\n|---|---|---|")
        print(f"| train: click to first painted text | {shown:.1f} s | |")
        print(f"| sent to the page until then: text, gap ranks, merges, the page itself | {to_show} | |")
        print(f"| sent by 40 clicks on next: charts and tables, no text | {by_steps} | |")
        print(f"| fork at step {FORK_AT:,}: click to both texts painted | | {forked:.1f} s |")
        for (name, figure), (_, with_fork) in zip(alone, beside, strict=True):
            print(f"| {name} | {figure} | {with_fork} |")
        browser.close()


if __name__ == "__main__":
    main()
