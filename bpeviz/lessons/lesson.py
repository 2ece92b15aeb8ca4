"""What the file of a lesson holds: runs, stops on them, claims, and what to try at the end.

- ``[runs.cat]``: a text and training settings, or a tokenizer whose merges are replayed;
- ``[[stops]]``: a step of a run, a caption, perhaps an action or a guess;
- ``[claims]``: the figures of the captions, see claims.py;
- ``[try]``: where "Try it on your own text" leads.
"""

from dataclasses import replace
from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from bpeviz.formats.pretrained import pretrained_name
from bpeviz.lessons.claim import Name, Text, Whole
from bpeviz.lessons.claims import AnyClaim
from bpeviz.training.settings import CUSTOM_SPLIT, RECIPE_SPLIT, TrainingSettings

__all__ = [
    "GROUPS",
    "Action",
    "ChoiceGuess",
    "Guess",
    "Lesson",
    "PairGuess",
    "RunSpec",
    "Spotlight",
    "Stop",
    "TryIt",
    "speed_for",
]

#: The titles of the lessons' kinds, in the order of the list. The tour has its own button.
GROUPS = {
    "training": "How training works",
    "models": "What models get from it",
    "walk": "Notebooks, step by step",
}

Words = Annotated[str, Meta(min_length=1, max_length=1_000)]


class RunSpec(Text, frozen=True, kw_only=True):
    """A text and how its run is made.

    - ``recipe``, ``split``, ``merges``, ``min_frequency``: training settings; ``pattern`` replaces ``split``;
    - ``forced``: the first merges, as pairs of tokens, whatever the recipe would choose;
    - ``tokenizer``: a built-in tokenizer whose merges are replayed, instead of a training;
    - ``new_merges``: how many are learned after them by ``recipe``;
    - ``merges_of``: a trained run of the lesson, whose merges are replayed on this text;
    - ``replayed``: merges of some other tokenizer to replay, as its two tokens and the id that it makes; all
      those that the text needs, in order.
    """

    recipe: Name = "minbpe-basic"
    split: Name = RECIPE_SPLIT
    pattern: str = ""
    merges: Annotated[int, Meta(ge=1, le=5_000)] = 500
    min_frequency: Annotated[int, Meta(ge=1)] = 1
    forced: tuple[tuple[str, str], ...] = ()
    tokenizer: Name = ""
    new_merges: Annotated[int, Meta(ge=0, le=5_000)] = 0
    merges_of: Name = ""
    replayed: tuple[tuple[str, str, Whole], ...] = ()


class PairGuess(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="pair"):
    """Which pair is merged next? The answers and their explanations come from the run."""

    answers: Annotated[int, Meta(ge=2, le=8)] = 4


class ChoiceGuess(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="choice"
):
    """A ``question`` with given ``answers``; ``right`` is one of them, ``because`` says why."""

    question: Words
    answers: Annotated[tuple[Words, ...], Meta(min_length=2, max_length=6)]
    right: Words
    because: Words


Guess = PairGuess | ChoiceGuess

#: What a stop points at: the ``text`` or its line of ``figures``, the tokens that the ``next`` merge joins or
#: the last one ``made``, the ``sentence`` about both, the bars of ``pairs``, the ``walls`` in the text, the
#: ``rows`` of several tokenizers.
Spotlight = Literal["", "text", "figures", "next", "made", "sentence", "pairs", "walls", "rows"]


def speed_for(merges: int) -> float:
    """Return the merges a second at which so many take a few seconds at most: a speed that the player
    offers."""
    return next(speed for speed in (1, 4, 10, 60, 240, 1000) if merges <= 3 * speed or speed == 1000)


class Action(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a person does at a stop. ``says`` is the text of a button, a verb first. The button plays to
    ``step``; without a step it leads to the next stop."""

    says: Words
    step: Whole | None = None


class Stop(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A step of a run with a caption, and a guess before the person reads on.

    Without ``run`` it is the first run; without ``step`` the text after all merges. ``rows`` are runs and
    built-in tokenizers: the text of the run is shown in the tokens of each.
    """

    caption: Words
    run: Name = ""
    step: Whole | None = None
    guess: Guess | None = None
    action: Action | None = None
    spotlight: Spotlight = ""
    rows: Annotated[tuple[Name, ...], Meta(max_length=6)] = ()


class TryIt(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the main page opens with at the end: the training settings for the person's own text, and a
    ``sample`` at a ``step``, which is on show while they have no run. A setting without a value stays."""

    sample: Name
    recipe: Name = ""
    split: Name = ""
    merges: Annotated[int, Meta(ge=1, le=5_000)] = 300
    step: Whole = 0

    @property
    def rules(self) -> str:
        """The settings that the lesson names, as the menu “Rules” shows them."""
        split = f"{self.split} split" if self.split else ""
        return " · ".join(part for part in (self.recipe, split, f"{self.merges:,} merges") if part)

    def settings(self, before: TrainingSettings) -> TrainingSettings:
        """Return a person's settings with those of the lesson. A recipe comes with its own split pattern, and
        a number of merges replaces a vocabulary size."""
        split = self.split or (RECIPE_SPLIT if self.recipe else before.split)
        return replace(
            before,
            recipe=self.recipe or before.recipe,
            split=split,
            custom_pattern=before.custom_pattern if split == CUSTOM_SPLIT else "",
            num_merges=self.merges,
            vocab_size=None,
        )


class Lesson(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One lesson: how ``training`` works, what ``models`` get from it, a ``walk`` through a notebook, or the
    ``tour`` of the player."""

    title: Words
    about: Words
    kind: Literal["training", "models", "walk", "tour"] = "models"
    runs: Annotated[dict[Name, RunSpec], Meta(min_length=1, max_length=8)]
    stops: Annotated[tuple[Stop, ...], Meta(min_length=3, max_length=10)]
    claims: dict[Name, AnyClaim] = field(default_factory=dict)
    try_it: TryIt = field(name="try")

    @property
    def minutes(self) -> int:
        """About how long it takes: a stop is half a minute of reading, or a whole one with a guess."""
        return max(1, round(sum(1 if stop.guess else 0.5 for stop in self.stops)))

    def run_of(self, stop: Stop) -> str:
        """Return the name of the run of a stop."""
        return stop.run or next(iter(self.runs))

    @property
    def chooser(self) -> str:
        """Who chose the merges that the recipe of a run didn't."""
        return "the notebook" if self.kind == "walk" else "this lesson"

    def row_title(self, name: str) -> str:
        """Return the name of a row of a stop: a built-in tokenizer's, or "this run"."""
        spec = self.runs.get(name)
        known = spec.tokenizer if spec else name
        return pretrained_name(known) if known else "this run"
