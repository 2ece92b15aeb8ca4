"""Trainings in another process, in Chromium: they show progress, can be cancelled, and block no one."""

import contextlib
import os
import re
import signal
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from bpeviz.runs.samples import STANDARD_LIBRARY
from bpeviz.training.settings import TrainingSettings
from bpeviz.ui.session.training import GONE_AFTER_SECONDS
from tests.support import app_page as on
from tests.support.prepared_session import open_run, open_sample
from tests.support.server import server_of
from tests.support.trained import LOW

#: One pre-token of 8 MB: its training takes long enough for whatever is done meanwhile.
UNSPLIT = "minbpe-basic"
#: The system call by which a thread waits for another, on x86-64 and on ARM.
FUTEX = ("202", "98")
#: Notes everything that the bar ever says.
LISTEN = """() => {
  window.said = new Set();
  new MutationObserver(() => {
    const bar = document.querySelector("[data-testid=stProgress]");
    if (bar) window.said.add(bar.textContent);
  }).observe(document.body, {subtree: true, childList: true, characterData: true});
}"""


def choose_library(page: Page, num_merges: int, recipe: str = "huggingface") -> None:
    """Open the menu for the text with these rules; its buttons for the standard library train in another
    process."""
    open_run(page, LOW, TrainingSettings(recipe, num_merges=num_merges))
    on.open_text_menu(page)


def train_on_library(page: Page, num_merges: int) -> None:
    """Begin a training in another process."""
    choose_library(page, num_merges)
    page.get_by_role("button", name="1 MB").click()
    page.keyboard.press("Escape")


@contextlib.contextmanager
def held() -> Iterator[str]:
    """The training that begins in the block waits until its end, however fast the machine is: the process
    that the server keeps ready for it is stopped before. Gives that process."""
    ends = time.monotonic() + 30
    while (len(ready := workers(ready=True)) != 1 or workers()) and time.monotonic() < ends:
        time.sleep(0.05)
    (worker,) = ready
    os.kill(int(worker), signal.SIGSTOP)
    try:
        yield worker
    finally:
        with contextlib.suppress(ProcessLookupError):  # it was cancelled
            os.kill(int(worker), signal.SIGCONT)


def workers(*, ready: bool = False) -> list[str]:
    """The processes that train for a server that these tests started; also those kept ready for the next
    training if ``ready``."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes()
            if b"bpeviz.workers.worker" not in command or _parent(_parent(folder.name)) != str(os.getpid()):
                continue
            if ready or not waits_for_a_request(folder):
                found.append(folder.name)
        except OSError:  # gone meanwhile
            continue
    return found


def waits_for_a_request(process: Path) -> bool:
    """Whether the main thread of a process waits for another thread, the one that reads requests. One that
    was stopped has a training to do."""
    stopped = (process / "stat").read_text().rpartition(")")[2].split()[0] == "T"
    number = (process / "syscall").read_text().split()[0]
    return not stopped and number in FUTEX


def _parent(process: str) -> str:
    return (Path("/proc") / process / "stat").read_text().rpartition(")")[2].split()[1]


def assert_no_worker(within_seconds: float = 10) -> None:
    ends = time.monotonic() + within_seconds
    while workers() and time.monotonic() < ends:
        time.sleep(0.05)
    assert workers() == []


def assert_ended(worker: str, within_seconds: float = 10) -> None:
    ends = time.monotonic() + within_seconds
    while worker in workers() and time.monotonic() < ends:
        time.sleep(0.05)
    assert worker not in workers()


@pytest.fixture
def other(chromium: Browser, address: str) -> Iterator[Page]:
    """Another person's session, with a run of a short text."""
    context = chromium.new_context(base_url=address)
    page = context.new_page()
    open_run(page, LOW)
    yield page
    context.close()


def test_a_long_text_trains_and_is_cancelled_while_another_session_steps(page: Page, other: Page) -> None:
    with held():
        train_on_library(page, 20_000)
        expect(page.get_by_test_id("stProgress")).to_be_visible()
        for step in (1, 2, 3):
            other.get_by_role("button", name="Next merge", exact=True).click()
            on.expect_step(other, step)
            on.expect_at(other, step)
        page.get_by_role("button", name="Cancel").click()
        expect(page.get_by_role("button", name="Cancel")).to_have_count(0)
        expect(on.summary(page)).to_contain_text("pasted text")
        assert_no_worker()
    on.expect_at(other, 3)


