"""The curves in Chromium, against the core's numbers.

Where a value lies is read off the axis: from the numbers written at its ticks and where these stand. So what
is checked is what a person reads: that the marker stands at the value, and that a click where a value is
written goes to the step that has it.
"""

import math
import re
from typing import Literal

import pytest
from playwright.sync_api import Locator, Page, expect

from bpeviz import Trainer
from bpeviz.runs.samples import read_sample
from tests.support import app_page as on
from tests.support.saved_player import open_run
from tests.support.trained import LOW, trained

Direction = Literal["x", "y"]
LOG_CHARTS = ("count",)
PROSE = read_sample("English prose")


def open_curves(page: Page, text: str, *, step: int = 0) -> None:
    """Open the page of a run, and its curves."""
    open_run(page, text, step=step)
    page.keyboard.press("c")
    expect(page.locator(".curves .chart").first).to_be_visible()


def chart(page: Page, name: str) -> Locator:
    return page.locator(f"[data-chart={name}]")


def ticks(chart: Locator, direction: Direction) -> list[tuple[float, float]]:
    """The numbers written on an axis, ascending, each with the pixel of its tick."""
    anchor = "middle" if direction == "x" else "end"
    texts = chart.locator(f".tick[text-anchor={anchor}]")
    place = "e.x.baseVal[0].value" if direction == "x" else "e.y.baseVal[0].value - 3.5"
    found = texts.evaluate_all(f"texts => texts.map(e => [e.textContent, {place}])")
    return [(number(text), pixel) for text, pixel in found]


def number(text: str) -> float:
    factor = {"k": 1e3, "M": 1e6}.get(text[-1])
    return float(text[:-1]) * factor if factor else float(text.replace(",", ""))


def pixel_of(chart: Locator, direction: Direction, value: float) -> float:
    """Where a value lies by the axis's first and last tick."""
    log = chart.get_attribute("data-chart") in LOG_CHARTS
    bend = math.log if log else float
    (low, start), *_, (high, end) = ticks(chart, direction)
    return start + (bend(value) - bend(low)) / (bend(high) - bend(low)) * (end - start)


def marker(chart: Locator) -> tuple[float, float]:
    dot = chart.locator(".here circle")
    return float(dot.get_attribute("cx") or "nan"), float(dot.get_attribute("cy") or "nan")


def expect_marker(chart: Locator, x: float, y: float) -> None:
    """The dot is where the axes say that these values are."""
    assert marker(chart) == pytest.approx((pixel_of(chart, "x", x), pixel_of(chart, "y", y)), abs=0.5)


def click_at(chart: Locator, x: float, y: float = 100) -> None:
    chart.locator("svg").click(position={"x": x, "y": y})


def totals(trainer: Trainer) -> list[int]:
    history = trainer.history()
    return [history.token_total(k) for k in range(len(trainer.merges) + 1)]


def counts(trainer: Trainer) -> list[int]:
    again = Trainer(trainer.corpus, "huggingface", num_merges=len(trainer.merges), min_frequency=2)
    return [step.count for step in again.steps()]


@pytest.mark.gate
def test_the_values_and_the_markers_at_a_step(page: Page) -> None:
    open_curves(page, LOW)
    trainer = trained(LOW)
    last = len(trainer.merges)
    tokens, won = totals(trainer), counts(trainer)
    for step in (0, 1, 6, last - 1, last):
        on.go_to(page, step)
        ratio = len(LOW) / tokens[step]
        point = min(step, last - 1)  # after the last merge, the last that was made
        expect(chart(page, "ratio").locator(".value")).to_have_text(f"{ratio:.2f}")
        expect(chart(page, "count").locator(".value")).to_have_text(f"{won[point]} for merge {point + 1}")
        expect(chart(page, "vocabulary").locator(".value")).to_have_text(
            f"{256 + step} entries, {tokens[step]:,} tokens"
        )
        expect_marker(chart(page, "ratio"), step, ratio)
        expect_marker(chart(page, "count"), point + 1, won[point])
        expect_marker(chart(page, "vocabulary"), 256 + step, tokens[step])


def test_the_lines_pass_through_every_value(page: Page) -> None:
    open_curves(page, LOW)
    trainer = trained(LOW)
    values = {
        "ratio": [(k, len(LOW) / total) for k, total in enumerate(totals(trainer))],
        "count": [(rank + 1, count) for rank, count in enumerate(counts(trainer))],
        "vocabulary": [(256 + k, total) for k, total in enumerate(totals(trainer))],
    }
    for name, points in values.items():
        path = chart(page, name).locator(".line").first.get_attribute("d") or ""
        drawn = [tuple(map(float, pair.split())) for pair in re.split("[ML]", path)[1:]]
        placed = [
            (pixel_of(chart(page, name), "x", x), pixel_of(chart(page, name), "y", y)) for x, y in points
        ]
        assert len(drawn) == len(placed)
        for here, there in zip(drawn, placed, strict=True):
            assert here == pytest.approx(there, abs=0.5)


