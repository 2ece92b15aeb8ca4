"""Drop tokens: by rule or one by one, with all that falls with them and what it costs on two texts."""

from dataclasses import dataclass
from functools import partial

import msgspec
import numpy as np
import numpy.typing as npt
import pandas as pd
import streamlit as st

from bpeviz.analysis.drop_rules import DropRule, tokens_of_rule
from bpeviz.errors import BpevizError
from bpeviz.limits import limits
from bpeviz.runs.run import NamedText
from bpeviz.sessions.page_fields import Text
from bpeviz.text.token_text import isolated, visible
from bpeviz.text.unicode_scripts import SCRIPTS
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.tokenizer.trimming import Trimming
from bpeviz.ui.kit.messages import kept, whole
from bpeviz.ui.kit.table import show_table
from bpeviz.ui.kit.tokenizer_sources import Side
from bpeviz.ui.kit.words import escape, show_error
from bpeviz.ui.session.session import Session, session
from bpeviz.ui.session.session_cache import session_cache, tokenizer_number
from bpeviz.ui.vocabulary.drop_export import export_menu
from bpeviz.ui.vocabulary.state import Drops, VocabularyState
from bpeviz.words import counted

__all__ = ["drop_panel"]

#: So many of the tokens that go are listed.
MOST_LISTED = 1_000
TABLE_HEIGHT = 260
NAME_CHARACTERS = 24
MOST_LENGTH = 2**31
_SCRIPTS = ["", *(name for name in SCRIPTS if name not in ("Inherited", "Unknown"))]
_IDS = {"closed": "Ids close up", "holes": "Ids stay, with holes"}

Ids = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Dropped:
    """The ids of the tokens that are ``dropped`` and that have ``fallen`` with them, ascending; and how many
    tokens the text has ``before`` and ``after``."""

    dropped: Ids
    fallen: Ids
    before: int
    after: int


def drop_panel(
    state: Session, side: Side, chosen: pd.DataFrame, picked: int | None, corpus: NamedText
) -> None:
    """Show what can be dropped, beside the rows that are ``chosen``, and what happens then."""
    fields = state.pages.of(VocabularyState)
    with st.container(border=True, key="drops"):
        st.markdown("**Drop tokens**")
        drops = _by_rule(fields, side, corpus)
        fields.drop(side.key, drops)
        found = _dropped(side.tokenizer, drops, corpus.text)
        if isinstance(found, str):
            show_error(found)
        _buttons(fields, side, chosen, picked, None if isinstance(found, str) else found)
        if isinstance(found, str) or not len(found.dropped):
            if not isinstance(found, str):
                st.caption("Nothing is dropped. Choose a rule, or pick a row and drop its token.")
            return
        _result(side, found, corpus)
        _second_text(fields, side, found)
        _list(side, found)
        export_menu(state, side, drops, found.dropped.tolist())


