"""The vocabulary page: search, filter and sort the tokens of a tokenizer, and see how one is made."""

from collections.abc import Mapping
from functools import partial

import numpy as np
import numpy.typing as npt
import pandas as pd
import streamlit as st

from bpeviz.analysis.vocabulary import token_uses, vocabulary_table
from bpeviz.analysis.vocabulary_structure import VocabularyStructure, vocabulary_structure
from bpeviz.errors import BpevizError, CorpusError
from bpeviz.limits import limits
from bpeviz.runs.run import NamedText
from bpeviz.runs.samples import read_sample
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.ui.kit.drop_zone import take_tokenizer, taken_files
from bpeviz.ui.kit.messages import TooLongError, check_length, kept
from bpeviz.ui.kit.pick_side import pick_side
from bpeviz.ui.kit.tokenizer_sources import Side
from bpeviz.ui.kit.words import escape, show_error
from bpeviz.ui.session.session import Session, session
from bpeviz.ui.session.session_cache import session_cache, tokenizer_number
from bpeviz.ui.vocabulary.audit_panel import audit_panel, rows_of_finding
from bpeviz.ui.vocabulary.drop_panel import drop_panel
from bpeviz.ui.vocabulary.rows import SORTS, downloads, filtered, picked_ids, rows
from bpeviz.ui.vocabulary.state import AUDIT, DROP, GLANCE, PANELS, VocabularyState
from bpeviz.ui.vocabulary.structure_panel import structure_panel
from bpeviz.ui.vocabulary.token_details import details

__all__ = ["vocabulary_page"]

FALLBACK_TEXT = "English prose"

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
    with st.container(horizontal=True, vertical_alignment="center", key="vocabulary_head"):
        with st.container(width=260):
            side = pick_side(state, "Tokenizer", "vocabulary")
        if side is None:
            return
        fields = state.pages.of(VocabularyState)
        query = st.text_input(
            "Search", fields.search, key="vocabulary_search", placeholder="Search: ␣the, 262 or 0xE381"
        )
        fields.search = kept(query, fields.search)
        fields.sort = st.selectbox(
            "Sort by",
            list(SORTS),
            list(SORTS).index(fields.sort),
            key="vocabulary_sort",
            format_func=SORTS.__getitem__,
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
    chosen = filtered(state, table)
    said = st.container()
    left, right = st.columns([3, 2], gap="medium")
    with right:
        details_place, panel_place = st.container(), st.container()
    with panel_place:
        found = audit_panel(state, side, corpus) if _open_panel(fields) == AUDIT else None
    if found is not None:
        chosen = rows_of_finding(fields, found, chosen)
    with said:
        _say_what_is_shown(table, chosen, corpus)
    with left:
        rows(state, side, chosen)
        downloads(side, chosen)
    picked = picked_ids(fields, side, chosen)
    with details_place:
        details(side, chosen, picked, corpus)
    with panel_place:
        if fields.panel == DROP:
            drop_panel(state, side, chosen, picked, corpus)
        elif fields.panel == GLANCE and not picked and not chosen.empty:
            structure_panel(_structure(state, side, corpus, chosen))


def _open_panel(fields: VocabularyState) -> str:
    """Show the tabs of the panels beside the table; return which is open."""
    if "vocabulary_panels" not in st.session_state:
        st.session_state["vocabulary_panels"] = fields.panel
    tabs = st.tabs(list(PANELS), key="vocabulary_panels", on_change="rerun")
    fields.panel = next(panel for panel, tab in zip(PANELS, tabs, strict=True) if tab.open)
    return fields.panel


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


def _say_what_is_shown(table: pd.DataFrame, chosen: pd.DataFrame, corpus: NamedText) -> None:
    total = f"{len(table):,}" if len(chosen) == len(table) else f"{len(chosen):,} of {len(table):,}"
    of_kind = chosen["kind"].value_counts()
    kinds = [f"{of_kind[kind]:,} {said}" for kind, said in _KINDS_SAID.items() if kind in of_kind]
    rows = f"{total} tokens{': ' if kinds else ''}{', '.join(kinds)}."
    uses = f"Uses are counted in {corpus.name}, {corpus.byte_total:,} bytes, encoded with all merges."
    st.caption(escape(f"{rows} {uses}"))


def _structure(state: Session, side: Side, corpus: NamedText, chosen: pd.DataFrame) -> VocabularyStructure:
    """Describe the rows on show, once for each choice of them; the corpus decides their order."""
    fields, number = state.pages.of(VocabularyState), tokenizer_number(side.tokenizer)
    key = "structure", number, corpus.text, fields.search, fields.filters, fields.sort
    return session_cache().get(key, lambda: vocabulary_structure(chosen))
