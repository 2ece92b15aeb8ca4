"""Every figure is one that Plotly accepts: the charts themselves leave its check out, which takes longer than
all that they do."""

import numpy as np
import plotly.graph_objects as go
import pytest

from bpeviz.charts import (
    ChangeBar,
    PairBar,
    RaceLine,
    change_chart,
    futures_chart,
    life_chart,
    pair_chart,
    race_chart,
)
from bpeviz.charts.agreement import Agreement, agreement_chart
from bpeviz.charts.batch import TextCost, batch_chart
from bpeviz.charts.frame import framed, trace
from bpeviz.charts.overlap import RankPoint, rank_scatter, share_curve
from bpeviz.pair_lives import PairLife

COUNTS = np.array([0, 4, 6, 0])
BARS = [
    PairBar((1, 2), "e", "d", 7, "next", picked=True),
    PairBar((3, 4), "h", "a", 7, "tied"),
    PairBar((5, 6), "x", "y", 3, "other"),
    PairBar((7, 8), "a", "b", 2, "vetoed"),
]
POINTS = [RankPoint("␣the", 0, 6), RankPoint("at", 99, 265)]
FIGURES = {
    "agreement": agreement_chart(["one", "two"], [Agreement(0, 1, 41, "tie", "a tie", True)], ink="#000"),
    "batch": batch_chart([TextCost("a", 3.5, None)], names=("mine", "gpt2"), ink="#000"),
    "changes": change_chart([ChangeBar("a", "b", 0, 5), ChangeBar("b", "c", 7, 4)], ink="#000"),
    "futures": futures_chart(np.array([9, 8, 6]), np.array([9, 7, 6]), step=1, ink="#000"),
    "life": life_chart(PairLife((1, 2), COUNTS, (2,)), step=2, ink="#000"),
    "pairs": pair_chart(BARS, ink="#000"),
    "race": race_chart([RaceLine("a", "b", COUNTS, 7, picked=True)], COUNTS, first=3, ink="#000"),
    "ranks": rank_scatter(POINTS, POINTS[:1], names=("mine", "gpt2"), ink="#000"),
    "share": share_curve(np.array([0.0, 0.5, 1.0]), ink="#000"),
}


@pytest.mark.parametrize("name", FIGURES)
def test_plotly_accepts_every_property(name: str) -> None:
    go.Figure(FIGURES[name].to_dict())


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_brings_no_look_of_plotly_s_own(name: str) -> None:
    assert FIGURES[name].layout.to_plotly_json()["template"] == {"data": {}}
    assert FIGURES[name].layout.font.color == "#000"


def test_a_property_that_plotly_does_not_know_would_be_found() -> None:
    figure = framed([trace("bar", x=[1], colour="red")], ink="#000", height=9, margin={"l": 1})
    with pytest.raises(ValueError, match="colour"):
        go.Figure(figure.to_dict())
