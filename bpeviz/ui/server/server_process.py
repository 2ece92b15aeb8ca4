"""What the server's one process shares among all visitors: its interpreter, its memory, and what it prepares.

Streamlit runs each visitor's script in a thread. Only one thread computes at a time, and memory that a thread
needed for a moment stays in the process unless the allocator gives it back."""

import ctypes
import gc
import logging
import sys
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress

import streamlit as st

from bpeviz import __version__
from bpeviz.errors import BpevizError
from bpeviz.formats.pretrained import load_pretrained
from bpeviz.runs.samples import first_run
from bpeviz.tokenizer.encoder import BULK_CHARACTERS
from bpeviz.ui.server.visitors import asks
from bpeviz.workers import workers
from bpeviz.workers.turns import identify_by

__all__ = ["announce", "give_back_memory", "prepare_process", "warm_up"]

#: How long a thread may compute while others wait. With Python's 5 ms and eight busy visitors, a page takes a
#: second longer, because it waits again after every call that lets others run.
SWITCH_SECONDS = 0.001
#: Blocks of this size and more come from the system one by one and go back to it when freed. Without this
#: setting the C library raises it to 32 MiB.
SINGLE_BLOCK_BYTES = 128 * 1024
#: Numbers of mallopt(3).
_M_MMAP_THRESHOLD, _M_ARENA_MAX = -3, -8


def announce() -> None:
    """Say in the terminal where the page is. Streamlit's own lines, which name Streamlit, are off."""
    address, port, path = (st.get_option(f"server.{name}") for name in ("address", "port", "baseUrlPath"))
    place = f"{address or 'localhost'}:{port}/{path}".rstrip("/")
    print(f"bpeviz {__version__} is at http://{place}. Press Ctrl+C to stop it.", flush=True)


def prepare_process() -> None:
    """Make threads take turns more often and free memory go back, let workers know for whom they work, and
    keep the log short. Call it once, before there are threads.

    Objects that exist now stay forever, so garbage collection skips them: checking them takes a tenth of a
    second, and the server answers nobody meanwhile.
    """
    identify_by(asks)
    logging.getLogger("streamlit.error_util").addFilter(_Once().filter)
    sys.setswitchinterval(SWITCH_SECONDS)
    if set_option := _from_c_library("mallopt"):
        set_option(_M_ARENA_MAX, 1)  # each arena has free memory that no other can use
        set_option(_M_MMAP_THRESHOLD, SINGLE_BLOCK_BYTES)
    gc.collect()
    gc.freeze()


class _Once:
    """Leaves a traceback out of the log if the same place in the code has failed before. A browser can send
    values of wrong types again and again."""

    def __init__(self) -> None:
        self._seen: set[tuple[object, ...]] = set()

    def filter(self, record: logging.LogRecord) -> bool:
        if record.exc_info and record.exc_info[1] is not None:
            frames = list(traceback.walk_tb(record.exc_info[2]))
            place = (record.exc_info[0], *((frame.f_code, line) for frame, line in frames[-1:]))
            if place in self._seen:
                record.msg, record.args = f"{record.msg} again: {record.exc_info[0].__name__}", ()
                record.exc_info = record.exc_text = None
            self._seen.add(place)
        return True


def give_back_memory() -> None:
    """Collect garbage cycles, and give free memory back to the system."""
    gc.collect()
    if trim := _from_c_library("malloc_trim"):
        trim(0)


def _from_c_library(name: str) -> Callable[..., int] | None:
    """Return a function of the C library; None if it has none of that name, for example outside glibc."""
    if sys.platform == "win32":
        return None
    function: Callable[..., int] | None = getattr(ctypes.CDLL(None), name, None)
    return function


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
        # beyond ASCII it needs the tables of the older Unicode too
        gpt2.gap_ranks(f"é {numbers}")
        _ = gpt2.vocab_sizes  # computed once, for the compare page
    except BpevizError:
        return  # the page that needs it shows the error
