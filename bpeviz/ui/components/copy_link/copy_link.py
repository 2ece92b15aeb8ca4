"""A link, or a line of HTML with it, and a button that copies it. The browser writes to the clipboard."""

from pathlib import Path

from bpeviz.ui.components.shared.load import load_component

__all__ = ["copy_link"]

_HERE = Path(__file__).parent


def copy_link(link: str, *, key: str, focus: bool = False, embeds: bool = False) -> None:
    """Show a ``link`` of this server, with or without its host, and a button that copies it.

    With ``focus`` the button gets the focus: it comes in the place of the button that made the link.
    ``embeds`` shows the line of HTML that puts the linked page into another one.
    """
    styles = (_HERE.parent / "shared" / "base.css", _HERE / "copy_link.css")
    load_component("bpeviz_copy_link", _HERE / "copy_link.js", styles)(
        key=key, data={"link": link, "focus": focus, "embeds": embeds}
    )