def test_clicks_on_few_merges_land_exactly(page: Page) -> None:
    open_curves(page, LOW)
    last = len(trained(LOW).merges)
    for step in (3, last, 9, 0):
        click_at(chart(page, "ratio"), pixel_of(chart(page, "ratio"), "x", step) + 1)
        on.expect_step(page, step)
    for step in (0, 6, last - 1, 2):
        click_at(chart(page, "count"), pixel_of(chart(page, "count"), "x", step + 1) + 1)
        on.expect_step(page, step)
    for step in (5, last, 11):
        click_at(chart(page, "vocabulary"), pixel_of(chart(page, "vocabulary"), "x", 256 + step) - 1)
        on.expect_step(page, step)
    expect(page.get_by_role("button", name="Play")).to_be_visible()


@pytest.mark.gate
def test_a_drag_follows_the_pointer_and_stops_at_the_ends(page: Page) -> None:
    open_curves(page, LOW)
    ratio = chart(page, "ratio")
    ratio.scroll_into_view_if_needed()
    box = ratio.locator("svg").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + pixel_of(ratio, "x", 4), box["y"] + 90)
    page.mouse.down()
    on.expect_step(page, 4)
    page.mouse.move(box["x"] + pixel_of(ratio, "x", 8), box["y"] + 90)
    on.expect_step(page, 8)
    page.mouse.move(box["x"] - 200, box["y"] + 90)
    on.expect_step(page, 0)
    page.mouse.move(box["x"] + pixel_of(ratio, "x", 12), box["y"] + 300)
    page.mouse.up()
    page.mouse.move(box["x"] + pixel_of(ratio, "x", 2), box["y"] + 90)
    on.expect_step(page, 12)


def test_the_readout_tells_step_and_value_at_the_pointer(page: Page) -> None:
    open_curves(page, LOW)
    trainer = trained(LOW)
    expected = {
        "ratio": (5, f"{len(LOW) / totals(trainer)[5]:.2f}"),
        "count": (6, f"{counts(trainer)[5]} for merge 6"),
        "vocabulary": (261, f"261 entries, {totals(trainer)[5]} tokens"),
    }
    for name, (x, value) in expected.items():
        here = chart(page, name)
        expect(here.locator(".readout")).to_be_hidden()
        here.locator("svg").hover(position={"x": pixel_of(here, "x", x), "y": 120})
        expect(here.locator(".readout")).to_be_visible()
        expect(here.locator(".readout > *")).to_have_text([value, "after 5 merges"])
    page.mouse.move(0, 0)
    expect(page.locator(".readout:visible")).to_have_count(0)
    on.expect_step(page, 0)


def test_each_chart_is_named_with_its_value_at_rest(page: Page) -> None:
    open_curves(page, LOW, step=1)
    ratio = f"{len(LOW) / totals(trained(LOW))[1]:.2f}"
    expect(page.get_by_role("img", name=f"Bytes per token: {ratio}, after 1 merge")).to_be_visible()
    on.play(page, 60)
    on.expect_step(page, len(trained(LOW).merges))
    last = f"Vocabulary size and tokens: {256 + len(trained(LOW).merges)} entries"
    expect(page.get_by_role("img", name=last)).to_be_visible()


def test_numbers_do_not_stand_upon_each_other_on_a_phone(page: Page) -> None:
    page.set_viewport_size({"width": 400, "height": 900})
    open_curves(page, PROSE)
    for name in ("ratio", "count", "vocabulary"):
        boxes = (
            chart(page, name)
            .locator(".tick")
            .evaluate_all("texts => texts.map(e => e.getBoundingClientRect().toJSON())")
        )
        for i, a in enumerate(boxes):
            for b in boxes[i + 1 :]:
                apart = (
                    a["right"] <= b["left"] or b["right"] <= a["left"]
                    or a["bottom"] <= b["top"] or b["bottom"] <= a["top"]
                )  # fmt: skip
                assert apart
        assert all(box["left"] >= 0 and box["right"] <= 400 for box in boxes)


def test_a_finger_that_scrolls_the_page_stays_at_its_step(page: Page) -> None:
    open_curves(page, LOW)
    svg = chart(page, "ratio").locator("svg")
    finger = {"pointerType": "touch", "pointerId": 7, "button": 0, "bubbles": True}
    box = svg.bounding_box()
    assert box is not None
    place = {"clientX": box["x"] + pixel_of(chart(page, "ratio"), "x", 6), "clientY": box["y"] + 90}
    svg.evaluate("e => { e.setPointerCapture = () => {} }")
    svg.dispatch_event("pointerdown", finger | place)
    svg.dispatch_event("pointercancel", finger | place)
    on.expect_step(page, 0)
    svg.dispatch_event("pointerdown", finger | place)
    svg.dispatch_event("pointerup", finger | place)
    on.expect_step(page, 6)


def test_the_curves_are_hidden_until_they_are_opened_and_stay_as_they_are(page: Page) -> None:
    open_run(page, LOW)
    ratio = chart(page, "ratio").locator("svg")
    text = page.locator(on.TEXT)
    expect(ratio).to_be_hidden()
    page.keyboard.press("c")
    expect(ratio).to_be_in_viewport(ratio=1)
    expect(chart(page, "ratio").locator(".line").first).to_have_attribute("d", re.compile("^M.*L"))
    expect(text).to_be_in_viewport(ratio=1)
    open_run(page, LOW * 2)
    expect(ratio).to_be_in_viewport(ratio=1)
    page.get_by_text("Curves over all merges", exact=True).click()
    expect(ratio).to_be_hidden()
