"""Two vocabularies compared: the tokens both learned, those only one did, and how early."""

from functools import partial

import pandas as pd
import streamlit as st

from bpeviz.analysis.vocabulary_overlap import VocabularyOverlap, vocabulary_overlap
from bpeviz.charts.overlap import RankPoint, rank_scatter, share_curve, thinned
from bpeviz.text.token_text import hex_bytes, visible
from bpeviz.ui.kit.pick_side import SIDE_LETTERS, named_side
from bpeviz.ui.kit.plot import plot, text_color
from bpeviz.ui.kit.table import localized, show_table
from bpeviz.ui.kit.tokenizer_sources import Side
from bpeviz.ui.session.session_cache import session_cache, tokenizer_number

__all__ = ["overlap_panel"]

NAMED = 6
MOST_ROWS = 5_000
BYTES_IN_A_CELL = 60


def overlap_panel(left: Side, left_merges: int, right: Side, right_merges: int) -> None:
    """Compare the vocabularies, each after so many merges."""
    key = tokenizer_number(left.tokenizer), left_merges, tokenizer_number(right.tokenizer), right_merges
    overlap = session_cache().get(
        ("overlap", *key),
        lambda: vocabulary_overlap(
            left.tokenizer, right.tokenizer, num_merges_a=left_merges, num_merges_b=right_merges
        ),
    )
    with st.container(border=True):
        st.markdown("**Vocabularies**")
        st.caption("Tokens that merges make. Two tokens are the same if their bytes are the same.")
        with st.container(horizontal=True, gap="medium"):
            st.metric("Both have", f"{overlap.both:,}", width="content")
            st.metric(f"Only {named_side('left', left.name)}", f"{overlap.only_a:,}", width="content")
            st.metric(f"Only {named_side('right', right.name)}", f"{overlap.only_b:,}", width="content")
        if overlap.ranked.empty:
            st.info("No token is in both. Move the sliders to more merges.", icon=":material/compare_arrows:")
            _tables(overlap, left, right)
            return
        ranks, learned = st.columns([3, 2], gap="medium")
        with ranks:
            _ranks(overlap, left, right)
        with learned:
            _learned(overlap, left, right)
            _tables(overlap, left, right)


def _ranks(overlap: VocabularyOverlap, left: Side, right: Side) -> None:
    ranked = overlap.ranked
    kept = thinned(ranked["rank_a"].to_numpy(), ranked["rank_b"].to_numpy())
    few = f" The chart shows {len(kept):,} of {len(ranked):,}." if len(kept) < len(ranked) else ""
    st.markdown(
        f"Each mark is a token that both have. Above the line {named_side('left', left.name)} made it "
        f"earlier, below the line {named_side('right', right.name)} did. Orange: the tokens furthest from "
        f"the line, with a label where there is room.{few}"
    )
    displaced = pd.concat([overlap.most_displaced(NAMED, side) for side in ("a", "b")])
    figure = rank_scatter(
        _points(ranked.iloc[kept]), _points(displaced), names=(left.name, right.name), text_color=text_color()
    )
    plot(figure, key="overlap_ranks", name="When each made the shared tokens")


def _points(tokens: pd.DataFrame) -> list[RankPoint]:
    return [
        RankPoint(visible(token), int(rank_a), int(rank_b))
        for token, rank_a, rank_b in zip(tokens["token"], tokens["rank_a"], tokens["rank_b"], strict=True)
    ]


def _learned(overlap: VocabularyOverlap, left: Side, right: Side) -> None:
    made = overlap.num_merges_a
    also = int(overlap.learned[-1])
    merges = "the first merge" if made == 1 else f"the first {made:,} merges"
    st.markdown(
        f"Of {merges} of {named_side('left', left.name)}, {named_side('right', right.name)} made {also:,} "
        f"too ({also / made:.0%})."
    )
    plot(
        share_curve(overlap.share_learned, text_color=text_color()),
        key="overlap_share",
        name="Share that both made",
    )


def _tables(overlap: VocabularyOverlap, left: Side, right: Side) -> None:
    """Show three tables; the server sends only the open one."""
    displaced, only_left, only_right = st.tabs(
        [
            "Furthest apart",
            f"Only {named_side('left', left.name)}",
            f"Only {named_side('right', right.name)}",
        ],
        key="overlap_tables",
        on_change="rerun",
    )
    if displaced.open:
        with displaced:
            _displaced(overlap)
    if only_left.open:
        with only_left:
            _only(overlap, "a", "overlap_only_left")
    if only_right.open:
        with only_right:
            _only(overlap, "b", "overlap_only_right")


def _displaced(overlap: VocabularyOverlap) -> None:
    rows = overlap.most_displaced(MOST_ROWS)
    if rows.empty:
        st.caption("No token is in both.")
        return
    _say_how_many(len(rows), len(overlap.ranked))
    show_table(
        pd.DataFrame(
            {
                "token": rows["token"].map(visible),
                "times": (2 ** rows["displacement"].abs()).round(1),
                "earlier": [("L" if d > 0 else "R") if d else "" for d in rows["displacement"]],
                "left": rows["rank_a"] + 1,
                "right": rows["rank_b"] + 1,
            }
        ),
        "overlap_displaced",
        height=280,
        fixed=True,
        columns={
            **{slot: localized(f"{letter}: merge") for slot, letter in SIDE_LETTERS.items()},
            "times": st.column_config.NumberColumn("how many times as early", format="%.1f"),
            "earlier": st.column_config.TextColumn("earlier side"),
        },
    )


def _only(overlap: VocabularyOverlap, side: str, key: str) -> None:
    """Show the tokens that only one side has, in the order in which it learned them."""
    tokens = overlap.tokens[overlap.tokens["in_vocabulary"] == side]
    shown = tokens.head(MOST_ROWS)
    _say_how_many(len(shown), len(tokens))
    show_table(
        pd.DataFrame(
            {
                "token": shown["token"].map(visible),
                "bytes": shown["token"].map(partial(hex_bytes, limit=BYTES_IN_A_CELL)),
                "merge": shown["rank_a" if side == "a" else "rank_b"].astype("Int64") + 1,
            }
        ),
        key,
        height=280,
        fixed=True,
    )


def _say_how_many(shown: int, there_are: int) -> None:
    if shown < there_are:
        st.caption(f"The first {shown:,} of {there_are:,}.")
