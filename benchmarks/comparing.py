"""How fast the compare page and a long table answer in headless Chromium, on 1 MB and 2,000 merges.

Starts the app on a free port and prints two Markdown tables. Times begin with the click or the slider's event
and end with the first task after the animation frame in which the text and the figures changed. Frames are
counted while a table of o200k's 200,000 tokens scrolls.
"""

import math
import statistics
import time

from playwright.sync_api import Page, expect, sync_playwright

from benchmarks.interactive import HELPERS, open_run
from tests.support.app_page import expect_settled
from tests.support.chromium import QUIET, find_chromium, serving

MERGES = 2_000
MOVES = 60
#: Measures the time from the next click until the comparison that ``stale`` doesn't know is painted.
VISIT = """() => {
  const stale = new Set([...document.querySelectorAll('*')].filter(e => e.shadowRoot).flatMap(
    e => [...e.shadowRoot.querySelectorAll('.aligned .tok')]));
  let began;
  document.addEventListener('pointerup', () => { began ??= performance.now(); }, { capture: true });
  const there = () => [...document.querySelectorAll('*')].some(e => {
    const cell = e.shadowRoot?.querySelector('.aligned .tok');
    return cell && !stale.has(cell) && e.shadowRoot.querySelector('[data-tile=f1]').textContent;
  });
  window.arrival = (async () => {
    while (began === undefined || !there()) await painted();
    await painted();
    return performance.now() - began;
  })();
}"""
SLIDES = """async ([side, moves]) => {
  const roots = [...document.querySelectorAll('*')].map(e => e.shadowRoot);
  const root = roots.find(root => root?.querySelector('.aligned'));
  const slide = root.querySelector(`[data-side="${side}"] .slide`);
  const figure = root.querySelector(`[data-side="${side}"] [data-figure=tokens]`);
  const times = [];
  for (let i = 0; i < moves; i++) {
    const before = figure.textContent;
    const began = performance.now();
    slide.value = String(300 + Math.floor(600 * ((i * 0.618) % 1)));
    slide.dispatchEvent(new Event('input'));
    await painted();
    times.push(performance.now() - began);
    if (figure.textContent === before) throw new Error('the figures did not change');
    await sleep(i % 2 ? 80 : 900);
  }
  return times;
}"""
SCROLLING = """async ([seconds, pixels]) => {
  const table = document.querySelector('[data-testid=stDataFrame] .dvn-scroller');
  const began = performance.now();
  const pauses = [];
  let before = began;
  while (performance.now() - began < seconds * 1000) {
    table.scrollTop += pixels;
    await new Promise(requestAnimationFrame);
    pauses.push(performance.now() - before);
    before = performance.now();
  }
  if (table.scrollTop < pixels * pauses.length / 2) throw new Error('the table did not scroll');
  return pauses;
}"""


def compare(page: Page) -> float:
    """Click the link to the page; returns the seconds to the painted text and figures."""
    time.sleep(3)
    page.evaluate(HELPERS)
    page.evaluate(VISIT)
    page.get_by_role("link", name="Compare").click()
    return float(page.evaluate("window.arrival")) / 1000


def pick_on_the_right(page: Page, name: str) -> float:
    """Pick a tokenizer; returns the seconds to the painted text and figures."""
    page.get_by_role("combobox", name="Right").click()
    option = page.get_by_role("option", name=name, exact=True)
    expect(option).to_be_visible()
    page.evaluate(VISIT)
    option.click()
    return float(page.evaluate("window.arrival")) / 1000


def leave(page: Page) -> None:
    page.get_by_role("link", name="Watch", exact=True).click()
    expect(page.locator(".card.main .tok").first).to_be_visible()


def spread(times: list[float]) -> str:
    """The median, the 95th percentile and the longest."""
    ordered = sorted(times)
    most = ordered[math.ceil(0.95 * len(ordered)) - 1]
    return f"{statistics.median(ordered):.0f} ms | {most:.0f} ms | {ordered[-1]:.0f} ms"


def measure_comparison(page: Page) -> None:
    first = compare(page)
    time.sleep(3)
    leave(page)
    again = compare(page)
    time.sleep(3)
    page.evaluate(HELPERS)
    slides = [page.evaluate(SLIDES, [side, MOVES]) for side in (0, 1)]
    expect_settled(page)
    picked = [pick_on_the_right(page, name) for name in ("o200k_base", "GPT-2", "o200k_base")]
    print(f"| GPT-2 against {MERGES:,} merges on 1 MB | |\n|---|---|")
    print(f"| click on Compare to painted text and figures, first visit | {first:.2f} s |")
    print(f"| the same once more | {again:.2f} s |")
    print(f"| o200k on the right, not read yet | {picked[0]:.2f} s |")
    print(f"| GPT-2 on the right again | {picked[1]:.2f} s |")
    print(f"| o200k on the right again | {picked[2]:.2f} s |")
    print("\n| slider: change to painted text and figures | median | 95th percentile | longest |")
    print("|---|---|---|---|")
    for name, times in zip(("the run's", "GPT-2's"), slides, strict=True):
        print(f"| {name}, {MOVES} moves | {spread(times)} |")


def measure_table(page: Page) -> None:
    page.get_by_role("link", name="Vocabulary").click()
    page.get_by_role("combobox", name="Tokenizer").click()
    page.get_by_role("option", name="o200k_base", exact=True).click()
    expect(page.get_by_text("200,0").first).to_be_visible(timeout=60_000)
    expect_settled(page)
    time.sleep(2)
    print("\n| a table of 200,000 tokens scrolls | frames/s | 95th percentile between frames | longest |")
    print("|---|---|---|---|")
    for pixels, name in ((60, "60 pixels a frame"), (3_000, "3,000 pixels a frame")):
        pauses = page.evaluate(SCROLLING, [5, pixels])
        _, most, longest = spread(pauses).split(" | ")
        print(f"| {name} | {1000 * len(pauses) / sum(pauses):.0f} | {most} | {longest} |")


def main() -> None:
    with serving() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=list(QUIET))
        page = browser.new_page(viewport={"width": 1360, "height": 950})
        open_run(page, address, merges=MERGES)
        measure_comparison(page)
        measure_table(page)
        browser.close()


if __name__ == "__main__":
    main()
