"""The compare page: one text cut by two tokenizers, each at any number of its merges.

The component in ``comparer`` draws the text and the sliders. This page chooses what to compare, and shows
more panels below once both sliders rest.
"""

from dataclasses import replace

import streamlit as st

from bpeviz.base_error import BpevizError
from bpeviz.core.gap_ranks import is_token_end
from bpeviz.runs.run import NamedText
from bpeviz.tokenizer.encoded_text import EncodedText
from bpeviz.ui.components.comparer.comparer import Rival, Rivals, mount, pack_comparison
from bpeviz.ui.pages.compare.batch_panel import batch_panel
from bpeviz.ui.pages.compare.overlap_panel import overlap_panel
from bpeviz.ui.pages.compare.several_panel import several_panel
from bpeviz.ui.pages.compare.statistics_panel import statistics_panel
from bpeviz.ui.pages.compare.tokenizer_upload import tokenizer_upload
from bpeviz.ui.session.session import Session, session
from bpeviz.ui.session.session_cache import session_cache
from bpeviz.ui.widgets.compared_text import compared_text
from bpeviz.ui.widgets.markdown import escape, show_error
from bpeviz.ui.widgets.sides import Side, pick_side, picked_side
from bpeviz.ui.widgets.tokenizer_number import tokenizer_number

__all__ = ["compare_page", "take_over"]

SHOWN_IDS = 2_000
IDS_OF_CHARACTERS = 20_000


def compare_page() -> None:
    """Draw the page for this session."""
    state = session()
    if state.merges.page != "compare":
        state.compare.packed = None  # the component is gone, and begins where the sides are now
    state.merges.enter("compare")
    st.subheader("Compare two tokenizers", anchor=False)
    left, right = _sides(state)
    text = compared_text(state)
    if left is None or right is None or text is None:
        return
    if left.key == right.key:
        st.info(
            "Both sides are the same tokenizer. Move a slider to set it against its own earlier self, or "
            "pick another: one that you trained on the first page, or one that you bring.",
            icon=":material/compare_arrows:",
        )
    rivals = [_encoded(state, side, text) for side in (left, right)]
    if rivals[0] is None or rivals[1] is None:
        return
    for side in {left.key: left, right.key: right}.values():
        if side.run is None and not side.num_merges:
            st.caption(f"{escape(side.name)} has no merges, so its slider has no other place.")
    _compare(state, (left, right), (rivals[0], rivals[1]), text)
    _more(state, (left, right), (rivals[0], rivals[1]), text)


def _sides(state: Session) -> tuple[Side | None, Side | None]:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        with st.container(width=340):
            left = pick_side(state, "Left", "left")
        st.button("Swap", icon=":material/swap_horiz:", on_click=_swap)
        with st.container(width=340):
            right = pick_side(state, "Right", "right")
        tokenizer_upload(state)
    return left, right


def _swap() -> None:
    """Swap the sides; each keeps its number of merges."""
    state = session()
    left, right = picked_side(state, "left"), picked_side(state, "right")
    state.tokenizers.picked |= {"left": right, "right": left}
    other = {"left": "right", "right": "left"}
    state.compare.merges = {(other[slot], key): k for (slot, key), k in state.compare.merges.items()}


def _encoded(state: Session, side: Side, text: NamedText) -> EncodedText | None:
    """The text in the tokens of a side, computed once; None after showing an error."""
    if side.run and side.run.corpus.text == text.text:
        return EncodedText([], side.run.gap_ranks)
    key = "encoded", tokenizer_number(side.tokenizer), text.text
    try:
        with st.spinner(f"Encoding with {escape(side.name)} …", show_time=True):
            return session_cache().get(key, lambda: _encode(state, side, text))
    except BpevizError as error:
        show_error(f"{side.name}: {error}")
        return None


def _encode(state: Session, side: Side, text: NamedText) -> EncodedText:
    """Encode a text and leave out the ids. The corpus of the run on show isn't split again if the split
    pattern is the same."""
    run = state.run
    if run and run.corpus.text == text.text and side.tokenizer.cuts_as(run.split, text.text):
        gap_ranks = side.tokenizer.gap_ranks_of(run.history.corpus.pre_tokens, run.pre_tokens)
        return EncodedText([], gap_ranks)
    return replace(side.tokenizer.encode_text(text.text), ids=[])


