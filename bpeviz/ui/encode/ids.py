"""The ids of the text, and a field for ids to decode, with the round trip from text to ids and back."""

from collections.abc import Sequence
from zlib import crc32

import pandas as pd
import streamlit as st

from bpeviz.limits import limits
from bpeviz.sessions.page_fields import Text
from bpeviz.text.token_text import hex_bytes, visible
from bpeviz.tokenizer.id_list import read_ids
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.ui.encode.encoded import Encoded
from bpeviz.ui.encode.state import EncodeState
from bpeviz.ui.kit.messages import TooLongError, check_length, kept
from bpeviz.ui.kit.table import show_table
from bpeviz.ui.kit.words import show_error
from bpeviz.ui.session.session import session
from bpeviz.words import counted

__all__ = ["ids_panel"]

MAX_DECODED_CHARACTERS = 20_000
BYTES_IN_A_CELL = 60


def ids_panel(tokenizer: Tokenizer, text: str, encoded: Encoded | None, above: str) -> None:
    """Show the ids of the text, and a field for ids to decode. ``above`` names the text."""
    with st.container(border=True):
        st.markdown("**Token ids**")
        listed = ""
        if encoded:
            listed = " ".join(map(str, encoded.ids))
            st.code(
                listed, language=None, wrap_lines=True, height=140 if len(encoded.ids) > 80 else "content"
            )
        written = _ids_field(listed)
        if written.strip():
            _decoded(tokenizer, text, written, above)
        else:
            st.caption("Paste ids, with spaces or commas between them, to decode them.")


def _ids_field(listed: str) -> str:
    """Show the field for ids, which has those of the text until the person writes others."""
    fields = session().pages.of(EncodeState).saved
    # Only a new field shows other ids. Its key follows from what it shows, and is saved: after a lost
    # connection the browser sends what a person wrote under the same key.
    followed = fields.ids_of if fields.ids else crc32(listed.encode())
    key = f"encode_ids_{followed}"
    shown = fields.ids.text if fields.ids else listed

    def release() -> None:
        fields.ids, st.session_state[key] = None, listed

    written = st.text_area("Token ids to decode", shown, key=key, height=100)
    if written != shown and (typed := kept(written, None)) is not None:
        fields.ids, fields.ids_of = Text(typed), followed
    if fields.ids is not None:
        st.button(
            "The ids of the text again", icon=":material/undo:", key="encode_ids_release", on_click=release
        )
    return written


def _decoded(tokenizer: Tokenizer, text: str, written: str, above: str) -> None:
    """Show what ids decode to, whether that is the text, and the bytes of each."""
    try:
        check_length("The list of ids", written, limits().max_ids_characters)
    except TooLongError as error:
        show_error(error)
        return
    read = read_ids(written, tokenizer)
    if read.fault:
        show_error(read.fault)
    if not read.ids:
        return
    tokens = [tokenizer.token_bytes(token_id) for token_id in read.ids]
    if fault := _too_much(tokens):
        show_error(fault)
        return
    spelled = tokenizer.decode_bytes(read.ids)
    st.caption(_round_trip(spelled, text, above, whole=read.fault is None))
    st.code(spelled.decode("utf-8", "replace")[:MAX_DECODED_CHARACTERS], language=None, wrap_lines=True)
    table = pd.DataFrame(
        {
            "id": read.ids,
            "token": [visible(token) for token in tokens],
            "bytes": [hex_bytes(token, BYTES_IN_A_CELL) for token in tokens],
        }
    )
    show_table(table, "encode_decoded", height=247)


def _too_much(tokens: Sequence[bytes]) -> str:
    """Return the error if there is more than we decode here, or an empty string."""
    ids, size = len(tokens), sum(map(len, tokens))
    if ids > limits().max_ids:
        more = ids - limits().max_ids
        return f"These are {ids:,} ids, {more:,} more than are decoded here. Leave some out."
    if size > limits().max_decoded_bytes:
        more = size - limits().max_decoded_bytes
        return f"These ids spell {size:,} bytes, {more:,} more than are decoded here. Leave some out."
    return ""


def _round_trip(spelled: bytes, text: str, above: str, *, whole: bool) -> str:
    size = counted(len(spelled), "byte")
    if spelled == text.encode("utf-8", "surrogatepass"):
        return f"Decoded: {size}, exactly {above}."
    try:
        spelled.decode("utf-8")
    except UnicodeDecodeError:
        return f"Decoded: {size}, not {above}. Bytes that don't form a whole character show as �."
    return f"Decoded: {size}, not {above}." if whole else f"Decoded without those: {size}."
