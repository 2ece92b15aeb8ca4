"""The compare page: one text cut by two tokenizers, each at any number of its merges, and by up to four more.

The component in ``comparer`` draws the text and the sliders. This page chooses what to compare, and shows
more panels below once both sliders rest.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from bpeviz.browser.comparison_pack import Rival, pack_comparison
from bpeviz.errors import BpevizError, SplitPatternError
from bpeviz.limits import limits
from bpeviz.runs.run import NamedText
from bpeviz.standalone.making import player_of_rivals
from bpeviz.text.pattern_check import CATCH_ALL
from bpeviz.text.token_text import visible
from bpeviz.tokenizer.encoded_text import EncodedText
from bpeviz.ui.kit.compared_text import choose_uploaded, pick_text, picked_text
from bpeviz.ui.kit.comparer import Rivals, mount
from bpeviz.ui.kit.drop_zone import take_text, take_tokenizer, taken_files
from bpeviz.ui.kit.page_file import page_bytes, text_caption
from bpeviz.ui.kit.sides import Side, named_side, pick_side, picked_side
from bpeviz.ui.kit.words import escape, show_error
from bpeviz.ui.pages.compare.batch_panel import batch_panel
from bpeviz.ui.pages.compare.more_rows import add_row, pick_rows, picked_rows
from bpeviz.ui.pages.compare.overlap_panel import overlap_panel
from bpeviz.ui.pages.compare.several_panel import several_panel
from bpeviz.ui.pages.compare.statistics_panel import statistics_panel
from bpeviz.ui.pages.compare.tokenizer_upload import tokenizer_upload
from bpeviz.ui.session.session import Session, session
from bpeviz.ui.session.session_cache import session_cache, tokenizer_number
from bpeviz.words import counted

__all__ = ["compare_page", "take_over"]

SHOWN_IDS = 500
IDS_OF_CHARACTERS = 20_000


def compare_page() -> None:
    """Draw the page for this session."""
    state = session()
    if state.merges.page != "compare":
        state.compare.packed = None  # the component is gone, and begins where the sides are now
    state.merges.enter("compare")
    taken_files(
        state,
        "Drop a text or a tokenizer to compare it",
        partial(_take, state),
        page="compare",
        most_bytes=limits().max_corpus_upload_bytes,
    )
    left, right, text, exports = _fields(state)
    if left is None or right is None or text is None:
        return
    if left.key == right.key:
        st.info(
            "Both sides are the same tokenizer. Pick another, or turn off “Equal vocabulary size” and move "
            "one slider.",
            icon=":material/compare_arrows:",
        )
    rivals = [_encoded(state, slot, side, text) for slot, side in (("left", left), ("right", right))]
    if rivals[0] is None or rivals[1] is None:
        return
    for side in {left.key: left, right.key: right}.values():
        if side.run is None and not side.num_merges:
            st.caption(f"{escape(side.name)} has no merges: its slider can't move.")
    rows = _rows(state, text)
    _compare(state, (left, right), (rivals[0], rivals[1]), rows, text)
    with exports:
        _export(state, (left, right), (rivals[0], rivals[1]), list(rows.values()), text)
    _more(state, (left, right), (rivals[0], rivals[1]), text)


def _take(state: Session, files: Mapping[str, bytes]) -> None:
    """Compare a dropped tokenizer too, in a row, or compare on a dropped text. Raises BpevizError."""
    if taken := take_tokenizer(files):
        add_row(state, *taken)
    else:
        choose_uploaded(state, state.compare.text, take_text(files), slot="compare")


def _fields(state: Session) -> tuple[Side | None, Side | None, NamedText | None, DeltaGenerator]:
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
            pick_rows(state)
            tokenizer_upload(state)
        with st.container(width=230, key="compared_text"):
            source = pick_text(state, state.compare.text, slot="compare", label="Text")
        exports = st.container(width="content", key="compared_export")
    return left, right, picked_text(state, state.compare.text, source, slot="compare"), exports


def _swap() -> None:
    """Swap the sides; each keeps its number of merges."""
    state = session()
    left, right = picked_side(state, "left"), picked_side(state, "right")
    state.tokenizers.picked |= {"left": right, "right": left}
    other = {"left": "right", "right": "left"}
    state.compare.merges = {(other[slot], key): k for (slot, key), k in state.compare.merges.items()}
    state.compare.pair = (right, left)


def _encoded(state: Session, slot: str, side: Side, text: NamedText) -> EncodedText | None:
    """Return the text in the tokens of a side, computed once; None after showing an error."""
    if side.run and side.run.corpus.text == text.text:
        return EncodedText([], side.run.gap_ranks)
    key = "encoded", tokenizer_number(side.tokenizer), text.text
    try:
        with st.spinner(f"Encoding with {escape(side.name)} …", show_time=True):
            return session_cache().get(key, lambda: _encode(state, side, text))
    except SplitPatternError as error:
        if error.byte_offset is None:
            show_error(f"{side.name}: {error}")
        else:
            _say_what_is_missed(slot, side, text.text, error.byte_offset, error.pattern)
    except BpevizError as error:
        show_error(f"{side.name}: {error}")
    return None


def _say_what_is_missed(slot: str, side: Side, text: str, byte_offset: int, pattern: str) -> None:
    """Say which character a person's own split pattern misses, and what to do."""
    place = len(text.encode("utf-8")[:byte_offset].decode("utf-8"))
    character = escape(visible(text[place].encode("utf-8")))
    st.warning(
        f"{named_side(slot, side.name)} can't split this text: its split pattern misses **{character}**, "
        f"character {place + 1:,}. Pick another text or another tokenizer above. Or train again with this "
        "pattern, which matches every other character too:",
        icon=":material/content_cut:",
    )
    st.code(f"{pattern}{CATCH_ALL}", language=None, wrap_lines=True)


