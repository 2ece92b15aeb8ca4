"""How many tokens a text takes with two tokenizers: in all, by script and by line."""

from typing import Any

import pandas as pd
import streamlit as st

from bpeviz.analysis.text_statistics import TextTotals, TokenCounts, per_line, per_script, text_totals
from bpeviz.text.token_text import visible
from bpeviz.ui.kit.pick_side import SIDE_LETTERS, named_side
from bpeviz.ui.kit.table import localized, show_table
from bpeviz.ui.kit.tokenizer_sources import Side

__all__ = ["statistics_panel"]

MOST_LINES = 1_000
LINE_CHARACTERS = 80
TALLEST = 320


def statistics_panel(
    text: str, left: Side, left_counts: TokenCounts, right: Side, right_counts: TokenCounts
) -> None:
    """Show the figures; ``left_counts`` and ``right_counts`` say how many tokens end at each byte."""
    with st.container(border=True):
        totals = text_totals(text, left_counts), text_totals(text, right_counts)
        st.markdown("**What this text costs**")
        st.caption(f"The text has {totals[0].bytes:,} bytes, {totals[0].characters:,} characters.")
        sides = ("left", left, totals[0]), ("right", right, totals[1])
        for column, side in zip(st.columns(2, gap="medium"), sides, strict=True):
            with column:
                _totals(*side)
        scripts, lines = st.columns(2, gap="medium")
        with scripts:
            _scripts(text, left_counts, right_counts)
        with lines:
            _lines(text, left_counts, right_counts)


def _totals(slot: str, side: Side, totals: TextTotals) -> None:
    st.markdown(f"**{named_side(slot, side.name)}**")
    with st.container(horizontal=True, gap="medium"):
        st.metric("Tokens", f"{totals.tokens:,}", width="content")
        st.metric("Bytes per token", f"{totals.bytes_per_token:.2f}", width="content")
        st.metric("Characters per token", f"{totals.characters_per_token:.2f}", width="content")


def _scripts(text: str, left_counts: TokenCounts, right_counts: TokenCounts) -> None:
    mine, others = per_script(text, left_counts), per_script(text, right_counts)
    st.caption(
        "By script. A token counts for the script of its first letter. Common: tokens without letters, such "
        "as digits, punctuation, emoji and white space."
    )
    show_table(
        pd.DataFrame(
            {
                "script": mine["script"],
                "characters": mine["characters"],
                "bytes": mine["bytes"],
                "left": mine["tokens"],
                "right": others["tokens"],
                "ratio": _ratio(mine["tokens"], others["tokens"]),
                "left_length": mine["characters_per_token"],
                "right_length": others["characters_per_token"],
            }
        ),
        "statistics_scripts",
        height=TALLEST,
        columns=_token_columns()
        | {
            f"{slot}_length": st.column_config.NumberColumn(f"{letter}: characters per token", format="%.2f")
            for slot, letter in SIDE_LETTERS.items()
        },
    )


def _lines(text: str, left_counts: TokenCounts, right_counts: TokenCounts) -> None:
    """Show the lines, those with the largest difference first."""
    mine, others = per_line(text, left_counts, limit=LINE_CHARACTERS), per_line(text, right_counts)["tokens"]
    table = pd.DataFrame(
        {
            "line": mine["line"],
            "text": mine["text"],
            "left": mine["tokens"],
            "right": others,
            "difference": mine["tokens"] - others,
            "ratio": _ratio(mine["tokens"], others),
            "characters": mine["characters"],
            "bytes": mine["bytes"],
        }
    )
    shown = table.sort_values("difference", key=lambda d: -d.abs(), kind="stable").head(MOST_LINES)
    shown["text"] = [visible(line.encode("utf-8"), LINE_CHARACTERS) for line in shown["text"]]
    some = f" The first {len(shown):,} of {len(table):,}." if len(shown) < len(table) else ""
    st.caption(f"By line, the largest difference first.{some}")
    show_table(
        shown,
        "statistics_lines",
        height=TALLEST,
        columns={
            **_token_columns(),
            "text": st.column_config.TextColumn(width="medium"),
            "difference": st.column_config.NumberColumn(format="%+d"),
        },
    )


def _token_columns() -> dict[str, Any]:
    return {
        "characters": localized(),
        "bytes": localized(),
        **{slot: localized(f"{letter}: tokens") for slot, letter in SIDE_LETTERS.items()},
        "ratio": st.column_config.NumberColumn("tokens, L ÷ R", format="%.2f"),
    }


def _ratio(left: "pd.Series[int]", right: "pd.Series[int]") -> "pd.Series[float]":
    """Left over right; missing if the right has no tokens."""
    return left / right.where(right > 0)
