"""The words of texts whose numbers of tokens change most from the left tokenizer to the right one."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from bpeviz.analysis.word_changes import CutText, WordChanges, changes_in, cut_in_words
from bpeviz.errors import BpevizError
from bpeviz.text.token_text import visible
from bpeviz.ui.kit.pick_side import SIDE_LETTERS
from bpeviz.ui.kit.table import csv_button, localized, show_table
from bpeviz.ui.kit.tokenizer_sources import Side
from bpeviz.ui.session.session_cache import session_cache, tokenizer_number
from bpeviz.words import counted, in_short

__all__ = ["changes_panel"]

#: Counting the words of a megabyte takes a second.
MOST_BYTES = 1_000_000
MOST_ROWS = 1_000

_Sides = Sequence[tuple[Side, int]]


def changes_panel(texts: Sequence[str], sides: _Sides) -> None:
    """Show the words of texts that both ``sides``, each after so many merges, can encode."""
    if sum(len(text.encode("utf-8")) for text in texts) > MOST_BYTES:
        st.caption("The page lists the words of up to 1 MB. For more, run bpeviz compare with --changes.")
        return
    found = _changes(texts, sides)
    if not found.words:
        st.caption("Both tokenizers cut every word into the same number of tokens.")
        return
    st.caption(
        f"The {counted(found.word_total, 'word')} of these texts take {found.b:,} tokens instead of "
        f"{found.a:,}. The number changes for {counted(len(found.words), 'different word')}."
    )
    table = _frame(found)
    show_table(
        table,
        "changes_table",
        height=360,
        columns={
            **{name: localized() for name in ("times", "change")},
            **{
                name: st.column_config.NumberColumn(f"{letter}: tokens", format="localized")
                for name, letter in SIDE_LETTERS.items()
            },
            **{f"{name} cut": f"{letter} cuts it" for name, letter in SIDE_LETTERS.items()},
        },
    )
    names = {"left": f"{sides[0][0].name}: tokens", "right": f"{sides[1][0].name}: tokens"}
    csv_button("Words", table.rename(columns=names), "word", "left cut", "right cut", file="bpeviz-words.csv")


def _changes(texts: Sequence[str], sides: _Sides) -> WordChanges:
    cut = [(text, [_cut(text, *side) for side in sides]) for text in texts]
    both = [(text, left, right) for text, (left, right) in cut if left is not None and right is not None]
    key = "word changes", *((tokenizer_number(side.tokenizer), merges) for side, merges in sides)
    return session_cache().get((*key, *(text for text, _, _ in both)), partial(changes_in, both))


def _cut(text: str, side: Side, num_merges: int) -> CutText | None:
    """Return a text as a side cuts it; None if it can't."""
    key = "encoded", tokenizer_number(side.tokenizer), text
    try:
        encoded = session_cache().get(key, lambda: replace(side.tokenizer.encode_text(text), ids=[]))
    except BpevizError:
        return None
    return encoded, num_merges


def _frame(found: WordChanges) -> pd.DataFrame:
    words = found.words[:MOST_ROWS]
    return pd.DataFrame(
        {
            "word": [in_short(visible(each.word.encode("utf-8")), 60) for each in words],
            "times": np.array([each.count for each in words], np.int64),
            "left": np.array([each.a for each in words], np.int64),
            "right": np.array([each.b for each in words], np.int64),
            "change": np.array([each.change for each in words], np.int64),
            "left cut": [in_short(cut_in_words(each.cut_a), 80) for each in words],
            "right cut": [in_short(cut_in_words(each.cut_b), 80) for each in words],
        }
    )
