"""Sessions that are saved before a test begins: the test opens them by their link, without a form."""

from collections.abc import Sequence
from functools import partial
from urllib.parse import urlencode

from playwright.sync_api import Page, expect

from bpeviz.runs.run import NamedText
from bpeviz.sessions.document_json import write_document
from bpeviz.sessions.store import new_saved_id
from bpeviz.training.settings import TrainingSettings
from bpeviz.ui.compare.state import CompareState
from bpeviz.ui.session.describe import describe, files_of, title_of
from bpeviz.ui.session.saving import SESSION, store
from bpeviz.ui.session.saving_state import Digests
from bpeviz.ui.session.session import Session
from bpeviz.ui.watch.state import Panel, WatchState
from tests.support import app_page as on
from tests.support.trained import run_of

__all__ = ["open_comparison", "open_run", "open_sample", "sample_link", "save", "save_session"]

#: How the form begins.
FORM = TrainingSettings()


def save_session(
    text: str,
    settings: TrainingSettings = FORM,
    step: int = 0,
    panel: Panel = "Pairs",
    others: Sequence[str] = (),
) -> str:
    """Save a session with one run on a pasted text, a panel and more tokenizers to compare; return what
    follows a page's path in its link."""
    state = Session()
    state.pages.of(CompareState).saved.others = tuple(others)
    state.pages.of(WatchState).panel = panel
    state.show(run_of(NamedText("pasted text", text), settings))
    state.step = step
    return save(state)


def save(state: Session) -> str:
    """Save a session where the server looks for it; return what follows a page's path in its link."""
    document, texts = describe(state, Digests())
    contents = {digest: text.encode() for digest, text in texts.items()} | files_of(state, document)
    saved_id = new_saved_id()
    saved = {digest: partial(bytes, data) for digest, data in contents.items()}
    store().save(saved_id, title_of(state, document), write_document(document), saved)
    return f"?{urlencode({SESSION: saved_id})}"


def sample_link(title: str, *, merges: int = FORM.num_merges, step: int = 0) -> str:
    """Return what follows a page's path in a link to a sample."""
    return f"?{urlencode({'sample': title, 'merges': merges, 'step': step})}"


def open_run(
    page: Page, text: str, settings: TrainingSettings = FORM, *, step: int = 0, panel: Panel = "Pairs"
) -> None:
    """Open a saved session with one run, on the main page at a step, with a panel."""
    _open_player(page, save_session(text, settings, step, panel), step, panel)


def open_sample(page: Page, title: str, *, merges: int = FORM.num_merges, step: int = 0) -> None:
    """Open a link to a sample, on the main page at a step."""
    _open_player(page, sample_link(title, merges=merges, step=step), step)


def _open_player(page: Page, link: str, step: int, panel: Panel = "Pairs") -> None:
    page.goto(f"/{link}")
    expect(page.locator(on.CELLS).first).to_be_visible(timeout=120_000)
    on.expect_at(page, step)
    expect(page.locator(".pairs:not(.waiting) .bars")).to_have_count(int(panel == "Pairs"))
    expect(page.locator(".stPlotlyChart:not(:has(.main-svg))")).to_have_count(0)
    on.expect_settled(page)


def open_comparison(page: Page, link: str) -> None:
    """Open a link on the compare page, where its run is compared with GPT-2."""
    page.goto(f"/compare{link}")
    expect(page.locator(".aligned .tok").first).to_be_visible(timeout=120_000)
    on.expect_settled(page)
