"""The text of the page in the tokens of one side, or why that side can't encode it."""

from dataclasses import replace

import streamlit as st

from bpeviz.errors import BpevizError, SplitPatternError
from bpeviz.runs.run import NamedText
from bpeviz.text.pattern_check import CATCH_ALL
from bpeviz.text.token_text import visible
from bpeviz.tokenizer.encoded_text import EncodedText
from bpeviz.ui.kit.pick_side import named_side
from bpeviz.ui.kit.tokenizer_sources import Side
from bpeviz.ui.kit.words import escape, show_error
from bpeviz.ui.session.session import Session
from bpeviz.ui.session.session_cache import session_cache, tokenizer_number

__all__ = ["encoded_on"]


def encoded_on(state: Session, slot: str, side: Side, text: NamedText) -> EncodedText | None:
    """Return the text in the tokens of a side, computed once; None after showing an error."""
    # the steps of a run that begins with a tokenizer are not the ranks of all its merges
    if side.run and not side.run.start and side.run.corpus.text == text.text:
        return EncodedText([], side.run.gap_ranks)
    key = "encoded", tokenizer_number(side.tokenizer), text.text
    try:
        with st.spinner(f"Encoding with {escape(side.name)} …", show_time=True):
            return session_cache().get(key, lambda: _encode(state, side, text))
    except SplitPatternError as error:
        if error.byte_offset is None:
            show_error(f"{side.name}: {error}")
        else:
            _say_what_is_missed(slot, side, text.text, error.byte_offset, error.pattern)
    except BpevizError as error:
        show_error(f"{side.name}: {error}")
    return None


def _say_what_is_missed(slot: str, side: Side, text: str, byte_offset: int, pattern: str) -> None:
    """Say which character a person's own split pattern misses, and what to do."""
    place = len(text.encode("utf-8")[:byte_offset].decode("utf-8"))
    character = escape(visible(text[place].encode("utf-8")))
    st.warning(
        f"{named_side(slot, side.name)} can't split this text: its split pattern misses **{character}**, "
        f"character {place + 1:,}. Pick another text or another tokenizer above. Or train again with this "
        "pattern, which matches every other character too:",
        icon=":material/content_cut:",
    )
    st.code(f"{pattern}{CATCH_ALL}", language=None, wrap_lines=True)


def _encode(state: Session, side: Side, text: NamedText) -> EncodedText:
    """Encode a text and leave out the ids. The corpus of the shown run isn't split again if the split
    pattern is the same."""
    run = state.run
    if (
        run
        and run.spelled_by_us
        and run.corpus.text == text.text
        and side.tokenizer.cuts_as(run.split, text.text)
    ):
        gap_ranks = side.tokenizer.gap_ranks_of(run.history.corpus.pre_tokens, run.pre_tokens)
        return EncodedText([], gap_ranks)
    return replace(side.tokenizer.encode_text(text.text), ids=[])
