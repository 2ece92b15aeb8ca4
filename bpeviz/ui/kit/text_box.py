"""A field for a person's own text, with the text in the tokens of several tokenizers under it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import streamlit as st

from bpeviz.limits import limits
from bpeviz.runs.typed_text import MOST_TYPED_BYTES, TokenRow, fits
from bpeviz.ui.kit.messages import message_of
from bpeviz.ui.kit.parts import mount_part

__all__ = ["TextBoxState", "mount_text_box", "read_text"]


@dataclass(frozen=True)
class TextBoxState:
    """What the field shows.

    - ``text``: the text that Python knows; a person may have typed more since;
    - ``rows``: the text in tokens; ``cost``: a sentence about its language; ``problem``: why it has no run;
    - ``retrained_bytes``: up to which length a text trains again as the person types, 0 if it doesn't;
    - ``busy``: whether another training is running.
    """

    text: str
    rows: Sequence[TokenRow]
    cost: str
    problem: str
    retrained_bytes: int
    busy: bool


def mount_text_box(
    shows: TextBoxState,
    *,
    session_number: int,
    on_type: Callable[[str], None],
    on_watch: Callable[[str], None],
) -> None:
    """Show the field, a new one for a new session. Streamlit calls ``on_type`` with the text while a person
    types, and ``on_watch`` when they press the button."""
    key = f"text_box-{session_number}"

    def typed() -> None:
        if (text := read_text(st.session_state[key], "typed")) is not None:
            on_type(text)

    def watched() -> None:
        if (text := read_text(st.session_state[key], "train")) is not None:
            on_watch(text)

    data = {
        "session": session_number,
        "text": shows.text,
        "most": MOST_TYPED_BYTES,
        "largest": limits().max_corpus_upload_bytes,
        "retrained": shows.retrained_bytes,
        "busy": shows.busy,
        "cost": shows.cost,
        "problem": shows.problem,
        "rows": [
            {
                "name": row.name,
                "total": row.token_total,
                "tokens": [token.hex() for token in row.tokens],
                "missing": row.missing,
            }
            for row in shows.rows
        ],
    }
    mount_part("text_box", key=key, data=data, on_typed_change=typed, on_train_change=watched)


def read_text(state: object, name: str) -> str | None:
    """Return the text that the field reports; None if the report is malformed or the text too long."""
    text = message_of(state, name).get("text")
    return text if isinstance(text, str) and fits(text) else None
