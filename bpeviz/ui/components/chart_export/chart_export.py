"""Buttons that save a chart of the page as SVG, PNG or HTML. The browser makes the file."""

from pathlib import Path

from bpeviz.ui.components.shared.load import load_component

__all__ = ["chart_export"]

_HERE = Path(__file__).parent


def chart_export(name: str, *, key: str) -> None:
    """Show the buttons for the chart that ``plot`` shows under a ``name``."""
    styles = (_HERE.parent / "shared" / "base.css",)
    load_component("bpeviz_chart_export", _HERE / "chart_export.js", styles)(key=key, data={"name": name})
