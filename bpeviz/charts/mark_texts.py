"""Where the texts of marks stand: above, below or beside. A text that has room nowhere is left out; a person
reads it by pointing at the mark."""

from collections.abc import Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt

from bpeviz.charts.frame import Trace

__all__ = ["Position", "text_positions", "with_texts"]

#: As Plotly's ``textposition`` names them.
Position = Literal["top center", "bottom center", "middle right", "middle left"]
#: In which direction from its mark a text is, right and up.
_DIRECTIONS: dict[Position, tuple[int, int]] = {
    "top center": (0, 1),
    "bottom center": (0, -1),
    "middle right": (1, 0),
    "middle left": (-1, 0),
}
#: Half of a mark's width, the distance from there to the text, and the text's height, in pixels.
_MARK, _GAP, _HEIGHT = 6.0, 1.0, 14.0


def text_positions(
    marks: npt.NDArray[np.float64],
    widths: Sequence[float],
    size: tuple[float, float],
    order: Sequence[Position],
) -> list[Position | None]:
    """Return for each mark the first position of ``order`` at which its text is in the plot and covers no
    mark and no text before it, or None.

    ``marks`` has a row for each, right and up from the plot's lower left corner. ``widths`` are those of the
    texts, 0 for none, and ``size`` is that of the plot. All are in pixels.

    >>> text_positions(np.array([[50.0, 50.0], [50.0, 70.0]]), [20, 20], (100, 100), ["top center"])
    [None, 'top center']
    """
    taken = [(*mark - _MARK, *mark + _MARK) for mark in marks]
    found: list[Position | None] = []
    for mark, width in zip(marks, widths, strict=True):
        boxes = {position: _box(mark, width, position) for position in order} if width else {}
        position = next((p for p, box in boxes.items() if _is_free(box, taken, size)), None)
        if position:
            taken.append(boxes[position])
        found.append(position)
    return found


def with_texts(marks: Trace, texts: Sequence[str], positions: Sequence[Position | None]) -> Trace:
    """Return marks with those of their texts that have a position."""
    return {
        **marks,
        "mode": "markers+text",
        "text": [text if position else "" for text, position in zip(texts, positions, strict=True)],
        "textposition": [position or "top center" for position in positions],
    }


#: The left, lower, right and upper edge.
_Box = tuple[float, float, float, float]


def _box(mark: npt.NDArray[np.float64], width: float, position: Position) -> _Box:
    x, y = mark.tolist()
    right, up = _DIRECTIONS[position]
    x += right * (_MARK + _GAP + width / 2)
    y += up * (_MARK + _GAP + _HEIGHT / 2)
    return x - width / 2, y - _HEIGHT / 2, x + width / 2, y + _HEIGHT / 2


def _is_free(box: _Box, taken: Sequence[_Box], size: tuple[float, float]) -> bool:
    left, low, right, high = box
    inside = left >= 0 and low >= 0 and right <= size[0] and high <= size[1]
    return inside and not any(
        left < other[2] and other[0] < right and low < other[3] and other[1] < high for other in taken
    )
