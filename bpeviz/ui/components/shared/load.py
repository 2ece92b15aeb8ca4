"""Load a component: its page, its style sheets and its script, each as one piece.

A script is joined with all that it imports when the app starts. See docs/javascript.md.
"""

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from bpeviz.figures.modules import join_modules

__all__ = ["Mount", "load_component"]

#: Puts a component on the page.
Mount = Callable[..., Mapping[str, Any]]


@cache
def load_component(name: str, script: Path, styles: tuple[Path, ...] = ()) -> Mount:
    """Make a component, once, of the module with its function, the HTML beside it if any, and styles."""
    page = script.with_suffix(".html")
    mount: Mount = st.components.v2.component(
        name,
        html=page.read_text("utf-8") if page.exists() else None,
        css="\n".join(style.read_text("utf-8") for style in styles) or None,
        js=join_modules(script),
    )
    return mount