def test_a_training_ends_with_the_page_that_wanted_it(page: Page) -> None:
    with held():
        train_on_library(page, 20_000)
        expect(page.get_by_test_id("stProgress")).to_be_visible()
        page.goto("about:blank")
        assert_no_worker(GONE_AFTER_SECONDS + 10)


def test_splitting_tells_how_long_it_takes(page: Page) -> None:
    open_sample(page, STANDARD_LIBRARY.title, merges=20)
    on.open_rules(page)
    on.choose(page.get_by_role("combobox", name="Split pattern"), "custom")
    field = page.get_by_label("Custom pattern")
    field.fill(r"(?:.|..)+\Z(?!)")  # until its time is over
    field.press("Enter")
    bar = page.get_by_test_id("stProgress")
    expect(bar).to_contain_text(re.compile(r"Splitting the text into pre-tokens, \d+ s so far"))
    page.get_by_role("button", name="Cancel").click()
    expect(bar).to_have_count(0)


def test_a_long_text_tells_its_phase_its_merges_and_the_time_left(page: Page) -> None:
    choose_library(page, 20_000, recipe=UNSPLIT)
    page.evaluate(LISTEN)
    page.get_by_role("button", name="8 MB").click()
    expect(on.summary(page)).to_contain_text("Python standard library", timeout=120_000)
    said = "\n".join(page.evaluate("[...window.said]"))
    assert "Counting pairs" in said
    assert re.search(r"^Merge [\d,]+ of 20,000, about \d+ s left$", said, re.MULTILINE)


def test_the_bar_is_in_sight_wherever_the_page_is_scrolled_to(page: Page) -> None:
    page.set_viewport_size({"width": 400, "height": 500})
    with held():
        train_on_library(page, 20_000)
        expect(page.get_by_test_id("stProgress")).to_be_visible()
        on.expect_settled(page)  # the bar comes with the whole page
        for place in (
            on.summary(page),
            page.locator(".st-key-panels"),
        ):
            expect(page.get_by_test_id("stProgress")).to_be_visible()
            place.scroll_into_view_if_needed()
            expect(page.get_by_test_id("stProgress")).to_be_in_viewport(ratio=1)
            expect(page.get_by_role("button", name="Cancel")).to_be_in_viewport(ratio=1)
        page.get_by_role("button", name="Cancel").click()
        expect(page.get_by_test_id("stProgress")).to_have_count(0)


def test_a_training_goes_on_while_another_page_is_used(page: Page) -> None:
    page.goto("/")  # the first page has the server keep a process ready
    bar = page.get_by_test_id("stProgress")
    with held():
        train_on_library(page, 20_000)
        expect(bar).to_be_visible()
        page.get_by_role("link", name="Encode").click()
        expect(bar).to_be_visible()
        page.get_by_label("Text to encode", exact=True).fill("hugs")
        page.get_by_label("Text to encode", exact=True).press("Control+Enter")
    expect(page.get_by_text("Trained: Python standard library")).to_be_visible(timeout=120_000)
    expect(bar).to_have_count(0)
    expect(page.get_by_label("Text to encode", exact=True)).to_have_value("hugs")
    page.get_by_role("link", name="Show the run").click()
    expect(on.summary(page)).to_contain_text("Python standard library · 999,975 bytes")
    expect(page.locator(on.CELLS).first).to_be_visible()
    expect(page.get_by_text("Trained: Python")).to_have_count(0)


def test_a_click_on_another_page_counts_while_the_server_is_slow_to_answer(page: Page, address: str) -> None:
    page.goto("/")
    with held():
        train_on_library(page, 20_000)
        expect(page.get_by_test_id("stProgress")).to_be_visible()
        on.expect_settled(page)
        server = server_of(address)
        os.kill(server, signal.SIGSTOP)
        try:
            page.get_by_role("link", name="Encode").click()
            time.sleep(1)  # the bar asks the server several times a second
        finally:
            os.kill(server, signal.SIGCONT)
        expect(page.get_by_label("Text to encode", exact=True)).to_be_visible()
        on.expect_settled(page)
        expect(page.get_by_label("Text to encode", exact=True)).to_be_visible()
        said = page.get_by_test_id("stProgress").text_content() or ""
        expect(page.get_by_test_id("stProgress")).not_to_have_text(said)  # it still moves
        page.get_by_role("button", name="Cancel").click()
        assert_no_worker()


