"""The export menu of the app: Plotly's charts are saved too. tests/browser/player has the player's files."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from bpeviz.ui.watch.state import Panel
from tests.support.prepared_session import open_run
from tests.support.saved_files import (
    CURVES,
    expect_harmless_chart,
    expect_png,
    menu,
    open_menu,
    save,
    slug,
    texts_of,
)
from tests.support.trained import LOW

pytestmark = pytest.mark.usefixtures("curves_open")


def plotly_charts(page: Page) -> list[tuple[str, list[str]]]:
    """Each Plotly chart's name and the texts of its labels."""
    return page.locator(".stPlotlyChart").evaluate_all(
        """charts => charts.map(chart => [
          chart.getAttribute("aria-label").split(": ")[0],  // then what it says
          [...chart.querySelectorAll(".ytick text, .bars text")].map(text => text.textContent),
        ])"""
    )


@pytest.mark.gate
@pytest.mark.parametrize("panel", ["What changes", "Race"])
def test_every_chart_of_the_page_is_in_the_menu_and_plotly_s_are_saved_with_all_their_labels(
    page: Page, saved_page: Page, tmp_path: Path, panel: Panel
) -> None:
    open_run(page, f"{LOW}<b onclick=window.ran=1>bold</b> <b>bold</b> & & ", step=3, panel=panel)
    expect(page.locator(".stPlotlyChart .main-svg").first).to_be_visible()
    charts = plotly_charts(page)
    assert charts
    open_menu(page)
    names = ["Interactive page (.html)", "Text", "Merges", *CURVES, *(name for name, _ in charts)]
    expect(menu(page).locator(".choices > div > span")).to_have_text(names)
    boxes = [plot.locator(".main-svg").first.bounding_box() for plot in page.locator(".stPlotlyChart").all()]
    for (name, labels), box in zip(charts, boxes, strict=True):
        path = save(page, f"{name} as SVG", tmp_path)
        assert path.name == f"bpeviz-{slug(name)}-3.svg"
        assert labels
        assert set(labels) <= set(texts_of(path))
        saved_page.goto(path.as_uri())
        expect(saved_page.locator("text", has_text=labels[0]).first).to_be_visible()
        bars = saved_page.locator("path").evaluate_all(
            "paths => paths.map(p => p.getBoundingClientRect()).filter(box => box.width > 20).length"
        )
        assert bars > 0
        expect_harmless_chart(saved_page, save(page, f"{name} as HTML", tmp_path), name)
        expect_png(saved_page, save(page, f"{name} as PNG", tmp_path), box)
