"""The player of the main page as a file: the shown run, and the one beside it."""

from bpeviz.errors import BpevizError
from bpeviz.runs.run import Run
from bpeviz.standalone.making import player_of_run
from bpeviz.ui.kit.player import page_bytes, send_page, text_caption
from bpeviz.ui.session.session import Session
from bpeviz.ui.watch.state import PageRequest, WatchState

__all__ = ["interactive_page", "send_wanted_page"]


def send_wanted_page(state: Session) -> None:
    """Send the page that the person wants, if any, to the export menu.

    The request stays until the browser says that it has the page. Streamlit may interrupt this, or draw only
    what comes after it.
    """
    watch, run = state.pages.of(WatchState), state.run

    def forget(asked: int) -> None:
        if watch.page_request and watch.page_request.asked == asked:
            watch.page_request = None

    request = watch.page_request
    if request is None or run is None or run.number != request.number:
        watch.page_request = None
        send_page(0, b"", on_got=forget)
        return
    if not (request.file or request.fault):
        _make(request, run, state.run_beside)
    send_page(request.asked, request.file, request.fault, on_got=forget)


def _make(request: PageRequest, run: Run, beside: Run | None) -> None:
    """Put the page into the request, or why there is none."""
    try:
        request.file = interactive_page(run, beside, request.step)
    except BpevizError as error:
        request.fault = str(error)
    except MemoryError:
        request.fault = "Memory ran out. Show a shorter text, or try again later."


def interactive_page(run: Run, beside: Run | None, step: int) -> bytes:
    """Return the page of a run at a step, with the run beside it."""
    rules = f"Recipe {run.recipe.name}, split pattern {run.split.name}."
    caption = f"{text_caption(run.corpus)} {rules}"
    return page_bytes(player_of_run(run, beside=beside, step=step, caption=caption))
