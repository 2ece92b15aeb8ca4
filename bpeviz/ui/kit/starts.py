"""The tokenizers that a run can begin with: those that a person can compare, but no run that begins with one
itself."""

from dataclasses import replace

import streamlit as st

from bpeviz.errors import BpevizError, TrainingSettingsError
from bpeviz.limits import limits
from bpeviz.training.settings import TrainingSettings
from bpeviz.training.start import Start
from bpeviz.ui.kit.messages import run_whole_page
from bpeviz.ui.kit.tokenizer_sources import get_side, side_names, source_of
from bpeviz.ui.kit.words import show_error
from bpeviz.ui.session.session import Session

__all__ = ["start_field", "start_of", "with_start"]

#: The option without a start.
NOTHING = ""
#: How many merges a run makes that begins with nothing, if the one before made no new ones.
USUAL_MERGES = TrainingSettings().num_merges


def start_of(state: Session, key: str) -> Start:
    """Return the tokenizer with a key, to begin with. Raises TrainingSettingsError if it is not in the
    session or has too many merges, and what reading it raises."""
    names = _names(state)
    if key not in names:
        raise TrainingSettingsError(
            "The tokenizer that this run begins with is not here any more. Add its file on Compare, and "
            "train again."
        )
    side = get_side(state, key)
    if (merges := side.num_merges) > (most := limits().max_start_merges):
        raise TrainingSettingsError(
            f"This tokenizer has {merges:,} merges; a run can begin with up to {most:,}. Choose a smaller "
            "one."
        )
    return Start(key, side.name, side.tokenizer)


def _names(state: Session) -> dict[str, str]:
    begun = {f"run-{run.number}" for run in state.runs if run.start}
    return {key: name for key, name in side_names(state).items() if key not in begun}


def start_field(state: Session) -> Start | None:
    """Show the field for what a run begins with; return the tokenizer, None for nothing."""
    names, now = _names(state), state.form.settings.start
    if now is not None:
        names.setdefault(now.key, now.name)
    labels = {
        NOTHING: "nothing: learn all merges",
        **{k: f"{n}{source_of(k)[0].mark}" for k, n in names.items()},
    }
    key = st.selectbox(
        "Begin with",
        list(labels),
        list(labels).index(now.key if now else NOTHING),
        key=f"start-{state.form.renewals}-{len(labels)}",
        on_change=run_whole_page,
        format_func=labels.__getitem__,
        help="The merges of a finished tokenizer come first, by rank, as it merges your text. Then new ones, "
        "if you ask for any. Add other tokenizers on Compare.",
    )
    if key == NOTHING or (now is not None and key == now.key):
        return now if key else None
    try:
        return start_of(state, key)
    except BpevizError as error:
        show_error(error)
        return now


def with_start(settings: TrainingSettings, start: Start | None) -> TrainingSettings:
    """Return the settings with another start: at first it makes no new merges."""
    if start == settings.start:
        return settings
    merges = 0 if start else settings.num_merges or USUAL_MERGES
    return replace(
        settings, start=start, num_merges=merges, vocab_size=None if start else settings.vocab_size
    )
