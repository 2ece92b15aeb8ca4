"""How fast the page answers in headless Chromium, with 1 MB of the standard library and 2,000 merges.

Starts the app on a free port; prints a Markdown table. Click to paint ends with the first task after the
animation frame that follows the click; the chart is there when its labels have changed.
"""

import statistics
import time
from typing import Any

from playwright.sync_api import Page, expect, sync_playwright

from tests.browser.app_page import CELLS, go_to
from tests.browser.conftest import QUIET, find_chromium, serving

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
CLICKS = """async n => {
  const next = shadow().querySelector('[data-go=next]');
  const times = [];
  for (let i = 0; i < n; i++) {
    const began = performance.now();
    next.click();
    await painted();
    times.push(performance.now() - began);
    await sleep(150);
  }
  return times;
}"""
CHART = """async () => {
  const labels = () => [...document.querySelectorAll('.js-plotly-plot .ytick text')]
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


def open_run(page: Page, address: str) -> float:
    """Train on the sample; seconds from the click to the first painted cell."""
    page.goto(address)
    page.get_by_text("Pick a sample").click()
    page.get_by_text("Python standard library", exact=True).click()
    expect(page.get_by_text("Megabytes of it")).to_be_visible()
    field = page.get_by_label("Merges", exact=True)
    field.fill("2000")
    field.press("Enter")
    time.sleep(2)
    began = time.perf_counter()
    page.get_by_role("button", name="Train and watch").click()
    expect(page.locator(CELLS).first).to_be_visible(timeout=60_000)
    return time.perf_counter() - began


def measure(page: Page) -> list[tuple[str, str]]:
    page.evaluate(HELPERS)
    time.sleep(3)

    def spread(times: Any) -> str:
        return f"{statistics.median(times):.0f} ms (most {max(times):.0f})"

    figures = [("next: click to painted text, median of 40", spread(page.evaluate(CLICKS, 40)))]
    charts = []
    for _ in range(12):
        time.sleep(1.2)
        charts.append(page.evaluate(CHART))
    figures.append(("next: click to changed chart, median of 12", spread(charts)))
    figures.append(("any step: seek to painted text, median of 40", spread(page.evaluate(SEEKS, 40))))
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
        shown = open_run(page, address)
        print("| 1 MB, 2,000 merges | |\n|---|---|")
        print(f"| train: click to first painted text | {shown:.1f} s |")
        for name, figure in measure(page):
            print(f"| {name} | {figure} |")
        browser.close()


if __name__ == "__main__":
    main()