def _merges(state: Session, slot: str, side: Side) -> int:
    """How many merges of a side to use: as last chosen, or all; on the left, the step of the run on show."""
    chosen = state.compare.merges.get((slot, side.key))
    if slot == "left" and side.run is state.run and side.run:
        chosen = state.merges.step or chosen
    return side.num_merges if chosen is None else min(chosen, side.num_merges)


def _compare(
    state: Session, sides: tuple[Side, Side], encoded: tuple[EncodedText, EncodedText], text: NamedText
) -> None:
    key = (*(side.key for side in sides), *(side.name for side in sides), text.text)
    if state.compare.packed is None or state.compare.packed[0] != key:
        left, right = (
            Rival(side.name, side.tokenizer, each, _merges(state, slot, side), yours=side.run is not None)
            for slot, side, each in zip(("left", "right"), sides, encoded, strict=True)
        )
        state.compare.serial += 1
        state.compare.packed = (
            key,
            pack_comparison(
                text.text, (left, right), locked=state.compare.locked, serial=state.compare.serial
            ),
        )
    mount(
        state.compare.packed[1],
        key="comparer",
        most=(sides[0].num_merges, sides[1].num_merges),
        on_rest=lambda rivals: take_over(session(), rivals),
    )


def take_over(state: Session, rivals: Rivals) -> None:
    """Note where both sides rest; for the run on show on the left, that is also the player's step."""
    slots = {"left": rivals.left, "right": rivals.right}
    for slot, merges in slots.items():
        key = picked_side(state, slot)
        state.compare.merges[slot, key] = merges
        if slot == "left" and state.run and key == f"run-{state.merges.shown}":
            state.merges.step = min(merges, len(state.run.steps))
    state.compare.locked = rivals.locked
    state.compare.on_screen = rivals.serial


def _more(
    state: Session, sides: tuple[Side, Side], encoded: tuple[EncodedText, EncodedText], text: NamedText
) -> None:
    """Show more panels as tabs, of which only the open one is computed. They wait until the text is on the
    screen, because they would delay it."""
    if state.compare.on_screen != state.compare.serial:
        return
    left, right = sides
    left_merges, right_merges = (
        _merges(state, slot, side) for slot, side in zip(("left", "right"), sides, strict=True)
    )
    vocabularies, per_text, batch, several, ids = st.tabs(
        ["Vocabularies", "Per script and line", "Many texts", "Up to six", "Token ids"],
        key="more",
        on_change="rerun",
    )
    if vocabularies.open:
        with vocabularies:
            overlap_panel(left, left_merges, right, right_merges)
    if per_text.open:
        with per_text:
            ends = [
                is_token_end(each.gap_ranks, k)
                for each, k in zip(encoded, (left_merges, right_merges), strict=True)
            ]
            statistics_panel(text.text, left, ends[0], right, ends[1])
    if batch.open:
        with batch:
            batch_panel(left, left_merges, right, right_merges)
    if several.open:
        with several:
            several_panel(left, right, text)
    if ids.open:
        with ids:
            _ids(left, left_merges, text)
            _ids(right, right_merges, text)


def _ids(side: Side, merges: int, text: NamedText) -> None:
    """Show the first ids of the text with so many merges."""
    tokenizer = side.tokenizer if merges == side.num_merges else side.tokenizer.after(merges)
    ids = tokenizer.encode(text.text[:IDS_OF_CHARACTERS])
    more = len(ids) > SHOWN_IDS or len(text.text) > IDS_OF_CHARACTERS
    st.caption(f"{escape(side.name)} after {merges:,} merges{': the first ids' if more else ''}")
    shown = " ".join(map(str, ids[:SHOWN_IDS])) + (" …" if more else "")
    st.code(shown, language=None, wrap_lines=True, height=160 if len(ids) > 80 else "content")
