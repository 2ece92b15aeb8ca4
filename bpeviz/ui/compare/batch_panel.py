"""Many texts: how many tokens each takes with two tokenizers, as a table, a chart and a sentence."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pandas as pd
import streamlit as st

from bpeviz.charts.batch import TextCost, batch_chart
from bpeviz.core.gap_ranks import token_total
from bpeviz.errors import BpevizError
from bpeviz.limits import limits
from bpeviz.runs.language_cost import dearest_language
from bpeviz.runs.run import NamedText
from bpeviz.runs.samples import SAMPLES, STANDARD_LIBRARY, read_sample
from bpeviz.spreadsheet import plain_csv
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.ui.compare.changes_panel import changes_panel
from bpeviz.ui.compare.state import BATCH_SOURCES, BatchFields, CompareState
from bpeviz.ui.kit.messages import decoded
from bpeviz.ui.kit.pick_side import SIDE_LETTERS, named_side
from bpeviz.ui.kit.plot import plot, text_color
from bpeviz.ui.kit.table import localized, show_table
from bpeviz.ui.kit.tokenizer_sources import Side
from bpeviz.ui.kit.words import escape, show_error
from bpeviz.ui.session.session import session
from bpeviz.ui.session.session_cache import session_cache, tokenizer_number

if TYPE_CHECKING:
    from bpeviz.ui.server.streamlit_internals import UploadedFile

__all__ = ["batch_panel", "batch_texts"]

MOST_FILES = 50
SIDES = ("left", "right")


@dataclass(frozen=True)
class Row:
    """A text and its token count on each side; None if that side can't encode it, and ``notes`` say why."""

    text: NamedText
    tokens: tuple[int | None, int | None]
    notes: tuple[str, ...]

    def per_100_characters(self, side: int) -> float | None:
        tokens = self.tokens[side]
        return None if tokens is None else 100 * tokens / max(1, len(self.text.text))


def batch_panel(left: Side, left_merges: int, right: Side, right_merges: int) -> None:
    """Compare both sides, each after so many of its merges."""
    fields = session().pages.of(CompareState).batch
    with st.container(border=True):
        st.markdown("**Many texts**")
        texts = batch_texts(fields)
        if not texts:
            return
        sides = ((left, left_merges), (right, right_merges))
        with st.spinner("Encoding …", show_time=True):
            rows = [_row(text, sides) for text in texts]
        for slot, (side, num_merges) in zip(SIDES, sides, strict=True):
            if sentence := dearest_language(texts, side.tokenizer, num_merges):
                st.markdown(f"{named_side(slot, side.name)}: {escape(sentence)}")
        chart, table = st.columns(2, gap="medium")
        with chart:
            _chart(rows, left, right)
        with table:
            _table(rows, left, right)
        fields.with_words = st.toggle("List the words that change", fields.with_words, key="batch_words")
        if fields.with_words:
            changes_panel(texts, sides)


def batch_texts(fields: BatchFields) -> list[NamedText]:
    """Show the fields that choose several texts; return the texts."""
    fields.source = st.segmented_control(
        "Texts",
        BATCH_SOURCES,
        default=fields.source,
        key="batch_source",
        required=True,
        label_visibility="collapsed",
    )
    return _samples(fields) if fields.source == "All samples" else _uploads(fields)


def _samples(fields: BatchFields) -> list[NamedText]:
    fields.with_library = st.toggle(
        "Add 1 MB of Python’s standard library", fields.with_library, key="batch_library"
    )
    return [
        NamedText(sample.title, read_sample(sample.title))
        for sample in SAMPLES.values()
        if sample is not STANDARD_LIBRARY or fields.with_library
    ]


def _uploads(fields: BatchFields) -> list[NamedText]:
    """Show the upload field; return the texts of readable files, show why others aren't."""
    st.file_uploader(
        f"Text files in UTF-8: up to {MOST_FILES}, {limits().max_text_megabytes} MB together",
        accept_multiple_files=True,
        key="batch_files",
        max_upload_size=max(1, limits().max_text_megabytes),
        on_change=_take_files,
    )
    for why in fields.refused:
        show_error(why)
    if not fields.uploaded:
        st.info(
            "Choose text files, such as one for each language. Each gets a row and two bars.",
            icon=":material/upload_file:",
        )
    return fields.uploaded


def _take_files() -> None:
    """Keep the files' texts: the field forgets its files when the person leaves the page."""
    fields = session().pages.of(CompareState).batch
    fields.uploaded, fields.refused = _read(st.session_state["batch_files"])


