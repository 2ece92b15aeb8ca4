"""The compare page: one text cut by two tokenizers, each at any number of its merges, and by up to four more.

The component in ``comparer`` draws the text and the sliders. This page chooses what to compare, and shows
more panels below once both sliders rest.
"""

from collections.abc import Mapping, Sequence
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from bpeviz.browser.comparison_pack import Rival
from bpeviz.limits import limits
from bpeviz.runs.run import NamedText
from bpeviz.standalone.making import player_of_rivals
from bpeviz.tokenizer.encoded_text import EncodedText
from bpeviz.ui.compare.add_tokenizer import add_row, add_tokenizer, picked_rows
from bpeviz.ui.compare.comparer import merges_of, show_comparison, sides_at_rest
from bpeviz.ui.compare.encoded import encoded_on
from bpeviz.ui.compare.overlap_panel import overlap_panel
from bpeviz.ui.compare.several_panel import several_panel
from bpeviz.ui.compare.state import CompareFields, CompareState
from bpeviz.ui.compare.statistics_panel import statistics_panel
from bpeviz.ui.kit.compared_text import choose_uploaded, pick_text, picked_text
from bpeviz.ui.kit.drop_zone import take_text, take_tokenizer, taken_files
from bpeviz.ui.kit.exports import export_button
from bpeviz.ui.kit.pick_side import named_side, pick_side, picked_side
from bpeviz.ui.kit.player import page_bytes, text_caption
from bpeviz.ui.kit.tokenizer_sources import Side
from bpeviz.ui.kit.words import escape
from bpeviz.ui.session.session import Session, session
from bpeviz.words import counted

__all__ = ["compare_page"]

SHOWN_IDS = 500
IDS_OF_CHARACTERS = 20_000


def compare_page() -> None:
    """Draw the page for this session."""
    state = session()
    fields = state.pages.of(CompareState).saved
    taken_files(
        state,
        "Drop a text or a tokenizer to compare it",
        partial(_take, state),
        page="compare",
        most_bytes=limits().max_corpus_upload_bytes,
    )
    left, right, text, exports = _fields(state, fields)
    if left is None or right is None or text is None:
        return
    if left.key == right.key:
        st.info(
            "Both sides are the same tokenizer. Pick another, or turn off “Equal vocabulary size” and move "
            "one slider.",
            icon=":material/compare_arrows:",
        )
    rivals = [encoded_on(state, slot, side, text) for slot, side in (("left", left), ("right", right))]
    if rivals[0] is None or rivals[1] is None:
        return
    for side in {left.key: left, right.key: right}.values():
        if side.run is None and not side.num_merges:
            st.caption(f"{escape(side.name)} has no merges: its slider can't move.")
    more = picked_rows(state)
    rows = _rows(state, more, text)
    sides, encoded = (left, right), (rivals[0], rivals[1])
    show_comparison(state, sides, encoded, rows, text)
    with exports:
        _export(state, sides, encoded, list(rows.values()), text)
    _more(state, sides, encoded, more, text)


def _take(state: Session, files: Mapping[str, bytes]) -> None:
    """Compare a dropped tokenizer too, in a row, or compare on a dropped text. Raises BpevizError."""
    if taken := take_tokenizer(files):
        add_row(state, *taken)
    else:
        choose_uploaded(state, state.pages.of(CompareState).saved.text, take_text(files), slot="compare")


def _fields(
    state: Session, fields: CompareFields
) -> tuple[Side | None, Side | None, NamedText | None, DeltaGenerator]:
    """Show what to compare in one row, so that the text below has room. Return that, and the place for what
    saves it."""
    with st.container(horizontal=True, gap="small", key="compared"):
        with st.container(width=230, key="compared_left"):
            left = pick_side(state, "Left (L)", "left")
        with st.container(width="content", key="swap"):
            st.button("Swap", icon=":material/swap_horiz:", on_click=_swap)
        with st.container(width=230, key="compared_right"):
            right = pick_side(state, "Right (R)", "right")
        with st.popover("Add a tokenizer", icon=":material/add:", key="bring"):
            add_tokenizer(state)
        with st.container(width=230, key="compared_text"):
            choice = pick_text(state, fields.text, slot="compare", label="Text", newcomers="Type")
        exports = st.container(width="content", key="compared_export")
    return left, right, picked_text(state, fields.text, choice, slot="compare"), exports


