"""The vocabulary page: search, filter and sort the tokens of a tokenizer, and see how one is made."""

import csv
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import streamlit as st

from bpeviz.analysis.vocabulary import merge_tree, occurs_in_utf8, search, token_uses, vocabulary_table
from bpeviz.analysis.vocabulary_structure import VocabularyStructure, vocabulary_structure
from bpeviz.errors import BpevizError, CorpusError
from bpeviz.limits import limits
from bpeviz.runs.run import NamedText
from bpeviz.runs.samples import read_sample
from bpeviz.spreadsheet import token_cell
from bpeviz.text.token_text import hex_bytes, visible
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.ui.kit.drop_zone import take_tokenizer, taken_files
from bpeviz.ui.kit.messages import TooLongError, check_length, kept
from bpeviz.ui.kit.pick_side import pick_side
from bpeviz.ui.kit.table import localized, show_table
from bpeviz.ui.kit.tokenizer_sources import Side
from bpeviz.ui.kit.words import escape, show_error
from bpeviz.ui.session.session import Session, session
from bpeviz.ui.session.session_cache import session_cache, tokenizer_number
from bpeviz.ui.vocabulary.state import VocabularyState
from bpeviz.ui.vocabulary.structure_panel import structure_panel
from bpeviz.words import counted

__all__ = ["vocabulary_page"]

FALLBACK_TEXT = "English prose"
TABLE_HEIGHT = 470
BYTES_IN_A_CELL, BYTES_IN_DETAIL = 60, 120
CUT, NEVER_USED = "Cut by the split pattern", "Never used in the corpus"

Mask = npt.NDArray[np.bool_]

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
_SORTS = {
    "merged": "Merged tokens, most used first",
    "uses": "Use in the corpus, most first",
    "length": "Length, longest first",
    "id": "Id",
}
#: What the tokens of each kind are, after their number.
_KINDS_SAID = {
    "merged": "made by merges",
    "base": "base symbols",
    "special": "special",
    "whole": "only as whole pre-tokens",
    "unused": "that nothing makes",
}


