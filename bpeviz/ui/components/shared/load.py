"""Load a component: its page, its style sheets and its script, each as one piece.

The scripts are ES modules. Streamlit runs a component's script from a blob, where relative imports fail. So
this module joins a script with all that it imports, when the app starts. See docs/javascript.md.
"""

import re
from collections.abc import Callable, Mapping
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

import streamlit as st

__all__ = ["Mount", "join_modules", "load_component"]

#: Puts a component on the page.
Mount = Callable[..., Mapping[str, Any]]

_IMPORT = re.compile(r'^import \{([^}]*)\} from "(\.[^"]*)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?!default )", re.MULTILINE)


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


def join_modules(entry: Path) -> str:
    """Join a module with all that it imports to one module without imports.

    Each file comes once, after those that it imports. All names share one scope, so no two files of a
    component may declare the same name; nothing is renamed or imported whole. Raises CycleError if modules
    import each other.
    """
    sources: dict[Path, str] = {}
    imports: dict[Path, list[Path]] = {}
    waiting = [entry.resolve()]
    while waiting:
        path = waiting.pop()
        if path in sources:
            continue
        sources[path] = path.read_text("utf-8")
        imports[path] = [(path.parent / found[2]).resolve() for found in _IMPORT.finditer(sources[path])]
        waiting += imports[path]
    order = TopologicalSorter(imports).static_order()
    return "\n".join(_EXPORT.sub("", _IMPORT.sub("", sources[path])) for path in order)
