"""bpeviz in the browser: ``streamlit run app.py``."""

import streamlit as st

if __name__ == "__main__":  # Streamlit runs this file for a session
    from bpeviz.ui.page import show_page

    show_page()
else:  # the server imports it, once
    from bpeviz.ui.middleware import middleware

    app = st.App(__file__, middleware=middleware())
