"""Other ways to cut the text into tokens of the same vocabulary: the fewest, and some by chance."""

from collections.abc import Mapping, Sequence

import numpy as np
import streamlit as st

from bpeviz.browser.aligned_rows import AlignedRows, align, pack_rows
from bpeviz.tokenizer.encoding import PreTokenEncoding
from bpeviz.tokenizer.other_cuts import MOST_SYMBOLS, can_be_cut, cut_with_dropout, fewest_tokens
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.ui.encode.state import EncodeState
from bpeviz.ui.kit.parts import mount_rows

__all__ = ["other_cuts"]

#: So many bytes of the text are drawn, to the end of a pre-token.
BYTES_SHOWN = 240
MOST_SEED = 2**31 - 1

#: For each pre-token the bytes at which its tokens begin, with the end of the last.
Cuts = Sequence[tuple[int, ...]]


def other_cuts(
    fields: EncodeState, tokenizer: Tokenizer, text: str, pre_tokens: Sequence[PreTokenEncoding]
) -> None:
    """Show the tokens by rank above the fewest, and above those that dropout gives."""
    if not pre_tokens:
        return
    with st.container(border=True):
        st.markdown("**Other ways to cut it**")
        with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
            fields.dropout = st.slider(
                "BPE-dropout: chance to leave a merge out, in percent",
                0,
                100,
                fields.dropout,
                5,
                key="encode_dropout",
                help="Training on texts cut in several ways makes a model less dependent on one of them.",
            )
            fields.seed = st.number_input("Seed", 0, MOST_SEED, fields.seed, key="encode_seed", width=140)
        by_rank = [pre_token.token_offsets for pre_token in pre_tokens]
        fewest = fewest_tokens(tokenizer, pre_tokens)
        by_chance = cut_with_dropout(tokenizer, pre_tokens, fields.dropout / 100, fields.seed)
        cuts = {"By rank": by_rank, "Fewest": fewest, f"Dropout {fields.dropout} %": by_chance}
        st.markdown(_verdict(_total(by_rank), _total(fewest)))
        shown = _shown(pre_tokens)
        data = text.encode("utf-8")[: shown[-1].end]
        rows = _aligned(data, [each[: len(shown)] for each in cuts.values()])
        mount_rows(pack_rows(data.decode("utf-8", "replace"), list(cuts), rows), key="other_cuts")
        if len(shown) < len(pre_tokens):
            st.caption(f"The beginning of the text. All of it: {_totals(cuts)}.")
        if any(pre_token.steps and not can_be_cut(pre_token) for pre_token in pre_tokens):
            st.caption(f"Pre-tokens of more than {MOST_SYMBOLS} symbols stay as they are.")


def _verdict(by_rank: int, fewest: int) -> str:
    if fewest == by_rank:
        return "No other way needs fewer tokens."
    return f"The fewest tokens that spell it are **{fewest:,}**, {by_rank - fewest:,} fewer than by rank."


def _totals(cuts: Mapping[str, Cuts]) -> str:
    return ", ".join(f"{name.lower()} {_total(each):,}" for name, each in cuts.items())


def _total(cuts: Cuts) -> int:
    return sum(len(cut) - 1 for cut in cuts)


def _shown(pre_tokens: Sequence[PreTokenEncoding]) -> Sequence[PreTokenEncoding]:
    """Return the first pre-tokens, at least one."""
    return pre_tokens[: max(1, sum(pre_token.end <= BYTES_SHOWN for pre_token in pre_tokens))]


def _aligned(data: bytes, cuts: Sequence[Cuts]) -> AlignedRows:
    """Return the rows of tokens. Bytes that the tokenizer drops belong to the token after them."""
    ends = [np.unique([end for cut in each for end in cut[1:]]) for each in cuts]
    inside = [row[(row > 0) & (row < len(data))] for row in ends]
    return align(data, inside, [_total(each) for each in cuts])
