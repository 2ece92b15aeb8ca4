"""All tokenizers of the page: a table of metrics, a chart of what texts cost, and one line cut by each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import LiteralString

import pandas as pd
import streamlit as st

from bpeviz.analysis.tokenizer_metrics import TokenizerMetrics, tokenizer_metrics, total_metrics
from bpeviz.browser.aligned_rows import AlignedRows, aligned_rows, pack_rows
from bpeviz.charts.relative_cost import RelativeCost, relative_cost_chart
from bpeviz.errors import BpevizError
from bpeviz.runs.parallel_sample import LANGUAGES, parallel_sentences
from bpeviz.runs.run import NamedText
from bpeviz.spreadsheet import plain_csv
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.ui.compare.batch_panel import batch_texts
from bpeviz.ui.compare.state import MOST_TOKENIZERS, SEVERAL_SOURCES, CompareState, SeveralFields
from bpeviz.ui.kit.parts import chart_export, mount_rows
from bpeviz.ui.kit.pick_side import numbered_names
from bpeviz.ui.kit.plot import plot, text_color
from bpeviz.ui.kit.table import show_table
from bpeviz.ui.kit.tokenizer_sources import Side
from bpeviz.ui.kit.words import escape, show_explained
from bpeviz.ui.session.session import session
from bpeviz.ui.session.session_cache import session_cache, tokenizer_number

__all__ = ["several_panel"]

CHART = "Tokens relative to one tokenizer"
LINE_CHARACTERS = 200
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
    "Every tokenizer uses all its merges here. Words lie between white space; each is encoded alone. "
    "Tokens per word: also called [[fertility]]. "
    "Words kept whole: the share with one token, also called [[STRR]]. "
    "[[NSL]]: tokens relative to {baseline}. "
    "[[Rényi efficiency]] (α = 2.5): 1 if all tokens occur equally often."
)


@dataclass(frozen=True)
class Part:
    """Texts that are measured together, and have one row in the chart."""

    name: str
    texts: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Measured:
    """A side under its ``label``, and its metrics on each part, or a sentence that says why it has none."""

    label: str
    side: Side
    parts: tuple[TokenizerMetrics | str, ...]

    @property
    def total(self) -> TokenizerMetrics | None:
        """The metrics on all parts together; None if a part can't be encoded."""
        known = [part for part in self.parts if not isinstance(part, str)]
        return total_metrics(known) if len(known) == len(self.parts) else None

    @property
    def note(self) -> str:
        """Why a part can't be encoded."""
        return next((part for part in self.parts if isinstance(part, str)), "")


def several_panel(sides: Sequence[Side], text: NamedText) -> None:
    """Compare the page's tokenizers with all their merges, at first on the page's text."""
    fields = session().pages.of(CompareState).saved.several
    with st.container(border=True):
        if len(sides) < MOST_TOKENIZERS:
            st.caption(f"“Add a tokenizer” above compares up to {MOST_TOKENIZERS}.")
        labels = numbered_names({side.key: side.name for side in sides})
        labelled = {labels[side.key]: side for side in sides}
        parts = _parts(fields, text)
        if not parts:
            return
        baseline = _baseline(fields, labelled)
        measured = [_measure(label, side, parts) for label, side in labelled.items()]
        _table(measured, baseline)
        if len(parts) > 1:
            _chart(measured, baseline, parts)
        _line(fields, labelled, parts)


def _parts(fields: SeveralFields, text: NamedText) -> list[Part]:
    fields.source = st.segmented_control(
        "Which text?",
        SEVERAL_SOURCES,
        default=fields.source,
        key="several_source",
        format_func=lambda source: f"{len(LANGUAGES)} languages" if source == "Parallel sample" else source,
        required=True,
    )
    match fields.source:
        case "This text":
            return [Part(text.name, (text.text,))]
        case "Many texts":
            return [
                Part(each.name, (each.text,)) for each in batch_texts(session().pages.of(CompareState).batch)
            ]
        case "Parallel sample":
            scripts = len({language.script for language in LANGUAGES.values()})
            st.caption(f"The same 12 sentences in {len(LANGUAGES)} languages and {scripts} scripts.")
            return [Part(language.name, parallel_sentences(code)) for code, language in LANGUAGES.items()]


def _baseline(fields: SeveralFields, sides: Mapping[str, Side]) -> str:
    """Show the field that picks the tokenizer to measure against; return its label."""
    keys = {side.key: label for label, side in sides.items()}
    chosen = list(keys).index(fields.baseline) if fields.baseline in keys else 0
    key = st.selectbox(
        "Compare with",
        list(keys),
        chosen,
        key=f"several_baseline-{'-'.join(keys)}",
        format_func=keys.__getitem__,
        width=340,
    )
    if key in keys and key != list(keys)[chosen]:
        fields.baseline = key
    return keys.get(key, next(iter(keys.values())))


