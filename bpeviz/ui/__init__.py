"""The page: the only package that imports streamlit."""
