"""The second page: the tokenizer at the step on show beside GPT-2's, on a text of the person's choice."""

from collections.abc import Sequence

import streamlit as st

from bpeviz.compare import Comparison, TextTokens, tokenize
from bpeviz.errors import BpevizError, CorpusError
from bpeviz.pretrained import load_pretrained
from bpeviz.tokenizer import Tokenizer
from bpeviz.ui.markdown import escape, show_error
from bpeviz.ui.player.player import mount, pack_text
from bpeviz.ui.run import Run
from bpeviz.ui.state import Session, session

__all__ = ["compare_page"]

MAX_COMPARED_BYTES = 1_000_000
SHOWN_IDS = 2_000
FIRST_CHARACTERS = 400
FIRST_TEXT = "This is some text, and the lighthouse keeper's words: weather, weathering, café, 灯台, 🚢."


def compare_page() -> None:
    """Draw the page for this session."""
    state = session()
    state.enter("compare")
    st.subheader("Compare with GPT-2", anchor=False)
    run = state.run
    step = _step_slider(state, run) if run else 0
    text = _text(state, run)
    mine = _tokenize(text, run.tokenizer.after(step)) if run else None
    gpt2 = _tokenize(text, load_pretrained("gpt2"))
    if mine and gpt2:
        _agreement(Comparison(len(text.encode("utf-8")), mine, gpt2))
    left, right = st.columns(2, gap="medium")
    with left:
        if run is None:
            st.info("Train a tokenizer first to see it beside GPT-2.", icon=":material/school:")
        else:
            _side(f"Yours after {step:,} merges", "mine", text, mine)
    with right:
        _side("GPT-2, 50,000 merges", "gpt2", text, gpt2)


def _step_slider(state: Session, run: Run) -> int:
    """The run's step, shared with the player."""
    state.step = st.slider("Merges of yours", 0, len(run.steps), state.step, key=f"compare_step_{run.number}")
    return state.step


def _text(state: Session, run: Run | None) -> str:
    first = run.corpus.text[:FIRST_CHARACTERS] if run else FIRST_TEXT
    shown = first if state.compare_text is None else state.compare_text
    return st.text_area(
        "Text to compare on", shown, key="compare_text", height=130, on_change=_note_compare_text
    )


def _note_compare_text() -> None:
    session().compare_text = st.session_state["compare_text"]


def _tokenize(text: str, tokenizer: Tokenizer) -> TextTokens | None:
    """Tokenize, or say why it cannot be done."""
    try:
        size = len(text.encode("utf-8", "surrogatepass"))
        if size > MAX_COMPARED_BYTES:
            raise CorpusError(
                f"This text has {size:,} bytes; up to {MAX_COMPARED_BYTES:,} can be compared. Shorten it."
            )
        return tokenize(text, tokenizer)
    except BpevizError as error:
        show_error(error)
        return None


def _agreement(comparison: Comparison) -> None:
    if not comparison.byte_total:
        st.info("Type or paste a text above: both tokenizations appear here.", icon=":material/edit:")
        return
    st.markdown(
        f"**{comparison.shared_boundaries:,}** token boundaries are the same; "
        f"**{len(comparison.only_a):,}** only yours has, **{len(comparison.only_b):,}** only GPT-2's."
    )


def _side(title: str, key: str, text: str, tokens: TextTokens | None) -> None:
    if tokens is None:
        return
    with st.container(horizontal=True):
        st.metric("Tokens", f"{tokens.token_total:,}", width="content")
        st.metric("Bytes per token", f"{tokens.bytes_per_token:.2f}", width="content")
    mount(
        pack_text(title, text, tokens.gap_ranks, tokens.num_merges),
        key=f"text-{key}",
        start=0,
        on_step_change=_nothing,
    )
    st.caption(f"Token ids, {escape(title)}")
    st.code(
        _ids(tokens.ids), language=None, wrap_lines=True, height=140 if len(tokens.ids) > 80 else "content"
    )


def _ids(ids: Sequence[int]) -> str:
    more = f" … and {len(ids) - SHOWN_IDS:,} more" if len(ids) > SHOWN_IDS else ""
    return " ".join(map(str, ids[:SHOWN_IDS])) + more


def _nothing() -> None:
    """A text without transport reports nothing."""
