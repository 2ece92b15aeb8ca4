"""A run: one text trained with one set of rules."""

import secrets
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt
import pandas as pd

from bpeviz.cached import cached_property
from bpeviz.core.gap_ranks import GapRanks
from bpeviz.core.token_chain import Pair
from bpeviz.core.top_pairs import TopPairs
from bpeviz.corpus.corpus_files import CorpusFiles
from bpeviz.runs.large_corpus import (
    LargeCorpus,
    ShownPart,
    ShownText,
    pre_token_indices,
    remember_result,
)
from bpeviz.text.split_patterns import SplitPattern
from bpeviz.text.token_text import visible
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.training.choice import Choice
from bpeviz.training.history import MergeHistory
from bpeviz.training.recipes import Recipe
from bpeviz.training.result import MergeStep, TrainingResult
from bpeviz.training.settings import TrainingSettings
from bpeviz.training.start import Start
from bpeviz.words import counted

__all__ = [
    "MOST_RUN_NUMBER",
    "NO_OTHER_PAIR",
    "NO_PAIR",
    "SHOWN_PAIRS",
    "SO_NOTHING",
    "TOO_RARE",
    "NamedText",
    "Run",
    "new_number",
]

#: So many numbers that two runs of a session never get the same one.
MOST_RUN_NUMBER = 999_999_999
#: How many pairs the page shows at a step.
SHOWN_PAIRS = 20
#: How the reasons to stop begin that leave no merge to make: see Trainer.
TOO_RARE, NO_PAIR = "The most frequent pair occurs", "No pair is left"
NO_OTHER_PAIR, SO_NOTHING = "No {other}pair occurs{often}", ", so nothing is merged."
TO_MERGE_MORE = (
    "Give a longer text, lower the minimum frequency, or choose a split pattern with longer pre-tokens."
)


@dataclass(frozen=True)
class NamedText:
    """A text with the name that the page shows for it.

    With a ``part``, a larger corpus is trained on, and the text is the part of it that the page shows; it is
    empty before the training.
    """

    name: str
    text: str
    part: ShownPart | None = None

    @classmethod
    def of_files(cls, files: CorpusFiles, owner: object = None) -> "NamedText":
        """Files to train on; see LargeCorpus."""
        return cls(_part_name(whole := LargeCorpus.of(files, owner)), "", ShownPart(whole))

    @classmethod
    def of_shown(cls, shown: ShownText) -> "NamedText":
        """Return the shown part of a large corpus."""
        return cls(_part_name(shown.part.whole), shown.text, shown.part)

    @cached_property
    def byte_total(self) -> int:
        """The bytes of the text itself."""
        return len(self.text.encode("utf-8", "surrogatepass"))

    @property
    def trained_bytes(self) -> int:
        """The bytes of what is trained on."""
        return self.part.whole.byte_total if self.part else self.byte_total

    @property
    def trained_name(self) -> str:
        """The name of what is trained on."""
        return self.part.whole.name if self.part else self.name


def _part_name(whole: LargeCorpus) -> str:
    return f"shown part of {whole.name}"


