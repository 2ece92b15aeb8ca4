"""How fast the compare page answers in headless Chromium: GPT-2 against 2,000 merges on 1 MB.

Starts the app on a free port and prints a Markdown table. The text is painted when its first cell is visible;
a slider's change, when the first task has run after the animation frame that follows it.
"""

import time

from playwright.sync_api import Page, expect, sync_playwright

from benchmarks.interactive import HELPERS, open_run, spread
from tests.support.chromium import QUIET, find_chromium, serving

MERGES = 2_000
SLIDES = """place => {
  const slide = shadow().querySelector(`[data-side="${place}"] .slide`);
  const figure = shadow().querySelector(`[data-side="${place}"] [data-figure=tokens]`);
  const move = i => {
    const before = figure.textContent;
    return async () => {
      slide.value = String(300 + Math.floor(600 * ((i * 0.618) % 1)));
      slide.dispatchEvent(new Event('input'));
      while (figure.textContent === before) await new Promise(requestAnimationFrame);
    };
  };
  return timed(40, move, i => i % 2 ? 80 : 900);
}"""


def open_comparison(page: Page) -> float:
    """Click the page's link; returns the seconds to the first cell and the figures."""
    time.sleep(3)
    began = time.perf_counter()
    page.get_by_role("link", name="Compare").click()
    expect(page.locator(".aligned .tok").first).to_be_visible(timeout=60_000)
    expect(page.locator('.comparer [data-tile="f1"]')).not_to_be_empty()
    return time.perf_counter() - began


def main() -> None:
    with serving() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=list(QUIET))
        page = browser.new_page(viewport={"width": 1360, "height": 950})
        open_run(page, address, merges=MERGES)
        first = open_comparison(page)
        page.get_by_role("link", name="Watch merges").click()
        expect(page.locator(".card.main .tok").first).to_be_visible()
        again = open_comparison(page)
        time.sleep(3)
        page.evaluate(HELPERS)
        print(f"| GPT-2 against {MERGES:,} merges on 1 MB | |\n|---|---|")
        print(f"| click on Compare to painted text and figures, GPT-2 not read yet | {first:.1f} s |")
        print(f"| the same once more | {again:.1f} s |")
        for place, name in enumerate(("the run's", "GPT-2's")):
            figure = spread(page.evaluate(SLIDES, place))
            print(f"| {name} slider: change to painted text and figures, median of 40 | {figure} |")
        browser.close()


if __name__ == "__main__":
    main()
