"""The server checks the length of typed text, whatever a browser sends."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
import streamlit as st
from streamlit.elements.widgets.text_widgets import TextInputSerde

from bpeviz.limits import limits, read_limits
from bpeviz.ui.kit import messages
from bpeviz.ui.kit.messages import TooLongError, check_length, decoded, kept
from tests.support.app_test import drawn, plain

UI = Path(messages.__file__).parents[1]


def test_what_is_too_long_is_said_with_by_how_much() -> None:
    check_length("The search", "x" * 1_000, 1_000)
    with pytest.raises(TooLongError) as caught:
        check_length("The search", "x" * 1_234, 1_000)
    assert (caught.value.length, caught.value.limit) == (1_234, 1_000)
    assert str(caught.value) == (
        "The search has 1,234 characters, 234 more than the 1,000 that this field takes. Shorten it."
    )


def test_far_too_long_a_text_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    few = replace(read_limits({}), kept_typed_characters=5)
    monkeypatch.setattr(messages, "limits", lambda: few)
    assert kept("12345", "before") == "12345"
    assert kept("123456", "before") == "before"
    assert kept("123456", None) is None


@pytest.mark.parametrize(
    ("data", "text", "said"),
    [
        (b"\xef\xbb\xbfcaf\xc3\xa9", "café", True),
        (b"caf\xc3\xa9", "café", False),
        ("café".encode("utf-16"), "café", False),
    ],
)
def test_the_page_says_that_a_mark_was_left_out(data: bytes, text: str, said: bool) -> None:
    app = drawn(lambda: st.text(decoded(data, "a*b*.txt")))
    assert app.text[0].value == text
    toasts = [plain(toast.value) for toast in app.toast]
    assert toasts == (
        ["a*b*.txt: the byte order mark at its start is no text, and was left out."] if said else []
    )


def test_every_field_of_text_is_in_the_list_of_those_that_check_their_length() -> None:
    """Add a new field here, with its check."""
    fields = {
        (path.relative_to(UI).as_posix(), found)
        for path in UI.rglob("*.py")
        for found in re.findall(r"st\.(text_input|text_area|chat_input)\(", path.read_text("utf-8"))
    }
    assert fields == {
        ("kit/compared_text.py", "text_area"),
        ("kit/split_fields.py", "text_input"),
        ("compare/add_tokenizer.py", "text_input"),
        ("encode/ids.py", "text_area"),
        ("encode/page.py", "text_area"),
        ("encode/page.py", "text_input"),
        ("encode/seam_panel.py", "text_input"),
        ("session_menu.py", "text_input"),
        ("watch/run_line.py", "text_input"),
        ("recipes/check_panel.py", "text_area"),
        ("watch/start_panel.py", "text_area"),
        ("vocabulary/drop_panel.py", "text_area"),
        ("watch/shown_part.py", "text_input"),
        ("vocabulary/page.py", "text_input"),
    }


def test_a_field_with_a_most_of_characters_is_cut_on_the_server_too() -> None:
    """The name of a run relies on this: browsers refuse more, but anybody can send a message."""
    assert len(TextInputSerde("", limits().max_name_characters).deserialize("x" * 1_000_000) or "") == 80
