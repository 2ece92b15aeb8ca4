"""Data in, a plotly Figure out. No streamlit here; the caller decides what to show.

One chart per file; ``frame`` holds what they share. Labels hold a person's text. Plotly reads labels as
markup and merges equal ones, so bars are at numbers and every label is escaped.
"""

from bpeviz.charts.changes import ChangeBar, change_chart
from bpeviz.charts.frame import Figure
from bpeviz.charts.race import MOST_RACERS, RacedMerge, Racer, has_ties, race_chart
from bpeviz.charts.token_difference import token_difference_chart

__all__ = [
    "MOST_RACERS",
    "ChangeBar",
    "Figure",
    "RacedMerge",
    "Racer",
    "change_chart",
    "has_ties",
    "race_chart",
    "token_difference_chart",
]
