"""The menu for the rules of the training: the run stays on the page, and a change trains again at once."""

from dataclasses import replace

import streamlit as st

from bpeviz.limits import limits
from bpeviz.runs.run import Run
from bpeviz.sessions.allowed import MOST_SETTING
from bpeviz.sessions.document import MOST_FEW, MOST_NAME_CHARACTERS
from bpeviz.training.recipes import LONGEST_TOKEN, RECIPES
from bpeviz.training.settings import TrainingSettings
from bpeviz.ui.kit.messages import TooLongError, check_length, run_whole_page
from bpeviz.ui.kit.pattern_check import pattern_check
from bpeviz.ui.kit.split_fields import split_fields
from bpeviz.ui.kit.starts import start_field, with_start
from bpeviz.ui.kit.words import escape, show_error
from bpeviz.ui.session.session import Session

__all__ = ["rules_menu"]

MERGES, VOCABULARY_SIZE = "number of merges", "vocabulary size"


def rules_menu(state: Session, run: Run) -> None:
    """Show the rules of the run on a button, and under it the fields to change them."""
    size, start = run.settings.vocab_size, run.start
    new = "new " if start else ""
    stops = f"{run.settings.num_merges:,} {new}merges" if size is None else f"{size:,} tokens"
    if run.cut_short:
        stops = f"up to {stops}"
    rules = f"**{escape(run.recipe.name)}** · {escape(run.split.name)} split"
    if start:
        rules = f"begin with **{escape(start.name)}**"
    with st.popover(f"Rules {rules} · {stops}", key="rules"):
        settings = with_start(state.form.settings, start_field(state))
        recipe = _recipe_field(state, begins=settings.start is not None)
        if settings.start is None:
            split, pattern = split_fields(state, recipe)
            settings = replace(settings, split=split, custom_pattern=pattern)
        below_the_pattern = st.container()
        settings = replace(settings, recipe=recipe)
        state.form.settings = _other_fields(state, run, settings)
        with below_the_pattern:
            if settings.start is None:
                pattern_check(state, run.corpus.text)


def _recipe_field(state: Session, *, begins: bool) -> str:
    recipes = list(RECIPES)
    recipe = st.selectbox(
        "Recipe of the new merges" if begins else "Recipe",
        recipes,
        recipes.index(state.form.settings.recipe_name),
        key=f"recipe-{state.form.renewals}",
        on_change=run_whole_page,
        help="The trainer to imitate: base vocabulary, ties, when to stop. The merges are the same as "
        "that trainer's.",
    )
    if begins:
        st.caption("The tokenizer says how the text is split. New merges are learned as this recipe does.")
    else:
        st.caption(f"Follows {escape(RECIPES[recipe].reproduces)}.")
    return recipe


def _other_fields(state: Session, run: Run, settings: TrainingSettings) -> TrainingSettings:
    """Show the fields that every recipe has; return the settings with the values in them."""
    recipe = settings.recipe_name
    with st.container(horizontal=True):
        if settings.start is None:
            num_merges, vocab_size = _limit_fields(state, run)
        else:
            num_merges, vocab_size = _new_merges_field(state, settings), None
    with st.container(horizontal=True):
        min_frequency = st.number_input(
            "Minimum frequency",
            1,
            MOST_SETTING,
            settings.min_frequency,
            step=1,
            key=f"min_frequency-{state.form.renewals}",
            on_change=run_whole_page,
            width=160,
            help="Training stops when the most frequent pair occurs fewer times. A pair that occurs once "
            "says little about the language. Most libraries merge it anyway.",
        )
        max_token_length = _longest_field(state, recipe)
    return replace(
        settings,
        num_merges=num_merges,
        vocab_size=vocab_size,
        min_frequency=min_frequency,
        special_tokens=None if settings.start else _special_tokens_field(state, recipe),
        max_token_length=max_token_length,
    )


def _limit_fields(state: Session, run: Run) -> tuple[int, int | None]:
    """Show the field for what training stops at, and its number, which first is what the run has. Return the
    most merges and the vocabulary size."""
    settings, most = state.form.settings, limits().max_merges
    stops_at = st.radio(
        "Stop at",
        [MERGES, VOCABULARY_SIZE],
        0 if settings.vocab_size is None else 1,
        key=f"stop_at-{state.form.renewals}",
        on_change=run_whole_page,
        horizontal=True,
    )
    if stops_at == VOCABULARY_SIZE:
        with_room = run.result.vocab_size if run.steps else run.result.vocab_size + 1  # for a merge
        size = settings.vocab_size or with_room
        key = f"vocab_size-{state.form.renewals}"
        merges = most if settings.vocab_size is None else settings.num_merges
        return merges, st.number_input(
            "Vocabulary size",
            1,
            MOST_SETTING,
            size,
            step=100,
            key=key,
            on_change=run_whole_page,
            width=140,
            help="The base vocabulary, the tokens of merges, and special tokens with lower ids.",
        )
    merges = max(1, settings.num_merges if settings.vocab_size is None else len(run.steps))
    key = f"num_merges-{state.form.renewals}"
    return st.number_input(
        "Merges", 1, most, min(merges, most), step=100, key=key, on_change=run_whole_page, width=140
    ), None


def _new_merges_field(state: Session, settings: TrainingSettings) -> int:
    """Show the field for how many merges are learned after those of the start; the page remembers the start
    that it is for."""
    start = settings.start.key if settings.start else ""
    return st.number_input(
        "New merges",
        0,
        limits().max_merges,
        settings.num_merges,
        step=100,
        key=f"new_merges-{start}-{state.form.renewals}",
        on_change=run_whole_page,
        width=140,
        help="Merges learned from your text after those of the tokenizer. All its tokens keep their ids.",
    )


def _longest_field(state: Session, recipe: str) -> int | None:
    """Show the field for the length of the longest token; None for the recipe's own."""
    own = RECIPES[recipe].max_token_length
    return st.number_input(
        "Longest token",
        1,
        MOST_SETTING,
        state.form.settings.max_token_length,
        step=1,
        key=f"longest-{recipe}-{state.form.renewals}",
        on_change=run_whole_page,
        placeholder="any length" if own is None else str(own),
        width=160,
        help=LONGEST_TOKEN[RECIPES[recipe].length_unit],
    )


def _special_tokens_field(state: Session, recipe: str) -> tuple[str, ...] | None:
    """Show the field for the special tokens; None for the recipe's own."""
    own = RECIPES[recipe].special_tokens
    asked = state.form.settings.special_tokens
    shown = own if asked is None else asked
    picked = tuple(
        st.multiselect(
            "Special tokens",
            list(dict.fromkeys((*own, *shown))),
            shown,
            key=f"special_tokens-{recipe}-{state.form.renewals}",
            on_change=run_whole_page,
            accept_new_options=True,
            max_selections=MOST_FEW,
            placeholder="Type one, such as <|endoftext|>",
            help="Each gets an id. No merge makes it.",
        )
    )
    try:
        for token in picked:
            check_length("A special token", token, MOST_NAME_CHARACTERS)
    except TooLongError as error:
        show_error(error)
        return asked
    return None if picked == own else picked
