"""The charts of a vocabulary: lengths and scripts."""

import pytest

from tests.support.checked_charts import length_chart, script_chart


def test_each_length_has_a_bar_and_missing_ones_an_empty_one() -> None:
    figure = length_chart({1: 256, 2: 10, 4: 3}, text_color="#000")
    (bars,) = figure.data
    assert list(bars.x) == [1, 2, 3, 4]
    assert list(bars.y) == [256, 10, 0, 3]
    assert list(figure.layout.xaxis.ticktext) == ["1", "2", "3", "4"]


def test_long_tokens_share_the_last_bar() -> None:
    figure = length_chart({1: 256, 16: 5, 17: 2, 128: 1}, text_color="#000")
    (bars,) = figure.data
    assert len(bars.y) == 16
    assert bars.y[-1] == 8
    assert list(figure.layout.xaxis.ticktext)[-1] == "16+"


def test_rare_scripts_share_the_last_bar() -> None:
    scripts = {name: 100 - place for place, name in enumerate("ABCDEFGHI")}
    figure = script_chart(scripts, text_color="#000")
    (bars,) = figure.data
    assert list(bars.x) == [100, 99, 98, 97, 96, 95, 94 + 93 + 92]
    assert figure.layout.yaxis.ticktext[-1] == "\u20683 others\u2069"
    alone = script_chart(dict(list(scripts.items())[:7]), text_color="#000")
    assert list(alone.data[0].x) == [100, 99, 98, 97, 96, 95, 94]


@pytest.mark.parametrize("lengths", [{}, {0: 1}, {1: 1}, {30_000_000: 1}])
def test_an_odd_vocabulary_has_a_chart(lengths: dict[int, int]) -> None:
    (bars,) = length_chart(lengths, text_color="#000").data
    assert len(bars.x) == len(bars.y) >= 1
    assert not script_chart({}, text_color="#000").data[0].x
