"""All tokenizers of the page, on one text or many: metrics, what each text costs, the words that change, and
one line cut by each."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from bpeviz.analysis.tokenizer_metrics import Measured, TokenizerMetrics, tokenizer_metrics
from bpeviz.browser.aligned_rows import aligned_rows, pack_rows
from bpeviz.cached import cached_property
from bpeviz.errors import BpevizError
from bpeviz.runs.language_cost import dearest_language
from bpeviz.runs.run import NamedText
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.ui.compare.changes_panel import changes_panel
from bpeviz.ui.compare.several_tables import cost_chart, metrics_table, texts_table
from bpeviz.ui.compare.several_texts import Part, parts_to_measure
from bpeviz.ui.compare.state import MOST_TOKENIZERS, CompareState, SeveralFields
from bpeviz.ui.kit.parts import mount_rows
from bpeviz.ui.kit.pick_side import numbered_names
from bpeviz.ui.kit.tokenizer_sources import Side
from bpeviz.ui.kit.words import escape
from bpeviz.ui.session.session import session
from bpeviz.ui.session.session_cache import session_cache, tokenizer_number
from bpeviz.words import counted

__all__ = ["several_panel"]

LINE_CHARACTERS = 200


@dataclass(frozen=True, eq=False)
class Compared:
    """A side with so many of its merges, under its ``label``."""

    label: str
    side: Side
    merges: int

    @cached_property
    def tokenizer(self) -> Tokenizer:
        whole = self.side.tokenizer
        return whole if self.merges == self.side.num_merges else whole.after(self.merges)

    @property
    def key(self) -> tuple[int, int]:
        """What tells its tokenizer apart in a cache."""
        return tokenizer_number(self.side.tokenizer), self.merges

    def measured(self, parts: Sequence[Part]) -> Measured:
        """Return its metrics on each part, each computed once."""
        with st.spinner(f"Measuring {escape(self.label)} …", show_time=True):
            return Measured(self.label, tuple(map(self._metrics, parts)))

    def _metrics(self, part: Part) -> TokenizerMetrics | str:
        return session_cache().get(("tokenizer metrics", self.key, part.texts), partial(self._measure, part))

    def _measure(self, part: Part) -> TokenizerMetrics | str:
        try:
            return tokenizer_metrics(part.texts, self.tokenizer)
        except BpevizError as error:
            return str(error)


def several_panel(sides: Sequence[tuple[Side, int]], text: NamedText) -> None:
    """Compare tokenizers, each with so many of its merges; the first two are the left and right side."""
    fields = session().pages.of(CompareState).saved.several
    with st.container(border=True):
        if len(sides) < MOST_TOKENIZERS:
            st.caption(f"“Add a tokenizer” above compares up to {MOST_TOKENIZERS}.")
        parts = parts_to_measure(text)
        if not parts:
            return
        compared = _compared(sides)
        baseline = _baseline(fields, compared)
        measured = [each.measured(parts) for each in compared]
        of_baseline = measured[baseline]
        metrics_table(measured, of_baseline)
        if fields.source != "This text":
            _dearest_languages(compared, parts)
            if len(parts) > 1:
                cost_chart(measured, of_baseline, parts)
            texts_table(measured, of_baseline, parts)
        _words(sides, parts)
        _line(fields, compared, parts)


def _compared(sides: Sequence[tuple[Side, int]]) -> list[Compared]:
    """Return each tokenizer once, but for one that both sides have with different merges."""
    names = numbered_names({side.key: side.name for side, _ in sides})
    each = {(side.key, merges): (side, merges) for side, merges in sides}.values()
    return [Compared(_label(names[side.key], side, merges), side, merges) for side, merges in each]


def _label(name: str, side: Side, merges: int) -> str:
    return name if merges == side.num_merges else f"{name} after {counted(merges, 'merge')}"


def _baseline(fields: SeveralFields, compared: Sequence[Compared]) -> int:
    """Show the field that picks the tokenizer to measure against; return its place."""
    keys = [each.side.key for each in compared]
    chosen = keys.index(fields.baseline) if fields.baseline in keys else 0
    place = st.selectbox(
        "Compare with",
        range(len(compared)),
        chosen,
        key=f"several_baseline-{'-'.join(keys)}",
        format_func=lambda place: compared[place].label,
        width=340,
    )
    if place in range(len(compared)) and place != chosen:
        fields.baseline = keys[place]
        return place
    return chosen


def _dearest_languages(compared: Sequence[Compared], parts: Sequence[Part]) -> None:
    """Say for each tokenizer which language costs most. Of the parallel sample the table says it."""
    texts = [NamedText(part.name, part.texts[0]) for part in parts if len(part.texts) == 1]
    for each in compared:
        if sentence := dearest_language(texts, each.side.tokenizer, each.merges):
            st.markdown(f"{escape(each.label)}: {escape(sentence)}")


def _words(sides: Sequence[tuple[Side, int]], parts: Sequence[Part]) -> None:
    """List the words that change from the left side to the right one, if the person asks for it."""
    compare = session().pages.of(CompareState)
    compare.with_words = st.toggle(
        "List the words that change from L to R", compare.with_words, key="several_words"
    )
    if compare.with_words:
        changes_panel([text for part in parts for text in part.texts], sides[:2])


def _line(fields: SeveralFields, compared: Sequence[Compared], parts: Sequence[Part]) -> None:
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
    _rows(line[:LINE_CHARACTERS], compared)


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


def _rows(line: str, compared: Sequence[Compared]) -> None:
    key = "one line", line, *((each.label, each.key) for each in compared)
    rows, faults = session_cache().get(key, partial(_cut, line, compared))
    for fault in faults:
        st.caption(escape(fault))
    if rows is not None:
        mount_rows(rows, key="several_rows")


def _cut(line: str, compared: Sequence[Compared]) -> tuple[dict[str, Any] | None, list[str]]:
    """Return the rows of those that can encode the line, and why the others can't."""
    able: dict[str, Tokenizer] = {}
    faults = []
    for each in compared:
        try:
            each.tokenizer.encode(line)
        except BpevizError as error:
            faults.append(f"{each.label} can't encode this line: {error}")
        else:
            able[each.label] = each.tokenizer
    rows = pack_rows(line, list(able), aligned_rows(line, list(able.values()))) if able else None
    return rows, faults
