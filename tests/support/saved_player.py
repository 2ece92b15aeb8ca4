"""A trained run as a page on the disk, for tests of the player: they need no server."""

import tempfile
from functools import cache
from pathlib import Path

from playwright.sync_api import Page, expect

from bpeviz.runs.run import NamedText, Run
from bpeviz.standalone.making import player_of_run
from bpeviz.training.settings import TrainingSettings
from tests.support import app_page as on
from tests.support.trained import run_of

__all__ = ["open_run"]

#: How the app's form begins.
FORM = TrainingSettings()


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory()


@cache
def _run(text: str, settings: TrainingSettings) -> Run:
    return run_of(NamedText("pasted text", text), settings)


@cache
def _file(text: str, settings: TrainingSettings, step: int) -> Path:
    """The page of a run at a step; each is written once."""
    path = Path(_folder().name) / f"{_file.cache_info().currsize}.html"
    player_of_run(_run(text, settings), step=step).write_html(path)
    return path


def open_run(page: Page, text: str, settings: TrainingSettings = FORM, *, step: int = 0) -> None:
    """Open the page of a run at a step, as ``prepared_session.open_run`` does in the app."""
    page.goto(_file(text, settings, step).as_uri())
    expect(page.locator(on.CELLS).first).to_be_visible()
    on.expect_step(page, step)
    expect(page.locator(".pairs .bars")).to_be_attached()
