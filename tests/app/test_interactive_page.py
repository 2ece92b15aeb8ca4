"""Pages that the app saves: what they say of their text, and requests that fail or are interrupted."""

import base64
import gzip
import json
import re
import struct
from collections.abc import Callable
from dataclasses import replace
from html import unescape
from typing import Any

import pytest

from bpeviz.corpus.corpus_files import Place
from bpeviz.errors import PlayerError
from bpeviz.runs.large_corpus import LargeCorpus, ShownPart
from bpeviz.runs.run import NamedText, Run
from bpeviz.runs.run_training import fork_run
from bpeviz.training.choice import Choice
from bpeviz.training.settings import TrainingSettings
from bpeviz.ui.kit.player import text_caption
from bpeviz.ui.session.session import Session
from bpeviz.ui.watch import interactive_page as made
from bpeviz.ui.watch.interactive_page import interactive_page, send_wanted_page
from bpeviz.ui.watch.reports import save_page
from bpeviz.ui.watch.state import PageRequest
from tests.support.app_test import (
    CAT,
    compare_of,
    on_compare_page,
    pasted,
    shown_run,
    state_of,
    watch_of,
    with_run,
)
from tests.support.trained import run_of

Sent = list[tuple[Any, ...]]


def header_of(page: bytes) -> dict[str, Any]:
    """The header of the first pack of a page."""
    found = re.search(rb'<script type="application/gzip" id="packs">([^<]*)</script>', page)
    assert found
    pack = gzip.decompress(base64.b64decode(found[1]))
    (length,) = struct.unpack_from("<I", pack)
    header: dict[str, Any] = json.loads(pack[4 : 4 + length])
    return header


def caption_of(page: bytes) -> str:
    found = re.search("<figcaption>(.*)</figcaption>", page.decode())
    assert found
    return unescape(found[1])


def fork_of(run: Run) -> Run:
    second = run.history.pair_counts(1).iloc[1]
    choice = Choice(1, (int(second["left"]), int(second["right"])))
    return fork_run(run, choice, lambda share, phase: None)


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> Sent:
    """What is sent to the export menu."""
    sent: Sent = []
    monkeypatch.setattr(made, "send_page", noting(sent))
    return sent


def noting(sent: Sent) -> Callable[..., None]:
    """Notes what is sent, without what hears that it has arrived."""
    return lambda *message, on_got: sent.append(message)


def requested(state: Session, step: int = 2, asked: int = 7) -> PageRequest:
    watch_of(state).page_request = PageRequest(shown_run(state).number, step, asked)
    return watch_of(state).page_request


def test_a_page_is_of_the_run_at_the_step_and_says_which_text_and_rules() -> None:
    run = shown_run(with_run())
    page = interactive_page(run, None, 5)
    header = header_of(page)
    assert (header["start"], header["autoplay"], header["num_merges"]) == (5, 0, len(run.steps))
    assert not header["saves"]
    again = replace(run, number=run.number + 1_000)  # the same in every process
    assert re.sub(b'"player": "[^"]*"', b"", page) == re.sub(
        b'"player": "[^"]*"', b"", interactive_page(again, None, 5)
    )
    assert caption_of(page) == (
        f"Text: cats, {len(CAT)} bytes. Recipe huggingface, split pattern {run.split.name}."
    )
    assert f"<title>cats: recipe huggingface, {len(run.steps)} merges</title>".encode() in page


def test_a_fork_has_both_futures_for_people_without_scripts_too() -> None:
    run = shown_run(with_run())
    fork = fork_of(run)
    page = interactive_page(fork, run, 2).decode()
    header = header_of(page.encode())
    assert header["forks"] == [{"rank": 1, "pair": list(fork.choices[0].pair), "action": "merge"}]
    assert header["chooser"] == "you"
    first, second = re.findall(r"<pre [^>]*>\n(.*?)</pre>", page, re.DOTALL)
    assert first != second
    assert [re.sub("<[^>]*>", "", text) for text in (first, second)] == [CAT, CAT]
    assert page.count("<table>") == 2


def test_the_words_about_a_text_are_short_and_say_which_part_is_shown() -> None:
    whole = LargeCorpus("wiki.txt", 5_000_000)
    assert text_caption(NamedText("a", "灯台")) == "Text: a, 6 bytes."
    assert text_caption(NamedText("x" * 5_000, "a")) == f"Text: {'x' * 200}…, 1 byte."
    part = ShownPart(whole, Place(0, 999_000), "wiki-1.txt", 500)
    assert text_caption(NamedText("part", "a", part)) == (
        "Corpus: wiki.txt, 5,000,000 bytes. This page shows wiki-1.txt, bytes 999,001 to 999,500."
    )
    assert text_caption(NamedText("part", "a", ShownPart(whole))) == (
        "Corpus: wiki.txt, 5,000,000 bytes. This page lists its distinct pre-tokens, first seen first."
    )


