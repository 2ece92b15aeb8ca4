"""Figures contain their numbers and escaped labels, and leave nothing to Plotly's guess."""

import re
from itertools import pairwise

import numpy as np

from bpeviz.charts import ChangeBar, RacedMerge, Racer, has_ties
from tests.support.checked_charts import change_chart, race_chart, token_difference_chart


def test_labels_are_escaped_because_plotly_reads_them_as_markup() -> None:
    figure = change_chart([ChangeBar("<b>x</b>", "&", 3, 1, (97, 98))], text_color="#000")
    assert figure.data[0].customdata[0] == "\u2068&lt;b&gt;x&lt;/b&gt;\u2069 + \u2068&amp;\u2069"
    assert "<b>" not in figure.to_json().replace("\\u003c", "<")


def test_quotes_stay_quotes_because_plotly_does_not_know_their_entities() -> None:
    figure = change_chart([ChangeBar('"', "'", 1, 0, (97, 98))], text_color="#000")
    assert figure.layout.yaxis.ticktext[0] == "\u2068\"\u2069 + \u2068'\u2069"


def test_two_pairs_that_look_alike_keep_a_bar_each_at_its_place_from_the_top() -> None:
    figure = change_chart(
        [ChangeBar("a", "b", 2, 0, (97, 98)), ChangeBar("a", "b", 1, 0, (97, 98))], text_color="#000"
    )
    assert list(figure.data[0].y) == [0, 1]
    assert list(figure.layout.yaxis.range) == [1.5, -0.5]


def test_a_chart_of_no_pairs_is_empty() -> None:
    assert all(len(trace.x) == 0 for trace in change_chart([], text_color="#000").data)


def test_there_is_room_for_wide_characters_but_not_without_end() -> None:
    def room(text: str) -> float:
        return change_chart([ChangeBar(text, "x", 1, 0, (97, 98))], text_color="#000").layout.margin.l

    assert room("aa") < room("灯台") < room("灯" * 40) == room("灯" * 80)


def test_changes_go_right_and_left_with_the_counts_beside_them() -> None:
    bars = [ChangeBar("a", "<i>", 0, 5, (97, 98)), ChangeBar("b", "c", 7, 4, (97, 98))]
    (trace,) = change_chart(bars, text_color="#000").data
    assert list(trace.x) == [5, -3]
    assert list(trace.text) == ["0 → 5", "7 → 4"]
    assert trace.marker.color[0] != trace.marker.color[1]
    assert trace.customdata[0] == "\u2068a\u2069 + \u2068&lt;i&gt;\u2069"
    assert change_chart(bars, text_color="#000").layout.yaxis.ticktext[0] == trace.customdata[0]


def merges(*counts: int) -> list[RacedMerge]:
    return [RacedMerge("x + y", count) for count in counts]


def plain(text: str) -> str:
    """A label as a person reads it."""
    return re.sub("<[^>]*>|[\u2068\u2069]", "", text)


#: After 10 merges: merge 11 merges a + b, merge 12 takes places of c + d, and e + f is next.
RACERS = [
    Racer("a", "b", np.array([9, 0, 0, 0]), merged=11),
    Racer("e", "f", np.array([0, 7, 7, 7]), place=1, picked=True),
    Racer("<u>", "d", np.array([8, 8, 5, 5]), place=2),
    Racer("g", "h", np.array([6, 6, 0, 0])),
]


def test_the_race_has_a_line_per_pair_over_the_merges_made_and_one_of_all_merges() -> None:
    figure = race_chart(RACERS, merges(9, 8, 8), first=10, text_color="#000")
    made, merged, following, second, used_up, ends = figure.data
    assert (list(made.x), list(made.y), made.line.shape) == ([11, 12, 13], [9, 8, 8], "vh")
    assert (list(merged.x), list(merged.y)) == ([10, 11], [9, 9])
    assert (list(following.x), list(following.y)) == ([10, 11, 13], [None, 7, 7])
    assert (list(second.x), list(second.y)) == ([10, 12, 13], [8, 5, 5])
    assert (list(used_up.x), list(used_up.y)) == ([10, 12], [6, 6])
    assert {line.line.shape for line in (merged, following, second, used_up)} == {"hv"}
    assert (list(ends.x), list(ends.y)) == ([11, 13, 13, 12], [9, 7, 5, 6])
    assert list(ends.marker.symbol) == ["circle", "diamond-open", "square-open", "x-thin"]
    assert following.line.width > second.line.width
    assert list(figure.layout.xaxis.range) == [10, 13]


def test_a_count_of_1_is_once_and_a_step_of_1_is_1_merge() -> None:
    racers = [Racer("a", "b", np.array([1, 1, 1]), merged=2), Racer("c", "d", np.array([1, 1, 1]), place=1)]
    made, merged, following, ends = race_chart(racers, merges(1, 1), first=0, text_color="#000").data
    assert list(made.text) == ["once", "once"]
    assert plain(merged.customdata[-1]) == "a + bmerge 2: once"
    assert plain(following.customdata[0]) == "c + donce after 0 merges"
    assert [plain(each) for each in ends.customdata] == ["a + bmerge 2, once", "c + dnot merged yet, once"]


