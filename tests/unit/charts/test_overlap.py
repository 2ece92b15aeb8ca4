"""Charts of two vocabularies: their numbers, escaped labels and names side by side."""

import math

import numpy as np

from bpeviz.charts.frame import label
from bpeviz.charts.overlap import RankPoint, thinned
from tests.support.checked_charts import rank_scatter, share_curve

NAMES = ("mine", "gpt2")


def test_ranks_stand_on_logarithmic_axes_that_begin_at_one() -> None:
    points = [RankPoint("␣the", 0, 6), RankPoint("at", 99, 265)]
    figure = rank_scatter(points, [points[1]], names=NAMES, text_color="#000")
    marks, named = figure.data
    assert (list(marks.x), list(marks.y)) == ([1, 100], [7, 266])
    assert (list(named.x), list(named.y)) == ([100], [266])
    assert figure.layout.xaxis.type == figure.layout.yaxis.type == "log"
    assert list(figure.layout.xaxis.tickvals) == [1, 10, 100]
    first, last = figure.layout.xaxis.range
    assert first < math.log10(1)
    assert math.log10(100) < last


def test_the_diagonal_joins_equal_ranks_as_far_as_both_go() -> None:
    figure = rank_scatter([RankPoint("a", 9, 999)], [], names=NAMES, text_color="#000")
    (line,) = figure.layout.shapes
    assert (line.x0, line.y0, line.x1, line.y1) == (1, 1, 10, 10)


def test_tokens_and_names_are_escaped_because_plotly_reads_them_as_markup() -> None:
    point = RankPoint("<b>%{x}", 1, 2)
    figure = rank_scatter([point], [point], names=("<i>mine</i>", "g%{y}"), text_color="#000")
    assert figure.data[0].customdata[0] == "\u2068&lt;b&gt;%\u200b{x}\u2069"
    assert figure.data[1].text[0] == figure.data[0].customdata[0]
    assert figure.layout.xaxis.title.text == "merge of &lt;i&gt;mine&lt;/i&gt; (log)"
    assert "%{y}" not in figure.data[0].hovertemplate


def test_a_name_that_has_no_room_is_read_on_hover_alone() -> None:
    named = [RankPoint(f"token {n}", 400 + 3 * n, 40_000 - 100 * n) for n in range(12)]
    far = RankPoint("far", 9, 9)
    marks = rank_scatter([], [*named, far], names=NAMES, text_color="#000").data[1]
    shown = [name for name in marks.text if name]
    assert shown[0] == label("token 0")
    assert shown[-1] == label("far")
    assert len(shown) < 6
    assert len(marks.customdata) == 13


def test_charts_of_nothing_are_empty() -> None:
    assert [len(trace.x) for trace in rank_scatter([], [], names=NAMES, text_color="#000").data] == [0, 0]
    assert len(share_curve(np.array([np.nan]), text_color="#000").data[0].x) == 0


def test_points_that_fall_on_one_spot_are_one_mark() -> None:
    x, y = np.array([0, 9, 40_000, 40_001, 49_999]), np.array([0, 5, 30_000, 30_001, 49_999])
    assert thinned(x, y).tolist() == [0, 1, 2, 4]
    assert thinned(np.array([0]), np.array([0])).tolist() == [0]
    assert thinned(x[:0], y[:0]).tolist() == []


def test_fifty_thousand_points_become_a_light_figure() -> None:
    x = np.arange(50_000)
    y = np.random.default_rng(0).permutation(50_000)
    kept = thinned(x, y)
    assert 1_000 < len(kept) < 6_000
    points = [RankPoint(f"token{i}", int(x[i]), int(y[i])) for i in kept]
    figure = rank_scatter(points, points[:12], names=NAMES, text_color="#000")
    assert len(figure.to_json()) < 250_000


def test_the_share_curve_begins_with_the_first_merge_and_is_thinned() -> None:
    figure = share_curve(np.array([np.nan, 1.0, 0.5]), text_color="#000")
    assert (list(figure.data[0].x), list(figure.data[0].y)) == ([1, 2], [1, 0.5])
    long = share_curve(np.r_[np.nan, np.full(50_000, 0.5)], text_color="#000").data[0]
    assert (len(long.x), long.x[0], long.x[-1]) == (600, 1, 50_000)
