"""The panel of the most frequent pairs, and the pairs of all steps for it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import streamlit as st

from bpeviz.core.token_chain import Pair
from bpeviz.core.top_pairs import TopPairs
from bpeviz.ui.components.messages import message_of, whole
from bpeviz.ui.components.pack import pack
from bpeviz.ui.components.shared.load import load_component

__all__ = ["PickedPair", "mount_pairs", "pack_pairs", "read_picked", "send_pairs"]

MOST_ID = 2**31 - 1
_HERE = Path(__file__).parent
_SHARED = _HERE.parent / "shared"
_STYLES = (_SHARED / "base.css", _SHARED / "curves.css", _HERE / "pairs.css")


def pack_pairs(top: TopPairs, *, number: int, tie_reason: str, vetoed: Mapping[Pair, int]) -> bytes:
    """Pack the top pairs of the run ``number``; ``vetoed`` says from which step a pair is vetoed."""
    exact = np.int32 if top.counts.max(initial=0) < 2**31 else np.float64
    header = {
        "number": number,
        "most": _longest(top),
        "tie_reason": tie_reason,
        "vetoed": [[*pair, step] for pair, step in vetoed.items()],
    }
    return pack(
        header,
        num_dropped=top.num_dropped,
        dropped=top.dropped,
        num_added=top.num_added,
        places=top.places,
        lefts=top.lefts,
        rights=top.rights,
        counts=top.counts.astype(exact),
    )


def _longest(top: TopPairs) -> int:
    """How many pairs the longest list has."""
    lengths = np.cumsum(top.num_added.astype(np.int64) - top.num_dropped)
    return int(lengths.max(initial=0))


@dataclass(frozen=True)
class PickedPair:
    """A pair that a person picked, and the step at which the player rested then."""

    pair: Pair
    step: int


def mount_pairs(*, last: int, on_pick: Callable[[PickedPair], None]) -> None:
    """Show the panel. Streamlit calls ``on_pick`` when a person clicks a bar; ``last`` is its last step."""

    def picked() -> None:
        pair = read_picked(st.session_state["pairs"], last)
        if pair:
            on_pick(pair)

    panel = load_component("bpeviz_pairs", _HERE / "pairs.js", _STYLES)
    panel(key="pairs", on_picked_change=picked)


def read_picked(state: object, last: int) -> PickedPair | None:
    """The picked pair, at a step of ``last`` merges; None if the message is malformed."""
    message = message_of(state, "picked")
    left, right = (whole(message.get(side), MOST_ID) for side in ("left", "right"))
    step = whole(message.get("step"), last)
    return None if left is None or right is None or step is None else PickedPair((left, right), step)


def send_pairs(data: bytes) -> None:
    """Send the packed pairs to the panel."""
    load_component("bpeviz_pair_pack", _HERE / "pair_pack.js")(key="pair_pack", data=data)
