"""The tab "Check your trainer": a person's merges against a recipe, the mistake, and both futures."""

from collections.abc import Mapping
from functools import partial
from itertools import islice

import streamlit as st

from bpeviz.corpus.corpus import Corpus
from bpeviz.errors import BpevizError, CorpusError
from bpeviz.formats.source import in_file
from bpeviz.limits import limits
from bpeviz.merge_check.in_worker import Checked, CheckRequest, check_in_worker
from bpeviz.merge_check.reading import PICKLE_LINES, refuse_pickle
from bpeviz.merge_check.reference import Rules
from bpeviz.merge_check.result import MergeCheck
from bpeviz.merge_check.texts import Texts
from bpeviz.merge_check.ties import TIES
from bpeviz.runs.both_futures import both_futures, can_fork
from bpeviz.runs.run import NamedText, Run
from bpeviz.runs.samples import ENGLISH, read_sample
from bpeviz.runs.training_words import Progress
from bpeviz.sessions.page_fields import Text
from bpeviz.sessions.session_file import short_name
from bpeviz.text.file_kinds import BEGINNING
from bpeviz.text.split_patterns import SPLIT_PATTERNS
from bpeviz.training.recipes import RECIPES
from bpeviz.training.settings import RECIPE_SPLIT, TrainingSettings
from bpeviz.ui.kit.compared_text import TextFields, choose_uploaded, pick_text, picked_text
from bpeviz.ui.kit.drop_zone import take_text, taken_files
from bpeviz.ui.kit.messages import check_length, decoded, kept
from bpeviz.ui.kit.training_bar import train_and_rerun
from bpeviz.ui.kit.words import escape, show_error, show_explained
from bpeviz.ui.recipes.state import CheckFields, RecipesState
from bpeviz.ui.session.session import Session

__all__ = ["check_panel", "example_merges"]

#: How the names of files with merges end; "merges" in a name says it too.
MERGES_ENDINGS = (".json", ".csv", ".model", ".bpe", ".pkl", ".pickle", ".tiktoken")
HEIGHT = 180


def check_panel(state: Session, page: RecipesState) -> None:
    """Show the fields, and the result once there are merges and a text."""
    taken_files(
        state,
        "Drop your merges, or the text that your trainer read",
        partial(_take, state, page),
        page="check",
        most_bytes=limits().max_checked_bytes,
    )
    show_explained(
        "Paste your trainer’s [[merge|merges]] and the text that it read. "
        "See how far they are those of a [[recipe]], and which mistake explains the rest."
    )
    if PICKLE_LINES in state.problem:  # the frame of the page says it; here the lines can be copied
        st.code(PICKLE_LINES, "python")
    fields = page.check
    before = _written(fields)
    left, right = st.columns([3, 2], gap="medium")
    with left:
        merges = _merges_field(page, fields)
    with right:
        _rule_fields(fields)
        choice = pick_text(state, fields.text, slot="check", label="The text it read", without_run="Sample")
        text = picked_text(state, fields.text, choice, slot="check", most_bytes=limits().max_checked_bytes)
    if _written(fields) != before:
        page.saved.check = fields
    if text is not None and text.part is not None:  # a check takes the part on show
        text = NamedText(text.name, text.text)
    if merges is None or text is None:
        return
    if not merges.strip():
        _nothing_yet(page)
        return
    request = fields.request(merges, text)
    if checked := _checked(state, page, request, text):
        _result(state, fields, text, checked)


def _written(fields: CheckFields) -> tuple[object, ...]:
    """Return what is saved of the fields, to see whether the person has changed them."""
    text = fields.text
    return (
        *(fields.merges, fields.name, fields.recipe, fields.split),
        *(text.source, text.typed, text.sample, text.uploaded),
    )


def _take(state: Session, page: RecipesState, files: Mapping[str, bytes]) -> None:
    """Take a dropped file: merges, or the text. Raises BpevizError."""
    fields = page.check
    for name, data in files.items():
        if _are_merges(name):
            _take_merges(page, fields, name, data)
        else:
            choose_uploaded(state, fields.text, take_text({name: data}), slot="check")
    page.saved.check = fields


def _are_merges(name: str) -> bool:
    return name.lower().endswith(MERGES_ENDINGS) or "merges" in name.lower()


def _take_merges(page: RecipesState, fields: CheckFields, name: str, data: bytes) -> None:
    """Take a file with merges. Raises TokenizerFileError for a pickle, and CorpusError."""
    if len(data) > limits().max_checked_bytes:
        raise CorpusError(
            f"{name} has {len(data):,} bytes; up to {limits().max_checked_bytes:,} can be checked here. Give "
            "the first merges, or run: bpeviz check."
        )
    with in_file(name):
        refuse_pickle(data[:BEGINNING])  # an old one, which is text, is refused when it is read
    fields.merges, fields.name = Text(decoded(data, name)), short_name(name)
    page.merges_number += 1