def _swap() -> None:
    """Swap the sides; each keeps its number of merges."""
    state = session()
    left, right = picked_side(state, "left"), picked_side(state, "right")
    state.tokenizers.picked |= {"left": right, "right": left}
    compare = state.pages.of(CompareState)
    compare.saved.swap()
    compare.pair = (right, left)


def _rows(state: Session, sides: Sequence[Side], text: NamedText) -> dict[str, Rival]:
    """Return the tokenizers of the other rows, with all their merges, by key; without those that can't encode
    the text."""
    encoded = {side.key: encoded_on(state, str(row), side, text) for row, side in enumerate(sides, 3)}
    return {
        side.key: Rival(side.name, side.tokenizer, each, side.num_merges)
        for side in sides
        if (each := encoded[side.key])
    }


def _export(
    state: Session,
    sides: tuple[Side, Side],
    encoded: tuple[EncodedText, EncodedText],
    rows: Sequence[Rival],
    text: NamedText,
) -> None:
    """Show a menu that saves the comparison as a page, where both sides rest at the click."""

    def page() -> bytes:
        fields = state.pages.of(CompareState).saved
        rivals = sides_at_rest(fields, sides, encoded)
        caption, locked = text_caption(text), fields.locked
        return page_bytes(player_of_rivals(text.text, rivals, rows, locked=locked, caption=caption))

    with st.popover("Export", icon=":material/download:"):
        export_button(
            "Interactive page (.html)", page, "bpeviz-comparison.html", "text/html", key="comparison_page"
        )


def _more(
    state: Session,
    sides: tuple[Side, Side],
    encoded: tuple[EncodedText, EncodedText],
    rows: Sequence[Side],
    text: NamedText,
) -> None:
    """Show more panels as tabs, of which only the open one is computed. They wait until the text is on the
    screen, because they would delay it."""
    compare = state.pages.of(CompareState)
    if compare.on_screen != compare.serial:
        return
    left, right = sides
    left_merges, right_merges = (
        merges_of(compare.saved, slot, side) for slot, side in zip(("left", "right"), sides, strict=True)
    )
    vocabularies, per_text, several, ids = st.tabs(
        ["Vocabularies", "Per script and line", "All tokenizers", "Token ids"],
        key="more",
        on_change="rerun",
    )
    if vocabularies.open:
        with vocabularies:
            overlap_panel(left, left_merges, right, right_merges)
    if per_text.open:
        with per_text:
            counts = [
                each.token_counts(k) for each, k in zip(encoded, (left_merges, right_merges), strict=True)
            ]
            statistics_panel(text.text, left, counts[0], right, counts[1])
    if several.open:
        with several:
            below = [(side, side.num_merges) for side in rows]
            several_panel([(left, left_merges), (right, right_merges), *below], text)
    if ids.open:
        with ids:
            _ids("left", left, left_merges, text)
            _ids("right", right, right_merges, text)


def _ids(slot: str, side: Side, merges: int, text: NamedText) -> None:
    """Show the first ids of the text with so many merges."""
    tokenizer = side.tokenizer if merges == side.num_merges else side.tokenizer.after(merges)
    ids = tokenizer.encode(text.text[:IDS_OF_CHARACTERS])
    more = len(ids) > SHOWN_IDS or len(text.text) > IDS_OF_CHARACTERS
    after = counted(merges, "merge")
    st.markdown(f"{named_side(slot, side.name)} after {after}{': the first ids' if more else ''}")
    shown = " ".join(map(str, ids[:SHOWN_IDS])) + (" …" if more else "")
    st.code(shown, language=None, wrap_lines=True)
