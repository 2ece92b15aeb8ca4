"""A figure is exactly what Plotly's library in the browser reads, without a Plotly template."""

import json

import plotly.graph_objects as go
import pytest

from bpeviz.charts.frame import Figure, framed, trace
from tests.support.checked_charts import checked

BARS = [trace("bar", x=[1, 2])]


def figure(**layout: object) -> Figure:
    return framed(BARS, text_color="#123", height=90, margin={"l": 1}, **layout)


def test_a_figure_is_its_description() -> None:
    described = figure(bargap=0.5).to_dict()
    assert described["data"] == [{"type": "bar", "x": [1, 2]}]
    assert described["layout"].items() >= {"height": 90, "bargap": 0.5, "template": {"data": {}}}.items()
    assert described["layout"]["font"]["color"] == "#123"


def test_what_a_chart_asks_for_goes_before_what_all_have() -> None:
    assert not figure().to_dict()["layout"]["showlegend"]
    assert figure(showlegend=True).to_dict()["layout"]["showlegend"]


def test_plotly_saves_it_as_it_is_and_makes_a_figure_with_parts_of_it() -> None:
    assert json.loads(figure().to_json()) == figure().to_dict()
    assert figure().to_html(include_plotlyjs=False).count('"bar"') == 1
    assert list(go.Figure(figure().to_dict()).data[0].x) == [1, 2]


def test_a_property_that_plotly_does_not_know_does_not_pass_the_tests() -> None:
    with pytest.raises(ValueError, match="bargab"):
        checked(figure)(bargab=0.5)
