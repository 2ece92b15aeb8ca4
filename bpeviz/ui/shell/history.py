"""The browser's history: one entry a page, and Back opens the session that the address names."""

from bpeviz.ui.kit.parts import mount_part
from bpeviz.ui.session.session import Session

__all__ = ["keep_history"]


def keep_history(state: Session) -> None:
    """Tell the browser which session the page shows: Back to another one opens that."""
    saving = state.saving
    named = saving.to_open.saved_id if saving.to_open else saving.saved_id or saving.copy_of
    mount_part("history", key="history", data={"session": named})
