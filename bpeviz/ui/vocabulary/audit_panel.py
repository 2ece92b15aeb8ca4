"""The audit of the vocabulary on show: its figures, each of which shows its tokens in the table."""

from collections.abc import Hashable
from functools import partial

import pandas as pd
import streamlit as st

from bpeviz.analysis.word_changes import cut_in_words
from bpeviz.audit.audit import FINDINGS, VocabularyAudit
from bpeviz.audit.in_worker import audit_in_worker, report_in_worker
from bpeviz.errors import BpevizError
from bpeviz.limits import limits
from bpeviz.runs.run import NamedText
from bpeviz.text.token_text import visible
from bpeviz.ui.kit.exports import export_button, made_once
from bpeviz.ui.kit.pick_side import pick_side
from bpeviz.ui.kit.table import localized, show_table
from bpeviz.ui.kit.tokenizer_sources import Side
from bpeviz.ui.kit.words import escape, show_error
from bpeviz.ui.session.session import Session, session
from bpeviz.ui.session.session_cache import session_cache, tokenizer_number
from bpeviz.ui.vocabulary.state import VocabularyState
from bpeviz.words import counted

__all__ = ["audit_panel", "rows_of_finding"]

#: How many ids that moved, tokens that were removed and words that changed are listed.
MOST_LISTED = 1_000
TABLE_HEIGHT = 260
WORD_CHARACTERS = 40
#: What each figure is called in the table: the findings have all titles.
_NAME, _HERE, _EARLIER = "finding", "tokens", "earlier"


def audit_panel(state: Session, side: Side, corpus: NamedText) -> VocabularyAudit | None:
    """Show the audit, and run it first if that wasn't done yet; return it, None if it isn't there."""
    fields = state.pages.of(VocabularyState)
    earlier = _earlier_side(state, fields, side)
    if fields.saved.against_earlier and earlier is None:
        return None
    text = _counted_text(corpus)
    key = _key(side, earlier, text)
    if key == fields.cancelled:
        st.button("Run the audit", key="audit_run", on_click=_run_again, type="primary")
        return None
    try:
        found = session_cache().get(key, partial(_audited, key, side, earlier, text))
    except BpevizError as error:
        show_error(error)
        return None
    _summary(found, corpus, earlier, counts=text is not None)
    if fields.finding in found.figures:
        _finding(fields, found, earlier)
    else:
        st.caption("Pick a finding to see its tokens in the table.")
    _figures(fields, found)
    if found.difference is not None:
        _words(found)
    export_button(
        "Save the report",
        made_once(partial(_report, found, side, earlier, text)),
        "audit.html",
        "text/html",
        key="audit_report",
    )
    return found


