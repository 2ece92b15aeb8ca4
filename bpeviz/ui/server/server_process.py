"""How the server's one process shares its interpreter and its memory among all visitors.

Streamlit runs each visitor's script in a thread. Only one thread computes at a time, and what one of them
needs for a moment stays in the process unless the allocator gives it back.
"""

import ctypes
import gc
import sys
from collections.abc import Callable

__all__ = ["give_back_memory", "prepare_process"]

#: How long a thread may compute while others wait; Python's 5 ms add up to a second for a page beside eight
#: busy visitors, for a page waits again after every call that lets others in.
SWITCH_SECONDS = 0.001
#: Blocks of this many bytes and more come from the system one by one and go back to it when they are freed.
#: The C library would raise this to 32 MiB by itself.
SINGLE_BLOCK_BYTES = 128 * 1024
#: Numbers of mallopt(3).
_M_MMAP_THRESHOLD, _M_ARENA_MAX = -3, -8


def prepare_process() -> None:
    """Have threads take turns more often and freed memory go back; call it once, before there are threads.

    What the process holds by now stays for good, so collecting garbage leaves it out: looking through it
    takes a tenth of a second, in which nobody is served.
    """
    sys.setswitchinterval(SWITCH_SECONDS)
    if set_option := _from_c_library("mallopt"):
        set_option(_M_ARENA_MAX, 1)  # each has free memory that no other can use
        set_option(_M_MMAP_THRESHOLD, SINGLE_BLOCK_BYTES)
    gc.collect()
    gc.freeze()


def give_back_memory() -> None:
    """Free what only cycles of garbage still hold, and give free memory back to the system."""
    gc.collect()
    if trim := _from_c_library("malloc_trim"):
        trim(0)


def _from_c_library(name: str) -> Callable[..., int] | None:
    """A function of the C library, None where it has none of that name, as outside glibc."""
    if sys.platform == "win32":
        return None
    function: Callable[..., int] | None = getattr(ctypes.CDLL(None), name, None)
    return function
