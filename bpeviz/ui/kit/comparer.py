"""Mount the component that shows one text with the gap ranks of two tokenizers, and read its reports."""

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from bpeviz.ui.kit.messages import message_of, whole
from bpeviz.ui.kit.parts import mount_part

__all__ = ["Rivals", "mount", "read_rivals"]


@dataclass(frozen=True)
class Rivals:
    """Where both sliders rest: merges of each side, whether they are ``locked`` to equal vocabulary sizes,
    and the ``serial`` number of the pack on the screen."""

    left: int
    right: int
    locked: bool
    serial: int


def mount(data: bytes, *, key: str, most: tuple[int, int], on_rest: Callable[[Rivals], None]) -> None:
    """Show a pack whose sides have ``most`` merges; Streamlit calls ``on_rest`` when both sliders rest."""

    def reported() -> None:
        if rivals := read_rivals(st.session_state[key], most):
            on_rest(rivals)

    mount_part("comparer", key=key, data=data, on_at_change=reported)


def read_rivals(state: object, most: tuple[int, int]) -> Rivals | None:
    """Where both sliders are; None if the report is malformed."""
    at = message_of(state, "at")
    left, right = whole(at.get("left"), most[0]), whole(at.get("right"), most[1])
    locked, serial = at.get("locked"), whole(at.get("serial"), 2**53)
    if left is None or right is None or serial is None or not isinstance(locked, bool):
        return None
    return Rivals(left, right, locked, serial)
