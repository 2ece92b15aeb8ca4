"""The page "Recipes": several recipes trained on one text, and where any two of them diverge."""

from functools import partial

import streamlit as st

from bpeviz.limits import limits
from bpeviz.runs.recipe_comparison import RecipeComparison, compare_recipes
from bpeviz.runs.run import NamedText
from bpeviz.text.split_patterns import SPLIT_PATTERNS
from bpeviz.training.recipes import RECIPES
from bpeviz.training.settings import RECIPE_SPLIT
from bpeviz.ui.kit.compared_text import pick_text, picked_text
from bpeviz.ui.kit.drop_zone import hold_files
from bpeviz.ui.kit.training_bar import train_and_rerun
from bpeviz.ui.kit.words import escape, show_explained
from bpeviz.ui.pages.divergence.panel import agreement_panel, merges_panel, parting_panel, rules_panel
from bpeviz.ui.session.divergence import MOST_BYTES, MOST_MERGES, DivergenceState
from bpeviz.ui.session.session import Session, session

__all__ = ["disagree_page"]

#: Above this, training on a text that is not split takes seconds, and the page says so.
SLOW_FROM_BYTES = 200_000


def disagree_page() -> None:
    """Draw the page for this session."""
    state = session()
    state.merges.enter("disagree")
    hold_files()
    st.subheader("Why recipes disagree", anchor=False)
    show_explained(
        "Train several [[recipe|recipes]] on one text. "
        "See at which [[merge]] two of them first differ, and why."
    )
    _settings(state)
    text = picked_text(state, state.divergence.text, slot="disagree", most_bytes=MOST_BYTES)
    if text is None:
        return
    if len(state.divergence.recipes) < 2:
        st.info("Pick at least two recipes to compare them.", icon=":material/alt_route:")
        return
    if comparison := _trained_comparison(state, text):
        _results(state.divergence, comparison)


def _settings(state: Session) -> None:
    fields = state.divergence
    chosen = st.pills(
        "Recipes",
        list(RECIPES),
        selection_mode="multi",
        default=list(fields.recipes),
        key="disagree_recipes",
    )
    fields.recipes = tuple(name for name in RECIPES if name in chosen)
    with st.container(horizontal=True, vertical_alignment="bottom", key="disagree_settings"):
        with st.container(width=280):
            pick_text(state, fields.text, slot="disagree", label="Text to train on", without_run="Sample")
        fields.num_merges = st.number_input(
            "Merges",
            1,
            min(MOST_MERGES, limits().max_merges),
            fields.num_merges,
            step=100,
            key="disagree_merges_wanted",
            width=140,
        )
        fields.one_split = st.toggle(
            "All with one split pattern", fields.one_split, key="disagree_one_split", width="content"
        )
        if fields.one_split:
            splits = list(SPLIT_PATTERNS)
            fields.split = st.selectbox(
                "Split pattern", splits, splits.index(fields.split), key="disagree_split", width=160
            )


def _trained_comparison(state: Session, text: NamedText) -> RecipeComparison | None:
    """Return the comparison that the fields ask for, trained if needed; once cancelled, it waits for a
    click."""
    fields = state.divergence
    wanted = text, fields.settings
    done = fields.comparison
    if done and (done.text, done.settings) == wanted:
        return done
    if state.training.busy:
        when = "Training" if fields.declined == wanted else "Another training is running. This one is next"
        st.info(f"{when}. The bar at the bottom shows the progress.", icon=":material/hourglass:")
        return None
    if fields.declined == wanted:
        st.info("The training was stopped. Train again to see the result.", icon=":material/history:")
        if not st.button("Train", type="primary", icon=":material/play_arrow:"):
            return None
    _say_what_is_slow(fields, text)
    fields.declined = wanted
    training = partial(compare_recipes, text, fields.settings)
    train_and_rerun(state, text, training, fields.set_comparison, announced=False)
    return None


def _say_what_is_slow(fields: DivergenceState, text: NamedText) -> None:
    unsplit = [each.recipe_name for each in fields.settings if each.split_pattern().regex is None]
    if unsplit and text.byte_total > SLOW_FROM_BYTES:
        st.caption(
            escape(
                f"These recipes don't split the text, which takes some seconds more: {', '.join(unsplit)}."
            )
        )


def _results(fields: DivergenceState, comparison: RecipeComparison) -> None:
    st.caption(
        escape(
            f"{comparison.text.name}, {comparison.text.byte_total:,} bytes, "
            f"up to {comparison.settings[0].num_merges:,} merges, {_split_words(comparison)}."
        )
    )
    left, right = st.columns([2, 3], gap="medium")
    with left:
        agreement_panel(fields, comparison)
    with right:
        parting_panel(fields, comparison)
    left, right = st.columns([3, 2], gap="medium")
    with left:
        merges_panel(fields, comparison)
    with right:
        rules_panel(fields, comparison)


def _split_words(comparison: RecipeComparison) -> str:
    split = comparison.settings[0].split
    return "each recipe with its own split pattern" if split == RECIPE_SPLIT else f"all split by {split}"
