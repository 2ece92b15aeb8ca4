"""The encode page: the tokens of a text, why a word is not one, its merges, its ids, and decoding ids.

bpeviz.tokenizer.encoding finds the steps; bpeviz/browser/encoder draws them.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from bpeviz.browser.encoding import Growth, grown, pack_encoding, pack_growth, pack_orders
from bpeviz.errors import BpevizError
from bpeviz.limits import limits
from bpeviz.sessions.document import MOST_PART_CHARACTERS
from bpeviz.sessions.page_fields import Text
from bpeviz.text.token_text import shorten, visible
from bpeviz.tokenizer.encoding import encode_step_by_step, left_to_right
from bpeviz.tokenizer.one_token import Makings, why_not_one_token
from bpeviz.tokenizer.special_search import AllowedSpecial
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.ui.encode.encoded import Encoded, check_counted
from bpeviz.ui.encode.ids import ids_panel
from bpeviz.ui.encode.one_token_answer import answer, answer_of_word
from bpeviz.ui.encode.other_cuts import other_cuts
from bpeviz.ui.encode.seam_panel import seam_panel
from bpeviz.ui.encode.state import EncodeState
from bpeviz.ui.encode.word_variants import word_variants
from bpeviz.ui.kit.drop_zone import take_text, taken_files
from bpeviz.ui.kit.messages import TooLongError, check_length, kept
from bpeviz.ui.kit.parts import mount_encoding, mount_growth, mount_orders
from bpeviz.ui.kit.pick_side import pick_side
from bpeviz.ui.kit.tokenizer_sources import Side, get_side, side_names
from bpeviz.ui.kit.words import escape, show_error
from bpeviz.ui.session.session import Session, session
from bpeviz.ui.session.session_cache import session_cache, tokenizer_number
from bpeviz.words import counted

__all__ = ["encode_page"]

NAME_CHARACTERS = 40
MOST_DIFFERENCES = 60
MOST_NAMES = 5
#: The part of the page with the words of the text.
WORDS = "words-part"
FIRST_TEXT = "The lighthouse keeper unhappily weathered it: naïve cafés, 灯台, 🚢."


def _state() -> EncodeState:
    return session().pages.of(EncodeState)


def encode_page() -> None:
    """Draw the page for this session."""
    state = session()
    taken_files(
        state,
        "Drop a text to see its tokens",
        _take,
        page="encode",
        most_bytes=limits().max_corpus_upload_bytes,
    )
    side = _tokenizer_fields(state)
    text = _text_field()
    if side is None:
        return
    tokenizer = side.tokenizer
    if tokenizer.pipeline is not None and not tokenizer.merges:
        st.caption("This model has no merges, so there are no steps to show.")
    most = limits().max_encoded_characters
    above = "the text above"
    if len(text) > most:
        if not _count(side, text):
            return
        text, above = text[:most], "the beginning of the text above"
    encoded = _encode(side, text)
    if encoded:
        _result(encoded)
    left, right = st.columns(2, gap="medium")
    with left:
        ids_panel(tokenizer, text, encoded, above)
    with right:
        if encoded:
            _one_token(encoded)
    if encoded:
        seam_panel(encoded)
        other_cuts(_state(), encoded.tokenizer, encoded.text, encoded.pre_tokens)
        _orders(encoded)


def _tokenizer_fields(state: Session) -> Side | None:
    """Ask for a tokenizer, how many merges of a run to use, and what to do with special tokens; None after
    showing an error."""
    with st.container(horizontal=True, vertical_alignment="center", gap="medium", key="encode_head"):
        with st.container(width=260):
            side = pick_side(state, "Tokenizer", "encode")
        if side is None:
            return None
        if side.run is not None:
            side = replace(side, tokenizer=_cut(side, side.run.number))
        _special_field(side.tokenizer)
        return side


def _cut(side: Side, number: int) -> Tokenizer:
    """Ask how many merges of a run to use; return its tokenizer after these."""
    every = side.num_merges
    if not every:  # a slider needs two numbers
        st.caption(f"{escape(side.name)} has no merges.")
        return side.tokenizer
    merges = _state().saved.num_merges
    before = min(merges.get(number, every), every)
    used = st.slider("Merges used", 0, every, before, key=f"encode_merges_{number}")
    if used != before:
        merges[number] = used
    return side.tokenizer if used == every else side.tokenizer.after(used)


def _text_field() -> str:
    fields = _state().saved
    shown = FIRST_TEXT if fields.text is None else fields.text.text
    text = st.text_area("Text to encode", shown, key="encode_text", height=80)
    if text != shown and (typed := kept(text, None)) is not None:
        fields.text = Text(typed)
    return text


def _take(files: Mapping[str, bytes]) -> None:
    """Encode a dropped file. Raises BpevizError if it is no text, or too long."""
    text = take_text(files)
    check_counted(text.text, text.name)
    _state().saved.text = Text(text.text)
    st.session_state["encode_text"] = text.text


def _special_field(tokenizer: Tokenizer) -> None:
    """Ask whether to read special tokens as tokens, if the tokenizer has any that aren't found anyway."""
    special = (token for token in tokenizer.special_tokens if token not in tokenizer.found_always)
    names = [shorten(name, NAME_CHARACTERS) for name in special]
    if not names:
        return
    more = f" and {len(names) - MOST_NAMES:,} more" if len(names) > MOST_NAMES else ""
    fields = _state().saved
    fields.special = st.toggle(
        "Special tokens as tokens",
        fields.special,
        key="encode_special",
        width="content",
        help=escape(f"Its special tokens: {', '.join(names[:MOST_NAMES])}{more}."),
    )


