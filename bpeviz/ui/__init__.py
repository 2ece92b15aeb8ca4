"""The web app: the only code that imports streamlit. A file a page; ``state`` holds the session."""
