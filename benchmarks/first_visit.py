"""How long a new visitor waits for the first tokens, and how soon the page follows what they type.

Starts the app on a free port and prints three Markdown tables. A visit begins with ``page.goto`` and ends
with the first painted token of the sample that plays by itself; beside it, a page of Streamlit's with one
line, on the same machine in turn. Over a slow line, with an empty cache, both are weighed as well. Typing
begins with the event of the key, so it includes the pause after which the field reports the text. It ends
when the page has painted what was trained on the new text. The last rows are the same work in Python,
without a page.
"""

import os
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

from benchmarks.interactive import HELPERS, WINDOW, in_seconds
from benchmarks.training import timed
from bpeviz import load_pretrained
from bpeviz.runs.run import NamedText, Run
from bpeviz.runs.run_training import run_request, train_run
from bpeviz.runs.samples import read_sample
from bpeviz.runs.typed_text import TokenRow, token_row
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.training.settings import TrainingSettings
from tests.support.app_page import CELLS, FIELD, expect_settled, open_text_menu, summary
from tests.support.chromium import QUIET, find_chromium
from tests.support.server import address_of, free_port, running, running_command

VISITS = 9
#: A line of 400 kbit/s with a round trip of 100 ms.
SLOW_LINE = {"offline": False, "latency": 100, "downloadThroughput": 50_000, "uploadThroughput": 50_000}
QUIET_MS = 3_000
HEAVIEST = 12
PRESSES = 9
#: Up to the largest text that trains again while a person types.
SIZES = (1_000, 10_000)
PHONE: ViewportSize = {"width": 390, "height": 844}
#: One line of text, on a page of Streamlit's.
ONE_LINE = "import streamlit as st\nst.text('one line')\n"
#: Notes when the page has painted what it waits for, in milliseconds since 1970: the first token of the
#: player's text, or the one line.
ARRIVAL = (
    HELPERS
    + """
const there = () => document.querySelector('[data-testid=stText]') || [...document.querySelectorAll('*')]
  .some(e => e.shadowRoot?.querySelector('.card.main .tok'));
window.arrival = (async () => {
  while (!there()) await painted();
  await painted();
  return performance.timeOrigin + performance.now();
})();
"""
)
#: Measures the time from the next key until the player has painted a text of so many bytes, and until the
#: chart of pairs has painted its counts.
TYPING = """bytes => {
  let began;
  document.addEventListener('keydown', event => { began = event.timeStamp; }, { capture: true, once: true });
  const trained = () => {
    const player = document.bpevizStage?.player;
    return player?.root.isConnected && player.run.text?.length === bytes ? player : null;
  };
  window.arrival = (async () => {
    while (!trained()) await painted();
    await painted();
    const tokens = performance.now() - began;
    while (!trained() || document.bpevizStage?.pairs?.shown !== trained().run) await painted();
    await painted();
    return [tokens, performance.now() - began];
  })();
}"""


def visit(page: Page, address: str) -> float:
    """Open the page as a new visitor; returns the seconds to the first painted token."""
    began = time.time()
    page.goto(address, wait_until="commit")
    return float(page.evaluate("window.arrival")) / 1000 - began


@contextmanager
def one_line() -> Iterator[str]:
    """Serve a page of Streamlit's with one line, and yield its address."""
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "app.py").write_text(ONE_LINE)
        command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless", "true"]
        command += ["--server.port", str(port), "--browser.gatherUsageStats", "false"]
        with running_command(command, port, {"HOME": folder}, Path(folder)):
            yield address_of(port)


def visit_twice(browser: Browser, address: str, window: ViewportSize = WINDOW) -> tuple[float, float]:
    """The seconds of a visit with an empty browser cache, and of one with what the first has put there."""
    with browser.new_context(viewport=window) as context:
        page = context.new_page()
        page.add_init_script(ARRIVAL)
        cold = visit(page, address)
        expect_settled(page)
        page.goto(f"{address}/_stcore/health")
        page.evaluate("localStorage.clear(); sessionStorage.clear()")
        context.clear_cookies()
        return cold, visit(page, address)