def _count(side: Side, text: str) -> bool:
    """Show how many tokens a long text has, counted once; False after showing why it can't be counted."""
    tokenizer, allowed = side.tokenizer, _allowed(side.tokenizer)
    key = "token total", tokenizer_number(tokenizer), allowed == "all", text
    try:
        size = check_counted(text)
        with st.spinner(f"Encoding with {escape(side.name)} …", show_time=True):
            total = session_cache().get(key, lambda: len(tokenizer.encode(text, allowed_special=allowed)))
    except BpevizError as error:
        show_error(error)
        return False
    st.markdown(
        f"**{counted(total, 'token')}** in {counted(len(text), 'character')}, {counted(size, 'byte')}."
    )
    st.caption(
        f"Below are the first {limits().max_encoded_characters:,} characters. “Compare” shows the whole text."
    )
    return True


def _allowed(tokenizer: Tokenizer) -> AllowedSpecial:
    """Return which special tokens become tokens."""
    return "all" if _state().saved.special and tokenizer.special_tokens else ()


def _encode(side: Side, text: str) -> Encoded | None:
    """Encode the text; None after showing why it can't be encoded."""
    if not text:
        st.info("Type or paste a text above: its tokens appear here.", icon=":material/edit:")
        return None
    tokenizer = side.tokenizer
    allowed = _allowed(tokenizer)
    try:
        pre_tokens = encode_step_by_step(tokenizer, text, allowed_special=allowed)
    except BpevizError as error:
        show_error(error)
        return None
    return Encoded(side.key, side.name, tokenizer, text, allowed, pre_tokens)


def _result(encoded: Encoded) -> None:
    """Show the tokens of the text, why each word is not one, its merges, and how the picked one grows."""
    makings = Makings.of_words(encoded.tokenizer, encoded.pre_tokens)
    whole = encoded.text.encode("utf-8")
    answer_word = partial(answer_of_word, makings, whole)
    place, word = _state().word
    if not word or encoded.word_at(place) != word:
        _note_word(encoded, encoded.longest)
    packed = pack_encoding(
        encoded.tokenizer, encoded.text, encoded.pre_tokens, answer_word, first=_state().word[0]
    )
    _words(encoded, packed)


@st.fragment(key=WORDS)
def _words(encoded: Encoded, packed: Mapping[str, Any]) -> None:
    """Show the words of the text, and how the picked one grows. A click on a word runs only this part again,
    unless the whole page is due to run."""
    with st.container(key="words_and_trees"):  # side by side on a wide screen
        with st.container():
            mount_encoding(packed, key="encoding", on_word=partial(_note_word, encoded))
        with st.container():
            _biography(encoded)
            word_variants(encoded.tokenizer, _state().word[1])


