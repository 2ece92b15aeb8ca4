"""The page "Recipes": several recipes trained on one text, and where any two of them diverge."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from bpeviz.limits import limits
from bpeviz.runs.recipe_comparison import RecipeComparison, compare_recipes
from bpeviz.runs.run import NamedText
from bpeviz.text.split_patterns import SPLIT_PATTERNS
from bpeviz.training.recipes import RECIPES
from bpeviz.training.settings import RECIPE_SPLIT, TrainingSettings
from bpeviz.ui.kit.compared_text import TextChoice, pick_text, picked_text
from bpeviz.ui.kit.drop_zone import hold_files
from bpeviz.ui.kit.training_bar import train_and_rerun
from bpeviz.ui.kit.words import escape, show_explained
from bpeviz.ui.recipes.check_panel import check_panel
from bpeviz.ui.recipes.panels import agreement_panel, merges_panel, parting_panel, rules_panel
from bpeviz.ui.recipes.state import MOST_BYTES, MOST_MERGES, RecipesFields, RecipesState
from bpeviz.ui.session.session import Session, session

__all__ = ["recipes_page"]

#: Above this, training on a text that is not split takes seconds, and the page says so.
SLOW_FROM_BYTES = 200_000
TABS = ("Compare recipes", "Check your trainer")


def recipes_page() -> None:
    """Draw the page for this session."""
    state = session()
    page = state.pages.of(RecipesState)
    compared, checked = st.tabs(TABS, default=TABS[page.checks], key="recipes_tabs", on_change="rerun")
    page.checks = bool(checked.open)
    if page.checks:
        with checked:
            check_panel(state, page)
    else:
        with compared:
            _compare(state, page)


def _compare(state: Session, page: RecipesState) -> None:
    """Compare several recipes on one text."""
    hold_files()
    with st.container(key="recipes_about"):
        show_explained(
            "Train several [[recipe|recipes]] on one text. "
            "See at which [[merge]] two of them first differ, and why."
        )
    choice = _settings(state, page.saved)
    text = picked_text(state, page.saved.text, choice, slot="recipes", most_bytes=MOST_BYTES)
    if text is None:
        return
    if len(page.saved.recipes) < 2:
        st.info("Pick at least two recipes to compare them.", icon=":material/alt_route:")
        return
    if comparison := _trained_comparison(state, page, text):
        _results(page, comparison)


def _settings(state: Session, fields: RecipesFields) -> TextChoice:
    """Show the fields; return which text is picked."""
    chosen = st.pills(
        "Recipes",
        list(RECIPES),
        selection_mode="multi",
        default=list(fields.recipes),
        key="recipes_chosen",
    )
    fields.recipes = tuple(name for name in RECIPES if name in chosen)
    with st.container(horizontal=True, vertical_alignment="bottom", key="recipes_settings"):
        with st.container(width=280):
            choice = pick_text(
                state, fields.text, slot="recipes", label="Text to train on", without_run="Sample"
            )
        fields.num_merges = st.number_input(
            "Merges",
            1,
            min(MOST_MERGES, limits().max_merges),
            fields.num_merges,
            step=100,
            key="recipes_merges_wanted",
            width=140,
        )
        fields.one_split = st.toggle(
            "All with one split pattern", fields.one_split, key="recipes_one_split", width="content"
        )
        if fields.one_split:
            splits = list(SPLIT_PATTERNS)
            fields.split = st.selectbox(
                "Split pattern", splits, splits.index(fields.split), key="recipes_split", width=160
            )
    return choice


def _trained_comparison(state: Session, page: RecipesState, text: NamedText) -> RecipeComparison | None:
    """Return the comparison that the fields ask for, trained if needed; once cancelled, it waits for a
    click."""
    settings = page.saved.settings
    wanted = text, settings
    done = page.comparison
    if done and (done.text, done.settings) == wanted:
        return done
    if state.training.busy:
        when = "Training" if page.declined == wanted else "Another training is running. This one is next"
        st.info(f"{when}. The bar at the bottom shows the progress.", icon=":material/hourglass:")
        return None
    if page.declined == wanted:
        st.info("The training was stopped. Train again to see the result.", icon=":material/history:")
        if not st.button("Train", type="primary", icon=":material/play_arrow:"):
            return None
    _say_what_is_slow(settings, text)
    page.declined = wanted
    training = partial(compare_recipes, text, settings)
    train_and_rerun(state, text, training, page.set_comparison, announced=False)
    return None


def _say_what_is_slow(settings: Sequence[TrainingSettings], text: NamedText) -> None:
    unsplit = [each.recipe_name for each in settings if each.split_pattern().regex is None]
    if unsplit and text.byte_total > SLOW_FROM_BYTES:
        st.caption(
            escape(
                f"These recipes don't split the text, which takes some seconds more: {', '.join(unsplit)}."
            )
        )


def _results(page: RecipesState, comparison: RecipeComparison) -> None:
    st.caption(
        escape(
            f"{comparison.text.name}, {comparison.text.byte_total:,} bytes, "
            f"up to {comparison.settings[0].num_merges:,} merges, {_split_words(comparison)}."
        )
    )
    left, right = st.columns([2, 3], gap="medium")
    with left:
        agreement_panel(page, comparison)
    with right:
        parting_panel(page, comparison)
    left, right = st.columns([3, 2], gap="medium")
    with left:
        merges_panel(page, comparison)
    with right:
        rules_panel(page, comparison)


def _split_words(comparison: RecipeComparison) -> str:
    split = comparison.settings[0].split
    return "each recipe with its own split pattern" if split == RECIPE_SPLIT else f"all split by {split}"