def vocabulary_page() -> None:
    """Draw the page for this session."""
    state = session()
    taken_files(
        state,
        "Drop a tokenizer to see its vocabulary",
        partial(_take, state),
        page="vocabulary",
        most_bytes=limits().max_upload_bytes,
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        side = pick_side(state, "Tokenizer", "vocabulary")
        if side is None:
            return
        fields = state.pages.of(VocabularyState)
        query = st.text_input(
            "Search", fields.search, key="vocabulary_search", placeholder="␣the, 262 or 0xE381"
        )
        fields.search = kept(query, fields.search)
        fields.sort = st.selectbox(
            "Sort by",
            list(_SORTS),
            list(_SORTS).index(fields.sort),
            key="vocabulary_sort",
            format_func=_SORTS.__getitem__,
            width=290,
        )
    try:
        check_length("What to search for", query, limits().max_search_characters)
    except TooLongError as error:
        show_error(error)
        return
    corpus = state.run.corpus if state.run else NamedText(FALLBACK_TEXT, read_sample(FALLBACK_TEXT))
    table = _table(side, corpus)
    if table is None:
        return
    chosen = _filtered(state, table)
    _say_what_is_shown(table, chosen, corpus)
    left, right = st.columns([3, 2], gap="medium")
    with left:
        _rows(state, side, chosen)
        _downloads(side, chosen)
    with right:
        if not _details(state, side, chosen) and not chosen.empty:
            structure_panel(_structure(state, side, corpus, chosen))


def _take(state: Session, files: Mapping[str, bytes]) -> None:
    """Show a dropped tokenizer. Raises BpevizError if the files are none."""
    if (taken := take_tokenizer(files)) is None:
        raise CorpusError("This page takes tokenizer files. Drop a text on Watch, Encode or Compare.")
    state.tokenizers.picked["vocabulary"] = state.tokenizers.add(*taken)


def _table(side: Side, corpus: NamedText) -> pd.DataFrame | None:
    """Return the vocabulary with its ``uses``, which are <NA> if the tokenizer can't encode the corpus; None
    if the table can't be made. Shows the error in both cases."""
    with st.spinner("Reading the vocabulary …", show_time=True):
        number = tokenizer_number(side.tokenizer)
        vocabulary = session_cache().get(("vocabulary", number), lambda: _vocabulary(side.tokenizer))
        if isinstance(vocabulary, str):
            show_error(vocabulary)
            return None
        uses = session_cache().get(("uses", number, corpus.text), lambda: _uses(side.tokenizer, corpus.text))
    if isinstance(uses, str):
        show_error(f"Can't count uses in {corpus.name}. {uses}")
        return vocabulary.assign(uses=pd.array([None] * len(vocabulary), "Int64"))
    return vocabulary.assign(uses=pd.array(uses, "Int64"))


def _vocabulary(tokenizer: Tokenizer) -> pd.DataFrame | str:
    """Return the table, or the error if the split pattern takes too long on the tokens. Reruns share the
    table: do not change it."""
    try:
        return vocabulary_table(tokenizer)
    except BpevizError as error:
        return str(error)


def _uses(tokenizer: Tokenizer, text: str) -> npt.NDArray[np.int64] | str:
    """How often the text uses each token, or the error if it can't be encoded."""
    try:
        return token_uses(tokenizer, text)
    except BpevizError as error:
        return str(error)


def _filtered(state: Session, table: pd.DataFrame) -> pd.DataFrame:
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


def _say_what_is_shown(table: pd.DataFrame, chosen: pd.DataFrame, corpus: NamedText) -> None:
    total = f"{len(table):,}" if len(chosen) == len(table) else f"{len(chosen):,} of {len(table):,}"
    of_kind = chosen["kind"].value_counts()
    kinds = [f"{of_kind[kind]:,} {said}" for kind, said in _KINDS_SAID.items() if kind in of_kind]
    rows = f"{total} tokens{': ' if kinds else ''}{', '.join(kinds)}."
    uses = f"Uses are counted in {corpus.name}, {corpus.byte_total:,} bytes, encoded with all merges."
    st.caption(escape(f"{rows} {uses}"))


def _rows(state: Session, side: Side, chosen: pd.DataFrame) -> None:
    """Show the table; a picked row is shown in detail."""
    if chosen.empty:
        st.info("No token matches. Change the search or the filters.", icon=":material/search_off:")
        return
    fields = state.pages.of(VocabularyState)
    key = f"vocabulary-{side.key}-{state.shown}-{fields.search}-{fields.filters}-{fields.sort}"
    show_table(
        pd.DataFrame(
            {
                "id": chosen["id"],
                "token": chosen["text"],
                "uses": chosen["uses"],
                "length": chosen["length"],
                "merge": chosen["rank"] + 1,
                "kind": chosen["kind"],
                "bytes": chosen["token"].map(partial(hex_bytes, limit=BYTES_IN_A_CELL)),
            }
        ),
        key,
        height=TABLE_HEIGHT,
        on_row=partial(_look_at, side.key, chosen["id"].to_numpy()),
        columns={
            "id": st.column_config.NumberColumn(format="%d", width="small"),
            "length": st.column_config.NumberColumn("length in bytes", width="small"),
            "merge": localized(width="small"),
            "uses": localized(width="small"),
        },
    )


def _look_at(side_key: str, ids: npt.NDArray[np.int64], row: int | None) -> None:
    session().pages.of(VocabularyState).token = None if row is None else (side_key, int(ids[row]))


def _downloads(side: Side, chosen: pd.DataFrame) -> None:
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
        for name, mime, write in (("CSV", "text/csv", _csv), ("JSON", "application/json", _json)):
            st.download_button(
                f"Save {counted(len(chosen), 'row')} as {name}",
                partial(write, chosen),
                f"vocabulary-{side.key}.{name.lower()}",
                mime,
                key=f"vocabulary_{name}",
                icon=":material/download:",
                on_click="ignore",
            )


def _exported(chosen: pd.DataFrame) -> pd.DataFrame:
    """Return the table for files: the text unchanged, bytes in hexadecimal, ranks from 0."""
    texts = [
        token.decode("utf-8") if valid else None
        for token, valid in zip(chosen["token"], chosen["valid_utf8"], strict=True)
    ]
    return pd.DataFrame(
        {
            "id": chosen["id"],
            "text": pd.Series(texts, index=chosen.index, dtype=object),
            "bytes": chosen["token"].map(hex_bytes),
            **{name: chosen[name] for name in ("length", "kind", "rank", "left", "right", "uses")},
            **{name: chosen[name] for name in ("valid_utf8", "unreachable", "cut")},
        }
    )


def _csv(chosen: pd.DataFrame) -> str:
    table = _exported(chosen)
    table["text"] = table["text"].map(token_cell, na_action="ignore")
    # quoted, because a carriage return in a text would end its row
    return table.to_csv(index=False, quoting=csv.QUOTE_NONNUMERIC)


def _json(chosen: pd.DataFrame) -> str:
    return str(_exported(chosen).to_json(orient="records", force_ascii=False))


def _structure(state: Session, side: Side, corpus: NamedText, chosen: pd.DataFrame) -> VocabularyStructure:
    """Describe the rows on show, once for each choice of them; the corpus decides their order."""
    fields, number = state.pages.of(VocabularyState), tokenizer_number(side.tokenizer)
    key = "structure", number, corpus.text, fields.search, fields.filters, fields.sort
    return session_cache().get(key, lambda: vocabulary_structure(chosen))


def _details(state: Session, side: Side, chosen: pd.DataFrame) -> bool:
    """Show the only token that is left, or else the picked one, in detail. Returns False if there is none."""
    token_id = _looked_at(state, side, chosen)
    if token_id is None:
        if not chosen.empty:
            st.caption("Pick a row to see how its token is made, merge by merge.")
        return False
    token = chosen[chosen["id"] == token_id].iloc[0]
    with st.container(border=True):
        st.markdown(f"**{escape(visible(token['token'], 200)) or 'the empty token'}**")
        st.caption(escape(_told(token)))
        st.code(hex_bytes(token["token"], BYTES_IN_DETAIL), language=None, wrap_lines=True)
        st.caption("How it is made:" if token["kind"] == "merged" else "No merge makes it:")
        st.code("\n".join(merge_tree(side.tokenizer, token_id)), language=None)
    return True


def _looked_at(state: Session, side: Side, chosen: pd.DataFrame) -> int | None:
    """Return the id of the token to show; None if no row has the picked one any more."""
    if len(chosen) == 1:
        return int(chosen["id"].iloc[0])
    picked = state.pages.of(VocabularyState).token
    if picked is not None and picked[0] == side.key and (chosen["id"] == picked[1]).any():
        return picked[1]
    return None


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
