"""A change that only a run of the whole page reads."""

from bpeviz.ui.session.session import session

__all__ = ["run_whole_page"]


def run_whole_page() -> None:
    """Have the whole page run, also if a report of the player comes with the change or right after it.

    Such a report reruns fragments alone, and the change would wait for the next click. This is the
    ``on_change`` or ``on_click`` of what the main page reads outside its fragments.
    """
    session().forget_drawn_page()
