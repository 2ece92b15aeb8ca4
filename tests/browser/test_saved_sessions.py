"""Saved sessions in Chromium: after a reload, a lost connection, a killed worker or server; shared, opened
again, deleted.

BPEVIZ_FAULTS says how many faults at random moments are tried, and BPEVIZ_SEED which.
"""

import json
import os
import random
import re
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from bpeviz.ui.session.saving import SESSION
from tests.support import app_page as on
from tests.support.prepared_session import open_run, open_sample
from tests.support.server import address_of, free_port, start_server

FAULTS = int(os.environ.get("BPEVIZ_FAULTS", "6"))
CAT = "the cat in the hat and the cat on the mat. " * 20
#: Too long for a link that holds it.
LONG = CAT * 3
#: One pre-token of 1 MB: its training goes on for longer than it takes to kill it.
UNSPLIT = "minbpe-basic"


#: All of these are in view.
FIRST_TOKENS = 100


def shown(page: Page) -> tuple[str, str, str, list[str]]:
    """What a person sees of the session: the run, the step, the tokens left, the first tokens. Those around
    the view are drawn a moment later."""
    heading = on.summary(page).inner_text()
    tokens = on.cells(page)[:FIRST_TOKENS]
    return heading, on.step_field(page).input_value(), on.tile(page, "tokens").inner_text(), tokens


def expect_back(page: Page, before: tuple[str, str, str, list[str]]) -> None:
    expect(page.locator(on.CELLS).first).to_be_visible()
    expect(on.step_field(page)).to_have_value(before[1])
    on.expect_settled(page)
    assert shown(page) == before


def open_menu(page: Page) -> None:
    page.get_by_role("button", name="Sessions").click()
    expect(page.get_by_text("Saved automatically")).to_be_visible()
    on.expect_settled(page)


def open_share_menu(page: Page) -> Locator:
    """Open the Share menu; return the field of its link."""
    page.get_by_role("button", name="Share").click()
    expect(page.get_by_text("The link opens")).to_be_visible()
    on.expect_settled(page)
    return page.get_by_test_id("stPopoverBody").get_by_label("Link")


def link_to_a_copy(page: Page) -> str:
    link = open_share_menu(page)
    page.get_by_role("button", name="Make a link").click()
    expect(link).to_have_value(re.compile("^http.*[?]session="))
    return link.input_value()


@pytest.mark.usefixtures("first_page")
@pytest.mark.gate
def test_a_reload_brings_back_run_fork_step_and_texts(page: Page) -> None:
    on.train_on(page, CAT)
    on.stop_at(page, 4)
    on.fork(page, 2)
    on.stop_at(page, 9)
    before = shown(page)
    page.get_by_role("link", name="Encode").click()
    page.get_by_label("Text to encode", exact=True).fill("hats")
    page.get_by_label("Text to encode", exact=True).press("Control+Enter")
    expect(page.locator(".figures")).to_contain_text("for 4 bytes")
    on.expect_settled(page)
    page.reload()
    expect(page.get_by_label("Text to encode", exact=True)).to_have_value("hats")
    page.get_by_role("link", name="Watch", exact=True).click()
    expect_back(page, before)
    expect(page.locator(".card.other .tok").first).to_be_visible()


@pytest.mark.gate
def test_a_link_opens_a_copy_at_this_step_that_becomes_the_other_person_s(
    page: Page, chromium: Browser
) -> None:
    open_run(page, LONG)
    on.stop_at(page, 6)
    before = shown(page)
    link = link_to_a_copy(page)
    page.get_by_role("button", name="Copy", exact=True).click()
    expect(
        page.get_by_test_id("stPopoverBody").get_by_role("status").filter(has_text="Copied")
    ).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == link
    context = chromium.new_context(viewport=page.viewport_size)
    other = context.new_page()
    other.goto(link)
    expect(other.get_by_text("This is a copy.")).to_be_visible()
    expect_back(other, before)
    on.stop_at(other, 8)
    expect(other).to_have_url(link)  # to look at it is no change
    other.keyboard.press("3")
    expect(other).not_to_have_url(link)
    other.reload()
    on.expect_step(other, 8)
    context.close()
    page.reload()
    expect_back(page, before)


