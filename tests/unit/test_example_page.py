"""The example page that README.md links opens: it is a player of the text and the merges that it says."""

from tests.support.example_page import EXAMPLE, example
from tests.support.player_page import read_player_page


def test_the_example_page_is_a_player() -> None:
    """It is written again before a release: python -m tests.support.example_page."""
    saved, today = (read_player_page(page) for page in (EXAMPLE.read_text("utf-8"), example().to_html()))
    assert (saved.title, saved.paragraphs[0]) == (today.title, today.paragraphs[0])
    assert "default-src 'none'" in saved.policy