def test_the_field_can_be_used_while_a_text_trains_and_keeps_what_is_typed(page: Page) -> None:
    with held():
        train_on_library(page, 20_000)
        bar = page.get_by_test_id("stProgress")
        expect(bar).to_be_visible()
        on.open_text_menu(page)
        expect(page.get_by_role("button", name="1 MB")).to_be_disabled()
        page.get_by_label(on.FIELD).fill("typed meanwhile")
        expect(page.get_by_role("group", name="Tokens of GPT-2")).to_be_visible()
        page.keyboard.press("Escape")
        page.get_by_role("link", name="Vocabulary").click()
        expect(page.get_by_role("textbox", name="Search").first).to_be_visible()
        expect(bar).to_be_visible()
        page.get_by_role("link", name="Watch", exact=True).click()
        on.open_text_menu(page)
        expect(page.get_by_label(on.FIELD)).to_have_value("typed meanwhile")
        page.get_by_role("button", name="Cancel").click()
        expect(bar).to_have_count(0)
        assert_no_worker()


def test_a_fork_of_a_long_text_trains_while_its_run_is_stepped(page: Page) -> None:
    open_sample(page, STANDARD_LIBRARY.title, merges=500)
    with held():
        on.merge_instead(page, 3)
        expect(page.get_by_test_id("stProgress")).to_be_visible()
        page.get_by_role("button", name="Next merge", exact=True).click()
        page.get_by_role("button", name="Next merge", exact=True).click()
        on.expect_step(page, 2)
        page.get_by_role("button", name="Never merge it").click()
        expect(page.get_by_text("Another training is running. Wait for it or cancel it.")).to_be_visible()
    expect(page.locator(".card.other .tok").first).to_be_visible(timeout=120_000)
    on.expect_settled(page)
    on.expect_one_player(page)
    on.expect_step(page, 2)
    assert_no_worker()


def test_what_is_below_a_long_text_comes_when_it_is_painted_also_under_a_new_name(page: Page) -> None:
    open_sample(page, STANDARD_LIBRARY.title, merges=20)
    expect(page.locator(".panel .why").first).to_contain_text("Most frequent: ")
    on.merge_instead(page, 3)
    expect(page.locator(".card.other .tok").first).to_be_visible()
    on.open_panel(page, "What changes")
    for name in ("One name", "Another"):  # the player shows the same steps, packed again
        expect(on.figure(page, "What the next merge changes")).to_be_visible()
        on.expect_settled(page)
        page.get_by_role("button", name="Rename or delete").click()
        field = page.get_by_label("Name of this run")
        field.fill(name)
        field.press("Enter")
        expect(page.locator(".card.main .title")).to_have_text(name)
        page.keyboard.press("Escape")
    expect(on.figure(page, "What the next merge changes")).to_be_visible()
    on.open_panel(page, "Pairs")
    expect(page.locator(".panel .why").first).to_contain_text("You chose it.")


def test_rules_changed_again_train_again_and_the_fields_show_what_was_trained(page: Page) -> None:
    open_sample(page, STANDARD_LIBRARY.title, merges=20)
    on.open_rules(page)
    merges = page.get_by_label("Merges", exact=True)
    merges.fill("30")
    with held() as worker:
        merges.press("Enter")
        expect(page.get_by_test_id("stProgress")).to_be_visible()
        merges.fill("40")
        merges.press("Enter")
        assert_ended(worker)
    expect(page.locator(".bpeviz.player .of")).to_have_text("40", timeout=120_000)
    expect(page.get_by_test_id("stProgress")).to_have_count(0)
    on.expect_settled(page)
    expect(page.get_by_text("Settings changed")).to_have_count(0)
    assert_no_worker()


