"""A trained run, or its comparison with GPT-2, as a page on the disk: tests of it need no server."""

import tempfile
from functools import cache
from pathlib import Path

from playwright.sync_api import Page, expect

from bpeviz import compare, load_pretrained
from bpeviz.runs.run import NamedText, Run
from bpeviz.standalone.making import player_of_run
from bpeviz.training.settings import TrainingSettings
from tests.support import app_page as on
from tests.support.trained import run_of

__all__ = ["open_comparison", "open_run"]

#: How the app's form begins.
FORM = TrainingSettings()


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory()


@cache
def _run(text: str, settings: TrainingSettings) -> Run:
    return run_of(NamedText("pasted text", text), settings)


@cache
def _file(text: str, settings: TrainingSettings, step: int | None) -> Path:
    """The page of a run at a step, or of its comparison; each is written once."""
    path = Path(_folder().name) / f"{_file.cache_info().currsize}.html"
    run = _run(text, settings)
    player = (
        compare(text, run.tokenizer, load_pretrained("gpt2")).player(names=("huggingface", "GPT-2"))
        if step is None
        else player_of_run(run, step=step)
    )
    player.write_html(path)
    return path


def open_run(page: Page, text: str, settings: TrainingSettings = FORM, *, step: int = 0) -> Run:
    """Open the page of a run at a step, as ``prepared_session.open_run`` does in the app; return the run."""
    page.goto(_file(text, settings, step).as_uri())
    expect(page.locator(on.CELLS).first).to_be_visible()
    on.expect_step(page, step)
    expect(page.locator(".pairs .bars")).to_be_attached()
    return _run(text, settings)


def open_comparison(page: Page, text: str) -> None:
    """Open the page that compares a run on a text with GPT-2."""
    page.goto(_file(text, FORM, None).as_uri())
    expect(page.locator(".aligned .tok").first).to_be_visible()
