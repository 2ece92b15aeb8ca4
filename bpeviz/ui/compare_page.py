"""The second page: the tokenizer at the step on show beside GPT-2's, on a text of the person's choice."""

from collections.abc import Sequence

import streamlit as st

from bpeviz.compare import Comparison, TextTokens, tokenize
from bpeviz.errors import BpevizError, CorpusError
from bpeviz.pretrained import load_pretrained
from bpeviz.ui.markdown import escape, show_error
from bpeviz.ui.player.player import mount, pack_text
from bpeviz.ui.run import Run
from bpeviz.ui.state import Session, session

__all__ = ["compare_page"]

MAX_COMPARED_BYTES = 1_000_000
SHOWN_IDS = 2_000
FIRST_CHARACTERS = 400
FIRST_TEXT = "This is some text, and the lighthouse keeper's words: weather, weathering, café, 灯台, 🚢."

Side = TextTokens | BpevizError


def compare_page() -> None:
    """Draw the page for this session."""
    state = session()
    state.enter("compare")
    st.subheader("Compare with GPT-2", anchor=False)
    run = state.run
    step = _step_slider(state, run) if run else 0
    text = _text(state, run)
    if not _usable(text):
        return
    mine = _mine(run, step, text) if run else None
    gpt2 = _gpt2(state, text)
    if isinstance(mine, TextTokens) and isinstance(gpt2, TextTokens):
        _agreement(Comparison(len(text.encode("utf-8")), mine, gpt2))
    left, right = st.columns(2, gap="medium")
    with left:
        if mine is None:
            st.info("Train a tokenizer on the first page to see it beside GPT-2's.", icon=":material/school:")
        else:
            _side(f"Yours after {step:,} merges", "mine", text, mine)
    with right:
        _side("GPT-2, 50,000 merges", "gpt2", text, gpt2)


def _step_slider(state: Session, run: Run) -> int:
    """The run's step, shared with the player."""
    state.step = st.slider("Merges of yours", 0, len(run.steps), state.step, key=f"compare_step_{run.number}")
    return state.step


def _text(state: Session, run: Run | None) -> str:
    first = _beginning(run.corpus.text) if run else FIRST_TEXT
    shown = first if state.compare_text is None else state.compare_text
    return st.text_area(
        "Text to compare on", shown, key="compare_text", height=130, on_change=_note_compare_text
    )


def _note_compare_text() -> None:
    session().compare_text = st.session_state["compare_text"]


def _beginning(text: str) -> str:
    """The first few hundred characters, up to the end of a word where there is one."""
    first = text[:FIRST_CHARACTERS]
    if len(first) == len(text):
        return first
    words = first.rsplit(maxsplit=1)
    return words[0] if len(words) == 2 else first


def _usable(text: str) -> bool:
    if not text:
        st.info("Type or paste a text above: both tokenizations appear here.", icon=":material/edit:")
        return False
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > MAX_COMPARED_BYTES:
        show_error(
            CorpusError(
                f"This text has {size:,} bytes; up to {MAX_COMPARED_BYTES:,} can be compared. Shorten it."
            )
        )
        return False
    return True


def _mine(run: Run, step: int, text: str) -> Side:
    try:
        return tokenize(text, run.tokenizer.after(step))
    except BpevizError as error:
        return error


def _gpt2(state: Session, text: str) -> Side:
    """GPT-2's side, kept while the text stays: moving the other side's slider does not change it."""
    if state.gpt2 is None or state.gpt2[0] != text:
        try:
            state.gpt2 = text, tokenize(text, load_pretrained("gpt2"))
        except BpevizError as error:
            return error
    return state.gpt2[1]


def _agreement(comparison: Comparison) -> None:
    st.markdown(
        f"**{comparison.shared_boundaries:,}** token boundaries are the same; "
        f"**{len(comparison.only_a):,}** only yours has, **{len(comparison.only_b):,}** only GPT-2's."
    )


def _side(title: str, key: str, text: str, tokens: Side) -> None:
    if isinstance(tokens, BpevizError):
        st.markdown(f"**{escape(title)}**")
        show_error(tokens)
        return
    with st.container(horizontal=True, gap="medium"):
        st.metric("Tokens", f"{tokens.token_total:,}", width="content")
        st.metric("Bytes per token", f"{tokens.bytes_per_token:.2f}", width="content")
    mount(
        pack_text(title, text, tokens.gap_ranks, tokens.num_merges),
        key=f"text-{key}",
    )
    st.caption(f"Token ids, {escape(title)}")
    st.code(
        _ids(tokens.ids), language=None, wrap_lines=True, height=140 if len(tokens.ids) > 80 else "content"
    )


def _ids(ids: Sequence[int]) -> str:
    more = f" … and {len(ids) - SHOWN_IDS:,} more" if len(ids) > SHOWN_IDS else ""
    return " ".join(map(str, ids[:SHOWN_IDS])) + more
