"""The page: only this package imports streamlit. Here: the frame around all pages, and the menus."""
