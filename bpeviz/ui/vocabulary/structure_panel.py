"""The tokens on show at a glance: lengths, scripts, leading spaces and capital letters."""

from collections.abc import Sequence

import streamlit as st

from bpeviz.analysis.vocabulary_structure import VocabularyStructure
from bpeviz.charts.vocabulary import length_chart, script_chart
from bpeviz.text.token_text import visible
from bpeviz.ui.kit.plot import plot, text_color
from bpeviz.ui.kit.words import escape
from bpeviz.words import counted

__all__ = ["structure_panel"]

MOST_CASES, MOST_SPELLINGS = 6, 6
SPELLING_CHARACTERS = 24


def structure_panel(structure: VocabularyStructure) -> None:
    """Show the figures and two charts."""
    with st.container(border=True, key="structure"):
        st.markdown("**These tokens at a glance**")
        plot(
            length_chart(structure.lengths, text_color=text_color()),
            key="structure_lengths",
            name="Tokens by length in bytes",
            says=_most_frequent_length(structure),
        )
        if structure.scripts:
            plot(
                script_chart(structure.scripts, text_color=text_color()),
                key="structure_scripts",
                name="Tokens by script",
                says=", ".join(f"{name} {count:,}" for name, count in structure.scripts.items()),
            )
            st.caption("By the script of the first letter. Common: no letters, such as digits.")
        st.markdown(_spaces(structure))
        st.markdown(_cases(structure.cases))


def _most_frequent_length(structure: VocabularyStructure) -> str:
    length, count = max(structure.lengths.items(), key=lambda item: item[1])
    return f"most have {counted(length, 'byte')}: {count:,}"


def _spaces(structure: VocabularyStructure) -> str:
    return (
        f"**Words with a leading space**: {structure.spaced:,}; without: {structure.unspaced:,}; "
        f"both ways: {structure.both:,}."
    )


def _cases(cases: Sequence[tuple[str, ...]]) -> str:
    if not cases:
        return "**Words in several cases**: none."
    shown = " · ".join(
        ", ".join(map(_spelling, spellings[:MOST_SPELLINGS])) for spellings in cases[:MOST_CASES]
    )
    more = " · …" if len(cases) > MOST_CASES else ""
    return f"**Words in several cases**: {len(cases):,}, such as {shown}{more}"


def _spelling(text: str) -> str:
    return escape(visible(text.encode(), SPELLING_CHARACTERS))