@pytest.mark.gate
def test_a_sample_s_settings_link_works_without_anything_kept(page: Page) -> None:
    open_sample(page, "DNA repeats", merges=50)
    on.stop_at(page, 7)
    before = shown(page)
    link = open_share_menu(page)
    expect(link).to_have_value(re.compile("sample=DNA.repeats.*step=7"))
    page.goto(link.input_value())
    expect_back(page, before)


def test_without_a_clipboard_the_link_is_selected(page: Page) -> None:
    """As over plain HTTP from another machine."""
    open_sample(page, "DNA repeats", merges=50)
    link = open_share_menu(page)
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error()); }")
    page.get_by_role("button", name="Copy", exact=True).click()
    expect(page.get_by_text("It is selected.")).to_be_visible()
    selected = link.evaluate("field => field.value.slice(field.selectionStart, field.selectionEnd)")
    assert selected == link.input_value()
    page.reload()


def test_a_deleted_session_comes_back_by_undo(page: Page) -> None:
    open_run(page, CAT)
    on.stop_at(page, 3)
    before = shown(page)
    address = page.url
    open_menu(page)
    page.get_by_role("button", name="Delete this session").click()
    expect(page.get_by_text("Deleted.", exact=True)).to_be_visible()
    expect(page).not_to_have_url(address)
    on.expect_settled(page)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("Restored.")).to_be_visible()
    on.expect_settled(page)
    page.reload()
    expect(page).to_have_url(address)
    expect_back(page, before)


