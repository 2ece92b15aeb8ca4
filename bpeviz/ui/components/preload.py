"""Have the browser load Streamlit's scripts before the first run is shown."""

import streamlit as st

from bpeviz.charts import Figure

__all__ = ["NOT_SHOWN", "preload"]

#: The key of a container that the page's style hides.
NOT_SHOWN = "preloaded"


def preload() -> None:
    """Have the browser load what charts and components need. That takes a third of a second and more, which
    would come before the first text of a run, so the page does it while a person fills in the form."""
    nothing = st.components.v2.component("bpeviz_nothing", js="export default () => {};")
    with st.container(key=NOT_SHOWN):
        st.plotly_chart(Figure([], {}), key=f"{NOT_SHOWN}_chart", alt="Nothing yet")
        nothing(key=f"{NOT_SHOWN}_component")
