"""Every figure with 1, 3, 500 and 20,000 merges: its ticks differ, and its axes fit what it shows."""

from collections.abc import Callable
from functools import cache

import numpy as np
import plotly.graph_objects as go
import pytest

from bpeviz.charts import ChangeBar
from bpeviz.charts.overlap import RankPoint
from bpeviz.charts.relative_cost import RelativeCost
from bpeviz.runs.run import NamedText, Run
from bpeviz.runs.run_at_step import RunAtStep
from bpeviz.training.settings import TrainingSettings
from tests.support import checked_charts
from tests.support.trained import run_of

SIZES = (1, 3, 500, 20_000)
LOOK = {"text_color": "#000"}


@cache
def run(merges: int) -> Run:
    """A run with so many merges, on random words."""
    if merges <= 3:
        text = "low lower lowest " * 9
    else:
        letters = np.random.default_rng(4).choice(list("etaoinshrdlu"), merges * 7 + 4_000, p=WEIGHTS)
        text = "".join(letters)
    settings = TrainingSettings("minbpe-basic", "none", num_merges=merges, min_frequency=1)
    trained = run_of(NamedText("text", text), settings)
    assert len(trained.steps) == merges
    return trained


WEIGHTS = np.array([12, 9, 8, 7.5, 7, 6.7, 6.3, 6, 6, 4.2, 4, 2.8])
WEIGHTS = WEIGHTS / WEIGHTS.sum()


def race(merges: int, length: int) -> go.Figure:
    raced = RunAtStep(run(merges), merges).race(length, None)
    return checked_charts.race_chart(raced.racers, raced.merges, first=raced.first, **LOOK)


def changes(merges: int) -> go.Figure:
    bars = RunAtStep(run(merges), merges - 1).change_bars or [ChangeBar("a", "b", 2, 1, (97, 98))]
    return checked_charts.change_chart(bars, **LOOK)


def difference(merges: int) -> go.Figure:
    totals = run(merges).history.token_totals
    return checked_charts.token_difference_chart(
        totals, totals + np.arange(merges + 1), names=("a", "b"), step=0, **LOOK
    )


def no_difference(merges: int) -> go.Figure:
    totals = run(merges).history.token_totals
    return checked_charts.token_difference_chart(totals, totals, names=("a", "b"), step=0, **LOOK)


def scatter(merges: int) -> go.Figure:
    points = [RankPoint("a", rank, rank // 2) for rank in range(0, merges, max(1, merges // 500))]
    return checked_charts.rank_scatter(points, points[:1], names=("one", "two"), **LOOK)


def share(merges: int) -> go.Figure:
    return checked_charts.share_curve(np.linspace(1, 0.4, merges + 1), **LOOK)


def relative(merges: int) -> go.Figure:
    ratios = {"a": 1.0, "b": 1 + merges / 10_000}
    costs = [RelativeCost(name, (10, 10), (1.0, ratio)) for name, ratio in ratios.items()]
    return checked_charts.relative_cost_chart(costs, names=("one", "two"), baseline="one", **LOOK)


FIGURES: dict[str, Callable[[int], go.Figure]] = {
    "race 20": lambda merges: race(merges, 20),
    "race 1000": lambda merges: race(merges, 1000),
    "changes": changes,
    "difference": difference,
    "no difference": no_difference,
    "scatter": scatter,
    "share": share,
    "relative cost": relative,
}


def ends(axis: go.layout.XAxis) -> list[float]:
    """The ends of an axis, as values."""
    return [10**end for end in axis.range] if axis.type == "log" else list(axis.range)


@pytest.mark.parametrize("name", FIGURES)
@pytest.mark.parametrize("merges", SIZES)
def test_ticks_differ_and_are_inside_the_axis(name: str, merges: int) -> None:
    figure = FIGURES[name](merges)
    axes = [axis for axis in (figure.layout.xaxis, figure.layout.yaxis) if axis.ticktext]
    assert axes
    for axis in axes:
        assert len(set(axis.ticktext)) == len(axis.ticktext) >= 1
        low, high = sorted(ends(axis))
        assert all(low * 0.999 - 1e-6 <= tick <= high * 1.001 + 1e-6 for tick in axis.tickvals)


@pytest.mark.parametrize("name", [name for name in FIGURES if name != "changes"])
@pytest.mark.parametrize("merges", SIZES)
def test_an_axis_of_numbers_has_at_least_two_ticks(name: str, merges: int) -> None:
    figure = FIGURES[name](merges)
    for axis in (figure.layout.xaxis, figure.layout.yaxis):
        counts = {count for trace in figure.data for count in trace.y if isinstance(count, int)}
        ties_throughout = axis is figure.layout.yaxis and counts == set(axis.tickvals or ())
        if axis.title.text and not ties_throughout:
            assert len(axis.tickvals) >= 2


@pytest.mark.parametrize("name", [name for name in FIGURES if name != "changes"])
@pytest.mark.parametrize("merges", SIZES)
def test_marks_are_inside_the_axes_and_take_much_of_their_width(name: str, merges: int) -> None:
    figure = FIGURES[name](merges)
    low, high = ends(figure.layout.xaxis)
    x = [value for trace in figure.data for value in trace.x if value is not None]
    assert low - 1e-6 <= min(x)
    assert max(x) <= high + 1e-6
    if name != "relative cost" and merges > 1:
        assert max(x) - min(x) >= 0.3 * (high - low)


@pytest.mark.parametrize("name", FIGURES)
def test_numbers_have_a_unit(name: str) -> None:
    layout = FIGURES[name](3).layout
    assert layout.xaxis.title.text
    assert layout.yaxis.title.text or layout.yaxis.ticktext


@pytest.mark.parametrize("merges", SIZES)
@pytest.mark.parametrize("length", [20, 50, 200, 1000])
def test_the_race_is_drawn_at_any_length(merges: int, length: int) -> None:
    figure = race(merges, length)
    assert list(figure.layout.xaxis.range) == [max(0, merges - length), merges]
    assert 2 <= len(figure.data[1:-1]) <= 8
    assert len({line.line.color for line in figure.data[1:-1]}) == len(figure.data[1:-1])
