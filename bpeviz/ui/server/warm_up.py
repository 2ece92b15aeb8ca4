"""Prepares what every session may need soon, while the first visitor looks at the first page."""

import threading
from contextlib import suppress

import streamlit as st

from bpeviz.errors import BpevizError
from bpeviz.formats.pretrained import load_pretrained
from bpeviz.runs.samples import first_run
from bpeviz.tokenizer.tokenizer import BULK_CHARACTERS
from bpeviz.workers import workers

__all__ = ["warm_up"]


@st.cache_resource(show_spinner=False)
def warm_up() -> None:
    """Train the run that sessions open with, start a worker for the first long training or tokenizer file,
    and read GPT-2 and o200k, once per server, in the background."""
    threading.Thread(target=_prepare, daemon=True).start()


def _prepare() -> None:
    first_run()
    workers().keep_ready()
    _read_gpt2()
    _read_o200k()


def _read_o200k() -> None:
    with suppress(BpevizError):
        load_pretrained("o200k_base")


def _read_gpt2() -> None:
    numbers = " ".join(map(str, range(BULK_CHARACTERS // 4)))
    try:
        gpt2 = load_pretrained("gpt2")
        # beyond ASCII it needs the tables of newer_characters too
        gpt2.gap_ranks(f"é {numbers}")
        _ = gpt2.vocab_sizes  # computed once, for the compare page
    except BpevizError:
        return  # the page that needs it shows the error
