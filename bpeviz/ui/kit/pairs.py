"""The panel of the most frequent pairs: mount it, send it the pairs, and read what it reports."""

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from bpeviz.core.token_chain import Pair
from bpeviz.training.choice import Action
from bpeviz.ui.kit.messages import MOST_ID, message_of, whole
from bpeviz.ui.kit.parts import mount_part

__all__ = [
    "ForkedPair",
    "PickedPair",
    "mount_pairs",
    "read_forked",
    "read_picked",
    "send_pairs",
]


@dataclass(frozen=True)
class PickedPair:
    """A pair that a person picked, and the step at which the player rested then."""

    pair: Pair
    step: int


@dataclass(frozen=True)
class ForkedPair(PickedPair):
    """A pair that a person merges next at that step, or never."""

    action: Action


def mount_pairs(
    *,
    last: int,
    marked: Pair | None = None,
    on_pick: Callable[[PickedPair], None] | None = None,
    on_fork: Callable[[ForkedPair], None] | None = None,
    on_clear: Callable[[], None] | None = None,
) -> None:
    """Show the panel; with ``on_pick`` it has a card of the picked pair, without it ``marked`` is the pair to
    mark. Streamlit calls ``on_pick`` when a
    person picks a pair, ``on_fork`` when they merge or veto it, and ``on_clear`` when they close the card.
    ``last`` is its last step. A report may come when the panel is just gone."""

    def picked() -> None:
        pair = read_picked(st.session_state.get("pairs"), last)
        if pair and on_pick:
            on_pick(pair)

    def forked() -> None:
        pair = read_forked(st.session_state.get("pairs"), last)
        if pair and on_fork:
            on_fork(pair)

    mount_part(
        "pairs",
        key="pairs",
        data={"card": on_pick is not None, "marked": marked},
        on_picked_change=picked,
        on_forked_change=forked,
        on_cleared_change=on_clear or (lambda: None),
    )


def read_forked(state: object, last: int) -> ForkedPair | None:
    """Return the pair to merge next or never, before the last of ``last`` merges; None if the message is
    malformed."""
    picked, action = read_picked(state, last - 1, "forked"), message_of(state, "forked").get("action")
    if picked is None or action not in ("merge", "veto"):
        return None
    return ForkedPair(picked.pair, picked.step, action)


def read_picked(state: object, last: int, name: str = "picked") -> PickedPair | None:
    """Return the picked pair, at a step of ``last`` merges; None if the message is malformed."""
    message = message_of(state, name)
    left, right = (whole(message.get(side), MOST_ID) for side in ("left", "right"))
    step = whole(message.get("step"), last)
    return None if left is None or right is None or step is None else PickedPair((left, right), step)


def send_pairs(data: bytes) -> None:
    """Send the packed pairs to the panel."""
    mount_part("pair_pack", key="pair_pack", data=data)
