"""The menu for the rules of the training: the run stays on the page, and a change trains again at once."""

from dataclasses import replace

import streamlit as st

from bpeviz.limits import limits
from bpeviz.runs.run import Run
from bpeviz.training.recipes import RECIPES
from bpeviz.training.settings import TrainingSettings
from bpeviz.ui.session.session import Session
from bpeviz.ui.widgets.markdown import escape
from bpeviz.ui.widgets.pattern_check import pattern_check
from bpeviz.ui.widgets.split_fields import split_fields

__all__ = ["rules_menu"]


def rules_menu(state: Session, run: Run) -> None:
    """Show the rules of the run on a button, and under it the fields to change them."""
    merges = f"{run.settings.num_merges:,} merges"
    label = f"Rules **{escape(run.recipe.name)}** · {escape(run.split.name)} split · {merges}"
    with st.popover(label, key="rules"):
        state.form.settings = _settings_fields(state)
        pattern_check(state, run.corpus.text)


def _settings_fields(state: Session) -> TrainingSettings:
    """Show the training settings as fields; return the values in them."""
    settings = state.form.settings
    recipes = list(RECIPES)
    recipe = st.selectbox(
        "Recipe",
        recipes,
        recipes.index(settings.recipe_name),
        key=f"recipe-{state.form.renewals}",
        help="The trainer to imitate: base vocabulary, ties, when to stop. The merges are the same as "
        "that trainer's.",
    )
    st.caption(f"{escape(recipe)}: as in {escape(RECIPES[recipe].reproduces)}.")
    split, pattern = split_fields(state, recipe)
    with st.container(horizontal=True):
        num_merges = st.number_input(
            "Merges",
            1,
            limits().max_merges,
            min(settings.num_merges, limits().max_merges),
            step=100,
            key=f"num_merges-{state.form.renewals}",
            width=140,
        )
        min_frequency = st.number_input(
            "Minimum frequency",
            1,
            1_000_000,
            settings.min_frequency,
            step=1,
            key=f"min_frequency-{state.form.renewals}",
            width=160,
            help="Training stops when the most frequent pair occurs fewer times. A pair that occurs once "
            "says little about the language. Most libraries merge it anyway.",
        )
    return replace(
        settings,
        recipe=recipe,
        split=split,
        custom_pattern=pattern,
        num_merges=num_merges,
        min_frequency=min_frequency,
    )
