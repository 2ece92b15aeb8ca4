"""Figures contain their numbers and escaped labels, and leave nothing to Plotly's guess."""

from itertools import pairwise

import numpy as np
import pytest

from bpeviz.charts import ChangeBar, RaceLine
from bpeviz.core.pair_lives import PairLife
from tests.support.figures import change_chart, life_chart, race_chart, token_difference_chart


def test_labels_are_escaped_because_plotly_reads_them_as_markup() -> None:
    figure = change_chart([ChangeBar("<b>x</b>", "&", 3, 1)], text_color="#000")
    assert figure.data[0].customdata[0] == "\u2068&lt;b&gt;x&lt;/b&gt;\u2069 + \u2068&amp;\u2069"
    assert "<b>" not in figure.to_json().replace("\\u003c", "<")


def test_quotes_stay_quotes_because_plotly_does_not_know_their_entities() -> None:
    figure = change_chart([ChangeBar('"', "'", 1, 0)], text_color="#000")
    assert figure.layout.yaxis.ticktext[0] == "\u2068\"\u2069 + \u2068'\u2069"


def test_two_pairs_that_look_alike_keep_a_bar_each_at_its_place_from_the_top() -> None:
    figure = change_chart([ChangeBar("a", "b", 2, 0), ChangeBar("a", "b", 1, 0)], text_color="#000")
    assert list(figure.data[0].y) == [0, 1]
    assert list(figure.layout.yaxis.range) == [1.5, -0.5]


def test_a_chart_of_no_pairs_is_empty() -> None:
    assert all(len(trace.x) == 0 for trace in change_chart([], text_color="#000").data)


def test_there_is_room_for_wide_characters_but_not_without_end() -> None:
    def room(text: str) -> float:
        return change_chart([ChangeBar(text, "x", 1, 0)], text_color="#000").layout.margin.l

    assert room("aa") < room("灯台") < room("灯" * 40) == room("灯" * 80)


def test_changes_go_right_and_left_with_the_counts_beside_them() -> None:
    bars = [ChangeBar("a", "<i>", 0, 5), ChangeBar("b", "c", 7, 4)]
    (trace,) = change_chart(bars, text_color="#000").data
    assert list(trace.x) == [5, -3]
    assert list(trace.text) == ["0 → 5", "7 → 4"]
    assert trace.marker.color[0] != trace.marker.color[1]
    assert trace.customdata[0] == "\u2068a\u2069 + \u2068&lt;i&gt;\u2069"
    assert change_chart(bars, text_color="#000").layout.yaxis.ticktext[0] == trace.customdata[0]


def test_a_racer_is_a_line_over_the_merges_on_show_in_its_token_s_colour() -> None:
    lines = [
        RaceLine("a", "b", np.array([5, 5, 4, 4]), hue=120, picked=True),
        RaceLine("<u>", "d", np.array([0, 0, 4, 4]), hue=7),
    ]
    winning, first, second = race_chart(lines, np.array([9, 8, 7, 7]), first=10, text_color="#000").data
    assert (list(winning.x), list(winning.y)) == ([10, 11, 12, 13], [9, 8, 7, 7])
    assert (list(first.x), list(first.y)) == ([10, 12, 13], [5, 4, 4])  # corners, drawn as steps
    assert {first.line.shape, second.line.shape, winning.line.shape} == {"hv"}
    assert first.line.color == "hsl(120, 65%, 50%)"
    assert first.line.width > second.line.width


def test_names_of_racers_stand_apart_where_counts_are_equal() -> None:
    lines = [RaceLine(str(n), "x", np.array([3, 3]), hue=0) for n in range(4)]
    names = race_chart(lines, np.array([3]), first=0, text_color="#000").layout.annotations
    assert [name.text.split("</span> ")[1] for name in names] == [
        f"\u2068{n}\u2069 + \u2068x\u2069" for n in range(4)
    ]
    shifts = [name.yshift for name in names]
    assert all(a - b >= 15 - 1e-9 for a, b in pairwise(shifts))


def life(counts: list[int], *merged_at: int) -> PairLife:
    return PairLife((1, 2), np.array(counts), merged_at)


@pytest.mark.parametrize(
    ("pair", "marks"),
    [
        (life([0, 4, 6, 0, 0], 2), [("born", 1, 4), ("peak", 2, 6), ("merged", 2, 6)]),
        (life([3, 1, 0, 0, 0]), [("born", 0, 3), ("peak", 0, 3), ("used up", 1, 1)]),
        (life([0, 0, 0, 2, 2]), [("born", 3, 2), ("peak", 3, 2)]),
    ],
)
def test_a_life_is_marked_at_birth_peak_and_end(pair: PairLife, marks: list[tuple[str, int, int]]) -> None:
    line, dots = life_chart(pair, step=2, text_color="#000").data
    assert list(zip(dots.customdata, dots.x, dots.y, strict=True)) == marks
    assert dict(zip(line.x, line.y, strict=True)).items() <= dict(enumerate(pair.counts.tolist())).items()
    assert life_chart(pair, step=2, text_color="#000").layout.shapes[0].x0 == 2


def test_two_futures_are_drawn_as_their_difference_as_far_as_both_go() -> None:
    figure = token_difference_chart(np.array([9, 8, 6, 3]), np.array([9, 7, 6]), step=1, text_color="#000")
    assert (list(figure.data[0].x), list(figure.data[0].y)) == ([0, 1, 2], [0, 1, 0])
    long = token_difference_chart(np.arange(20_000), np.arange(20_000) * 2, step=0, text_color="#000")
    assert len(long.data[0].x) == 600
    assert (long.data[0].x[0], long.data[0].x[-1]) == (0, 19_999)
