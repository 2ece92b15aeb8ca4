"""Which part of a large corpus the page shows, and the fields to show another one."""

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from bpeviz.corpus.corpus_files import CorpusFiles, Place
from bpeviz.corpus.word_search import find_word
from bpeviz.errors import CorpusError
from bpeviz.limits import limits
from bpeviz.runs.large_corpus import ShownPart, shown_text
from bpeviz.runs.run import Run
from bpeviz.runs.samples import MEGABYTES
from bpeviz.ui.kit.messages import run_whole_page
from bpeviz.ui.kit.words import escape, show_error
from bpeviz.ui.session.session import Session
from bpeviz.ui.watch.state import WatchState
from bpeviz.words import size

__all__ = ["shown_part"]


@dataclass(frozen=True)
class Wanted:
    """Another part that a person wants to see: ``find`` returns its place; with a ``word``, that is there."""

    find: Callable[[], Place]
    word: str = ""


def shown_part(state: Session, run: Run) -> None:
    """Show the part in words and the fields, if the run is on a large corpus."""
    part = run.corpus.part
    if part is None:
        return
    files = part.whole.files
    wanted: Wanted | None = None
    with st.container(horizontal=True, vertical_alignment="center", key="shown_part"):
        with st.container():
            st.caption(_sentence(part))
        if files is not None:
            wanted = _find(state, part, files)
            with st.popover("Show another part", icon=":material/find_in_page:", key="other_part"):
                wanted = _pick(state, part, files) or wanted
    if wanted is not None:
        _show(state, run, wanted)
    elif (found := state.pages.of(WatchState).found) is not None and found[1] == part:
        st.caption(escape(found[0]))


def _sentence(part: ShownPart) -> str:
    whole = part.whole
    of_all = "Counts, pairs and merges are those of the whole corpus."
    if part.place is None:
        named = f"**{escape(whole.name)}**, {size(whole.byte_total)}"
        counts = f"The page has only the counts of {named}."
        if whole.files is not None:
            counts = f"The page can't show the text of {named}, only its counts."
        return f"{counts} The text below lists its distinct pre-tokens, first seen first. {of_all}"
    if part.byte_total == whole.byte_total:
        return f"Showing all {size(whole.byte_total)}."
    return (
        f"Showing {size(part.byte_total)} of {size(whole.byte_total)}: **{escape(part.file_name)}** "
        f"from byte {part.place.offset + 1:,}. {of_all}"
    )


def _pick(state: Session, part: ShownPart, files: CorpusFiles) -> Wanted | None:
    """Ask for a file and a part of it; return the place if the person wants another part."""
    place = part.place or Place(0, 0)
    serial, watch = state.parts, state.pages.of(WatchState)
    number = place.file
    if len(files.files) > 1:
        number = st.selectbox(
            "File",
            range(len(files.files)),
            number,
            key=f"part_file-{serial}",
            format_func=lambda n: f"{files.files[n].name}, {size(files.files[n].byte_total)}",
        )
    start = st.number_input(
        "Start at (MB)",
        0.0,
        files.files[number].byte_total / 1e6,
        place.offset / 1e6 if number == place.file else 0.0,
        step=1.0,
        format="%.3f",
        key=f"part_start-{serial}-{number}",
    )
    sizes = [size for size in MEGABYTES if size <= max(1, limits().max_text_megabytes)]
    watch.part_megabytes = st.segmented_control(
        "Show",
        sizes,
        default=min(watch.part_megabytes, sizes[-1]),
        key="part_megabytes",
        required=True,
        format_func=lambda size: f"{size} MB",
    )
    with st.container(horizontal=True):
        shows = st.button("Show this part", type="primary", key="show_part", on_click=run_whole_page)
        follows = st.button(
            "Next part", icon=":material/arrow_forward:", key="next_part", on_click=run_whole_page
        )
    if follows:
        return Wanted(lambda: _following(files, Place(place.file, place.offset + part.byte_total)))
    return Wanted(lambda: Place(number, round(start * 1e6))) if shows else None


def _following(files: CorpusFiles, end: Place) -> Place:
    """Where the next part begins: after the last one, or with the next file."""
    if end.offset < files.files[end.file].byte_total:
        return end
    later = [*range(end.file + 1, len(files.files)), *range(end.file + 1)]
    return Place(next(number for number in later if files.files[number].byte_total), 0)


def _find(state: Session, part: ShownPart, files: CorpusFiles) -> Wanted | None:
    """Ask for a word; return how to find its next place from what is shown on, if the person wants that."""
    with st.form("find_word", border=False, width=430), st.container(horizontal=True):
        word = st.text_input(
            "Find in the whole corpus",
            key="part_word",
            placeholder="Find in the whole corpus",
            label_visibility="collapsed",
        )
        following = st.form_submit_button("Next", icon=":material/arrow_downward:", on_click=run_whole_page)
        previous = st.form_submit_button("Previous", icon=":material/arrow_upward:", on_click=run_whole_page)
    if not (following or previous) or not word:
        return None
    here = part.place or Place(0, 0)
    start = state.pages.of(WatchState).found_at.get(word, Place(here.file, here.offset - following))

    def found() -> Place:
        place = find_word(files, word, start, backwards=previous)
        if place is None:
            raise CorpusError(f"“{word}” doesn't occur in this corpus. Check upper and lower case.")
        return place

    return Wanted(found, word)


def _show(state: Session, run: Run, wanted: Wanted) -> None:
    """Show the part that a person wants, or why that fails."""
    if run.corpus.part is None:
        return
    watch = state.pages.of(WatchState)
    most = min(watch.part_megabytes * 1_000_000, limits().max_text_bytes)
    try:
        with st.spinner("Reading the files"):
            place = wanted.find()
            shown = shown_text(run.result, run.corpus.part.whole, place, most, around=bool(wanted.word))
    except CorpusError as error:
        show_error(error)
        return
    state.show_part(shown)
    watch.found, watch.found_at = None, {}
    if word := wanted.word:
        here = "which is shown whole" if run.split.stretch is None else "in the first lines below"
        where = f"“{word}” is at byte {place.offset + 1:,} of {shown.part.file_name}, {here}."
        watch.found, watch.found_at = (where, shown.part), {word: place}
    st.rerun()
