"""The panel for a person's own text: its tokens while they type, and the button that trains on it."""

import streamlit as st

from bpeviz.errors import BpevizError, SplitPatternBusyError
from bpeviz.formats.pretrained import load_pretrained
from bpeviz.runs.language_cost import language_cost
from bpeviz.runs.run import NamedText
from bpeviz.runs.typed_text import TokenRow, fits, missing_row, token_row
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.training.settings import CUSTOM_SPLIT
from bpeviz.ui.kit.text_box import TextBoxState, mount_text_box
from bpeviz.ui.session.form import YOUR_TEXT
from bpeviz.ui.session.saving import save_session
from bpeviz.ui.session.session import Session, session
from bpeviz.ui.session.session_cache import session_cache, tokenizer_number

__all__ = ["RETRAINED_BYTES", "your_text_panel"]

#: A text up to this size trains again while a person types.
RETRAINED_BYTES = 10_000
#: The tokenizers that everybody knows, by the name that people use.
KNOWN = {"GPT-2": "gpt2", "o200k": "o200k_base"}


@st.fragment(key="your_text")
def your_text_panel(state: Session) -> None:
    """Show the field and the text's tokens."""
    text, run = state.form.typed if fits(state.form.typed) else "", state.run
    known = _known_tokenizers() if text else {}
    of_run = {"this run": run.tokenizer} if text and run is not None else {}
    mount_text_box(
        TextBoxState(
            text,
            rows=[_row(name, tokenizer, text) for name, tokenizer in (known | of_run).items()],
            cost=language_cost(text, known),
            problem=state.form.problem,
            trained=run is not None and run.corpus == NamedText(YOUR_TEXT, text),
            retrained_bytes=RETRAINED_BYTES if _trains_as_typed(state) else 0,
            busy=state.training.busy,
        ),
        session_number=state.number,
        on_type=_note,
        on_train=_train_on,
    )


def _row(name: str, tokenizer: Tokenizer, text: str) -> TokenRow:
    """Return the text in the tokens of a tokenizer; it is encoded once, however often the page runs."""
    key = "typed", tokenizer_number(tokenizer), text
    try:
        return session_cache().get(key, lambda: token_row(name, tokenizer, text))
    except SplitPatternBusyError as error:
        return missing_row(name, error)


def _trains_as_typed(state: Session) -> bool:
    """Return True if each key trains again. A person's own split pattern may take seconds each time, while
    other visitors wait: with it, only the button trains."""
    return state.form.settings.split != CUSTOM_SPLIT


def _note(text: str) -> None:
    """Note what the person has typed, and train on it if it is short."""
    state = session()
    if state.form.typed == text:
        return
    state.form.typed, state.form.problem = text, ""
    again = _trains_as_typed(state) and not state.training.busy
    if again and text and len(text.encode("utf-8", "surrogatepass")) <= RETRAINED_BYTES:
        _train_next(state, text)
    if save_session(state):
        st.rerun()  # with the whole page the browser gets the session's id


def _train_on(text: str) -> None:
    state = session()
    state.form.typed, state.form.problem = text, ""
    if not state.training.busy:
        state.form.chosen += 1
        _train_next(state, text)


def _train_next(state: Session, text: str) -> None:
    """Have the whole page run, which trains first. It must be asked for: if the player reports its step at
    the same moment, Streamlit would only run the fragments that follow the player."""
    state.form.wanted = NamedText(YOUR_TEXT, text)
    state.problem = ""  # now: the page shows problems before it trains
    st.rerun()


def _known_tokenizers() -> dict[str, Tokenizer]:
    """Return the tokenizers whose files this machine has, by name."""
    known = {}
    for name, pretrained in KNOWN.items():
        try:
            known[name] = load_pretrained(pretrained)
        except BpevizError:  # the Compare page says what is missing
            continue
    return known