def rows_of_finding(fields: VocabularyState, found: VocabularyAudit, chosen: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of the finding that a person picked, those that matter most first; all if none is
    picked. Removed tokens have no row here."""
    if fields.finding not in found.ids or fields.finding == "removed":
        return chosen
    place_of = {token_id: place for place, token_id in enumerate(found.ids[fields.finding].tolist())}
    rows = chosen[chosen["id"].isin(place_of)]
    return rows.iloc[rows["id"].map(place_of).to_numpy().argsort(kind="stable")]


def _earlier_side(state: Session, fields: VocabularyState, side: Side) -> Side | None:
    """Show the fields for an earlier vocabulary to compare with; return it."""
    before = fields.saved.against_earlier
    compares = st.checkbox("Compare with an earlier vocabulary", before, key="audit_against")
    if compares != before:
        fields.saved.against_earlier = compares
    if not compares:
        return None
    state.tokenizers.picked.setdefault("earlier", "o200k_base" if side.key == "gpt2" else "gpt2")
    return pick_side(state, "Earlier vocabulary", "earlier")


def _counted_text(corpus: NamedText) -> str | None:
    """Return the text whose tokens are counted; None, after a note, if it is too long."""
    most = limits().max_audited_bytes
    if corpus.byte_total <= most:
        return corpus.text
    st.caption(f"An audit counts tokens in texts of up to {most:,} bytes, so there are no uses here.")
    return None


def _key(side: Side, earlier: Side | None, text: str | None) -> tuple[Hashable, ...]:
    number = tokenizer_number(earlier.tokenizer) if earlier else None
    return "audit", tokenizer_number(side.tokenizer), number, text


def _audited(
    key: tuple[Hashable, ...], side: Side, earlier: Side | None, text: str | None
) -> VocabularyAudit:
    """Run the audit in a worker. Any click on the page, such as Cancel, stops the script and the worker."""
    place = st.empty()
    with place.container(horizontal=True, vertical_alignment="center"):
        # before the words, whose length changes: it would move away under the person's pointer
        st.button("Cancel", key="audit_cancel", type="tertiary", on_click=_cancel, args=(key,))
        waiting = st.empty()
    try:
        return audit_in_worker(
            side.tokenizer,
            text,
            against=earlier.tokenizer if earlier else None,
            on_wait=lambda step: waiting.caption(f"{step} …"),
        )
    finally:
        place.empty()


def _cancel(key: tuple[Hashable, ...]) -> None:
    session().pages.of(VocabularyState).cancelled = key


def _show_all() -> None:
    fields = session().pages.of(VocabularyState)
    fields.finding, fields.audit_number = "", fields.audit_number + 1


def _run_again() -> None:
    session().pages.of(VocabularyState).cancelled = ()


def _summary(found: VocabularyAudit, corpus: NamedText, earlier: Side | None, *, counts: bool) -> None:
    said = [f"{counted(found.families, 'word')} in several spellings."]
    if counts and found.uses is not None:
        said.append(f"Uses are counted in {corpus.name}: {counted(found.uses.token_total, 'token')}.")
    if earlier is not None and found.difference is not None:
        before, now = found.difference.shares
        said.append(
            f"{counted(found.difference.common, 'token')} in common with {earlier.name}: {before:.1%} of its "
            f"tokens, {now:.1%} of those here."
        )
    st.caption(escape(" ".join(said)))


def _figures(fields: VocabularyState, found: VocabularyAudit) -> None:
    """Show a row for each finding. A picked one shows its tokens in the table of the vocabulary."""
    names = list(found.figures)
    columns: dict[str, list[object]] = {
        _NAME: [FINDINGS[name].title for name in names],
        _HERE: list(found.figures.values()),
    }
    if found.against is not None:
        columns[_EARLIER] = [found.against.figures.get(name) for name in names]
    table = pd.DataFrame(columns)
    if found.against is not None:
        table[_EARLIER] = table[_EARLIER].astype("Int64")

    def pick(rows: list[int]) -> None:
        fields.finding = names[rows[0]] if rows else ""

    show_table(
        table,
        f"audit-{len(names)}-{fields.audit_number}",
        height=38 + 35 * len(names),
        on_pick=pick,
        columns={_HERE: localized(width="small"), _EARLIER: localized(width="small")},
    )


def _finding(fields: VocabularyState, found: VocabularyAudit, earlier: Side | None) -> None:
    """Say what the picked finding means; list what the table of the vocabulary doesn't have."""
    name, finding = fields.finding, FINDINGS[fields.finding]
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{finding.title}**: {finding.means}")
        st.button("Show all tokens", key="audit_all", type="tertiary", on_click=_show_all)
    if found.difference is None or earlier is None:
        return
    if name == "moved-ids" and len(found.difference.moved):
        show_table(
            pd.DataFrame(found.difference.moved[:MOST_LISTED], columns=["id before", "id now"]),
            "audit_moved",
            height=TABLE_HEIGHT,
        )
    if name == "removed" and len(found.difference.removed):
        ids = found.difference.removed[:MOST_LISTED].tolist()
        tokens = [visible(earlier.tokenizer.token_bytes(i)) for i in ids]
        show_table(pd.DataFrame({"id": ids, "token": tokens}), "audit_removed", height=TABLE_HEIGHT)


def _words(found: VocabularyAudit) -> None:
    """List the words whose numbers of tokens change most."""
    words = found.difference.words if found.difference else None
    if words is None or not words.words:
        return
    st.markdown("**Words whose numbers of tokens change most**")
    rows = [
        (
            visible(each.word.encode("utf-8"), WORD_CHARACTERS),
            each.count,
            each.change,
            cut_in_words(each.cut_a),
            cut_in_words(each.cut_b),
        )
        for each in words.words
    ]
    show_table(
        pd.DataFrame(rows, columns=["word", "times", "change", "before", "now"]),
        "audit_words",
        height=TABLE_HEIGHT,
    )


def _report(found: VocabularyAudit, side: Side, earlier: Side | None, text: str | None) -> bytes:
    against = (earlier.name, earlier.tokenizer) if earlier else None
    report = report_in_worker(found, side.tokenizer, side.name, text=text, against=against)
    return report.encode("utf-8")
