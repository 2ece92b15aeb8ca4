"""A corpus larger than the page shows: named at the start, trained on, searched, and found again."""

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from bpeviz.cli import main
from tests.support import app_page as on
from tests.support.paths import ROOT
from tests.support.server import address_of, free_port, running_command
from tests.support.waiting import wait_for

#: The page shows 8 MB.
LINE = "the cat in the hat and the cat on the mat, and a dog and a log.\n"
SHOWN = re.compile(r"Showing [\d.]+ MB of 12\.\d MB")


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("corpus")
    paths = [folder / "cats.txt", folder / "dogs.txt"]
    paths[0].write_text(LINE * 140_000)
    paths[1].write_text(
        "a dog in a fog, and a frog. " * 60_000 + "lighthouse " + "a dog on a log. " * 100_000
    )
    return paths


@pytest.fixture(scope="module")
def started(corpus: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that was started with the files."""
    port = free_port()
    environment = {
        **os.environ,
        "BPEVIZ_DATA": str(tmp_path_factory.mktemp("data")),
        "STREAMLIT_SERVER_HEADLESS": "true",
    }
    command = [sys.executable, "-m", "bpeviz", "app", *corpus, "--port", str(port)]
    with running_command(command, port, environment, ROOT):
        yield address_of(port)


@pytest.fixture
def site(started: str) -> str:
    return started


def expect_shown(page: Page, sentence: str | re.Pattern[str]) -> None:
    expect(page.get_by_text(sentence).first).to_be_visible(timeout=120_000)
    expect(page.locator(on.CELLS).first).to_be_visible(timeout=120_000)


def test_a_corpus_of_two_files_is_trained_on_shown_in_parts_searched_and_still_there(
    page: Page, site: str
) -> None:
    page.goto(site)
    on.open_text_menu(page)
    expect(page.get_by_text("cats.txt, 8,960,000 bytes")).to_be_visible()
    page.get_by_role("button", name="Train on these files").click()
    page.keyboard.press("Escape")
    expect_shown(page, SHOWN)
    expect_shown(page, re.compile(r"cats\.txt from byte 1\. Counts, pairs and merges are those of the whole"))

    page.get_by_role("button", name="Show another part").click()
    page.get_by_role("spinbutton", name="Start at (MB)").fill("5")
    page.get_by_role("spinbutton", name="Start at (MB)").press("Enter")
    page.get_by_role("button", name="Show this part").click()
    expect_shown(page, re.compile(r"cats\.txt from byte 5,000,0\d\d"))

    page.get_by_role("textbox", name="Find in the whole corpus").fill("lighthouse")
    page.get_by_role("textbox", name="Find in the whole corpus").press("Enter")
    expect_shown(page, "“lighthouse” is at byte 1,680,001 of dogs.txt, in the first lines below.")
    expect_shown(page, re.compile(r"dogs\.txt from byte 1,679,9\d\d"))
    # the player of the part before is still there for a moment
    wait_for(page, lambda: "lighthouse" in on.spelled(page.locator(on.CELLS)), "the text is that part")

    on.stop_at(page, 3)
    page.reload()
    expect_shown(page, re.compile(r"dogs\.txt from byte 1,679,9\d\d"))
    on.expect_step(page, 3)


def test_a_run_that_the_command_line_saved_opens_from_the_menu(
    page: Page, site: str, corpus: list[Path], tmp_path: Path
) -> None:
    run = tmp_path / "run.bpeviz"
    assert main(["train", *map(str, corpus), "--merges", "20", "--out", str(run)]) == 0
    page.goto(site)
    page.get_by_role("button", name="Sessions").click()
    on.open_saved_file(page, run)
    expect_shown(page, re.compile(r"2 files · 12,240,\d\d\d bytes"))
    expect_shown(page, SHOWN)
    on.expect_at(page, 0)
    on.stop_at(page, 20)
    expect(page.get_by_text("All merges are done. Go back to see earlier choices.")).to_be_visible()
