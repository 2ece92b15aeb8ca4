"""Drop tokens: by rule or one by one, with all that falls with them and what it costs on two texts."""

from collections.abc import Sequence

import msgspec
import numpy as np
import numpy.typing as npt
import pandas as pd
import streamlit as st

from bpeviz.limits import limits
from bpeviz.runs.run import NamedText
from bpeviz.sessions.page_fields import Text
from bpeviz.text.token_text import visible
from bpeviz.text.unicode_scripts import SCRIPTS
from bpeviz.ui.kit.messages import kept, whole
from bpeviz.ui.kit.table import show_table
from bpeviz.ui.kit.tokenizer_sources import Side
from bpeviz.ui.kit.words import escape, show_error
from bpeviz.ui.session.session import Session
from bpeviz.ui.vocabulary.drop_buttons import drop_buttons
from bpeviz.ui.vocabulary.drop_export import export_menu
from bpeviz.ui.vocabulary.dropped import Dropped, what_is_dropped
from bpeviz.ui.vocabulary.state import Drops, VocabularyState
from bpeviz.words import counted

__all__ = ["drop_panel"]

#: So many of the tokens that go are listed.
MOST_LISTED = 1_000
TABLE_HEIGHT = 260
NAME_CHARACTERS = 72
MOST_LENGTH = 2**31
_SCRIPTS = ["", *(name for name in SCRIPTS if name not in ("Inherited", "Unknown"))]
_IDS = {"closed": "Ids close up", "holes": "Ids stay, with holes"}

Ids = npt.NDArray[np.int64]


def drop_panel(
    state: Session, side: Side, chosen: pd.DataFrame, picked: Sequence[int], corpus: NamedText
) -> None:
    """Show what can be dropped, beside the rows that are ``chosen``, and what happens then."""
    fields = state.pages.of(VocabularyState)
    with st.container(border=True, key="drops"):
        drops = _by_rule(fields, side, corpus)
        fields.drop(side.key, drops)
        found = what_is_dropped(side.tokenizer, drops, corpus.text)
        if isinstance(found, str):
            show_error(found)
        drop_buttons(fields, side, chosen, picked, None if isinstance(found, str) else found)
        if isinstance(found, str) or not len(found.dropped):
            if not isinstance(found, str):
                st.caption("Nothing is dropped. Choose a rule, or tick rows and drop their tokens.")
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
        there = what_is_dropped(side.tokenizer, Drops(also=tuple(found.dropped.tolist())), typed)
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
                "token": [visible(side.tokenizer.token_bytes(i), NAME_CHARACTERS) for i in ids.tolist()],
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