def test_the_race_says_which_merge_changed_a_count() -> None:
    figure = race_chart(RACERS, [RacedMerge("a + b", 9), *merges(8, 8)], first=10, text_color="#000")
    _, merged, following, second, *_ = figure.data
    assert plain(merged.customdata[-1]) == "a + bmerge 11: 9 times"
    assert plain(following.customdata[1]) == "e + f7 times after 11 merges+7 by merge 11: a + b"
    assert plain(second.customdata[1]) == "&lt;u&gt; + d5 times after 12 merges-3 by merge 12: x + y"


def test_the_lines_of_the_race_end_in_their_names_from_the_highest_count_down() -> None:
    annotations = race_chart(RACERS, merges(9, 8, 8), first=10, text_color="#000").layout.annotations
    assert [plain(each.text) for each in annotations] == [
        "● #11 a + b",
        "◇ next e + f",
        "✕ g + h",
        "□ 2. &lt;u&gt; + d",
    ]


def test_racers_with_equal_counts_are_drawn_apart_in_the_order_of_their_places() -> None:
    racers = [Racer(str(n), "x", np.array([3, 3]), place=4 - n) for n in range(4)]
    figure = race_chart(racers, merges(3), first=0, text_color="#000")
    heights = [line.y[-1] for line in figure.data[1:-1]]
    assert heights == sorted(heights)
    assert len(set(heights)) == 4
    names = figure.layout.annotations
    assert [plain(name.text)[2:] for name in names] == ["next 3 + x", "2. 2 + x", "3. 1 + x", "4. 0 + x"]
    # one unit of the axis is as many pixels as the plot is high, by its range
    low, high = figure.layout.yaxis.range
    places = [(name.y - low) / (high - low) * 260 + name.yshift for name in names]
    assert all(a - b >= 16 - 1e-9 for a, b in pairwise(places))


def test_racers_that_tie_throughout_have_only_their_count_on_the_axis() -> None:
    racers = [Racer(str(n), "x", np.array([6, 6]), place=n + 1) for n in range(7)]
    figure = race_chart(racers, merges(6), first=0, text_color="#000")
    assert list(figure.layout.yaxis.tickvals) == [6]
    assert has_ties(racers, first=0)
    assert not has_ties(RACERS, first=10)


def test_racers_that_tie_only_at_the_end_stay_near_their_count() -> None:
    racers = [Racer(str(n), "x", np.array([9, 6]), place=n + 1) for n in range(7)]
    figure = race_chart(racers, merges(9), first=0, text_color="#000")
    assert all(abs(line.y[-1] - 6) < 0.25 for line in figure.data[1:-1])


def test_the_number_of_a_merge_is_at_its_mark_if_it_has_room_there() -> None:
    racers = [
        Racer("a", "b", np.array([9] * 51), merged=120),
        Racer("c", "d", np.array([9] * 51), merged=122),
        Racer("e", "f", np.array([2] * 51), merged=150),
        Racer("g", "h", np.array([5] * 51), place=1),
    ]
    marks = race_chart(racers, merges(*[9] * 50), first=100, text_color="#000").data[-1]
    assert list(marks.text) == ["#120", "#122", "", ""]  # the third is at the edge, where its label begins
    assert list(marks.textposition[:2]) == ["top center", "bottom center"]  # they tie


def test_counts_far_apart_have_a_logarithmic_axis() -> None:
    racers = [Racer("a", "b", np.array([1000, 900]), place=1), Racer("c", "d", np.array([10, 10]), place=2)]
    figure = race_chart(racers, merges(1200), first=0, text_color="#000")
    assert figure.layout.yaxis.type == "log"
    assert list(figure.layout.yaxis.tickvals) == [10, 100, 1000]
    assert figure.layout.yaxis.title.text == "occurrences, log scale"
    assert [round(line.y[-1]) for line in figure.data[1:-1]] == [900, 10]


def test_a_race_of_a_few_has_a_linear_axis_with_room_for_these() -> None:
    racers = [Racer("a", "b", np.array([60, 10]), place=1), Racer("c", "d", np.array([9, 9]), place=2)]
    axis = race_chart(racers, merges(1200), first=0, text_color="#000", log=False).layout.yaxis
    assert axis.type == "linear"
    assert 60 < axis.range[1] < 120


def test_a_race_of_nobody_is_empty() -> None:
    figure = race_chart([], merges(5, 4), first=0, text_color="#000")
    assert list(figure.data[-1].x) == []


def test_two_futures_are_drawn_as_their_difference_as_far_as_both_go() -> None:
    figure = token_difference_chart(
        np.array([9, 8, 6, 3]), np.array([9, 7, 6]), names=("a", "b"), step=1, text_color="#000"
    )
    assert (list(figure.data[0].x), list(figure.data[0].y)) == ([0, 1, 2], [0, 1, 0])
    long = token_difference_chart(
        np.arange(20_000), np.arange(20_000) * 2, names=("a", "b"), step=0, text_color="#000"
    )
    assert len(long.data[0].x) == 600
    assert (long.data[0].x[0], long.data[0].x[-1]) == (0, 19_999)


def test_a_difference_says_whose_side_is_above_and_below() -> None:
    def said(more: list[int]) -> list[str]:
        totals = np.full(len(more), 9)
        figure = token_difference_chart(totals + more, totals, names=("<b>A", "B"), step=0, text_color="#000")
        return [plain(each.text) for each in figure.layout.annotations]

    assert said([0, 2, 3]) == ["&lt;b&gt;A needs more"]
    assert said([0, -2]) == ["&lt;b&gt;A needs fewer"]
    assert said([0, 5, -5]) == ["&lt;b&gt;A needs more", "&lt;b&gt;A needs fewer"]
