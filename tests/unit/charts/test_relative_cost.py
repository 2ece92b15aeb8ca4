"""The chart of what texts cost several tokenizers, relative to one of them."""

import pytest

from bpeviz.charts.relative_cost import RelativeCost
from tests.support.checked_charts import relative_cost_chart

COSTS = [
    RelativeCost("<b>x</b>", (10, 20), (0.5, 1.0)),
    RelativeCost("b", (None, 3), (None, 1.0)),
]
NAMES = ["a %{x}", "<i>"]


def test_every_tokenizer_has_a_mark_in_each_row() -> None:
    figure = relative_cost_chart(COSTS, names=NAMES, baseline="<i>", text_color="#000")
    first, second = figure.data
    assert list(first.x) == [0.5, None]
    assert list(second.x) == [1.0, 1.0]
    assert list(first.y) == list(second.y) == [0, 1]
    assert first.marker.symbol != second.marker.symbol
    assert first.marker.color != second.marker.color
    assert [row[2] for row in first.customdata] == [10, None]
    assert list(figure.layout.yaxis.range) == [1.5, -0.5]
    assert figure.layout.xaxis.type == "log"


def test_names_are_escaped_everywhere() -> None:
    written = relative_cost_chart(COSTS, names=NAMES, baseline="<i>", text_color="#000").to_json()
    written = written.replace("\\u003c", "<").replace("\\u003e", ">")
    assert "<b>" not in written
    assert "<i>" not in written
    assert "a %{x}" not in written
    assert "&lt;i&gt;" in written


@pytest.mark.parametrize("count", [1, 2, 6])
def test_there_is_room_for_every_name_and_row(count: int) -> None:
    names = [str(number) for number in range(count)]
    costs = [RelativeCost("text", (1,) * count, (1.0,) * count)] * 36
    figure = relative_cost_chart(costs, names=names, baseline="0", text_color="#000")
    assert len({(marks.marker.color, marks.marker.symbol) for marks in figure.data}) == count
    assert figure.layout.margin.t >= 20 * count
    assert figure.layout.height >= figure.layout.margin.t + 36 * 20 + figure.layout.margin.b


def test_a_chart_of_no_text_is_empty() -> None:
    assert not relative_cost_chart([], names=NAMES, baseline="a", text_color="#000").data[0].x


def test_equal_names_keep_a_row_each() -> None:
    costs = [RelativeCost("a.txt", (1,), (1.0,)), RelativeCost("a.txt", (2,), (1.0,))]
    figure = relative_cost_chart(costs, names=["one"], baseline="one", text_color="#000")
    assert list(figure.data[0].y) == [0, 1]
