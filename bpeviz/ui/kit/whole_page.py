"""A change that only a run of the whole page reads."""

__all__ = ["run_whole_page"]


def run_whole_page() -> None:
    """Have the whole page run, though a report of the player comes in the same message of the browser.

    Such a report asks to rerun one fragment alone. Streamlit grants that only if no other callback of the
    message returns: see ``st.rerun``. So this is the ``on_change`` or ``on_click`` of what the main page
    reads outside the fragment, and it need not do anything.
    """
