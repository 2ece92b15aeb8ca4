"""Mount the parts that the browser draws; bpeviz.browser.parts lists them.

They write a person's text with ``textContent`` only. Those that report much have their own files: player.py,
pairs.py, comparer.py, text_box.py and pattern_check.py.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import streamlit as st

from bpeviz.browser.part_files import part_loader
from bpeviz.ui.kit.messages import whole

__all__ = [
    "chart_export",
    "copy_link",
    "mount_encoding",
    "mount_growth",
    "mount_orders",
    "mount_part",
    "mount_rows",
    "mount_variants",
    "picked_word",
]


def mount_part(name: str, *, key: str, data: object = None, **on_change: Callable[[], None]) -> None:
    """Put a part on the page. ``on_at_change`` is called when it reports a new value of ``at``, and so on."""
    _component(name)(key=key, data=data, **on_change)


@cache
def _component(name: str) -> Callable[..., Any]:
    mount: Callable[..., Any] = st.components.v2.component(f"bpeviz_{name}", js=part_loader(name))
    return mount


def mount_encoding(
    data: Mapping[str, Any], *, key: str, on_word: Callable[[int], None] | None = None
) -> None:
    """Show a result of pack_encoding. Streamlit calls ``on_word`` with the place of a picked word."""

    def reported() -> None:
        word = picked_word(st.session_state[key], len(data["pieces"]))
        if on_word and word is not None:
            on_word(word)

    mount_part("encoder", key=key, data=data, on_word_change=reported)


def picked_word(state: object, words: int) -> int | None:
    """Return the place of the picked word, among so many; None if the report is malformed."""
    return whole(state.get("word"), words - 1) if isinstance(state, Mapping) else None


def mount_orders(data: Mapping[str, Any], *, key: str) -> None:
    """Show a result of pack_orders as a table."""
    mount_part("orders", key=key, data=data)


def mount_growth(data: Mapping[str, Any], *, key: str) -> None:
    """Show a result of pack_growth: a tree for each tokenizer, with a scrubber over their merges."""
    mount_part("biography", key=key, data=data)


def mount_variants(data: Mapping[str, Any], *, key: str) -> None:
    """Show a result of pack_variants: a card for each variant of a word."""
    mount_part("variants", key=key, data=data)


def mount_rows(data: Mapping[str, Any], *, key: str) -> None:
    """Show a result of pack_rows."""
    mount_part("boundary_rows", key=key, data=data)


def chart_export(name: str, *, key: str) -> None:
    """Show buttons that save the chart that ``plot`` shows under a ``name``, as SVG, PNG or HTML. The browser
    makes the file."""
    mount_part("chart_export", key=key, data={"name": name})


def copy_link(link: str, *, key: str, focus: bool = False, embeds: bool = False, works: bool = True) -> None:
    """Show a ``link`` of this server, with or without its host, and a button that copies it.

    With ``focus`` the button gets the focus: it comes in the place of the button that made the link.
    ``embeds`` shows the line of HTML that puts the linked page into another one. A link that doesn't work
    can't be copied.
    """
    mount_part("copy_link", key=key, data={"link": link, "focus": focus, "embeds": embeds, "works": works})
