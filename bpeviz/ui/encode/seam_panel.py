"""What follows may change the end of the text, and an edit the tokens around it."""

from collections.abc import Iterable, Sequence

import streamlit as st

from bpeviz.errors import BpevizError
from bpeviz.limits import limits
from bpeviz.sessions.document import MOST_PART_CHARACTERS
from bpeviz.text.token_text import isolated, visible
from bpeviz.tokenizer.seam import edit_reach, seam
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.ui.encode.encoded import Encoded
from bpeviz.ui.encode.state import EncodeState
from bpeviz.ui.kit.messages import TooLongError, check_length
from bpeviz.ui.kit.words import escape, show_error
from bpeviz.ui.session.session import session
from bpeviz.ui.session.session_cache import session_cache, tokenizer_number
from bpeviz.words import counted

__all__ = ["seam_panel"]

#: How many tokens of a row, and how many continuations are shown.
MOST_TOKENS, MOST_CONTINUATIONS = 8, 24
TOKEN_CHARACTERS = 24


def seam_panel(encoded: Encoded) -> None:
    """Show which tokens at the end are settled, and how far an edit in the middle reaches."""
    with st.container(border=True, key="seam"):
        st.markdown("**What follows may change the end**")
        _end(encoded)
        st.markdown("**An edit in the middle**")
        _edit(encoded)


def _end(encoded: Encoded) -> None:
    tokenizer = encoded.tokenizer
    key = "seam", tokenizer_number(tokenizer), encoded.text
    try:
        with st.spinner("Trying each token at the end …", show_time=True):
            found = session_cache().get(key, lambda: seam(tokenizer, encoded.text))
    except BpevizError as error:
        st.caption(escape(str(error)))
        return
    settled = f"{counted(len(found.settled), 'token')} {'is' if len(found.settled) == 1 else 'are'} settled"
    st.markdown(f"**{settled}.** Open: {_row(tokenizer, found.open_ids)}")
    if not found.proved:
        st.caption("Your split pattern is not proved: these tokens stayed in all that was tried.")
    others = sorted(found.continuations - {found.open_ids}, key=lambda ids: (len(ids), ids))
    if not others:
        st.caption("Nothing that follows changes them.")
        return
    shown = " · ".join(_changed(tokenizer, found.open_ids, ids) for ids in others[:MOST_CONTINUATIONS])
    more = " · …" if len(others) > MOST_CONTINUATIONS else ""
    total = counted(len(found.continuations), "way", "ways")
    st.markdown(f"A longer text may have them in {total}, such as {shown}{more}")


def _changed(tokenizer: Tokenizer, open_ids: Sequence[int], ids: Sequence[int]) -> str:
    """Return a continuation from the first token on that is another one now."""
    first = edit_reach(open_ids, ids).first
    return ("… | " if first else "") + _row(tokenizer, ids[first:])


def _edit(encoded: Encoded) -> None:
    """Ask for what to put in, and where; show the tokens that change."""
    fields, text = session().pages.of(EncodeState).saved, encoded.text
    shown = fields.edit
    left, right = st.columns(2)
    with left:
        put_in = st.text_input("Put this into the text", shown, key="encode_edit", placeholder="a letter")
    with right:
        middle = len(text) // 2 if fields.edit_at is None else min(fields.edit_at, len(text))
        at = st.slider("After so many characters", 0, len(text), middle, key=f"encode_edit_at_{len(text)}")
    if put_in != shown and len(put_in) <= MOST_PART_CHARACTERS:
        fields.edit = put_in
    if at != middle:
        fields.edit_at = at
    if not put_in:
        st.caption("Write a letter or a word: the tokens that it changes appear here.")
        return
    try:
        check_length("This edit", put_in, limits().max_encoded_characters)
        after = encoded.tokenizer.encode(
            text[:at] + put_in + text[at:], allowed_special=encoded.allowed_special
        )
    except (TooLongError, BpevizError) as error:
        show_error(error)
        return
    before = encoded.ids
    reach = edit_reach(before, after)
    total = reach.end_before - reach.first
    old = _row(encoded.tokenizer, before[reach.first : reach.end_before])
    new = _row(encoded.tokenizer, after[reach.first : reach.end_after])
    changes = f"{counted(total, 'token')} of {len(before):,} {'changes' if total == 1 else 'change'}"
    st.markdown(f"**{changes}:** {old} → {new}")


def _row(tokenizer: Tokenizer, ids: Sequence[int]) -> str:
    """Return tokens in a row, as markdown."""
    shown = " | ".join(_tokens(tokenizer, ids[:MOST_TOKENS]))
    more = " | …" if len(ids) > MOST_TOKENS else ""
    return escape(shown + more) if ids else "nothing"


def _tokens(tokenizer: Tokenizer, ids: Iterable[int]) -> list[str]:
    return [isolated(visible(tokenizer.token_bytes(i), TOKEN_CHARACTERS)) for i in ids]
