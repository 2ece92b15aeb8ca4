"""The page: only this package and those in it import streamlit. Here: the frame around all pages, and menus."""
