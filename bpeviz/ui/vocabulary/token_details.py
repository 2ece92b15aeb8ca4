"""A token that a person picked, in detail."""

from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st

from bpeviz.analysis.vocabulary import making, occurs_in_utf8
from bpeviz.audit.reach import MOST_TEXTS, Reach
from bpeviz.audit.token_detail import TextPlaces
from bpeviz.browser.encoding import MOST_SYMBOLS, Growth, pack_growth
from bpeviz.limits import limits
from bpeviz.runs.run import NamedText
from bpeviz.text.token_text import hex_bytes, isolated, visible
from bpeviz.ui.kit.parts import mount_growth
from bpeviz.ui.kit.tokenizer_sources import Side
from bpeviz.ui.kit.words import escape
from bpeviz.ui.session.session_cache import session_cache, tokenizer_number
from bpeviz.words import counted

__all__ = ["details"]

BYTES_IN_DETAIL = 120
FEW_TEXTS = 25


def details(side: Side, chosen: pd.DataFrame, picked: Sequence[int], corpus: NamedText) -> None:
    """Show the token in detail if one is picked: how it is made, a text that has it, and places in the
    corpus."""
    if not picked and not chosen.empty:
        st.caption("Pick a row to see how its token is made, merge by merge.")
    if len(picked) != 1:
        return
    (token_id,) = picked
    token = chosen[chosen["id"] == token_id].iloc[0]
    with st.container(border=True):
        st.markdown(f"**{escape(visible(token['token'], 200)) or 'the empty token'}**")
        st.caption(escape(_told(token)))
        st.code(hex_bytes(token["token"], BYTES_IN_DETAIL), language=None, wrap_lines=True)
        _where(side, token, corpus)
    if token["kind"] == "merged":
        _tree(side, token_id, token["token"])


def _where(side: Side, token: "pd.Series[Any]", corpus: NamedText) -> None:
    """Show a short text whose encoding has the token, and its first places in the corpus."""
    tokenizer, token_id = side.tokenizer, int(token["id"])
    number = tokenizer_number(tokenizer)
    if not token["unreachable"] and token["kind"] != "special":
        # the library of a visitor's file runs in a worker, which is asked once for each text
        most = FEW_TEXTS if tokenizer.pipeline is not None else MOST_TEXTS
        shown = session_cache().get(
            ("text with", number, token_id), lambda: Reach(tokenizer).text_with(token_id, most) or ""
        )
        if shown:
            st.markdown(f"A text that has it: “{escape(isolated(visible(shown.encode('utf-8'))))}”")
    if pd.isna(token["uses"]) or not token["uses"] or corpus.byte_total > limits().max_audited_bytes:
        return
    places = (
        session_cache()
        .get(("places", number, corpus.text), lambda: TextPlaces(tokenizer, corpus.text))
        .of(token_id)
    )
    # no bold: “At**␣the**” would show its stars, because ␣ is no letter
    lines = [f"…{escape(p.before)}:blue-background[{escape(p.token)}]{escape(p.after)}…" for p in places]
    st.markdown(f"In {escape(corpus.name)}:\n\n" + "\n\n".join(lines))


def _tree(side: Side, token_id: int, token: bytes) -> None:
    """Show how merges make a token."""
    made = making(side.tokenizer, token_id, most=MOST_SYMBOLS)
    if made is None:
        st.caption("Its tree is too wide to draw.")
        return
    mount_growth(
        pack_growth(visible(token), [Growth(side.name, side.tokenizer, [made])]), key="vocabulary_tree"
    )


def _made(token: "pd.Series[Any]") -> str:
    match token["kind"]:
        case "base":
            return "base symbol"
        case "special":
            return "special token"
        case "whole":
            return "only a whole pre-token becomes it"
        case "unused":
            return "nothing makes it"
        case _:
            return f"merge {token['rank'] + 1:,} of ids {token['left']} and {token['right']}"


def _told(token: "pd.Series[Any]") -> str:
    """Describe a token in a few sentences."""
    length = counted(token["length"], "byte")
    sentences = [f"Id {token['id']}, {length}, {_made(token)}."]
    if not pd.isna(token["uses"]):
        uses = {0: "Never used", 1: "Used once"}.get(token["uses"], f"Used {token['uses']:,} times")
        sentences.append(f"{uses} in the corpus.")
    if not token["valid_utf8"]:
        sentences.append("Its bytes begin or end inside a character, so they are not text by themselves.")
    if token["unreachable"]:
        occurs = occurs_in_utf8(token["token"])
        why = "its bytes become other tokens" if occurs else "no UTF-8 text holds its bytes"
        sentences.append(f"No text produces this token: {why}.")
    if token["cut"]:
        sentences.append("The tokenizer cuts its text into several pre-tokens before it merges.")
    return " ".join(sentences)
