"""Addresses of this server's pages."""

from urllib.parse import SplitResult, urlsplit, urlunsplit

import streamlit as st

__all__ = ["address", "here", "on_main_page"]

PAGES = ("learn", "compare", "recipes", "encode", "vocabulary")


def here() -> SplitResult:
    """Return the address of the page on show, as the browser says it; empty if that is unknown."""
    try:
        url = urlsplit(st.context.url or "")
        url.port  # noqa: B018 - may be no number
    except ValueError:
        return urlsplit("")
    return url


def address(query: str, *, main: bool = True) -> str:
    """Return the address of the main page, or else of the page on show, with other parameters.

    Without the host if that is unknown.
    """
    url = here()
    path = url.path.rpartition("/")[0] + "/" if main and not on_main_page() else url.path or "/"
    return urlunsplit((url.scheme, url.netloc, path, query, ""))


def on_main_page() -> bool:
    """Return whether the main page is on show."""
    return here().path.rpartition("/")[2] not in PAGES
