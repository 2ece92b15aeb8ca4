"""Have the browser load Streamlit's scripts before the first run is shown."""

from pathlib import Path

import streamlit as st

from bpeviz.charts import Figure
from bpeviz.ui.components.shared.load import load_component

__all__ = ["NOT_SHOWN", "preload"]

#: The key of a container that the page's style hides.
NOT_SHOWN = "preloaded"


def preload() -> None:
    """Have the browser load what charts and components need. That takes a third of a second and more, which
    would come before the first text of a run, so the page does it while a person fills in the form."""
    nothing = load_component("bpeviz_nothing", Path(__file__).with_suffix(".js"))
    with st.container(key=NOT_SHOWN):
        st.plotly_chart(Figure([], {}), key=f"{NOT_SHOWN}_chart", alt="Nothing yet")
        nothing(key=f"{NOT_SHOWN}_component")
