"""The texts of marks: none covers another text, a mark or the edge of the plot."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bpeviz.charts.mark_texts import Position, text_positions

ORDER: tuple[Position, ...] = ("middle right", "middle left", "top center", "bottom center")
PLOT = (200.0, 100.0)

marks = st.lists(st.tuples(st.floats(0, PLOT[0]), st.floats(0, PLOT[1]), st.integers(0, 60)), max_size=12)


def test_a_text_takes_the_first_position_that_is_free() -> None:
    places = np.array([[100.0, 50.0], [120.0, 50.0], [140.0, 50.0], [190.0, 50.0]])
    assert text_positions(places, [20, 20, 20, 70], PLOT, ORDER) == [
        "middle left",
        "top center",  # there are marks on both sides
        "middle right",
        None,  # it would go over the edge, or over the text before it
    ]


def test_a_mark_without_a_text_has_no_position() -> None:
    assert text_positions(np.array([[50.0, 50.0]]), [0], PLOT, ORDER) == [None]


@given(marks)
def test_no_text_covers_another_a_mark_or_the_edge(given: list[tuple[float, float, int]]) -> None:
    places = np.array([(x, y) for x, y, _ in given]).reshape(-1, 2)
    found = text_positions(places, [width for *_, width in given], PLOT, ORDER)
    texts = []
    for (x, y, width), position in zip(given, found, strict=True):
        if position:
            beside, over = 7 + width / 2, 14
            dx, dy = {
                "middle right": (beside, 0),
                "middle left": (-beside, 0),
                "top center": (0, over),
                "bottom center": (0, -over),
            }[position]
            texts.append((x + dx - width / 2, x + dx + width / 2, y + dy - 7, y + dy + 7))
    boxes = [*texts, *((x - 6, x + 6, y - 6, y + 6) for x, y, _ in given)]
    for i, (left, right, low, high) in enumerate(texts):
        assert left >= -1e-9
        assert right <= PLOT[0] + 1e-9
        assert low >= -1e-9
        assert high <= PLOT[1] + 1e-9
        for other in (*boxes[:i], *boxes[i + 1 :]):
            assert (
                right <= other[0] + 1e-9
                or other[1] <= left + 1e-9
                or high <= other[2] + 1e-9
                or other[3] <= low + 1e-9
            )