def _encode(state: Session, side: Side, text: NamedText) -> EncodedText:
    """Encode a text and leave out the ids. The corpus of the shown run isn't split again if the split
    pattern is the same."""
    run = state.run
    if run and run.corpus.text == text.text and side.tokenizer.cuts_as(run.split, text.text):
        gap_ranks = side.tokenizer.gap_ranks_of(run.history.corpus.pre_tokens, run.pre_tokens)
        return EncodedText([], gap_ranks)
    return replace(side.tokenizer.encode_text(text.text), ids=[])


def _rows(state: Session, text: NamedText) -> dict[str, Rival]:
    """Return the tokenizers of the other rows, with all their merges, by key; without those that can't encode
    the text."""
    sides = picked_rows(state)
    encoded = {side.key: _encoded(state, str(row), side, text) for row, side in enumerate(sides, 3)}
    return {
        side.key: Rival(side.name, side.tokenizer, each, side.num_merges)
        for side in sides
        if (each := encoded[side.key])
    }


def _begin(state: Session, sides: tuple[Side, Side]) -> None:
    """Set how many merges of both sides to begin with: all, or as many as the person chose last. If both are
    to have equal vocabulary sizes, these are the largest that both can have; two sides that were compared
    last stay where they were."""
    fields = state.compare
    keys = sides[0].key, sides[1].key
    if not fields.merges:
        fields.locked = False
    chosen = ("left", keys[0]) in fields.merges and ("right", keys[1]) in fields.merges
    if fields.locked and not (chosen and fields.pair in (None, keys)):
        size = min(int(side.tokenizer.vocab_sizes[-1]) for side in sides)
        for slot, side in zip(("left", "right"), sides, strict=True):
            merges = int(np.searchsorted(side.tokenizer.vocab_sizes, size, "right")) - 1
            fields.merges[slot, side.key] = max(0, merges)
    fields.pair, fields.ends = keys, (sides[0].num_merges, sides[1].num_merges)


def _merges(state: Session, slot: str, side: Side) -> int:
    """How many merges of a side to use: as last chosen, or all."""
    return min(state.compare.merges.get((slot, side.key), side.num_merges), side.num_merges)


def _rivals(
    state: Session, sides: tuple[Side, Side], encoded: tuple[EncodedText, EncodedText]
) -> tuple[Rival, Rival]:
    """Both sides at their numbers of merges."""
    left, right = (
        Rival(side.name, side.tokenizer, each, _merges(state, slot, side))
        for slot, side, each in zip(("left", "right"), sides, encoded, strict=True)
    )
    return left, right


def _compare(
    state: Session,
    sides: tuple[Side, Side],
    encoded: tuple[EncodedText, EncodedText],
    rows: Mapping[str, Rival],
    text: NamedText,
) -> None:
    names = (*(side.name for side in sides), *(row.name for row in rows.values()))
    key = (*(side.key for side in sides), *names, *rows, text.text)
    if state.compare.packed is None or state.compare.packed[0] != key:
        _begin(state, sides)
        state.compare.serial += 1
        state.compare.packed = (
            key,
            pack_comparison(
                text.text,
                _rivals(state, sides, encoded),
                list(rows.values()),
                locked=state.compare.locked,
                serial=state.compare.serial,
            ),
        )
    mount(
        state.compare.packed[1],
        key="comparer",
        most=(sides[0].num_merges, sides[1].num_merges),
        on_rest=lambda rivals: take_over(session(), rivals),
    )


def take_over(state: Session, rivals: Rivals) -> None:
    """Note where both sides rest. The component reports that both are at their ends as soon as it is there.
    That is no change, until the person has moved a side."""
    at = (("left", rivals.left), ("right", rivals.right))
    for (slot, merges), end in zip(at, state.compare.ends, strict=True):
        key = slot, picked_side(state, slot)
        if merges != end or rivals.locked or key in state.compare.merges:
            state.compare.merges[key] = merges
    state.compare.locked = rivals.locked
    state.compare.on_screen = rivals.serial


def _export(
    state: Session,
    sides: tuple[Side, Side],
    encoded: tuple[EncodedText, EncodedText],
    rows: Sequence[Rival],
    text: NamedText,
) -> None:
    """Show a menu that saves the comparison as a page, where both sides rest at the click."""

    def page() -> bytes:
        rivals = _rivals(state, sides, encoded)
        caption = text_caption(text)
        locked = state.compare.locked
        return page_bytes(player_of_rivals(text.text, rivals, rows, locked=locked, caption=caption))

    with st.popover("Export", icon=":material/download:"):
        st.download_button(
            "Interactive page (.html)",
            page,
            "bpeviz-comparison.html",
            "text/html",
            key="comparison_page",
            icon=":material/download:",
            on_click="ignore",
        )


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
            counts = [
                each.token_counts(k) for each, k in zip(encoded, (left_merges, right_merges), strict=True)
            ]
            statistics_panel(text.text, left, counts[0], right, counts[1])
    if batch.open:
        with batch:
            batch_panel(left, left_merges, right, right_merges)
    if several.open:
        with several:
            several_panel(left, right, text)
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
