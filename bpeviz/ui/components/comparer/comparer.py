"""Pack one text with the gap ranks of two tokenizers, and mount the component that shows them."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import streamlit as st

from bpeviz.analysis.rank_pairs import rank_pairs
from bpeviz.tokenizer.encoded_text import EncodedText
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.ui.components.messages import message_of, whole
from bpeviz.ui.components.pack import pack, short_gap_ranks
from bpeviz.ui.components.shared.load import load_component

__all__ = ["Rival", "Rivals", "mount", "pack_comparison", "read_rivals"]

_HERE = Path(__file__).parent
_SHARED = _HERE.parent / "shared"
_STYLES = (_SHARED / "base.css", _SHARED / "text_view.css", _SHARED / "curves.css", _HERE / "comparer.css")


@dataclass(frozen=True, eq=False)
class Rival:
    """One side of a comparison: its tokenizer, the text in its tokens, and the number of merges to begin
    with; ``yours`` if this session trained it."""

    name: str
    tokenizer: Tokenizer
    encoded: EncodedText
    num_merges: int
    yours: bool


@dataclass(frozen=True)
class Rivals:
    """Where both sliders rest: merges of each side, whether they are ``locked`` to equal vocabulary sizes,
    and the ``serial`` number of the pack on the screen."""

    left: int
    right: int
    locked: bool
    serial: int


def pack_comparison(text: str, rivals: tuple[Rival, Rival], *, locked: bool, serial: int) -> bytes:
    """Pack the comparison: about three bytes for each byte of text, and five for each merge."""
    pairs = rank_pairs(rivals[0].encoded.gap_ranks, rivals[1].encoded.gap_ranks)
    arrays: dict[str, Any] = {
        "text": np.frombuffer(text.encode("utf-8"), np.uint8),
        "numbers": pairs.numbers.view(np.uint8),
        "first": pairs.first,
        "second": pairs.second,
        "counts": pairs.counts,
    }
    for i, rival in enumerate(rivals):
        arrays[f"hidden_{i}"] = rival.encoded.hidden_ranks
        arrays[f"symbols_{i}"] = short_gap_ranks(rival.encoded.symbol_ids)  # it has the same special values
        arrays[f"ids_{i}"] = _ids(rival.tokenizer)
        arrays[f"new_{i}"] = np.diff(rival.tokenizer.vocab_sizes).astype(np.uint8)
    sides = [_header(rival) for rival in rivals]
    return pack({"sides": sides, "locked": locked, "serial": serial}, **arrays)


def _ids(tokenizer: Tokenizer) -> npt.NDArray[np.int32] | npt.NDArray[np.float64]:
    """The id of the token that each merge makes. float64, which holds the ids that the browser can count to,
    if one is too high for int32."""
    ids = tokenizer.merge_ids
    return ids.astype(np.int32) if ids.max(initial=0) < 2**31 else ids.astype(np.float64)


def _header(rival: Rival) -> dict[str, Any]:
    return {
        "name": rival.name,
        "yours": rival.yours,
        "start": rival.num_merges,
        "base_size": int(rival.tokenizer.vocab_sizes[0]),
        "base_ids": _base_ids(rival.tokenizer),
    }


def _base_ids(tokenizer: Tokenizer) -> dict[str, int]:
    """The ids of the base symbols by their bytes; empty if the pack has the id of each symbol in the text,
    whose bytes may be others."""
    if tokenizer.pipeline is not None:
        return {}
    base = tokenizer.base
    return {symbol.hex(): i for i, symbol in zip(base.symbol_ids, base.symbols, strict=True)}


def mount(data: bytes, *, key: str, most: tuple[int, int], on_rest: Callable[[Rivals], None]) -> None:
    """Show a pack whose sides have ``most`` merges; Streamlit calls ``on_rest`` when both sliders rest."""

    def reported() -> None:
        if rivals := read_rivals(st.session_state[key], most):
            on_rest(rivals)

    comparer = load_component("bpeviz_comparer", _HERE / "comparer.js", _STYLES)
    comparer(key=key, data=data, on_at_change=reported)


def read_rivals(state: object, most: tuple[int, int]) -> Rivals | None:
    """Where both sliders are; None if the report is malformed."""
    at = message_of(state, "at")
    left, right = whole(at.get("left"), most[0]), whole(at.get("right"), most[1])
    locked, serial = at.get("locked"), whole(at.get("serial"), 2**53)
    if left is None or right is None or serial is None or not isinstance(locked, bool):
        return None
    return Rivals(left, right, locked, serial)
