"""bpeviz on Streamlit Community Cloud: choose this file as the app's main file. See docs/serving.md."""

import os
import sys
from contextlib import suppress
from pathlib import Path

import streamlit as st

TOP = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP))

with suppress(FileNotFoundError):  # there are no secrets
    st.secrets.to_dict()  # makes environment variables of them
os.environ.setdefault("BPEVIZ_HOSTED", "1")
os.environ.setdefault("BPEVIZ_HOSTS", "*.streamlit.app")

# These read the environment.
from bpeviz.ui.server.guards import middleware  # noqa: E402
from bpeviz.ui.server.server_process import prepare_process  # noqa: E402

prepare_process()
app = st.App(TOP / "app.py", middleware=middleware())