def test_a_long_text_is_contested_in_another_process_and_cancelled(page: Page) -> None:
    page.goto("/recipes")
    on.expect_settled(page)  # the short text that the page opens with is trained
    with held():
        on.choose(page.get_by_role("combobox", name="Text"), "Sample: Python standard library")
        expect(page.get_by_test_id("stProgress")).to_be_visible()
        page.get_by_role("button", name="Cancel").click()
        expect(page.get_by_text("The training was stopped. Train again to see the result.")).to_be_visible()
        assert_no_worker()


def test_a_fork_of_a_long_text_is_cancelled_and_the_run_stays(page: Page) -> None:
    open_sample(page, STANDARD_LIBRARY.title, merges=500)
    with held():
        on.merge_instead(page, 3)
        page.get_by_role("button", name="Cancel").click()
        expect(page.get_by_role("button", name="Cancel")).to_have_count(0)
        on.expect_settled(page)
        on.expect_one_player(page)
        expect(page.locator(".card.other .tok")).to_have_count(0)
        assert_no_worker()
    page.get_by_role("button", name="Next merge", exact=True).click()
    on.expect_step(page, 1)


class Wire:
    """The connection of a page to the server, through here: it can be cut and put together again."""

    def __init__(self, address: str) -> None:
        self.port = int(address.rpartition(":")[2])
        self._listener = socket.create_server(("localhost", 0))
        self.address = f"http://localhost:{self._listener.getsockname()[1]}"
        self._cut = threading.Event()
        self._ends: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        self._cut.set()
        for end in self._ends:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        self._ends.clear()

    def mend(self) -> None:
        self._cut.clear()

    def close(self) -> None:
        self.cut()
        self._listener.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                if self._cut.is_set():
                    near.close()
                    continue
                far = socket.create_connection(("localhost", self.port))
                self._ends += [near, far]
                threading.Thread(target=self._carry, args=(near, far), daemon=True).start()

    def _carry(self, near: socket.socket, far: socket.socket) -> None:
        with near, far:
            back = threading.Thread(target=self._pass_on, args=(far, near), daemon=True)
            back.start()
            self._pass_on(near, far)
            back.join()

    @staticmethod
    def _pass_on(one: socket.socket, other: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := one.recv(65536):
                other.sendall(data)
        with contextlib.suppress(OSError):
            other.shutdown(socket.SHUT_RDWR)


@pytest.fixture
def wire(address: str) -> Iterator[Wire]:
    wire = Wire(address)
    yield wire
    wire.close()


@pytest.fixture
def wired_page(chromium: Browser, wire: Wire) -> Iterator[Page]:
    context = chromium.new_context(base_url=wire.address, viewport={"width": 1360, "height": 950})
    page = context.new_page()
    page.goto("/")  # the server starts a process for the next training with its first visitor
    yield page
    context.close()


def test_a_training_goes_on_after_the_connection_was_lost_for_long(wired_page: Page, wire: Wire) -> None:
    page = wired_page
    with held():
        train_on_library(page, 20_000)
        expect(page.get_by_test_id("stProgress")).to_be_visible()
        wire.cut()
        assert_no_worker(GONE_AFTER_SECONDS + 20)
    with held():
        wire.mend()
        expect(page.get_by_text("Your training was interrupted and has started again.")).to_be_visible()
        expect(page.get_by_test_id("stProgress")).to_be_visible()
        expect(page.get_by_text("Trained:")).to_have_count(0)
        page.get_by_role("button", name="Cancel").click()
        expect(page.get_by_role("button", name="Cancel")).to_have_count(0)
        assert_no_worker()


def test_a_reload_during_a_training_starts_it_again(page: Page) -> None:
    with held() as worker:
        train_on_library(page, 500)
        expect(page.get_by_test_id("stProgress")).to_be_visible()
        on.expect_settled(page)
        page.reload()
        expect(page.locator(on.CELLS).first).to_be_visible(timeout=180_000)
        assert_ended(worker, GONE_AFTER_SECONDS + 20)
    expect(page.locator(".bpeviz.player .of")).to_have_text("500")
    expect(page.get_by_text("Your training was interrupted and has started again.")).to_be_visible()
    on.expect_settled(page)
    page.reload()
    expect(page.locator(on.CELLS).first).to_be_visible(timeout=180_000)
    expect(page.get_by_text("interrupted")).to_have_count(0)