def _note_word(encoded: Encoded, place: int) -> None:
    _state().word = place, encoded.word_at(place)


def _biography(encoded: Encoded) -> None:
    """Show how the picked word grows, and beside it the same word in another tokenizer."""
    place, word = _state().word
    pre_token = encoded.pre_tokens[place]
    growths = [Growth(encoded.name, encoded.tokenizer, [pre_token])]
    beside = _beside_field(encoded)
    if beside is not None and not pre_token.special:
        try:
            side = get_side(session(), beside)
            growths.append(grown(side.name, side.tokenizer, word))
        except BpevizError as error:
            show_error(error)
    mount_growth(pack_growth(word, growths), key="biography")


def _beside_field(encoded: Encoded) -> str | None:
    """Ask in which other tokenizer to show the picked word; None if there is no other."""
    names = {key: name for key, name in side_names(session()).items() if key != encoded.key}
    fields = _state().saved
    first = next((key for key in (fields.beside, "gpt2") if key in names), None)
    picked = st.selectbox(
        "Merge tree beside",
        list(names),
        list(names).index(first) if first else None,
        key=f"encode_beside-{encoded.key}-{'-'.join(names)}",
        format_func=names.__getitem__,
        placeholder="Pick a tokenizer",
        width=280,
    )
    if picked in names and picked != first:
        fields.beside = picked
    return picked if picked in names else first


def _one_token(encoded: Encoded) -> None:
    """Ask for a part of the text, and show why it is not one token."""
    with st.container(border=True):
        st.markdown("**Why is another part not one token?**")
        part = _part_field()
        if not part:
            st.caption("Write any part of the text, with the space before it if it has one.")
            return
        try:
            check_length("This part", part, limits().max_encoded_characters)
        except TooLongError as error:
            show_error(error)
            return
        at = encoded.text.find(part)
        if at < 0:
            show_error(f"The text above does not hold “{visible(part.encode('utf-8', 'replace'))}”.")
            return
        start = len(encoded.text[:at].encode("utf-8"))
        why = why_not_one_token(encoded.tokenizer, encoded.text, start, start + len(part.encode("utf-8")))
        verdict, *reasons = answer(encoded.tokenizer, encoded.text, why)
        st.markdown(f"**{escape(verdict)}**")
        st.markdown(escape(" ".join(reasons)))
        times = encoded.text.count(part)
        if times > 1:
            st.caption(f"The text has it {times:,} times. This is about the first.")
        if any(pre_token.special for pre_token in encoded.pre_tokens):
            st.caption("This answer takes special tokens as plain text.")


def _part_field() -> str:
    """Show the field for a part of the text."""
    fields = _state().saved

    def clear() -> None:
        fields.part, st.session_state["encode_part"] = None, ""

    shown = fields.part or ""
    written = st.text_input("A part of the text", shown, key="encode_part")
    if written != shown:
        fields.part = written if len(written) <= MOST_PART_CHARACTERS else shown
    if fields.part is not None:
        st.button("Clear", icon=":material/undo:", key="encode_part_release", on_click=clear)
    return written


def _orders(encoded: Encoded) -> None:
    """Show where merging from left to right, whatever the rank, gives other tokens."""
    other = left_to_right(
        encoded.tokenizer, encoded.text, encoded.pre_tokens, allowed_special=encoded.allowed_special
    )
    differing = sum(p.ids != ids for p, ids in zip(encoded.pre_tokens, other, strict=True))
    with st.container(border=True):
        st.markdown("**Left to right**")
        st.caption(
            "A notebook of “LLMs from scratch” encodes differently. It takes known words whole. "
            "In all others it merges known pairs from the left, ignoring merge order."
        )
        if not differing:
            st.markdown("Both orders give the same ids here.")
            return
        by_rank, from_left = len(encoded.ids), sum(map(len, other))
        st.markdown(
            f"**{differing:,}** of {counted(len(other), 'pre-token')} "
            f"{'differs' if differing == 1 else 'differ'}: **{by_rank:,}** tokens in merge order, "
            f"**{from_left:,}** from left to right."
        )
        packed = pack_orders(
            encoded.tokenizer, encoded.text, encoded.pre_tokens, other, most=MOST_DIFFERENCES
        )
        mount_orders(packed, key="orders")
