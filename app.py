"""bpeviz in the browser: ``streamlit run app.py``."""

import streamlit as st

from bpeviz.ui.page import show_page
from bpeviz.ui.server.guards import middleware
from bpeviz.ui.server.server_process import announce, prepare_process

if __name__ == "__main__":  # Streamlit runs this file for a session
    show_page()
else:  # the server imports it, once, before the first visitor comes
    announce()
    prepare_process()
    app = st.App(__file__, middleware=middleware())
