"""How many more tokens one run needs than another on the same text, after every number of merges."""

import numpy as np
import numpy.typing as npt

from bpeviz.charts.frame import QUIET, Figure, area, framed, spread, step_line, value_axis

__all__ = ["token_difference_chart"]


def token_difference_chart(
    totals: npt.NDArray[np.int64], others: npt.NDArray[np.int64], *, step: int, text_color: str
) -> Figure:
    """A chart of ``totals`` minus ``others`` (tokens after 0, 1, … merges) as far as both go; a line at
    ``step``."""
    length = min(len(totals), len(others))
    points = spread(0, length - 1)
    more = totals[points] - others[points]
    reach = max(1, int(abs(more).max()))
    return framed(
        [area(points.tolist(), more.tolist(), "%{y:+,} tokens after %{x:,} merges<extra></extra>")],
        text_color=text_color,
        height=180,
        margin={"l": 60, "r": 12, "t": 8, "b": 36},
        xaxis=value_axis("merges made", range=[0, max(1, length - 1)], tickformat=",d"),
        yaxis=value_axis(
            dtick=1 if reach < 3 else None,
            zeroline=True,
            zerolinecolor=QUIET,
            range=[-1.1 * reach, 1.1 * reach],
            tickformat="+,d",
        ),
        hovermode="x",
        shapes=[step_line(step)],
    )
