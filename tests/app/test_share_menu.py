"""The Share button: which link it offers."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from bpeviz.ui import share_menu
from bpeviz.ui.kit.address import address
from bpeviz.ui.server.hosting import Hosting
from bpeviz.ui.session import saving
from bpeviz.ui.session.session import Session
from tests.support.app_test import address_of, captions, drawn, opened, pasted, press, shown_run, state_of

#: The links whose line to embed was shown, in the running test.
embedded: list[str] = []
#: Whether each of these lines could be copied.
can_be_copied: list[bool] = []
#: Too long for a link.
LONG = "the cat in the hat " * 200


@pytest.fixture(autouse=True)
def links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The links that were shown."""
    monkeypatch.setenv("BPEVIZ_DATA", str(tmp_path))
    shown: list[str] = []
    embedded.clear()
    can_be_copied.clear()

    def note(link: str, *, key: str, focus: bool = False, embeds: bool = False, works: bool = True) -> None:
        (embedded if embeds else shown).append(link)
        if embeds:
            can_be_copied.append(works)

    monkeypatch.setattr(share_menu, "copy_link", note)
    yield shown
    saving._open.cache_clear()


def with_menu(app: AppTest) -> AppTest:
    """The same page with the menu open."""
    app.session_state[share_menu.MENU] = True
    return app.run()


def test_without_a_run_it_says_what_to_do_first(links: list[str]) -> None:
    app = drawn(share_menu.share_menu, state=Session())
    assert "Train on a text first. Then you can share what you see." in captions(with_menu(app))
    assert links == []


def test_a_sample_has_a_link_at_once_and_saves_nothing_for_it(links: list[str]) -> None:
    app = opened(sample="DNA repeats", recipe="minbpe", merges="40", step="12")
    before = len(saving.store().recent(9))
    with_menu(app)
    (link,) = links
    assert parse_qs(urlsplit(link).query) == {
        "sample": ["DNA repeats"],
        "recipe": ["minbpe"],
        "merges": ["40"],
        "fewest": ["2"],
        "step": ["12"],
    }
    assert len(saving.store().recent(9)) == before
    assert "opens this text at this step" in captions(app)


def test_a_short_text_of_ones_own_has_a_link_at_once(links: list[str]) -> None:
    with_menu(pasted("low lower lowest"))
    (link,) = links
    again = opened(**dict(parse_qsl(urlsplit(link).query)))
    assert shown_run(state_of(again)).corpus.text == "low lower lowest"


def test_a_longer_text_gets_a_link_to_a_copy_on_a_click(links: list[str]) -> None:
    app = with_menu(pasted(LONG))
    assert links == []
    assert "The link opens a copy. Changes to the copy don't affect yours." in captions(app)
    press(app, "Make a link")
    copy = copied(links)
    assert copy != address_of(app)
    assert state_of(opened(session=copy)).run is not None


def copied(links: list[str]) -> str:
    """The id of the copy that the last link opens."""
    return parse_qs(urlsplit(links[-1]).query)["session"][0]


def test_the_link_is_offered_until_the_session_changes(links: list[str]) -> None:
    app = press(with_menu(pasted(LONG)), "Make a link")
    first = copied(links)
    state_of(app).step = 3
    app.run().run()
    press(app, "Make a link")
    assert copied(links) != first
    assert state_of(opened(session=first)).step == 0
    assert state_of(opened(session=copied(links))).step == 3


def test_the_line_to_embed_has_a_sample_or_a_short_text_in_its_address() -> None:
    with_menu(opened(sample="DNA repeats", merges="40"))
    with_menu(pasted("low lower lowest"))
    sample, text = (dict(parse_qsl(urlsplit(link).query)) for link in embedded)
    assert (sample["embed"], sample["sample"], sample["merges"]) == ("true", "DNA repeats", "40")
    assert (text["embed"], text["text"]) == ("true", "low lower lowest")


def test_the_line_for_a_longer_text_needs_a_link_to_a_copy(links: list[str]) -> None:
    app = with_menu(pasted(LONG))
    assert embedded == []
    assert "Make a link first. A text of up to 2 kB needs none." in captions(app)
    press(app, "Make a link")
    assert dict(parse_qsl(urlsplit(embedded[-1]).query)) == {"session": copied(links), "embed": "true"}


@pytest.mark.parametrize(
    ("frames", "says"),
    [((), "Ask the person who runs this page to allow it."), (("*",), "The line shows the player")],
)
def test_it_says_whether_other_sites_may_show_the_page(
    frames: tuple[str, ...], says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(share_menu, "hosting", lambda: Hosting(frames=frames))
    assert says in captions(with_menu(pasted()))
    assert can_be_copied == [bool(frames)]


class Context:
    """What Streamlit knows of the page's address."""

    def __init__(self, url: str | None) -> None:
        self.url = url


@pytest.mark.parametrize(
    ("url", "main", "shown"),
    [
        ("https://a.example/", "https://a.example/?x=1", "https://a.example/?x=1"),
        ("https://a.example/compare", "https://a.example/?x=1", "https://a.example/compare?x=1"),
        ("https://a.example/bpe/", "https://a.example/bpe/?x=1", "https://a.example/bpe/?x=1"),
        ("https://a.example/bpe/encode", "https://a.example/bpe/?x=1", "https://a.example/bpe/encode?x=1"),
        (None, "/?x=1", "/?x=1"),
    ],
)
def test_an_address_is_that_of_the_main_page_or_of_the_page_on_show(
    url: str | None, main: str, shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    context: Any = Context(url)
    monkeypatch.setattr("bpeviz.ui.kit.address.st.context", context)
    assert address("x=1") == main
    assert address("x=1", main=False) == shown
