"""Two recipes on one text: where and why they diverge, their merges, their rules, what they share."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import streamlit as st

from bpeviz.analysis.divergence import Divergence, Standing, aligned_merges
from bpeviz.analysis.vocabulary_overlap import vocabulary_overlap
from bpeviz.charts.agreement import REASON_SIGNS, Agreement, agreement_chart
from bpeviz.core.token_chain import Pair
from bpeviz.runs.recipe_comparison import RecipeComparison
from bpeviz.training.recipes import RECIPES
from bpeviz.ui.kit.messages import catch_up
from bpeviz.ui.kit.pick_side import named_side
from bpeviz.ui.kit.plot import Point, plot, text_color
from bpeviz.ui.kit.table import show_table
from bpeviz.ui.kit.words import escape
from bpeviz.ui.recipes.state import RecipesState
from bpeviz.ui.recipes.words import (
    REASON_WORDS,
    cut_lines,
    how_far_apart,
    pair_text,
    rules,
    same_words,
    sentence,
)
from bpeviz.ui.session.session import session

if TYPE_CHECKING:
    from pandas.api.extensions import ExtensionArray
    from pandas.io.formats.style import Styler

__all__ = ["agreement_panel", "merges_panel", "parting_panel", "rules_panel"]

BEFORE, AFTER = 3, 12
MOST_ROWS = 5_000
#: The colours of the chart, as markdown names them.
_KEY = {
    "tie": "orange",
    "split": "blue",
    "base": "violet",
    "same-bytes": "violet",
    "length": "violet",
    "stop": "gray",
    "same": "green",
}
_MOVED = "background-color: rgba(217, 119, 6, 0.12)"
_NEVER = "background-color: rgba(217, 119, 6, 0.28)"


def _state() -> RecipesState:
    return session().pages.of(RecipesState)


def agreement_panel(page: RecipesState, comparison: RecipeComparison) -> None:
    """Show how many merges any two recipes share, coloured by why they diverge."""
    names = list(comparison.results)
    picked = page.picked(comparison)
    with st.container(border=True):
        st.markdown("**Merges that two recipes share**")
        cells = [
            Agreement(
                names.index(a),
                names.index(b),
                comparison.same((a, b)),
                _reason(divergence),
                f"{same_words(comparison.same((a, b)))} Then: {REASON_WORDS[_reason(divergence)]}.",
                (a, b) == picked,
            )
            for (a, b), divergence in comparison.divergences.items()
        ]
        st.markdown(_key([cell.reason for cell in cells]))
        plot(
            agreement_chart(names, cells, text_color=text_color()),
            key=f"agreement-{page.picks}",
            name="Merges that two recipes share",
            on_pick=_pick_cell,
        )
        _pair_fields(comparison, picked)


def _reason(divergence: Divergence | None) -> str:
    return divergence.reason if divergence else "same"


def _key(reasons: list[str]) -> str:
    """Return the key of the colours on show."""
    shown = [reason for reason in REASON_WORDS if reason in reasons]
    signs = " · ".join(f":{_KEY[r]}[**{REASON_SIGNS[r]}**] {REASON_WORDS[r]}" for r in shown)
    return f"Pick a cell to see why two differ: {signs}"


def _pick_cell(cell: Point) -> None:
    """Pick the two recipes whose names the clicked mark carries."""
    names = cell.get("customdata")
    if (
        isinstance(names, Sequence)
        and len(names) >= 2
        and all(isinstance(name, str) and name in RECIPES for name in names[:2])
    ):
        _state().pick((str(names[0]), str(names[1])))


def _pair_fields(comparison: RecipeComparison, picked: tuple[str, str]) -> None:
    """Show a list of recipe pairs, for people without a mouse."""
    pairs = list(comparison.divergences)
    key = f"recipes_pair-{'-'.join(picked)}-{len(pairs)}"
    chosen = st.selectbox(
        "Two recipes",
        pairs,
        pairs.index(picked),
        key=key,
        format_func=" and ".join,
        on_change=lambda: _state().pick(st.session_state[key]),
    )
    if chosen in pairs and chosen != picked:
        catch_up(lambda: _state().pick(chosen))


def parting_panel(page: RecipesState, comparison: RecipeComparison) -> None:
    """Show why the two picked recipes diverge."""
    pair = page.picked(comparison)
    divergence, (a, b) = comparison.divergences[pair], (comparison.results[name] for name in pair)
    with st.container(border=True):
        left, right = _named(pair)
        st.markdown(f"**{left} and {right}**")
        st.markdown(sentence(divergence, a, b))
        if divergence is None:
            return
        if divergence.cut:
            st.caption("An example from the text:")
            st.code(cut_lines(divergence.cut, a, b), language=None)
        _candidates(divergence)


def _candidates(divergence: Divergence) -> None:
    """Show the pairs that both chose from; those they took come first, tinted."""
    made = {0: "Before merge 1", 1: "After 1 merge"}.get(divergence.rank, f"After {divergence.rank:,} merges")
    st.caption(
        f"{made}: the candidate pairs, with their place in each recipe's order. Shaded: what they take."
    )
    candidates = divergence.candidates
    standings = {"L": [c.a for c in candidates], "R": [c.b for c in candidates]}
    counts = {f"{letter}: count": [s.count for s in of_run] for letter, of_run in standings.items()}
    of_a, of_b = counts.values()
    rows = pd.DataFrame(
        {
            "pair": [pair_text(candidate.halves) for candidate in candidates],
            **({"count": of_a} if of_a == of_b else counts),
            **{f"{letter}: order": _order(of_run) for letter, of_run in standings.items()},
            **{f"{letter}: ids": [_ids(s.ids) for s in of_run] for letter, of_run in standings.items()},
        }
    )
    taken = sum(candidate in (divergence.a, divergence.b) for candidate in candidates)
    tinted = rows.style.apply(lambda row: [_NEVER if int(row.name) < taken else ""] * len(row), axis=1)
    show_table(tinted, "recipes_candidates", height=38 + 35 * 9)


def _order(standings: Sequence[Standing]) -> "ExtensionArray":
    return pd.array([None if s.place is None else s.place + 1 for s in standings], "Int64")


def _ids(ids: Pair | None) -> str:
    return f"{ids[0]} + {ids[1]}" if ids else ""


def _named(pair: tuple[str, str]) -> tuple[str, str]:
    """Both names with their letters, as markdown."""
    return named_side("left", pair[0]), named_side("right", pair[1])


def merges_panel(page: RecipesState, comparison: RecipeComparison) -> None:
    """Show the merges of both side by side, those that differ tinted."""
    pair, fields = page.picked(comparison), page.saved
    divergence, (a, b) = comparison.divergences[pair], (comparison.results[name] for name in pair)
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown("**Merge by merge**")
            fields.all_merges = st.toggle("All merges", fields.all_merges, key="recipes_all")
        table = aligned_merges(a, b)
        st.markdown(how_far_apart(table, a, b))
        if not fields.all_merges:
            place = divergence.rank if divergence else 0
            table = table.iloc[max(0, place - BEFORE) : place + AFTER]
        table = table.head(MOST_ROWS)
        st.caption(
            "Light: the other recipe makes it too, at the merge number shown. Dark: the other never makes it."
        )
        show_table(_aligned(table), "recipes_merges", height=38 + 35 * (BEFORE + AFTER))


def _aligned(table: pd.DataFrame) -> "Styler":
    """Return the table with a row for each rank, counted from 1."""
    rows = pd.DataFrame({"merge": table.index + 1}, index=table.index)
    tints = pd.DataFrame({"merge": ""}, index=table.index)
    for side, other, letter, other_letter in (("a", "b", "L", "R"), ("b", "a", "R", "L")):
        columns = f"{letter} makes", f"{letter}: count", f"{other_letter} at merge"
        elsewhere = table[f"{side}_in_{other}"]
        rows[columns[0]] = [pair_text(halves) if halves else "" for halves in table[side]]
        rows[columns[1]] = table[f"count_{side}"]
        rows[columns[2]] = elsewhere + 1
        moved = (elsewhere != table.index).fillna(True).to_numpy(bool)
        never = elsewhere.isna().to_numpy(bool)
        there = table[f"count_{side}"].notna().to_numpy(bool)
        tint = np.where(there & never, _NEVER, np.where(there & moved, _MOVED, ""))
        for column in columns:
            tints[column] = tint
    return rows.style.apply(lambda _: tints, axis=None)


def rules_panel(page: RecipesState, comparison: RecipeComparison) -> None:
    """Show the rules of both, those that differ in bold, and what the vocabularies share."""
    pair = page.picked(comparison)
    a, b = (comparison.results[name] for name in pair)
    with st.container(border=True):
        st.markdown("**Their rules**")
        table = [(rule, *_marked(of_a, of_b)) for rule, of_a, of_b in rules(a, b)]
        st.table(pd.DataFrame(table, columns=["rule", *_named(pair)]), hide_index=True)
        st.markdown("**Their vocabularies**")
        overlap = vocabulary_overlap(a.tokenizer, b.tokenizer)
        with st.container(horizontal=True, gap="medium"):
            st.metric("Both have", f"{overlap.both:,}", width="content")
            for name, only in zip(_named(pair), (overlap.only_a, overlap.only_b), strict=True):
                st.metric(f"Only {name}", f"{only:,}", width="content")
        st.caption("Tokens that merges make. Two tokens are the same if their bytes are the same.")
        st.markdown("**Tokens in the text**")
        with st.container(horizontal=True, gap="medium"):
            for name, run in zip(_named(pair), (a, b), strict=True):
                total = run.history.token_total(len(run.steps))
                st.metric(name, f"{total:,}", width="content")


def _marked(a: str, b: str) -> tuple[str, str]:
    a, b = escape(a), escape(b)
    return (a, b) if a == b else (f"**{a}**", f"**{b}**")