@pytest.mark.gate
def test_a_file_takes_a_session_along(page: Page, tmp_path: Path) -> None:
    open_run(page, CAT)
    on.stop_at(page, 5)
    before = shown(page)
    open_menu(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    file = tmp_path / "session.json"
    download.value.save_as(file)
    assert CAT in json.loads(file.read_text("utf-8"))["texts"].values()
    uploader = page.get_by_test_id("stPopoverBody").locator("input[type=file]")
    uploader.set_input_files({"name": "bad.json", "mimeType": "application/json", "buffer": b"[" * 100_000})
    page.get_by_role("button", name="Open this file").click()
    expect(page.get_by_text("This session can't be opened")).to_be_visible()
    on.open_saved_file(page, file)
    expect_back(page, before)


@pytest.mark.gate
def test_recent_sessions_are_listed_and_deleted(page: Page) -> None:
    """The list may also have sessions of other tests, saved just now."""
    open_run(page, "a text to be found again, again and again. " * 5)
    kept = page.url
    saved_id = parse_qs(urlsplit(kept).query)[SESSION][0]
    page.context.clear_cookies()
    page.goto("/")
    expect(page.locator(on.CELLS).first).to_be_visible()
    on.expect_settled(page)
    open_menu(page)
    menu = page.get_by_test_id("stPopoverBody")
    opens = menu.locator(f'a[href="{kept}"]')
    expect(opens).to_have_text(re.compile("Open$"))
    name = menu.locator(f".st-key-session_name-{saved_id} input")
    expect(name).to_have_value(re.compile("^“a text to be found again, again"))
    menu.locator(f".st-key-delete-{saved_id} button").first.click()
    expect(opens).to_have_count(0)
    on.expect_settled(page)
    expect(page.get_by_text("Deleted.", exact=True)).to_be_visible()
    menu.get_by_text("Recently deleted").click()
    expect(menu.locator(f".st-key-restore-{saved_id}")).to_be_visible()
    page.goto(kept)
    expect(page.get_by_text("it was deleted, but you can still restore it")).to_be_visible()
    on.expect_settled(page)
    page.get_by_role("button", name="Restore it").click()
    expect(page.locator(on.CELLS).first).to_be_visible()
    expect(page).to_have_url(kept)


class Server:
    """A server that can be killed, and started again on the same port."""

    def __init__(self) -> None:
        self.port = free_port()
        self._process: subprocess.Popen[bytes] = start_server(self.port)

    def kill(self) -> None:
        self._process.kill()
        self._process.wait(20)

    def start(self) -> None:
        self._process = start_server(self.port)

    def workers(self) -> list[int]:
        """The processes that train for it."""
        listed = Path(f"/proc/{self._process.pid}/task").glob("*/children")
        return [int(child) for file in listed for child in file.read_text().split()]


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    server = Server()
    yield server
    server.kill()


@pytest.fixture
def own_page(chromium: Browser, server: Server) -> Iterator[Page]:
    context = chromium.new_context(base_url=address_of(server.port))
    yield context.new_page()
    context.close()


def test_a_killed_server_s_session_is_all_there_once_it_is_started_again(
    own_page: Page, server: Server
) -> None:
    open_run(own_page, CAT)
    on.stop_at(own_page, 3)
    on.fork(own_page, 2)
    on.stop_at(own_page, 8)
    before = shown(own_page)
    server.kill()
    server.start()
    own_page.reload()
    expect_back(own_page, before)
    expect(own_page.locator(".card.other .tok").first).to_be_visible()


def test_faults_at_random_moments_lose_nothing_that_was_shown(own_page: Page, server: Server) -> None:
    """The server, the connection or a worker goes at any moment; where the page had come to rest is kept."""
    seed = os.environ.get("BPEVIZ_SEED") or str(time.time_ns())
    print(f"BPEVIZ_SEED={seed}")
    chance = random.Random(seed)
    open_run(own_page, CAT)
    train_slowly(own_page)
    for _ in range(FAULTS):
        rested = chance.randrange(1, 17)
        on.stop_at(own_page, rested)
        before = shown(own_page)
        match chance.choice(["server", "connection", "worker"]):
            case "server":
                own_page.get_by_role("button", name="Next merge", exact=True).click(no_wait_after=True)
                time.sleep(chance.random() * 0.3)
                server.kill()
                server.start()
                own_page.reload()
            case "connection":
                own_page.get_by_role("button", name="Next merge", exact=True).click(no_wait_after=True)
                time.sleep(chance.random() * 0.3)
                own_page.reload()
            case "worker":
                lose_a_worker(own_page, server, chance)
                own_page.reload()
        expect(own_page.locator(on.CELLS).first).to_be_visible()
        on.expect_settled(own_page)
        after = shown(own_page)
        # the step asked for at the last moment may have been kept or not; nothing else may differ
        assert int(after[1]) - rested in (0, 1)
        on.stop_at(own_page, rested)
        assert shown(own_page) == before


def train_slowly(page: Page) -> None:
    """Choose rules by which a long text takes its time."""
    on.open_rules(page)
    on.choose_recipe(page, UNSPLIT)
    expect(on.summary(page)).to_contain_text(UNSPLIT)
    on.expect_settled(page)
    merges = page.get_by_label("Merges", exact=True)
    merges.fill("20000")
    merges.press("Enter")
    expect(on.summary(page)).to_contain_text("20,000 merges")
    on.expect_settled(page)
    page.keyboard.press("Escape")


def lose_a_worker(page: Page, server: Server, chance: random.Random) -> None:
    """Kill the process of a long training: the page says so, and keeps the run."""
    on.open_text_menu(page)
    page.get_by_role("button", name="1 MB").click()
    expect(page.get_by_test_id("stProgress")).to_be_visible()
    ends = time.monotonic() + 20
    while not (workers := server.workers()) and time.monotonic() < ends:
        time.sleep(0.02)
    time.sleep(chance.random() * 0.2)
    for worker in workers:
        os.kill(worker, 9)
    expect(page.get_by_text("Train again, or take a smaller text")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(on.CELLS).first).to_be_visible()
    on.expect_settled(page)


def test_back_goes_one_page_back_and_opens_the_session_that_the_address_names(page: Page) -> None:
    open_run(page, "the cat in the hat " * 3)
    saved = page.url
    expect(page).to_have_title("Watch · bpeviz")
    for name, path in (("Learn", "learn"), ("Encode", "encode")):
        page.get_by_role("link", name=name, exact=True).click()
        expect(page).to_have_title(f"{name} · bpeviz")
        expect(page).to_have_url(re.compile(rf"/{path}\?session="))
        on.expect_settled(page)
    for name in ("Learn", "Watch"):
        page.go_back()
        expect(page).to_have_title(f"{name} · bpeviz")
        on.expect_settled(page)
    expect(page).to_have_url(saved)
    page.get_by_role("button", name="Sessions").click()
    page.get_by_role("button", name="New session").click()
    expect(on.summary(page)).to_contain_text("English prose")
    on.expect_settled(page)
    page.go_back()
    expect(page).to_have_url(saved)
    expect(on.summary(page)).to_contain_text("pasted text")
