"""The session's state: everything that outlives one rerun of a page, typed, in one place.

A widget's own value is gone once the widget is not on the page. So each page notes here what its widgets
give, and passes it as the default of the widget when it returns; nothing writes to a widget's own state.
"""

from dataclasses import dataclass, field
from typing import Literal, cast

import streamlit as st

from bpeviz.compare import TextTokens
from bpeviz.ui.run import NamedText, Run, Settings
from bpeviz.ui.samples import SAMPLES

__all__ = ["SOURCES", "Session", "Source", "session"]

Source = Literal["Paste", "Upload", "Sample"]
SOURCES: tuple[Source, ...] = ("Paste", "Upload", "Sample")


@dataclass
class Session:
    """One person's session.

    - ``source``, ``pasted``, ``sample``, ``library_megabytes``: where the corpus comes from, as last chosen;
    - ``uploaded``: what was uploaded last, decoded;
    - ``settings``: the rules to train by, as the widgets stand;
    - ``declined``: changed rules whose training was begun and not finished, so that it is not begun again
      by itself;
    - ``rules_shown``: how often the widgets of the rules were made anew;
    - ``run``: the run on show, None before the first;
    - ``choosing``: whether the corpus form is open although there is a run;
    - ``step``: merges made at the step on show; ``start``: the step that the player was mounted at;
    - ``packed``: the bytes the player was mounted with, and the number of their run and their start;
    - ``page``: the page drawn last;
    - ``gpt2``: the text that GPT-2 tokenized last, and what came of it;
    - ``compare_text``: the text on the compare page, None until the person changes it.
    """

    source: Source = "Paste"
    pasted: str = ""
    sample: str = next(iter(SAMPLES))
    library_megabytes: int = 1
    uploaded: NamedText | None = None
    settings: Settings = field(default_factory=Settings)
    declined: Settings | None = None
    rules_shown: int = 0
    run: Run | None = None
    choosing: bool = False
    step: int = 0
    start: int = 0
    packed: tuple[tuple[int, int], bytes] | None = None
    page: str = ""
    gpt2: tuple[str, TextTokens] | None = None
    compare_text: str | None = None

    def show(self, run: Run) -> None:
        """Put a new run on the page: where the old one stood if both made the same merges up to there."""
        made = min(self.step, len(run.steps))
        old = self.run
        same = old is not None and old.corpus == run.corpus and old.steps[:made] == run.steps[:made]
        self.step = made if same else 0
        self.run = run
        self.settings = run.settings
        self.declined = None
        self.choosing = False
        self.start = self.step

    def open_form(self) -> None:
        """Choose another corpus; the run stays as it is."""
        self.choosing = True

    def close_form(self) -> None:
        """Back to the run, at its step and by its rules."""
        self.choosing = False
        self.start = self.step
        self.restore_rules()

    def restore_rules(self) -> None:
        """Take the rules of the run again; new widgets show them, since theirs is the only other copy."""
        if self.run is not None:
            self.settings, self.declined = self.run.settings, None
            self.rules_shown += 1

    def enter(self, page: str) -> None:
        """Note which page is drawn; coming to one anew, the player starts where the person left off."""
        if self.page != page:
            self.page = page
            self.start = self.step


def session() -> Session:
    """Give the state of the browser session that is being served."""
    if "session" not in st.session_state:
        st.session_state["session"] = Session()
    return cast(Session, st.session_state["session"])
