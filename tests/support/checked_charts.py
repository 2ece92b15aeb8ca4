"""The charts as figures of plotly's class, which refuses every property that it does not know."""

from collections.abc import Callable
from functools import wraps
from typing import Any

import plotly.graph_objects as go

from bpeviz import charts
from bpeviz.charts import agreement, overlap, relative_cost, vocabulary

__all__ = [
    "agreement_chart",
    "change_chart",
    "checked",
    "length_chart",
    "race_chart",
    "rank_scatter",
    "relative_cost_chart",
    "script_chart",
    "share_curve",
    "token_difference_chart",
]


def checked(chart: Callable[..., charts.Figure]) -> Callable[..., go.Figure]:
    """The same chart as a checked go.Figure."""

    @wraps(chart)
    def draw(*data: Any, **look: Any) -> go.Figure:
        return go.Figure(chart(*data, **look).to_dict())

    return draw


agreement_chart = checked(agreement.agreement_chart)
change_chart = checked(charts.change_chart)
token_difference_chart = checked(charts.token_difference_chart)
race_chart = checked(charts.race_chart)
rank_scatter = checked(overlap.rank_scatter)
relative_cost_chart = checked(relative_cost.relative_cost_chart)
share_curve = checked(overlap.share_curve)
length_chart = checked(vocabulary.length_chart)
script_chart = checked(vocabulary.script_chart)
