"""A token that a person picked, in detail."""

from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st

from bpeviz.analysis.vocabulary import making, occurs_in_utf8
from bpeviz.browser.encoding import MOST_SYMBOLS, Growth, pack_growth
from bpeviz.text.token_text import hex_bytes, visible
from bpeviz.ui.kit.parts import mount_growth
from bpeviz.ui.kit.tokenizer_sources import Side
from bpeviz.ui.kit.words import escape
from bpeviz.words import counted

__all__ = ["details"]

BYTES_IN_DETAIL = 120


def details(side: Side, chosen: pd.DataFrame, picked: Sequence[int]) -> None:
    """Show the token in detail if one is picked."""
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
    if token["kind"] == "merged":
        _tree(side, token_id, token["token"])


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
        sentences.append("The split pattern cuts its text, so it is never one pre-token.")
    return " ".join(sentences)
