"""The tables and the chart of all tokenizers: a row of metrics for each, and what each text costs each."""

from collections.abc import Iterator, Sequence
from typing import LiteralString

import pandas as pd
import streamlit as st

from bpeviz.analysis.tokenizer_metrics import Measured
from bpeviz.charts.relative_cost import RelativeCost, relative_cost_chart
from bpeviz.ui.compare.several_texts import Part
from bpeviz.ui.kit.parts import chart_export
from bpeviz.ui.kit.plot import plot, text_color
from bpeviz.ui.kit.table import csv_button, localized, show_table
from bpeviz.ui.kit.words import show_explained

__all__ = ["cost_chart", "metrics_table", "texts_table"]

CHART = "Tokens relative to one tokenizer"
_TITLES = {
    "vocab_size": "vocabulary",
    "tokens": "tokens",
    "bytes_per_token": "bytes per token",
    "tokens_per_word": "tokens per word",
    "share_of_whole_words": "words kept whole",
    "normalized_length": "NSL",
    "renyi_efficiency": "Rényi efficiency",
    "share_of_vocabulary": "vocabulary used",
}
_DEFINITIONS: LiteralString = (
    "Words lie between white space; each is encoded alone. "
    "Tokens per word: also called [[fertility]]. "
    "Words kept whole: the share with one token, also called [[STRR]]. "
    "[[NSL]]: tokens relative to {baseline}. "
    "[[Rényi efficiency]] (α = 2.5): 1 if all tokens occur equally often."
)


def metrics_table(measured: Sequence[Measured], baseline: Measured) -> None:
    """Show a row of metrics for each tokenizer; without those that can't be computed."""
    rows = [{"tokenizer": each.name, **each.figures(baseline)} for each in measured]
    table = pd.DataFrame(rows, columns=["tokenizer", *_TITLES])
    table = table.astype({"vocab_size": "Int64", "tokens": "Int64"})
    if any(each.note for each in measured):
        table["note"] = [each.note for each in measured]
    show_explained(_DEFINITIONS, baseline=baseline.name)
    show_table(table, "several_table", height=320, columns=_metrics_columns())
    csv_button("Metrics", table.rename(columns=_TITLES), "tokenizer", "note", file="bpeviz-tokenizers.csv")


def _metrics_columns() -> dict[str, object]:
    formats = {
        **dict.fromkeys(("vocab_size", "tokens"), "localized"),
        **dict.fromkeys(("share_of_whole_words", "share_of_vocabulary"), "percent"),
    }
    return {
        "tokenizer": st.column_config.TextColumn(pinned=True),
        **{
            name: st.column_config.NumberColumn(title, format=formats.get(name, "%.3f"))
            for name, title in _TITLES.items()
        },
    }


def texts_table(measured: Sequence[Measured], baseline: Measured, parts: Sequence[Part]) -> None:
    """Show a row for each text: its tokens, their ratio to those of the ``baseline``, and how many there are
    for 100 characters."""
    titles = _text_titles(measured, baseline)
    table = _text_frame(measured, baseline, parts)
    whole = {name: localized(title) for name, title in titles.items() if name.startswith("tokens")}
    show_table(
        table,
        "several_texts",
        height=520,
        columns={
            "text": st.column_config.TextColumn(pinned=True),
            **{name: localized() for name in ("bytes", "characters")},
            **{name: st.column_config.NumberColumn(title, format="%.2f") for name, title in titles.items()},
            **whole,
        },
    )
    csv_button("Texts", table.rename(columns=titles), "text", "note", file="bpeviz-texts.csv")


def _text_titles(measured: Sequence[Measured], baseline: Measured) -> dict[str, str]:
    """Return the headings by column; a person's tokenizer may be called like another column."""
    places = list(enumerate(measured))
    return {
        **{f"tokens {place}": f"{each.name}: tokens" for place, each in places},
        **{f"ratio {place}": f"{each.name} / {baseline.name}" for place, each in places if each != baseline},
        **{f"per 100 {place}": f"{each.name}: per 100 characters" for place, each in places},
    }


def _text_frame(measured: Sequence[Measured], baseline: Measured, parts: Sequence[Part]) -> pd.DataFrame:
    table = pd.DataFrame(
        {
            "text": [part.name for part in parts],
            "bytes": [part.byte_total for part in parts],
            "characters": [part.character_total for part in parts],
        }
    )
    places = list(enumerate(measured))
    for place, each in places:
        table[f"tokens {place}"] = pd.array(each.tokens, "Int64")
    for place, each in places:
        if each != baseline:
            table[f"ratio {place}"] = pd.array(each.ratios(baseline), "Float64")
    for place, _ in places:
        table[f"per 100 {place}"] = 100 * table[f"tokens {place}"] / table["characters"].clip(lower=1)
    notes = [" ".join(_notes(measured, place)) for place in range(len(parts))]
    if any(notes):
        table["note"] = notes
    return table


def _notes(measured: Sequence[Measured], place: int) -> Iterator[str]:
    """Say why some can't encode a text."""
    for each in measured:
        if isinstance(why := each.texts[place], str):
            yield f"{each.name}: {why}"


def cost_chart(measured: Sequence[Measured], baseline: Measured, parts: Sequence[Part]) -> None:
    """Show what each text costs, relative to the ``baseline``."""
    tokens = [each.tokens for each in measured]
    ratios = [each.ratios(baseline) for each in measured]
    costs = zip(parts, zip(*tokens, strict=True), zip(*ratios, strict=True), strict=True)
    figure = relative_cost_chart(
        [RelativeCost(part.name, *cost) for part, *cost in costs],
        names=[each.name for each in measured],
        baseline=baseline.name,
        text_color=text_color(),
    )
    plot(figure, key="several_chart", name=CHART)
    chart_export(CHART, key="several_chart_export")