@dataclass(frozen=True, eq=False)
class Run:
    """A training result on a named text.

    ``number`` identifies the run in its session; ``name`` is for people, and ``about`` says more.
    ``settings`` are those that the person chose, with the choices of a fork.
    """

    number: int
    name: str
    corpus: NamedText
    settings: TrainingSettings
    result: TrainingResult = field(repr=False)

    @property
    def about(self) -> str:
        """What the run is: the last choice of a fork, or the text and the recipe."""
        if not self.choices:
            return f"{self.corpus.trained_name}, {self.start.name if self.start else self.recipe.name}"
        choice = self.choices[-1]
        pair, merge = self.pair_label(choice.pair), f"merge {choice.rank + 1:,}"
        return f"without {pair} from {merge} on" if choice.action == "veto" else f"{pair} at {merge}"

    @property
    def cut_short(self) -> str:
        """Why there are fewer merges, or tokens, than asked for; empty if there are as many."""
        why = self._cut_short(self.stop_reason)
        return f"{why} {TO_MERGE_MORE}" if why and not self.steps else why

    @property
    def cut_short_briefly(self) -> str:
        """The same for a line with little room."""
        if self.made_all_possible:
            return self.nothing_merged or f"This text allows {counted(len(self.steps), 'merge')}."
        reason = self.stop_reason.partition(":")[0].rstrip(".")
        return self._cut_short(reason[:1].lower() + reason[1:])

    @property
    def made_all_possible(self) -> bool:
        """Whether training ended because the rules allow no further merge: the usual end of a short text."""
        return self.stop_reason.startswith((TOO_RARE, NO_PAIR))

    @property
    def nothing_merged(self) -> str:
        """Why no merge was made, in a sentence; empty if there is one."""
        if self.steps:
            return ""
        if not self.made_all_possible:
            return self.stop_reason
        if self.stop_reason.startswith(f"{NO_PAIR}: any two"):  # such as "any two neighbours together have …"
            _, why = self.stop_reason.rstrip(".").split(": ", 1)
            return f"{why[:1].upper()}{why[1:]}{SO_NOTHING}"
        other = "other " if self.choices else ""  # than the vetoed ones
        least = self.settings.min_frequency
        often = f" {least:,} times" if least > 1 else ""
        return NO_OTHER_PAIR.format(other=other, often=often) + SO_NOTHING

    @property
    def end(self) -> str:
        """What the player says after the last merge."""
        return self.nothing_merged or self.stop_reason

    def _cut_short(self, reason: str) -> str:
        made, asked, what = len(self.result.new_steps), self.settings.num_merges, "merges"
        if self.start:
            what = "new merges"
        if self.settings.vocab_size is not None:
            made, asked, what = self.result.vocab_size, self.settings.vocab_size, "tokens"
        return "" if made >= asked else f"{made:,} of {asked:,} {what}: {reason}"

    @property
    def start(self) -> Start | None:
        """The tokenizer that the run begins with."""
        return self.settings.start

    @property
    def spelled_by_us(self) -> bool:
        """Whether a split pattern cuts the text, and not the library of a start."""
        return self.result.start is None or self.result.start.pipeline is None

    @property
    def text(self) -> str:
        """The text as the merges see it: the library of a start may change it."""
        if self.spelled_by_us:
            return self.corpus.text
        return self.result.text_bytes.decode("utf-8")

    @cached_property
    def start_ranks(self) -> npt.NDArray[np.int32]:
        """The rank of each merge in the start, -1 for a new one; empty without a start."""
        if self.result.start is None:
            return np.zeros(0, np.int32)
        known = self.result.start.merge_of_pair
        return np.array([known.get(step.pair, (-1, 0))[0] for step in self.steps], np.int32)

    @property
    def choices(self) -> tuple[Choice, ...]:
        """The merges that the person chose or vetoed."""
        return self.settings.choices

    @property
    def form_settings(self) -> TrainingSettings:
        """The settings as the form shows them: without the choices."""
        return replace(self.settings, choices=())

    @property
    def recipe(self) -> Recipe:
        """The recipe of the training."""
        return self.result.recipe

    @property
    def split(self) -> SplitPattern:
        """The pattern that split the text."""
        return self.result.split

    @property
    def steps(self) -> tuple[MergeStep, ...]:
        """The merges, by rank."""
        return self.result.steps

    @property
    def stop_reason(self) -> str:
        """Why there are no more merges."""
        return self.result.stop_reason

    @property
    def tokenizer(self) -> Tokenizer:
        """The tokenizer with all merges."""
        return self.result.tokenizer

    @property
    def history(self) -> MergeHistory:
        """The corpus after any number of merges."""
        return self.result.history

    @property
    def pre_tokens(self) -> npt.NDArray[np.int64]:
        """The pre-tokens of the text in order, as indices in the corpus."""
        return self.result.pre_tokens

    @property
    def gap_ranks(self) -> GapRanks:
        """The gap ranks of the text."""
        return self.result.gap_ranks

    @property
    def top_pairs(self) -> TopPairs:
        """The pairs for the chart at every step: the bars, and the first pair without the next merge and the
        vetoed ones."""
        vetoes = sum(choice.action == "veto" for choice in self.choices)
        return self.history.top_pairs(max(SHOWN_PAIRS, vetoes + 2))

    @cached_property
    def merges_table(self) -> pd.DataFrame:
        """A row for every merge, by rank, with readable tokens."""
        return pd.DataFrame(
            {
                "merge": [s.rank + 1 for s in self.steps],
                "left": [self.label(s.pair[0]) for s in self.steps],
                "right": [self.label(s.pair[1]) for s in self.steps],
                "token": [self.label(s.token_id) for s in self.steps],
                "token id": [s.token_id for s in self.steps],
                "count": [s.count for s in self.steps],
                "tied": [s.tied for s in self.steps],
                "tokens after": [s.token_total for s in self.steps],
            }
        )

    def vetoed(self, step: int) -> set[Pair]:
        """Return the pairs that the person has vetoed after ``step`` merges."""
        return {c.pair for c in self.choices if c.rank <= step and c.action == "veto"}

    def token(self, token_id: int) -> bytes | None:
        """Return the bytes of a token; None if the run has none with this id."""
        tokens = self.result.tokens
        return (tokens[token_id] or None) if 0 <= token_id < len(tokens) else None

    def pair_label(self, pair: Pair) -> str:
        """Return a pair as readable text."""
        return f"{self.label(pair[0])} + {self.label(pair[1])}"

    def label(self, token_id: int) -> str:
        """Return a token as readable text."""
        return visible(self.tokenizer.token_bytes(token_id))

    def showing(self, shown: ShownText) -> "Run":
        """Return the same run, showing another part of its corpus.

        Raises CorpusError if the run's split pattern doesn't cut there.
        """
        pre_tokens = shown.pre_tokens
        if self.result.corpus is not shown.counted:
            pre_tokens = pre_token_indices(self.result, shown.text)
        run = replace(self, corpus=NamedText.of_shown(shown), result=self.result.on_text(pre_tokens))
        remember_result(run.result, self.settings)
        if "merges_table" in vars(self):
            vars(run)["merges_table"] = self.merges_table
        return run


def new_number() -> int:
    """Return a number for a run, by chance: it keeps it in saved sessions, which other servers open too."""
    return 1 + secrets.randbelow(MOST_RUN_NUMBER)
