"""The state of the main page: what is saved of it, and what is not. The session has its runs and its step."""

from dataclasses import dataclass, field
from itertools import count
from typing import Annotated, ClassVar, Literal, get_args

from msgspec import Meta

from bpeviz.core.token_chain import Pair
from bpeviz.corpus.corpus_files import Place
from bpeviz.parity import Parity
from bpeviz.runs.fork_comparison import ForkComparison
from bpeviz.runs.large_corpus import ShownPart
from bpeviz.runs.run import NamedText, Run
from bpeviz.sessions.document import Name, Number
from bpeviz.sessions.page_fields import PageFields, Text
from bpeviz.training.choice import Choice

__all__ = [
    "MORE",
    "OF_START",
    "PANELS",
    "RACE_LENGTHS",
    "TABS",
    "PageRequest",
    "Panel",
    "WatchFields",
    "WatchState",
]

#: What a person can show beside the player, one at a time: the first two have tabs, the others share "More".
Panel = Literal["Pairs", "Word", "What changes", "Race", "Tables", "Start"]
PANELS: tuple[Panel, ...] = get_args(Panel)
TABS = PANELS[:2]
MORE = "More"
#: The panel of runs that begin with a tokenizer.
OF_START: Panel = "Start"

#: How many merges the pair race can go back.
RACE_LENGTHS = (20, 50, 200, 1000)


TokenId = Annotated[int, Meta(ge=0, lt=2**31)]

_requests = count(1)


class WatchFields(PageFields, forbid_unknown_fields=True):
    """The fields of the page, as they are saved."""

    #: The picked pair, in ids of the shown run.
    pair: tuple[TokenId, TokenId] | None = None
    #: The panel beside the player.
    panel: Name = ""
    #: How many merges the pair race goes back.
    race_length: Number = 50
    #: The text on which new merges are tried, beside the one that they were learned from.
    second_text: Text | None = None


@dataclass
class PageRequest:
    """A page that a person wants to save: of the run ``number`` at ``step``. ``asked`` tells requests apart;
    ``file`` is the page until the browser gets it, or ``fault`` says why there is none."""

    number: int
    step: int
    asked: int
    file: bytes = b""
    fault: str = ""


@dataclass
class WatchState:
    """The state of the page."""

    address: ClassVar[str] = "watch"

    saved: WatchFields = field(default_factory=WatchFields)
    #: Where a chart or a button sent the player: the step, a number that no other request has in any session,
    #: 0 before the first, and the byte of the text to show, if any.
    asked: tuple[int, int, int | None] = (0, 0, None)
    #: How often a pair was picked, so that a table is drawn new without the click on it.
    picks: int = 0
    #: The panel that the tab "More" shows.
    under_more: Panel = "What changes"
    #: The word that a panel is about.
    word: str = ""
    #: The fork that will train next.
    fork: Choice | None = None
    #: The text whose first merges play once it is shown.
    to_play: NamedText | None = None
    #: How often that was asked for.
    plays: int = 0
    #: The number of the run that the person wants to be checked.
    to_check: int | None = None
    #: The results of parity checks, by the run's number.
    parities: dict[int, Parity] = field(default_factory=dict)
    #: The page that the person wants to save, until the browser has it.
    page_request: PageRequest | None = None
    #: How long the shown parts of a large corpus are.
    part_megabytes: int = 8
    #: Where the word is that a person searched, in words, and the part that shows it.
    found: tuple[str, ShownPart] | None = None
    #: The same word and its place, where the next search for it begins.
    found_at: dict[str, Place] = field(default_factory=dict)
    #: The bytes that the player shows, and what they were made from.
    packed: tuple[tuple[object, ...], bytes] | None = None
    #: Whether the browser has painted them; True at once for a short text, which the page doesn't wait for.
    painted: bool = True
    _comparison: ForkComparison | None = None
    _followed: tuple[int, tuple[bytes | None, ...] | None] | None = None

    @property
    def panel(self) -> Panel:
        """The panel beside the player."""
        return next((panel for panel in PANELS if panel == self.saved.panel), "Pairs")

    @panel.setter
    def panel(self, panel: Panel) -> None:
        if panel != self.panel:  # else nothing changes, so that nothing is saved
            self.saved.panel = panel
        if panel not in TABS:
            self.under_more = panel

    @property
    def race_length(self) -> int:
        """How many merges the pair race goes back: one of RACE_LENGTHS."""
        return self.saved.race_length if self.saved.race_length in RACE_LENGTHS else 50

    @property
    def pair(self) -> Pair | None:
        """The picked pair, in ids of the shown run."""
        return self.saved.pair

    def pick(self, pair: Pair | None) -> None:
        """Select a pair."""
        self.saved.pair = pair
        self.picks += 1

    def follow(self, run: Run) -> None:
        """Note which run is shown and which pair is picked. Another run forgets the chosen fork, and the pair
        too unless its ids stand for the same tokens there."""
        before, known = self._followed or (run.number, None)
        tokens = tuple(map(run.token, self.pair)) if self.pair else None
        if before != run.number:
            self.fork = None
        if tokens and (None in tokens or (before != run.number and tokens != known)):
            self.saved.pair = tokens = None
        self._followed = run.number, tokens

    def ask_for(self, step: int, offset: int | None = None) -> None:
        """Send the player to a step, and to the byte at ``offset`` of its text."""
        self.asked = step, next(_requests), offset

    def compared(self, run: Run, other: Run) -> ForkComparison:
        """Return the comparison of the shown run with the one beside it; made once."""
        known = self._comparison
        if known is None or known.run is not run or known.other is not other:
            self._comparison = known = ForkComparison(run, other)
        return known