def _merges_field(page: RecipesState, fields: CheckFields) -> str | None:
    """Show the field of the merges and that of their file; return the merges, or None after showing what is
    wrong."""
    file = st.file_uploader(
        "File with your merges",
        key=f"check_file-{page.merges_number}",
        max_upload_size=max(1, limits().max_checked_bytes // 1_000_000),
        help="Two tokens a line, CSV, JSON, minbpe’s log or .model file, or a tokenizer.json.",
    )
    if file:
        try:
            _take_merges(page, fields, file.name, file.getvalue())
        except BpevizError as error:
            _show_fault(str(error))
            return None
        page.saved.check = fields
        st.rerun()
    shown = fields.merges.text if fields.merges else ""
    typed = st.text_area(
        "Your merges",
        shown,
        key=f"check_merges-{page.merges_number}",
        height=HEIGHT,
        placeholder="b' ' b't'\nb' t' b'h'\n…",
    )
    try:
        check_length("The list of merges", typed, limits().max_checked_bytes)
    except BpevizError as error:
        show_error(error)
        return None
    if typed != shown and (new := kept(typed, None)) is not None:
        fields.merges, fields.name = (Text(new), "") if new else (None, "")
    if fields.name:
        st.caption(escape(fields.name))
    return typed


def _show_fault(fault: str) -> None:
    """Show what is wrong with a file; the lines that turn a pickle into text are there to be copied."""
    show_error(fault.replace(f"\n{PICKLE_LINES}", ""))
    if PICKLE_LINES in fault:
        st.code(PICKLE_LINES, "python")


def _rule_fields(fields: CheckFields) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        names = list(RECIPES)
        fields.recipe = st.selectbox("Recipe", names, names.index(fields.recipe), key="check_recipe")
        splits = [RECIPE_SPLIT, *SPLIT_PATTERNS]
        fields.split = st.selectbox("Split pattern", splits, splits.index(fields.split), key="check_split")
    st.caption(escape(f"Ties: {RECIPES[fields.recipe].tie_sentence}."))


def _nothing_yet(page: RecipesState) -> None:
    st.info("Paste your merges above, or choose their file.", icon=":material/rule:")
    st.button(
        "Try a trainer with a mistake",
        key="check_example",
        icon=":material/play_arrow:",
        on_click=_show_example,
        args=(page,),
    )


def _show_example(page: RecipesState) -> None:
    text = TextFields(source="Sample", sample=ENGLISH.title)
    page.saved.check = CheckFields(merges=Text(example_merges()), text=text)
    page.merges_number += 1


def example_merges(merges: int = 100) -> str:
    """Return the merges of a trainer that compares ids where CS336 compares bytes, as Python prints them."""
    recipe = RECIPES["cs336"]
    texts = Texts(Corpus.from_text(read_sample(ENGLISH.title)))
    rules = Rules(recipe, recipe.split_pattern(), recipe.special_tokens, tie=TIES["greatest-ids"])
    made = islice(texts.trainer(rules).merges(), merges)
    return "".join(f"{left!r} {right!r}\n" for left, right in made)


def _checked(state: Session, page: RecipesState, request: CheckRequest, text: NamedText) -> Checked | None:
    """Return the result that the fields ask for, computed if needed; once cancelled, it waits for a click."""
    if page.checked and page.checked[0] == request:
        return page.checked[1]
    if state.training.busy:
        st.info("Checking. The bar at the bottom shows the progress.", icon=":material/hourglass:")
        return None
    if page.check_declined == request:
        st.info("The check was stopped. Check again to see the result.", icon=":material/history:")
        if not st.button("Check", type="primary", icon=":material/rule:", key="check_again"):
            return None
    page.check_declined = request
    train_and_rerun(state, text, partial(_check, request), partial(page.set_check, request), announced=False)
    return None


def _check(request: CheckRequest, on_progress: Progress) -> Checked:
    return check_in_worker(request, on_progress)


def _result(state: Session, fields: CheckFields, text: NamedText, checked: Checked) -> None:
    check = checked.check
    with st.container(border=True, key="check_result"):
        st.markdown(f"**{escape(check.sentence)}**" if check.equal else escape(check.sentence))
        if check.equal:
            st.success("Your trainer makes the merges of the recipe on this text.", icon=":material/check:")
            return
        first, *others = check.cause_lines
        st.markdown(escape(first))
        for line in others:
            st.markdown(f"- {escape(line)}" if len(check.causes) > 1 else escape(line))
        _futures_button(state, fields, text, check)


def _futures_button(state: Session, fields: CheckFields, text: NamedText, check: MergeCheck) -> None:
    """Offer the step in the player, with both futures if their merge can be made there."""
    if check.rule is None:
        return
    both = can_fork(check)
    label = "Show both futures in the player" if both else "Show this step in the player"
    if not both:
        st.caption("Your merge can't be made in the run of the rule, so only that run opens.")
    if st.button(label, key="check_futures", icon=":material/alt_route:", disabled=state.training.busy):
        settings = TrainingSettings(
            fields.recipe,
            fields.split,
            num_merges=min(max(check.merges, check.same + 1), limits().max_merges),
            min_frequency=RECIPES[fields.recipe].min_frequency,
        )
        training = partial(both_futures, text, settings, check)
        train_and_rerun(state, text, training, partial(_open, state, check.same), announced=False)


def _open(state: Session, same: int, runs: tuple[Run, Run | None]) -> None:
    rule, fork = runs
    state.show(rule)
    if fork is not None:
        state.show_fork(rule.number, fork)
    state.step = state.start = same + 1 if fork is not None else same
    state.leads_home = {}