def _by_rule(fields: VocabularyState, side: Side, corpus: NamedText) -> Drops:
    """Show the fields of the rule; return what they say, with the exceptions as they are."""
    drops, key = fields.drops_of(side.key), f"{side.key}-{fields.drop_number}"
    unused = st.checkbox(
        escape(f"Never used in {corpus.name}"),
        drops.unused,
        key=f"drop_unused-{key}",
        help="Tokens that this text doesn’t have, and that no token of it is made of. They cost it nothing.",
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        longer = st.number_input(
            "Longer than, in bytes",
            min_value=0,
            max_value=MOST_LENGTH,
            value=drops.longer_than,
            step=1,
            key=f"drop_longer-{key}",
            placeholder="any length",
            width=170,
        )
        script = st.selectbox(
            "Script of the first letter",
            _SCRIPTS,
            _SCRIPTS.index(drops.script) if drops.script in _SCRIPTS else 0,
            key=f"drop_script-{key}",
            format_func=lambda name: name or "any script",
            width=200,
        )
    ids = st.segmented_control(
        "Ids of the others",
        list(_IDS),
        default=drops.ids,
        key=f"drop_ids-{key}",
        format_func=_IDS.__getitem__,
        label_visibility="collapsed",
        required=True,
    )
    return msgspec.structs.replace(
        drops,
        unused=bool(unused),
        longer_than=whole(longer, MOST_LENGTH),
        script=script if script in _SCRIPTS else "",
        ids="holes" if ids == "holes" else "closed",
    )


def _dropped(tokenizer: Tokenizer, drops: Drops, text: str) -> Dropped | str:
    """Return what is dropped and what it costs on a text, or the error; computed once for each choice."""
    number = tokenizer_number(tokenizer)
    key = "dropped", number, text, msgspec.json.encode(msgspec.structs.replace(drops, ids="closed"))
    with st.spinner("Dropping tokens …", show_time=True):
        return session_cache().get(key, partial(_made, tokenizer, drops, text))


def _made(tokenizer: Tokenizer, drops: Drops, text: str) -> Dropped | str:
    try:
        trimming = Trimming(tokenizer)
        rule = DropRule(text if drops.unused else None, drops.longer_than, drops.script or None)
        by_rule = tokens_of_rule(tokenizer, trimming, rule)
        # a saved session may name any ids
        fall = trimming.fall((by_rule | trimming.droppable.intersection(drops.also)) - {*drops.kept})
        before = len(tokenizer.encode(text))
        after = len(tokenizer.trimmed(trimming, fall).encode(text)) if fall.dropped else before
    except BpevizError as error:
        return str(error)
    return Dropped(_array(fall.dropped), _array(fall.fallen), before, after)


def _array(ids: frozenset[int]) -> Ids:
    return np.array(sorted(ids), np.int64)


def _buttons(
    fields: VocabularyState, side: Side, chosen: pd.DataFrame, picked: int | None, found: Dropped | None
) -> None:
    """Show the buttons that drop or keep single tokens, and those that take it back."""
    drops, key = fields.drops_of(side.key), side.key
    with st.container(horizontal=True, vertical_alignment="center"):
        if picked is not None and found is not None:
            name = escape(isolated(visible(side.tokenizer.token_bytes(picked), NAME_CHARACTERS)))
            if picked in found.dropped:
                st.button(f"Keep {name}", key="drop_keep", on_click=partial(_keep, key, [picked]))
            elif picked in found.fallen:
                st.caption(f"{name} falls with others.")
            elif _can_be_dropped(side.tokenizer, picked):
                st.button(f"Drop {name}", key="drop_picked", on_click=partial(_drop, key, [picked]))
            else:
                st.caption(f"{name} stays: base symbols and special tokens can’t be dropped.")
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


def _result(side: Side, found: Dropped, corpus: NamedText) -> None:
    gone, total = len(found.dropped) + len(found.fallen), len(side.tokenizer)
    said = f"{counted(len(found.dropped), 'token')} dropped, {len(found.fallen):,} fall with them"
    st.markdown(f"**{said}.** {total - gone:,} of {total:,} are left.")
    st.markdown(_cost(corpus.name, found))


def _cost(name: str, found: Dropped) -> str:
    """Say what dropping costs on a text, as markdown."""
    change = f", {(found.after - found.before) / found.before:+.1%}" if found.before else ""
    return f"{escape(name)}: {found.before:,} tokens before, **{found.after:,}** after{change}"


def _second_text(fields: VocabularyState, side: Side, found: Dropped) -> None:
    """Show a field for a second text, and what dropping the same tokens costs there."""
    shown = fields.saved.second_text.text if fields.saved.second_text else ""
    typed = st.text_area("A second text", shown, key="drop_second_text", height=70, placeholder="Paste one")
    if (text := kept(typed, shown)) != shown:
        fields.saved.second_text = Text(text) if text else None
    size, most = len(typed.encode("utf-8", "surrogatepass")), limits().max_typed_bytes
    if size > most:
        st.error(f"The second text has {size:,} bytes. The limit is {most:,}. Shorten it.")
    elif typed:
        # the rule looks at the first text only
        there = _dropped(side.tokenizer, Drops(also=tuple(found.dropped.tolist())), typed)
        if isinstance(there, str):
            show_error(there)
        else:
            st.markdown(_cost("The second text", there))


def _list(side: Side, found: Dropped) -> None:
    """List the tokens that go, those that fall first."""
    ids = np.r_[found.fallen, found.dropped][:MOST_LISTED]
    total = len(found.fallen) + len(found.dropped)
    show_table(
        pd.DataFrame(
            {
                "id": ids,
                "token": [visible(side.tokenizer.token_bytes(i), NAME_CHARACTERS * 3) for i in ids.tolist()],
                "why": ["falls"] * min(len(found.fallen), len(ids))
                + ["dropped"] * max(0, len(ids) - len(found.fallen)),
            }
        ),
        f"drop_list-{side.key}",
        height=TABLE_HEIGHT,
        columns={"id": st.column_config.NumberColumn(format="%d", width="small")},
    )
    if total > len(ids):
        st.caption(f"The list shows {len(ids):,} of {total:,}.")
