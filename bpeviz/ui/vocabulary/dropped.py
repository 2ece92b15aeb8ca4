"""What a person's choice drops, what falls with it, and what it costs on a text."""

from dataclasses import dataclass
from functools import partial

import msgspec
import numpy as np
import numpy.typing as npt
import streamlit as st

from bpeviz.analysis.drop_rules import DropRule, tokens_of_rule
from bpeviz.errors import BpevizError
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.tokenizer.trimming import Trimming
from bpeviz.ui.session.session_cache import session_cache, tokenizer_number
from bpeviz.ui.vocabulary.state import Drops

__all__ = ["Dropped", "what_is_dropped"]

Ids = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Dropped:
    """The ids of the tokens that are ``dropped`` and that have ``fallen`` with them, ascending; and how many
    tokens the text has ``before`` and ``after``."""

    dropped: Ids
    fallen: Ids
    before: int
    after: int


def what_is_dropped(tokenizer: Tokenizer, drops: Drops, text: str) -> Dropped | str:
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
