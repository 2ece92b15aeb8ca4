"""The component with the text in the tokens of both sides and their sliders: what it shows, and what it
reports."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import streamlit as st

from bpeviz.browser.comparison_pack import Rival, pack_comparison
from bpeviz.runs.run import NamedText
from bpeviz.tokenizer.encoded_text import EncodedText
from bpeviz.ui.compare.state import CompareFields, CompareState
from bpeviz.ui.kit.messages import message_of, whole
from bpeviz.ui.kit.parts import mount_part
from bpeviz.ui.kit.pick_side import picked_side
from bpeviz.ui.kit.tokenizer_sources import Side
from bpeviz.ui.session.session import Session, session
from bpeviz.ui.session.session_cache import tokenizer_number

__all__ = ["Rivals", "merges_of", "mount", "read_rivals", "show_comparison", "sides_at_rest", "take_over"]

#: The merges that both sides have.
Ends = tuple[int, int]


@dataclass(frozen=True)
class Rivals:
    """Where both sliders rest: merges of each side, whether they are ``locked`` to equal vocabulary sizes,
    and the ``serial`` number of the pack on the screen."""

    left: int
    right: int
    locked: bool
    serial: int


def mount(data: bytes, *, key: str, most: Ends, on_rest: Callable[[Rivals], None]) -> None:
    """Show a pack whose sides have ``most`` merges; Streamlit calls ``on_rest`` when both sliders rest."""

    def reported() -> None:
        if rivals := read_rivals(st.session_state[key], most):
            on_rest(rivals)

    mount_part("comparer", key=key, data=data, on_at_change=reported)


def read_rivals(state: object, most: Ends) -> Rivals | None:
    """Where both sliders are; None if the report is malformed."""
    at = message_of(state, "at")
    left, right = whole(at.get("left"), most[0]), whole(at.get("right"), most[1])
    locked, serial = at.get("locked"), whole(at.get("serial"), 2**53)
    if left is None or right is None or serial is None or not isinstance(locked, bool):
        return None
    return Rivals(left, right, locked, serial)


def merges_of(fields: CompareFields, slot: str, side: Side) -> int:
    """Return how many merges of a side to use: as last chosen, or all."""
    return min(fields.merges_by_side.get((slot, side.key), side.num_merges), side.num_merges)


def sides_at_rest(
    fields: CompareFields, sides: tuple[Side, Side], encoded: tuple[EncodedText, EncodedText]
) -> tuple[Rival, Rival]:
    """Return both sides at their numbers of merges."""
    left, right = (
        Rival(side.name, side.tokenizer, each, merges_of(fields, slot, side))
        for slot, side, each in zip(("left", "right"), sides, encoded, strict=True)
    )
    return left, right


def show_comparison(
    state: Session,
    sides: tuple[Side, Side],
    encoded: tuple[EncodedText, EncodedText],
    rows: Mapping[str, Rival],
    text: NamedText,
) -> None:
    """Show the component. It gets new data only if something else than the sliders changed."""
    compare = state.pages.of(CompareState)
    shown = [(side.key, side.name, tokenizer_number(side.tokenizer)) for side in sides]
    below = [(key, row.name, tokenizer_number(row.tokenizer)) for key, row in rows.items()]
    # Another page removes the component. On the next visit it starts where the sides are then.
    key = (state.visit, *shown, *below, text.text)
    if compare.packed is None or compare.packed[0] != key:
        _begin(compare, sides)
        compare.serial += 1
        compare.packed = (
            key,
            pack_comparison(
                text.text,
                sides_at_rest(compare.saved, sides, encoded),
                list(rows.values()),
                locked=compare.saved.locked,
                serial=compare.serial,
            ),
        )
    ends = sides[0].num_merges, sides[1].num_merges
    mount(
        compare.packed[1],
        key="comparer",
        most=ends,
        on_rest=lambda rivals: take_over(session(), ends, rivals),
    )


def _begin(state: CompareState, sides: tuple[Side, Side]) -> None:
    """Set how many merges of both sides to begin with: all, or as many as the person chose last. If both are
    to have equal vocabulary sizes, these are the largest that both can have; two sides that were compared
    last stay where they were."""
    fields, keys = state.saved, (sides[0].key, sides[1].key)
    if not fields.merges:
        fields.locked = False
    made = fields.merges_by_side
    chosen = ("left", keys[0]) in made and ("right", keys[1]) in made
    if fields.locked and not (chosen and state.pair in (None, keys)):
        size = min(int(side.tokenizer.vocab_sizes[-1]) for side in sides)
        for slot, side in zip(("left", "right"), sides, strict=True):
            merges = int(np.searchsorted(side.tokenizer.vocab_sizes, size, "right")) - 1
            fields.set_merges(slot, side.key, max(0, merges))
    state.pair = keys


def take_over(state: Session, ends: Ends, rivals: Rivals) -> None:
    """Note where both sides rest. The component reports that both are at their ``ends`` as soon as it is
    there. That is no change, until the person has moved a side."""
    compare = state.pages.of(CompareState)
    for slot, merges, end in zip(("left", "right"), (rivals.left, rivals.right), ends, strict=True):
        key = picked_side(state, slot)
        if merges != end or rivals.locked or (slot, key) in compare.saved.merges_by_side:
            compare.saved.set_merges(slot, key, merges)
    compare.saved.locked = rivals.locked
    compare.on_screen = rivals.serial