def _read(files: "Iterable[UploadedFile]") -> tuple[list[NamedText], list[str]]:
    """Return the texts of the files that can be read, and the reason for each of the others."""
    texts: list[NamedText] = []
    refused: list[str] = []
    size = 0
    for file in files:
        if len(texts) == MOST_FILES or size + file.size > limits().max_text_bytes:
            refused.append(
                f"{file.name} wasn't added. Up to {MOST_FILES} files and "
                f"{limits().max_text_megabytes} MB fit. Remove another file, or compare "
                "this one alone."
            )
            continue
        try:
            texts.append(NamedText(file.name, decoded(file.getvalue(), file.name, "strict")))
        except BpevizError as error:
            refused.append(str(error))
        else:
            size += file.size
    return texts, refused


def _row(text: NamedText, sides: Sequence[tuple[Side, int]]) -> Row:
    tokens: list[int | None] = []
    notes: list[str] = []
    for side, num_merges in sides:
        key = "token totals", tokenizer_number(side.tokenizer), text.text
        totals = session_cache().get(key, partial(_totals, side.tokenizer, text.text))
        if isinstance(totals, str):
            tokens.append(None)
            notes.append(f"{side.name}: {totals}")
        else:
            tokens.append(totals.after(num_merges))
    return Row(text, (tokens[0], tokens[1]), tuple(notes))


def _totals(tokenizer: Tokenizer, text: str) -> "_Totals | str":
    """How many tokens the text has, or why it can't be encoded."""
    try:
        encoded = tokenizer.encode_text(text)
    except BpevizError as error:
        return str(error)
    gap_ranks = np.r_[encoded.gap_ranks, encoded.hidden_ranks]
    closing = gap_ranks[(gap_ranks >= 0) & (gap_ranks < len(tokenizer.merges))]
    ranks, closed = np.unique(closing, return_counts=True)
    return _Totals(token_total(gap_ranks, 0), ranks, np.cumsum(closed))


@dataclass(frozen=True, eq=False)
class _Totals:
    """A text's token counts: ``at_first`` before any merge; each of the ``ranks`` that close gaps in it, and
    how many gaps are ``closed`` up to that rank. This is small for a short text, whatever the tokenizer."""

    at_first: int
    ranks: npt.NDArray[np.int32]
    closed: npt.NDArray[np.int64]

    def after(self, num_merges: int) -> int:
        made = int(np.searchsorted(self.ranks, num_merges))
        return self.at_first - (int(self.closed[made - 1]) if made else 0)


def _chart(rows: Sequence[Row], left: Side, right: Side) -> None:
    st.caption("Tokens per 100 characters, the most expensive text first.")
    costs = [TextCost(row.text.name, row.per_100_characters(0), row.per_100_characters(1)) for row in rows]
    plot(
        batch_chart(costs, names=(left.name, right.name), text_color=text_color()),
        key="batch_chart",
        name="Tokens per 100 characters",
    )


def _table(rows: Sequence[Row], left: Side, right: Side) -> None:
    table = _frame(rows)
    st.caption("Per 100: tokens per 100 characters.")
    show_table(
        table,
        "batch_table",
        height=520,
        columns={
            **{name: localized() for name in ("bytes", "characters")},
            **{
                name: st.column_config.NumberColumn(title, format="localized" if name in SIDES else "%.2f")
                for name, title in _titles(SIDE_LETTERS["left"], SIDE_LETTERS["right"], "per 100").items()
            },
        },
    )
    st.download_button(
        "Download as CSV",
        plain_csv(table.rename(columns=_titles(left.name, right.name)), "text", "note"),
        "bpeviz-texts.csv",
        "text/csv",
        key="batch_csv",
        icon=":material/download:",
        on_click="ignore",
    )


def _titles(left: str, right: str, per: str = "per 100 characters") -> dict[str, str]:
    """Return the headings; with a short ``per`` all columns fit on a laptop."""
    return {
        "left": f"{left}: tokens",
        "right": f"{right}: tokens",
        "left per 100": f"{left}: {per}",
        "right per 100": f"{right}: {per}",
        "ratio": f"{left} / {right}",
    }


def _frame(rows: Sequence[Row]) -> pd.DataFrame:
    left, right = (pd.array([row.tokens[side] for row in rows], "Int64") for side in (0, 1))
    table = pd.DataFrame(
        {
            "text": [row.text.name for row in rows],
            "bytes": [row.text.byte_total for row in rows],
            "characters": [len(row.text.text) for row in rows],
            "left": left,
            "right": right,
            "left per 100": pd.array([row.per_100_characters(0) for row in rows], "Float64"),
            "right per 100": pd.array([row.per_100_characters(1) for row in rows], "Float64"),
        }
    )
    table["ratio"] = table["left"] / table["right"].mask(table["right"] == 0)
    if any(row.notes for row in rows):
        table["note"] = [" ".join(row.notes) for row in rows]
    return table