def test_hostile_names_are_text() -> None:
    attack = "</title><script>alert(1)</script>"
    run = run_of(NamedText(attack, f"{attack} {attack}"), TrainingSettings(num_merges=4))
    page = interactive_page(run, None, 2).decode()
    assert "<script>alert" not in page
    assert caption_of(page.encode()).startswith(f"Text: {attack}, ")


def test_a_page_is_made_once_and_sent_until_the_browser_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two messages that come together the browser draws the second."""
    state = with_run()
    requested(state)
    sent: Sent = []
    hears: list[Callable[[int], None]] = []

    def send(*message: object, on_got: Callable[[int], None]) -> None:
        sent.append(message)
        hears.append(on_got)

    monkeypatch.setattr(made, "send_page", send)
    send_wanted_page(state)
    send_wanted_page(state)
    hears[-1](6)  # an older one
    send_wanted_page(state)
    assert sent[0] == sent[1] == sent[2]
    assert sent[0][1] is sent[2][1]
    (asked, page, fault) = sent[0]
    assert (asked, fault) == (7, "")
    assert header_of(page)["start"] == 2
    hears[-1](7)
    assert watch_of(state).page_request is None
    send_wanted_page(state)
    assert sent[3:] == [(0, b"")]


def test_an_interrupted_page_is_sent_the_next_time_and_not_made_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    state = with_run()
    request = requested(state)
    sent: Sent = []

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(made, "send_page", interrupted)
    with pytest.raises(KeyboardInterrupt):
        send_wanted_page(state)
    assert watch_of(state).page_request is request
    monkeypatch.setattr(made, "send_page", noting(sent))
    monkeypatch.setattr(made, "interactive_page", interrupted)
    send_wanted_page(state)
    assert sent == [(7, request.file, "")]


@pytest.mark.parametrize(
    ("error", "fault"),
    [(PlayerError("Too long. Cut it."), "Too long. Cut it."), (MemoryError(), "Memory ran out. ")],
)
def test_what_goes_wrong_is_told(
    error: Exception, fault: str, sent: Sent, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> bytes:
        raise error

    monkeypatch.setattr(made, "interactive_page", fail)
    state = with_run()
    requested(state)
    send_wanted_page(state)
    ((asked, page, told),) = sent
    assert (asked, page) == (7, b"")
    assert told.startswith(fault)


def test_a_request_about_a_run_that_left_the_page_is_dropped(sent: Sent) -> None:
    state = with_run()
    requested(state).number += 1
    send_wanted_page(state)
    assert sent == [(0, b"")]
    assert watch_of(state).page_request is None


def test_the_page_of_merges_answers_a_request(monkeypatch: pytest.MonkeyPatch) -> None:
    app = pasted(CAT)
    sent: Sent = []
    monkeypatch.setattr(made, "send_page", noting(sent))
    monkeypatch.setattr("bpeviz.ui.watch.reports.session", lambda: state_of(app))
    monkeypatch.setattr("bpeviz.ui.watch.reports._run", lambda: None)
    save_page(shown_run(state_of(app)).number, 3, 9)
    app.run()
    assert not app.exception
    assert [message[0] for message in sent] == [9]
    assert header_of(sent[0][1])["start"] == 3


def test_a_comparison_is_saved_where_the_sides_are_at_the_click(monkeypatch: pytest.MonkeyPatch) -> None:
    pages: list[Callable[[], bytes]] = []

    def noted(label: str, data: Callable[[], bytes], *_: object, **__: object) -> None:
        if label == "Interactive page (.html)":
            pages.append(data)

    monkeypatch.setattr("streamlit.download_button", noted)
    app = on_compare_page(pasted(CAT))
    fields = compare_of(state_of(app)).saved
    fields.set_merges("left", f"run-{shown_run(state_of(app)).number}", 8)
    fields.set_merges("right", "gpt2", 25_000)
    header = header_of(page := pages[-1]())
    assert [side["start"] for side in header["sides"]] == [8, 25_000]
    assert [side["name"] for side in header["sides"]] == ["pasted text", "GPT-2"]
    assert not header["locked"]
    assert caption_of(page) == f"Text: pasted text, {len(CAT)} bytes."
