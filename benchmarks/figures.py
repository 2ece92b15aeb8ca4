"""Standalone pages with the player: how large they are, how long one takes to make, and how fast it plays.

Prints two Markdown tables. The second sets the page beside the app's, with 1 MB of the standard library and
5,000 merges, in the same Chromium; the app's server works on the same machine.
"""

import tempfile
import time
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from benchmarks.interactive import FRAMES, HELPERS, SEEKS, WINDOW, open_run, spread
from bpeviz import Corpus, Trainer
from bpeviz.runs.samples import ENGLISH, STANDARD_LIBRARY, read_sample
from tests.support.app_page import go_to
from tests.support.chromium import QUIET, find_chromium, serving

SPEEDS = (60, 240)
MERGES = 5_000


def trained(text: str, merges: int) -> Trainer:
    trainer = Trainer(Corpus.from_text(text), num_merges=merges)
    for _ in trainer.steps():
        pass
    return trainer


def sizes() -> None:
    english = read_sample(ENGLISH.title)
    print("| text | merges | step | page | made in |\n|---|---|---|---|---|")
    for text, merges in ((english, 500), (read_sample(STANDARD_LIBRARY.title), MERGES)):
        trainer = trained(text, merges)
        for step in (0, merges):
            began = time.perf_counter()
            page = trainer.player(text, step=step).to_html().encode()
            seconds = time.perf_counter() - began
            print(
                f"| {len(text.encode()):,} bytes | {merges:,} | {step:,} "
                f"| {len(page) / 1000:,.0f} kB | {seconds:.2f} s |"
            )


def play(page: Page) -> list[str]:
    """Frames a second at each speed, and how long a step takes to paint."""
    page.evaluate(HELPERS)
    shown = []
    for speed in SPEEDS:
        go_to(page, 1)
        page.get_by_label("Merges per second").select_option(str(speed))
        time.sleep(1.5)
        shown.append(f"{page.evaluate(FRAMES, 6):.1f}")
    return [*shown, spread(page.evaluate(SEEKS, 40))]


def frames() -> None:
    text = read_sample(STANDARD_LIBRARY.title)
    with tempfile.TemporaryDirectory() as folder, serving() as address, sync_playwright() as playwright:
        file = Path(folder) / "merges.html"
        trained(text, MERGES).player(text).write_html(file)
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=list(QUIET))
        app = browser.new_page(viewport=WINDOW)
        open_run(app, address, MERGES)
        time.sleep(3)
        in_app = play(app)
        app.close()
        alone = browser.new_page(viewport=WINDOW)
        alone.goto(file.as_uri())
        time.sleep(3)
        in_file = play(alone)
        browser.close()
    names = [*(f"frames/s at {speed} merges/s" for speed in SPEEDS), "seek to painted text, median of 40"]
    print("\n| | the app's page | a standalone page |\n|---|---|---|")
    for name, one, other in zip(names, in_app, in_file, strict=True):
        print(f"| {name} | {one} | {other} |")


def main() -> None:
    sizes()
    frames()


if __name__ == "__main__":
    main()
