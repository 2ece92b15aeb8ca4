"""How fast the page answers in headless Chromium, with 1 MB of the standard library and 5,000 merges.

Starts the app on a free port and prints a Markdown table. The pairs are open, and a pair and a token are
picked; the second column has a fork beside the run. Click to paint ends with the first task after the
animation frame that follows the click. A chart is there when its labels have changed.
"""

import statistics
import time
from typing import Any

from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

from tests.support.app_page import (
    CELLS,
    bar,
    go_to,
    open_rules,
    open_text_menu,
    pair_card,
    stop_at,
)
from tests.support.chromium import QUIET, find_chromium, serving

MERGES = 5_000
FORK_AT = 1_000
SESSIONS = 5
WINDOW: ViewportSize = {"width": 1360, "height": 950}
HELPERS = """
window.shadow = () => [...document.querySelectorAll('*')]
  .find(e => e.shadowRoot?.querySelector('.player')).shadowRoot;
window.pairs = () => [...document.querySelectorAll('*')]
  .find(e => e.shadowRoot?.querySelector('.pairs')).shadowRoot;
window.roots = () => [...document.querySelectorAll('*')].map(e => e.shadowRoot).filter(Boolean);
window.painted = () => new Promise(done => requestAnimationFrame(() => {
  const channel = new MessageChannel();
  channel.port1.onmessage = done;
  channel.port2.postMessage(0);
}));
window.sleep = ms => new Promise(done => setTimeout(done, ms));
window.timed = async (n, prepare, pause) => {
  const times = [];
  for (let i = 0; i < n; i++) {
    const act = prepare(i);
    const began = performance.now();
    await act();
    await painted();
    times.push(performance.now() - began);
    await sleep(pause(i));
  }
  return times;
};
"""
#: Measures the time from now until an element of the player that the selector finds is painted.
WATCH = """selector => {
  const began = performance.now();
  const before = new Set(roots().flatMap(root => [...root.querySelectorAll(selector)]));
  const there = () => roots().some(root => [...root.querySelectorAll(selector)].some(e => !before.has(e)));
  window.arrival = (async () => {
    while (!there()) await painted();
    await painted();
    return performance.now() - began;
  })();
}"""
CLICKS = """pause => {
  const next = shadow().querySelector('[data-go=next]');
  return timed(40, () => () => next.click(), () => pause);
}"""
HOVERS = """async n => {
  // the token whose card is open has no details
  const cells = [...shadow().querySelectorAll('.card.main .tok:not(.picked)')];
  const tip = shadow().querySelector('.card.main .tip');
  const hover = i => {
    const cell = cells[(i * 37) % cells.length];
    const box = cell.getBoundingClientRect();
    return () => {
      const at = { bubbles: true, composed: true, clientX: box.left + 2, clientY: box.top + 2 };
      cell.dispatchEvent(new PointerEvent('pointermove', at));
      if (tip.hidden) throw new Error('no tip');
    };
  };
  const times = await timed(n, hover, () => 50);
  shadow().querySelector('.card.main .text').dispatchEvent(new PointerEvent('pointerleave'));
  return times;
}"""
CHART = """async () => {
  const labels = () => [...pairs().querySelectorAll('.bars text')].map(e => e.textContent).join();
  const before = labels();
  const began = performance.now();
  shadow().querySelector('[data-go=next]').click();
  while (labels() === before && performance.now() - began < 5000) await new Promise(requestAnimationFrame);
  await painted();
  return performance.now() - began;
}"""
MARKS = """n => {
  const { pairs } = document.bpevizStage;
  const point = i => {
    const { left, right } = pairs.chart.bars[i % pairs.chart.bars.length];
    return () => document.bpevizStage.point({ pair: [left, right] });
  };
  return timed(n, point, () => 50);
}"""
SEEKS = """n => {
  const player = document.bpevizStage?.player;
  return timed(n, i => () => player.go(Math.floor(player.last * ((i * 0.618) % 1))), () => 150);
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
    """Train on the sample; returns the seconds from the click to the first painted cell."""
    page.goto(address)
    open_rules(page)
    field = page.get_by_label("Merges", exact=True)
    field.fill(str(merges))
    field.press("Enter")
    time.sleep(2)
    page.keyboard.press("Escape")
    open_text_menu(page)
    return until_painted(page, ".card.main .tok", "1 MB")


def until_painted(page: Page, selector: str, button: str) -> float:
    """Click a button; returns the seconds until the player has painted what ``selector`` finds."""
    page.evaluate(HELPERS)
    page.evaluate(WATCH, selector)
    page.get_by_role("button", name=button).click()
    return float(page.evaluate("window.arrival")) / 1000


def pick_both(page: Page) -> None:
    """Pick a pair and a token, so that both cards are open."""
    stop_at(page, FORK_AT)
    bar(page, 3).click(force=True)
    expect(pair_card(page)).to_be_visible()
    page.locator(f"{CELLS}:not(.one)").first.click()
    expect(page.locator(".card.token .tree .node").first).to_be_visible()


def fork(page: Page) -> float:
    """Choose the picked pair; returns the seconds from the click to both texts painted at the step."""
    stop_at(page, FORK_AT)
    seconds = until_painted(page, ".card.other .tok", "Merge it next instead")
    expect(page.locator(".say")).to_contain_text("You chose it")
    return seconds


class Received:
    """Counts the bytes that a page gets from the server."""

    def __init__(self, page: Page) -> None:
        self._bytes = 0
        page.on("websocket", lambda socket: socket.on("framereceived", self._add))

    def _add(self, frame: str | bytes) -> None:
        self._bytes += len(frame)

    def since_asked(self) -> str:
        """The megabytes since the last call."""
        got, self._bytes = self._bytes, 0
        return f"{got / 1e6:.2f} MB"


def spread(times: Any) -> str:
    return f"{statistics.median(times):.0f} ms (most {max(times):.0f})"


def measure(page: Page) -> list[tuple[str, str]]:
    page.evaluate(HELPERS)
    time.sleep(3)
    figures = []
    for pause in (150, 700):
        name = f"next: click to painted text, a click every {pause} ms, median of 40"
        figures.append((name, spread(page.evaluate(CLICKS, pause))))
    charts = []
    for _ in range(12):
        time.sleep(1.2)
        charts.append(page.evaluate(CHART))
    figures.append(("next: click to changed chart of pairs, median of 12", spread(charts)))
    figures.append(("any step: seek to painted text, median of 40", spread(page.evaluate(SEEKS, 40))))
    figures.append(("hover: pointer to painted details, median of 40", spread(page.evaluate(HOVERS, 40))))
    marks = spread(page.evaluate(MARKS, 40))
    figures.append(("a pair pointed at: to its painted marks, median of 40", marks))
    for speed in ("60", "240"):
        go_to(page, 1)
        page.get_by_label("Merges per second").select_option(speed)
        time.sleep(1.5)
        figures.append((f"playback at {speed} merges/s", f"{page.evaluate(FRAMES, 6):.1f} frames/s"))
    return figures


def count_received(browser: Browser, address: str) -> tuple[str, str]:
    """What the server sends until a run is shown, and by 40 clicks on next. Not in the page whose times are
    measured: handing megabytes to the one who counts takes time."""
    page = browser.new_page(viewport=WINDOW)
    received = Received(page)
    open_run(page, address)
    time.sleep(2)  # charts come after the text
    to_show = received.since_asked()
    page.evaluate(HELPERS)
    page.evaluate(CLICKS, 700)  # the server draws nothing before the player rests
    time.sleep(2)
    by_steps = received.since_asked()
    page.close()
    return to_show, by_steps


def first_views(browser: Browser, address: str) -> tuple[str, str]:
    """How long trainings and forks take until their texts are painted, each in a new session."""
    trained, forked = [], []
    for number in range(SESSIONS):
        page = browser.new_page(viewport=WINDOW)
        trained.append(open_run(page, address, MERGES + number))
        time.sleep(2)
        pick_both(page)
        time.sleep(1)
        forked.append(fork(page))
        page.close()
        time.sleep(3)  # the next training finds a process ready
    return in_seconds(trained), in_seconds(forked)


def in_seconds(times: list[float]) -> str:
    return f"{statistics.median(times):.2f} s ({min(times):.2f} to {max(times):.2f})"


def main() -> None:
    with serving() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=list(QUIET))
        to_show, by_steps = count_received(browser, address)
        page = browser.new_page(viewport=WINDOW)
        open_run(page, address)
        time.sleep(2)
        pick_both(page)
        alone = measure(page)
        fork(page)
        beside = measure(page)
        page.close()
        shown, forked = first_views(browser, address)
        print(f"| 1 MB, {MERGES:,} merges, a pair picked | one run | a fork beside it |\n|---|---|---|")
        print(f"| train: click to first painted text, median of {SESSIONS} | {shown} | |")
        print(f"| sent to the page until then: text, gap ranks, merges, the page itself | {to_show} | |")
        print(f"| sent by 40 clicks on next, 700 ms apart: charts and tables, no text | {by_steps} | |")
        print(f"| fork at step {FORK_AT:,}: click to both texts painted, median of {SESSIONS} | | {forked} |")
        for (name, figure), (_, with_fork) in zip(alone, beside, strict=True):
            print(f"| {name} | {figure} | {with_fork} |")
        browser.close()


if __name__ == "__main__":
    main()
