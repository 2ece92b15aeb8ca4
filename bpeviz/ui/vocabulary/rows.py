"""The rows of the vocabulary that a person searched and filtered: on the page, and as files.

A new column has its place in ``rows``, which the page shows, and in bpeviz.analysis.vocabulary_files.
"""

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np
import numpy.typing as npt
import pandas as pd
import streamlit as st

from bpeviz.analysis.vocabulary import search
from bpeviz.analysis.vocabulary_files import FileForm, write_rows
from bpeviz.limits import limits
from bpeviz.text.token_text import hex_bytes
from bpeviz.ui.kit.exports import export_button, made_once
from bpeviz.ui.kit.table import localized, show_table
from bpeviz.ui.kit.tokenizer_sources import Side
from bpeviz.ui.session.session import Session, session
from bpeviz.ui.vocabulary.state import DROP, VocabularyState
from bpeviz.words import counted

__all__ = ["SORTS", "downloads", "filtered", "picked_ids", "rows"]

Mask = npt.NDArray[np.bool_]
TABLE_HEIGHT = 470
BYTES_IN_A_CELL, CHARACTERS_IN_A_CELL = 60, 100
#: A row's numbers in the message to the browser, and which part of the largest message the table may take.
ROW_BYTES, MESSAGE_SHARE = 100, 0.8
#: All rows can be ticked at once, so there are fewer than a message from the browser may name.
MOST_TO_TICK = 1_000
CUT, NEVER_USED = "Cut by the split pattern", "Never used in the corpus"
#: Tokens that no merge makes; few tokenizers have any.
WHOLE = "Only as a whole pre-token"
#: Kinds add rows to each other; each property removes rows.
_KINDS = {"Base": "base", "Merged": "merged", "Special": "special", WHOLE: "whole"}
_PROPERTIES: Mapping[str, Callable[[pd.DataFrame], "pd.Series[bool]"]] = {
    "Not UTF-8": lambda table: ~table["valid_utf8"],
    "Unreachable": lambda table: table["unreachable"],
    CUT: lambda table: table["cut"],
    NEVER_USED: lambda table: table["uses"] == 0,
}
FILES: Mapping[FileForm, str] = {"CSV": "text/csv", "JSON": "application/json"}
SORTS = {
    "merged": "Merged tokens, most used first",
    "uses": "Use in the corpus, most first",
    "length": "Length, longest first",
    "id": "Id",
}


def filtered(state: Session, table: pd.DataFrame) -> pd.DataFrame:
    """Show the filters; return the rows that match them and the search, sorted."""
    fields = state.pages.of(VocabularyState)
    masks = _masks(table)
    fields.filters = tuple(
        st.pills(
            "Only",
            list(masks),
            selection_mode="multi",
            default=[name for name in fields.filters if name in masks],
            key="vocabulary_filters",
            format_func=lambda name: f"{name} {int(masks[name].sum()):,}",
            label_visibility="collapsed",
        )
    )
    wanted = search(table, fields.search)
    kinds = [masks[name] for name in fields.filters if name in _KINDS]
    if kinds:
        wanted &= np.logical_or.reduce(kinds)
    for name in fields.filters:
        if name in _PROPERTIES:
            wanted &= masks[name]
    return _sorted(table[wanted], fields.sort)


def _sorted(chosen: pd.DataFrame, sort: str) -> pd.DataFrame:
    if sort == "id":
        return chosen
    if sort != "merged":
        return chosen.sort_values(sort, ascending=False, kind="stable")
    chosen = chosen.sort_values("uses", ascending=False, kind="stable")
    return chosen.sort_values("kind", key=lambda kind: kind != "merged", kind="stable")


def _masks(table: pd.DataFrame) -> dict[str, Mask]:
    """Return the rows that match each filter; there is no filter by uses if these couldn't be counted."""
    masks = {name: (table["kind"] == kind).to_numpy(bool) for name, kind in _KINDS.items()}
    for name, has in _PROPERTIES.items():
        if name != NEVER_USED or not table["uses"].isna().any():
            masks[name] = has(table).to_numpy(bool)
    return {name: mask for name, mask in masks.items() if name != WHOLE or mask.any()}


def rows(state: Session, side: Side, chosen: pd.DataFrame) -> None:
    """Show the table; a picked row is shown in detail."""
    if chosen.empty:
        st.info("No token matches. Change the search or the filters.", icon=":material/search_off:")
        return
    fields = state.pages.of(VocabularyState)
    most = MOST_TO_TICK if fields.panel == DROP else limits().max_table_rows
    total, chosen = len(chosen), _fitting(chosen, most)
    if len(chosen) < total:
        st.caption(f"The table shows the first {len(chosen):,} rows in this order. Search finds the others.")
    shown = fields.search, fields.filters, fields.sort, fields.finding
    key = f"vocabulary-{side.key}-{state.shown}-{'-'.join(map(str, shown))}"
    show_table(
        pd.DataFrame(
            {
                "id": chosen["id"],
                "token": chosen["text"].str.slice(stop=CHARACTERS_IN_A_CELL),
                "uses": chosen["uses"],
                "length": chosen["length"],
                "merge": chosen["rank"] + 1,
                "kind": chosen["kind"],
                "bytes": chosen["token"].map(partial(hex_bytes, limit=BYTES_IN_A_CELL)),
            }
        ),
        key,
        height=TABLE_HEIGHT,
        on_pick=partial(_pick, side.key, chosen["id"].to_numpy()),
        several=fields.panel == DROP,
        columns={
            "id": st.column_config.NumberColumn(format="%d", width="small"),
            "length": st.column_config.NumberColumn("length in bytes", width="small"),
            "merge": localized(width="small"),
            "uses": localized(width="small"),
        },
    )


def _fitting(chosen: pd.DataFrame, most: int) -> pd.DataFrame:
    """Return the first rows: as many as the table takes, and as one message to the browser may hold."""
    chosen = chosen.head(most)
    texts = 4 * chosen["text"].str.len().clip(upper=CHARACTERS_IN_A_CELL)
    sizes = ROW_BYTES + texts + 3 * chosen["length"].clip(upper=BYTES_IN_A_CELL)
    room = MESSAGE_SHARE * 1_000_000 * float(st.get_option("server.maxMessageSize"))
    return chosen.iloc[: int((sizes.cumsum() <= room).sum())]


def _pick(side_key: str, ids: npt.NDArray[np.int64], rows: list[int]) -> None:
    session().pages.of(VocabularyState).picked = side_key, tuple(ids[rows].tolist())


def picked_ids(fields: VocabularyState, side: Side, chosen: pd.DataFrame) -> list[int]:
    """Return the ids of the picked tokens that a row still has; of the only one if a single row is left."""
    if len(chosen) == 1:
        return chosen["id"].tolist()
    key, ids = fields.picked
    return chosen["id"][chosen["id"].isin(ids)].tolist() if key == side.key else []


def downloads(side: Side, chosen: pd.DataFrame) -> None:
    """Show the download buttons: the rows on show with all columns, written at a click."""
    if chosen.empty:
        return
    size = int(chosen["length"].sum())
    if size > limits().max_download_bytes:
        st.caption(
            f"These tokens have {size:,} bytes, too many to save. The limit is "
            f"{limits().max_download_bytes:,}. Search or filter for fewer."
        )
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        for form, mime in FILES.items():
            export_button(
                f"Save {counted(len(chosen), 'row')} as {form}",
                made_once(partial(write_rows, chosen, form)),
                f"vocabulary-{side.key}.{form.lower()}",
                mime,
                key=f"vocabulary_{form}",
            )
