"""Texts, patterns and files made to exhaust a server: each ends in a message or a result, in bounded memory,
and meanwhile the server answers another session."""

import gzip
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support import app_page as on
from tests.support.memory import memory_with_descendants
from tests.support.prepared_session import open_comparison, open_run, save_session
from tests.support.server import server_of
from tests.support.tokenizer_files import minbpe_model

pytestmark = [
    pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read from /proc"),
    pytest.mark.usefixtures("first_page"),
]

#: What one trick may take at most beyond what the server had before: far below what ends a server.
MOST_BYTES = 700_000_000
#: What nobody waits for, however little the machine has to spare: then the server is held up.
MOST_SECONDS = 15.0


@contextmanager
def memory_bounded(address: str) -> Iterator[None]:
    """What happens meanwhile may not take more than MOST_BYTES."""
    server, done = server_of(address), threading.Event()
    before = peak = memory_with_descendants(server)

    def watch() -> None:
        nonlocal peak
        while not done.wait(0.1):
            peak = max(peak, memory_with_descendants(server))

    watching = threading.Thread(target=watch)
    watching.start()
    try:
        yield
    finally:
        done.set()
        watching.join()
    assert peak - before < MOST_BYTES, f"{before / 1e6:.0f} MB, then {peak / 1e6:.0f} MB"


@pytest.fixture(scope="module")
def other(chromium: Browser, address: str) -> Iterator[Page]:
    """Another person's page, which watches merges."""
    context = chromium.new_context(base_url=address)
    context.set_default_timeout(60_000)
    page = context.new_page()
    open_run(page, "the cat in the hat and the cat on the mat. " * 5)
    yield page
    context.close()


def expect_another_is_answered(other: Page) -> None:
    """A step that the server must be asked for: the tables below the player are its own."""
    begun = time.monotonic()
    on.stop_at(other, 2)
    seconds = time.monotonic() - begun
    on.stop_at(other, 0)
    assert seconds < MOST_SECONDS


def custom_pattern(page: Page, pattern: str) -> None:
    on.open_rules(page)
    on.choose(page.get_by_role("combobox", name="Split pattern"), "custom")
    field = page.get_by_label("Custom pattern")
    field.fill(pattern)
    field.press("Enter")
    on.expect_settled(page)


TEXTS = {
    "no-space": (bytes(range(97, 123)) * 40_000)[:1_000_000],
    "one-letter": b"a" * 1_000_000,
    "combining": ("e" + "\u0301" * 100_000).encode(),
    "nul-and-bidi": ("a\0b\u202e\u2066\u2069\ufeffc\x1b\x7f " * 2_000).encode(),
    "utf-8-sig": "the cat in the hat ".encode("utf-8-sig") * 9,
}
REFUSED = {
    "surrogate": b"the cat \xed\xa0\x80 the cat",
    "gzip": gzip.compress(bytes(8_000_000), 9) * 8,
    "parquet": b"PAR1" + bytes(1000) + b"\xff\xfe" + b"PAR1",
    "zip": b"PK\x03\x04\x14\x00\xff\xff" + bytes(1000),
}


@pytest.mark.parametrize("name", TEXTS)
def test_a_hard_text_is_trained_on(page: Page, other: Page, address: str, name: str) -> None:
    with memory_bounded(address):
        on.drop(page, "hard.txt", TEXTS[name])
        expect_another_is_answered(other)
        expect(on.summary(page)).to_contain_text("hard.txt")
        on.go_to(page, 3)


def test_what_is_no_text_is_refused_by_its_name(page: Page, address: str) -> None:
    with memory_bounded(address):
        for name, data in REFUSED.items():
            on.drop(page, f"{name}.txt", data)
            expect(
                page.get_by_role("alert").filter(has_text=re.compile(rf"{name}\.txt(: it)? (is|has) "))
            ).to_be_visible()
            on.expect_settled(page)


@pytest.mark.parametrize(
    ("pattern", "says"),
    [
        (r"(a+)+$", "more than 10 seconds"),
        (r"(?:a|aa)+$", "more than 10 seconds"),
        ("(?:(?:(?:(?:a{99}){99}){99}){99}){99}", "does not compile in the memory"),
    ],
)
def test_a_pattern_made_to_run_for_ever_is_stopped(
    page: Page, other: Page, address: str, pattern: str, says: str
) -> None:
    with memory_bounded(address):
        on.drop(page, "as.txt", b"a" * 100_000 + b"b")
        expect(on.summary(page)).to_contain_text("as.txt")
        on.expect_settled(page)
        custom_pattern(page, pattern)
        expect_another_is_answered(other)
        expect(page.get_by_role("alert")).to_contain_text(says, timeout=60_000)  # the limit is processor time


def nested(depth: int) -> bytes:
    return b'{"model": ' + b"[" * depth + b"]" * depth + b"}"


TOKENIZERS = {
    "nested": (nested(1_000_000), "nested too deeply"),
    "digits": (b'{"a": ' + b"9" * 10_000_000 + b"}", "thousands of digits"),
    "gzip": (gzip.compress(bytes(100_000_000)), "67,108,865 bytes or more"),
    "doubling": (
        minbpe_model("97 97", *(f"{i} {i}" for i in range(256, 320)))["tokenizer.model"],
        "has 131,072 bytes",
    ),
    "pattern": (minbpe_model("97 98", pattern="(?:ab){99999999}")["tokenizer.model"], "does not compile"),
}


@pytest.mark.parametrize("name", TOKENIZERS)
def test_a_tokenizer_file_made_to_exhaust_is_refused(
    page: Page, other: Page, address: str, name: str
) -> None:
    data, says = TOKENIZERS[name]
    with memory_bounded(address):
        page.goto("/compare")
        on.bring_tokenizer(page, f"{name}.json", data)
        expect_another_is_answered(other)
        expect(page.get_by_role("alert")).to_contain_text(says, timeout=60_000)  # the limit is processor time


def test_a_slow_pattern_of_a_tokenizer_file_is_stopped_where_it_is_run(
    page: Page, other: Page, address: str
) -> None:
    slow = minbpe_model("97 97", pattern=r"(?:a|aa)+c|(?:a|aa)+d|[^e]")["tokenizer.model"]
    open_comparison(page, save_session("a" * 60 + " the cat in the hat"))
    on.bring_tokenizer(page, "slow.model", slow)
    expect_another_is_answered(other)
    expect(page.get_by_role("alert")).to_contain_text("more than 10 seconds", timeout=60_000)
    page.get_by_role("link", name="Encode").click()
    on.choose(page.get_by_role("combobox", name="Tokenizer"), "slow.model", exact=False)
    on.expect_settled(page)
    field = page.get_by_label("Text to encode", exact=True)
    field.fill("a" * 60)
    page.keyboard.press("Control+Enter")
    expect_another_is_answered(other)
    expect(page.get_by_role("alert").first).to_contain_text("more than 10 seconds", timeout=60_000)