def _measure(label: str, side: Side, parts: Sequence[Part]) -> Measured:
    with st.spinner(f"Measuring {escape(label)} …", show_time=True):
        return Measured(label, side, tuple(_cached_metrics(side.tokenizer, part.texts) for part in parts))


def _cached_metrics(tokenizer: Tokenizer, texts: tuple[str, ...]) -> TokenizerMetrics | str:
    key = "tokenizer metrics", tokenizer_number(tokenizer), texts
    return session_cache().get(key, partial(_metrics, tokenizer, texts))


def _metrics(tokenizer: Tokenizer, texts: tuple[str, ...]) -> TokenizerMetrics | str:
    try:
        return tokenizer_metrics(texts, tokenizer)
    except BpevizError as error:
        return str(error)


def _of(measured: Sequence[Measured], baseline: str) -> Measured:
    return next(each for each in measured if each.label == baseline)


def _table(measured: Sequence[Measured], baseline: str) -> None:
    table = _frame(measured, baseline)
    show_explained(_DEFINITIONS, baseline=baseline)
    show_table(table, "several_table", height=320, columns=_columns())
    st.download_button(
        "Download as CSV",
        plain_csv(table.rename(columns=_TITLES), "tokenizer", "note"),
        "bpeviz-tokenizers.csv",
        "text/csv",
        key="several_csv",
        icon=":material/download:",
        on_click="ignore",
    )


def _frame(measured: Sequence[Measured], baseline: str) -> pd.DataFrame:
    """Return a row of metrics for each tokenizer; without those that can't be computed."""
    of_baseline = _of(measured, baseline).total
    rows = []
    for each in measured:
        total = each.total
        figures = total.figures(of_baseline or total) if total else {}
        if of_baseline is None:
            figures.pop("normalized_length", None)
        rows.append({"tokenizer": each.label, **figures})
    table = pd.DataFrame(rows, columns=["tokenizer", *_TITLES])
    table = table.astype({"vocab_size": "Int64", "tokens": "Int64"})
    if any(each.note for each in measured):
        table["note"] = [each.note for each in measured]
    return table


def _columns() -> dict[str, object]:
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


def _chart(measured: Sequence[Measured], baseline: str, parts: Sequence[Part]) -> None:
    figure = relative_cost_chart(
        [_cost(place, part.name, measured, baseline) for place, part in enumerate(parts)],
        names=[each.label for each in measured],
        baseline=baseline,
        text_color=text_color(),
    )
    plot(figure, key="several_chart", name=CHART)
    chart_export(CHART, key="several_chart_export")


def _cost(place: int, name: str, measured: Sequence[Measured], baseline: str) -> RelativeCost:
    tokens = [_token_total(each.parts[place]) for each in measured]
    of_baseline = _token_total(_of(measured, baseline).parts[place])
    ratios = (count / of_baseline if count and of_baseline else None for count in tokens)
    return RelativeCost(name, tuple(tokens), tuple(ratios))


def _token_total(part: TokenizerMetrics | str) -> int | None:
    return None if isinstance(part, str) else part.token_total


def _line(fields: SeveralFields, sides: Mapping[str, Side], parts: Sequence[Part]) -> None:
    """Show one line of the texts as each tokenizer cuts it."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        part = parts[_pick_part(fields, parts)]
        lines = [line for text in part.texts for line in text.split("\n") if line.strip()]
        if not lines:
            st.caption("This text has no line to show. Pick another text.")
            return
        number = st.number_input(
            f"Line number (1 to {len(lines):,})",
            1,
            len(lines),
            max(1, min(fields.line, len(lines))),
            key=f"several_line-{fields.part}-{len(lines)}",
            width=160,
        )
    fields.line = max(1, min(number, len(lines)))
    line = lines[fields.line - 1]
    cut = f" Its first {LINE_CHARACTERS} characters." if len(line) > LINE_CHARACTERS else ""
    st.caption(
        f"One line, encoded alone. Underlined in orange: the tokenizers cut it in different ways.{cut}"
    )
    _rows(line[:LINE_CHARACTERS], sides)


def _pick_part(fields: SeveralFields, parts: Sequence[Part]) -> int:
    chosen = fields.part if fields.part < len(parts) else 0
    if len(parts) > 1:
        chosen = st.selectbox(
            "Text of the line",
            range(len(parts)),
            chosen,
            key=f"several_part-{fields.source}-{len(parts)}",
            format_func=lambda place: f"{place + 1}. {parts[place].name}",
            width=260,
        )
    fields.part = chosen if chosen in range(len(parts)) else 0
    return fields.part


def _rows(line: str, sides: Mapping[str, Side]) -> None:
    able: dict[str, Tokenizer] = {}
    for label, side in sides.items():
        try:
            side.tokenizer.encode(line)
        except BpevizError as error:
            st.caption(escape(f"{label} can't encode this line: {error}"))
        else:
            able[label] = side.tokenizer
    if able:
        aligned: AlignedRows = aligned_rows(line, list(able.values()))
        mount_rows(pack_rows(line, list(able), aligned), key="several_rows")