def weigh(browser: Browser, address: str) -> tuple[float, dict[str, int]]:
    """Visit over a slow line with an empty cache; returns the seconds to the first painted token, and the
    bytes of each file and of all messages, until no more come."""
    with browser.new_context(viewport=WINDOW) as context:
        page = context.new_page()
        page.set_default_timeout(600_000)
        page.add_init_script(ARRIVAL)
        wire = context.new_cdp_session(page)
        names: dict[str, str] = {}
        weights: Counter[str] = Counter()
        wire.on(
            "Network.requestWillBeSent",
            lambda sent: names.update({sent["requestId"]: sent["request"]["url"]}),
        )
        wire.on(
            "Network.loadingFinished",
            lambda came: weights.update({names[came["requestId"]]: int(came["encodedDataLength"])}),
        )
        # base64: four letters for three bytes
        wire.on(
            "Network.webSocketFrameReceived",
            lambda came: weights.update({"messages": len(came["response"]["payloadData"]) * 3 // 4}),
        )
        wire.send("Network.enable")
        wire.send("Network.emulateNetworkConditions", SLOW_LINE)
        seconds, before = visit(page, address), -1
        while before != weights.total():
            before = weights.total()
            page.wait_for_timeout(QUIET_MS)
        return seconds, dict(weights)


def measure_weight(browser: Browser, address: str, line: str) -> None:
    print("\n| new visitor, 400 kbit/s, empty cache | first painted tokens or line | kB | requests |")
    print("|---|---|---|---|")
    files: list[dict[str, int]] = []
    for name, place in (("bpeviz", address), ("Streamlit's page with one line", line)):
        seconds, weights = weigh(browser, place)
        files.append({url.removeprefix(place): weight for url, weight in weights.items()})
        requests = len(weights) - 1  # the messages come over one connection
        print(f"| {name} | {seconds:.1f} s | {sum(weights.values()) / 1000:,.0f} | {requests} |")
    ours, theirs = files
    more = Counter({url: weight - theirs.get(url, 0) for url, weight in ours.items()})
    print("\nThe heaviest that only bpeviz has, in kB:", end=" ")
    print(", ".join(f"{url} {weight / 1000:,.0f}" for url, weight in more.most_common(HEAVIEST)))


def type_into(page: Page, address: str, text: str) -> tuple[list[float], list[float]]:
    """Train on a text, then press keys at its end, one at a time; returns the seconds to the tokens and
    to the counts of pairs."""
    page.goto(address)
    expect(page.locator(CELLS).first).to_be_visible()
    open_text_menu(page)
    field = page.get_by_label(FIELD)
    field.fill(text)
    expect(summary(page)).to_contain_text("your text")
    expect_settled(page)
    page.evaluate(HELPERS)
    field.press("Control+End")
    tokens, counts = [], []
    for number in range(1, PRESSES + 1):
        time.sleep(1)
        page.evaluate(TYPING, len(text.encode()) + number)
        page.keyboard.press("e")
        until_tokens, until_counts = page.evaluate("window.arrival")
        tokens.append(until_tokens / 1000)
        counts.append(until_counts / 1000)
        expect_settled(page)
    return tokens, counts


def train(text: str) -> Run:
    return train_run(run_request(NamedText("your text", text), TrainingSettings()), lambda *_: None)


def measure_python(size: int) -> tuple[list[float], list[float]]:
    """The seconds of training on texts of ``size`` bytes, and of showing them in the tokens of three
    tokenizers."""
    known = {"GPT-2": load_pretrained("gpt2"), "o200k": load_pretrained("o200k_base")}
    training, showing = [], []
    for number in range(PRESSES):
        text = typed_text(size - PRESSES) + "e" * number
        run, seconds = timed(partial(train, text))
        training.append(seconds)
        showing.append(timed(partial(show, text, known | {"this run": run.tokenizer}))[1])
    return training, showing


def show(text: str, tokenizers: Mapping[str, Tokenizer]) -> list[TokenRow]:
    return [token_row(name, tokenizer, text) for name, tokenizer in tokenizers.items()]


def typed_text(size: int) -> str:
    """English prose, and Python code after it."""
    return "\n".join(map(read_sample, ("English prose", "Python code")))[:size]


def in_milliseconds(times: list[float]) -> str:
    low, middle, high = (1000 * f(times) for f in (min, statistics.median, max))
    return f"{middle:.0f} ms ({low:.0f} to {high:.0f})"


def measure_visits(browser: Browser, address: str, line: str) -> None:
    print(f"| new visitor, median of {VISITS} | first painted tokens | Streamlit's page with one line |")
    print("|---|---|---|")
    for name, window in (("laptop", WINDOW), ("phone", PHONE)):
        visit_twice(browser, address, window)  # warms up the server and the browser
        pairs = [
            (visit_twice(browser, address, window), visit_twice(browser, line, window)) for _ in range(VISITS)
        ]
        for i, cache in enumerate(("empty browser cache", "scripts in the browser's cache, no cookie")):
            ours, theirs = (in_seconds([pair[side][i] for pair in pairs]) for side in (0, 1))
            print(f"| {name}, {cache} | {ours} | {theirs} |")


def measure_typing(browser: Browser, address: str) -> None:
    rows: dict[str, list[str]] = {}
    for size in SIZES:
        page = browser.new_page(viewport=WINDOW)
        tokens, counts = type_into(page, address, typed_text(size - PRESSES))
        page.close()
        training, showing = measure_python(size)
        for name, times in {
            "key to painted text, in tokens trained again": tokens,
            "key to painted counts of pairs": counts,
            "training alone, in Python": training,
            "the text in tokens of GPT-2, o200k and the run, in Python": showing,
        }.items():
            rows.setdefault(name, []).append(in_milliseconds(times))
    sizes = " | ".join(f"{size // 1000} kB" for size in SIZES)
    print(f"\n| typing, median of {PRESSES} | {sizes} |\n|---|{'---|' * len(SIZES)}")
    for name, figures in rows.items():
        print(f"| {name} | {' | '.join(figures)} |")


def main() -> None:
    print(f"Load of the machine when it began: {os.getloadavg()[0]:.1f}.\n", flush=True)
    with (
        tempfile.TemporaryDirectory() as data,
        running({"BPEVIZ_DATA": data}) as server,
        one_line() as line,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=list(QUIET))
        measure_visits(browser, server.url, line)
        measure_weight(browser, server.url, line)
        measure_typing(browser, server.url)
        browser.close()


if __name__ == "__main__":
    main()
