"""Pack a trained run into bytes for the player component, and mount it.

The component draws text with ``textContent`` only.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import streamlit as st

from bpeviz.core.base_vocabulary import BaseVocabulary
from bpeviz.core.gap_ranks import GapRanks
from bpeviz.core.token_chain import Pair
from bpeviz.text.token_text import visible
from bpeviz.training.merge_step import MergeStep
from bpeviz.ui.components.messages import message_of, whole
from bpeviz.ui.components.pack import pack, short_gap_ranks
from bpeviz.ui.components.shared.load import load_component

__all__ = ["ask", "mount", "pack_run", "read_report"]

_HERE = Path(__file__).parent
_SHARED = _HERE.parent / "shared"
_STYLES = (
    _SHARED / "base.css",
    _SHARED / "text_view.css",
    _HERE / "token_card.css",
    _SHARED / "curves.css",
    _HERE / "exports.css",
)


def pack_run(
    text: str,
    gap_ranks: GapRanks,
    steps: Sequence[MergeStep],
    *,
    token_totals: npt.NDArray[np.int64],
    vocab_sizes: npt.NDArray[np.int64],
    vocabulary: Mapping[int, bytes],
    base: BaseVocabulary,
    number: int,
    title: str,
    tie_sentence: str,
    chosen: Sequence[int],
    stop_reason: str,
    start: int,
    corpus_bytes: int,
    beside: bytes | None = None,
    reports: bool = False,
) -> bytes:
    """Pack a text with the whole history of its merges; the player begins at step ``start``.

    ``token_totals`` and ``corpus_bytes`` are those of the corpus, of which the text may be a part.

    ``number`` is the run's, ``chosen`` are the ranks of merges that a person chose; ``beside`` is the
    pack of another run on the same text, which the player draws beside this one at the same step. If the
    player ``reports``, it reports its step also when it has painted the first one.
    """
    header = {
        "number": number,
        "title": title,
        "chosen": list(chosen),
        "start": start,
        "reports": reports,
        "tie_sentence": tie_sentence,
        "stop_reason": stop_reason,
        "num_merges": len(steps),
        "text_bytes": corpus_bytes,
        "base_ids": {symbol.hex(): i for i, symbol in zip(base.symbol_ids, base.symbols, strict=True)},
        "labels": {token_id: visible(token) for token_id, token in vocabulary.items()},
    }
    return pack(
        header,
        text=np.frombuffer(text.encode("utf-8"), np.uint8),
        gaps=short_gap_ranks(gap_ranks),
        lefts=np.array([s.pair[0] for s in steps], np.int32),
        rights=np.array([s.pair[1] for s in steps], np.int32),
        ids=np.array([s.token_id for s in steps], np.int32),
        tied=np.array([s.tied for s in steps], np.int32),
        counts=np.array([s.count for s in steps], np.float64),
        totals=token_totals.astype(np.float64),
        vocab_sizes=vocab_sizes.astype(np.int32),
        beside=np.frombuffer(beside or b"", np.uint8),
    )


def mount(data: bytes, *, key: str, last: int, on_rest: Callable[[int], None] | None = None) -> None:
    """Show a pack of ``last`` merges; Streamlit calls ``on_rest`` with the step at which the player rests."""

    def reported() -> None:
        step = read_report(st.session_state[key], last)
        if on_rest and step is not None:
            on_rest(step)

    player = load_component("bpeviz_player", _HERE / "player.js", _STYLES)
    player(key=key, data=data, on_at_change=reported)


def read_report(state: object, last: int) -> int | None:
    """The step of the player, among ``last`` merges; None if the report is malformed."""
    return whole(message_of(state, "at").get("step"), last)


def ask(step: int, serial: int, *, shown: int, pair: Pair | None) -> None:
    """Send the player on the page to a step, once for each ``serial``; 0 sends it nowhere. ``shown`` is the
    step that the panels are about, and ``pair`` the picked one."""
    remote = load_component("bpeviz_remote", _HERE / "remote.js")
    remote(key="remote", data={"serial": serial, "step": step, "shown": shown, "pair": pair})
