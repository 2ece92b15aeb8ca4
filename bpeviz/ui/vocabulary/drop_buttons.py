"""The buttons that drop or keep picked tokens, and those that take it back."""

from collections.abc import Sequence
from functools import partial

import msgspec
import pandas as pd
import streamlit as st

from bpeviz.limits import limits
from bpeviz.text.token_text import isolated, visible
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.ui.kit.tokenizer_sources import Side
from bpeviz.ui.kit.words import escape
from bpeviz.ui.session.session import session
from bpeviz.ui.session.session_cache import session_cache, tokenizer_number
from bpeviz.ui.vocabulary.dropped import Dropped
from bpeviz.ui.vocabulary.state import Drops, VocabularyState
from bpeviz.words import counted

__all__ = ["drop_buttons"]

NAME_CHARACTERS = 24


def drop_buttons(
    fields: VocabularyState,
    side: Side,
    chosen: pd.DataFrame,
    picked: Sequence[int],
    found: Dropped | None,
) -> None:
    """Show the buttons that drop or keep single tokens, and those that take it back."""
    drops, key = fields.drops_of(side.key), side.key
    with st.container(horizontal=True, vertical_alignment="center"):
        if picked and found is not None:
            _picked_buttons(side, picked, found)
        ids = [i for i in chosen["id"].tolist() if _can_be_dropped(side.tokenizer, i)] if _few(chosen) else []
        if len(ids) > 1:
            st.button(
                f"Drop all {len(ids):,} rows",
                key="drop_rows",
                on_click=partial(_drop, key, ids),
                type="tertiary",
            )
        if fields.can_undo(key):
            st.button("Undo", key="drop_undo", on_click=partial(_undo, key), icon=":material/undo:")
        if drops != Drops(ids=drops.ids):
            st.button("Clear", key="drop_clear", on_click=partial(_clear, key), type="tertiary")


def _picked_buttons(side: Side, picked: Sequence[int], found: Dropped) -> None:
    """Show the buttons that drop or keep the picked tokens, or why there are none."""
    dropped, fallen = set(found.dropped.tolist()), set(found.fallen.tolist())
    to_keep = [i for i in picked if i in dropped]
    to_drop = [i for i in picked if i not in dropped | fallen and _can_be_dropped(side.tokenizer, i)]
    for verb, name, ids, change in (
        ("Drop", "drop_picked", to_drop, _drop),
        ("Keep", "drop_keep", to_keep, _keep),
    ):
        if ids:
            label = f"{verb} {_named(side.tokenizer, ids)}"
            st.button(label, key=name, on_click=partial(change, side.key, ids))
    if to_drop or to_keep:
        return
    if all(i in fallen for i in picked):
        st.caption(f"{_named(side.tokenizer, picked)} {'falls' if len(picked) == 1 else 'fall'} with others.")
    else:
        st.caption(
            f"{_named(side.tokenizer, picked)} {'stays' if len(picked) == 1 else 'stay'}: base symbols and "
            "special tokens can’t be dropped."
        )


def _named(tokenizer: Tokenizer, ids: Sequence[int]) -> str:
    """Name a single token, or say how many there are, as markdown."""
    if len(ids) > 1:
        return counted(len(ids), "token")
    return escape(isolated(visible(tokenizer.token_bytes(ids[0]), NAME_CHARACTERS)))


def _few(chosen: pd.DataFrame) -> bool:
    """Return whether the rows on show are few enough to be dropped one by one."""
    return len(chosen) <= limits().max_ticked_tokens


def _can_be_dropped(tokenizer: Tokenizer, token_id: int) -> bool:
    return bool(tokenizer.paired) and token_id not in _staying(tokenizer)


def _staying(tokenizer: Tokenizer) -> frozenset[int]:
    number = tokenizer_number(tokenizer)
    return session_cache().get(
        ("staying", number),
        lambda: frozenset([*tokenizer.base.symbol_ids, *tokenizer.special_tokens.values()]),
    )


def _drop(key: str, ids: list[int]) -> None:
    fields = session().pages.of(VocabularyState)
    drops = fields.drops_of(key)
    also = (*drops.also, *(i for i in ids if i not in {*drops.also}))
    kept_ones = tuple(i for i in drops.kept if i not in {*ids})
    _change(fields, key, msgspec.structs.replace(drops, also=also, kept=kept_ones))


def _keep(key: str, ids: list[int]) -> None:
    fields = session().pages.of(VocabularyState)
    drops = fields.drops_of(key)
    also = tuple(i for i in drops.also if i not in {*ids})
    kept_ones = (*drops.kept, *(i for i in ids if i not in {*drops.kept}))
    _change(fields, key, msgspec.structs.replace(drops, also=also, kept=kept_ones))


def _change(fields: VocabularyState, key: str, drops: Drops) -> None:
    most = limits().max_ticked_tokens
    others = (each for other, each in fields.saved.drops.items() if other != key)
    if sum(len(each.also) + len(each.kept) for each in (drops, *others)) > most:
        st.toast(f"{counted(most, 'token')} at most can be dropped or kept one by one. Use a rule for more.")
        return
    fields.drop(key, drops)


def _undo(key: str) -> None:
    session().pages.of(VocabularyState).undo(key)


def _clear(key: str) -> None:
    fields = session().pages.of(VocabularyState)
    fields.drop(key, Drops(ids=fields.drops_of(key).ids))
    fields.drop_number += 1
