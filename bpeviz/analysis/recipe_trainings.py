"""One text trained by several recipes, and where in the text each of them has a pair.

    course, minbpe = train_recipes("the cat in the hat", ["course", "minbpe"], num_merges=9)
    course.merges == minbpe.merges

Pre-tokens differ between recipes, so what they did can only be compared byte by byte of the text itself. Why
two of them differ is a matter of bpeviz.analysis.divergence.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from bpeviz.core.base_vocabulary import CharacterVocabulary
from bpeviz.core.gap_ranks import SKIPPED, GapRanks, is_token_end
from bpeviz.corpus.corpus import Corpus
from bpeviz.text.split_patterns import SplitPattern, get_split_pattern
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.training.history import MergeHistory
from bpeviz.training.recipes import Recipe, get_recipe
from bpeviz.training.text_training import OnTraining, TextTraining, TrainedText, TrainingProgress, train_text
from bpeviz.training.trainer import MergeStep

__all__ = ["RecipeProgress", "TrainedRecipe", "train_recipes"]

#: The two halves of a pair, by their bytes: ids mean nothing across recipes.
Halves = tuple[bytes, bytes]


@dataclass(frozen=True, eq=False)
class TrainedRecipe:
    """What one recipe made of ``text``: its merges in ``steps``, and why there are no more; ``pre_tokens``
    are those of the text in a row, each by its index in the corpus."""

    text: str
    recipe: Recipe
    steps: tuple[MergeStep, ...]
    stop_reason: str
    tokenizer: Tokenizer = field(repr=False)
    history: MergeHistory = field(repr=False)
    pre_tokens: npt.NDArray[np.int64] = field(repr=False)

    @cached_property
    def merges(self) -> tuple[Halves, ...]:
        """The halves of each merge, by rank."""
        token = self.tokenizer.token_bytes
        return tuple((token(s.pair[0]), token(s.pair[1])) for s in self.steps)

    @property
    def split(self) -> SplitPattern:
        return self.history.corpus.split

    @property
    def token_total(self) -> int:
        """Tokens in the text after all merges."""
        return self.history.token_total(len(self.steps))

    @property
    def end_of_word(self) -> bytes:
        """What is fused to the last symbol of a pre-token; mostly nothing."""
        base = self.tokenizer.base
        return base.end_of_word.encode("utf-8") if isinstance(base, CharacterVocabulary) else b""

    @cached_property
    def data(self) -> bytes:
        """The text in UTF-8."""
        return self.text.encode("utf-8")

    @cached_property
    def gap_ranks(self) -> GapRanks:
        """Those of the text, one a byte."""
        return self.history.gap_ranks_of(self.pre_tokens)

    @cached_property
    def walls(self) -> npt.NDArray[np.bool_]:
        """Of every byte of the text, whether it is the last of a pre-token."""
        sizes = np.array([len(p.encode("utf-8")) for p in self.history.corpus.pre_tokens], np.int64)
        walls = np.zeros(len(self.data), np.bool_)
        walls[np.cumsum(sizes[self.pre_tokens]) - 1] = True
        return walls

    def places(self, halves: Halves, num_merges: int) -> npt.NDArray[np.int64]:
        """The offsets in the text at which a pair stands after ``num_merges`` merges, ascending."""
        left, right = halves
        end = self.end_of_word
        if not end:
            return self._standing(left, right, num_merges)
        within = self._standing(left, right, num_merges)
        found = [within[~self.walls[within + len(left + right) - 1]]]
        if right.endswith(end):
            bare = right.removesuffix(end)
            last = self._standing(left, bare, num_merges) if bare else within[:0]
            found.append(last[self.walls[last + len(left + bare) - 1]])
        return np.unique(np.concatenate(found))

    def _standing(self, left: bytes, right: bytes, num_merges: int) -> npt.NDArray[np.int64]:
        """Where these bytes are two tokens of one pre-token, whatever is fused to the second."""
        sought = re.compile(b"(?=" + re.escape(left + right) + b")")
        starts = np.array([m.start() for m in sought.finditer(self.data)], np.int64)
        ends = is_token_end(self.gap_ranks, num_merges)
        skipped = self.gap_ranks == SKIPPED
        # a byte more in front, which stands for the beginning of the text
        opens = np.r_[True, ends | skipped]
        closed = np.r_[0, np.cumsum(ends)]
        middles, stops = starts + len(left), starts + len(left) + len(right)
        two = closed[stops] - closed[starts] == 2
        here = opens[starts] & two & ends[middles - 1] & ends[stops - 1] & ~self.walls[middles - 1]
        left_out = np.r_[0, np.cumsum(skipped)]
        found: npt.NDArray[np.int64] = starts[here & (left_out[stops] == left_out[starts])]
        return found


@dataclass(frozen=True)
class RecipeProgress:
    """How far training is: ``now`` by ``recipe``, which is number ``place`` (from 0) of those asked for."""

    recipe: Recipe
    place: int
    now: TrainingProgress


def train_recipes(
    text: str,
    recipes: Sequence[str | Recipe],
    *,
    num_merges: int,
    split: str | SplitPattern | None = None,
    on_progress: Callable[[RecipeProgress], object] = lambda _: None,
    train: Callable[[TextTraining, OnTraining], TrainedText] = train_text,
) -> list[TrainedRecipe]:
    """Train ``text`` by each recipe in turn, as ``train`` does. Each splits by its own pattern, or all by
    ``split``; recipes of one pattern share a corpus.

    Raises LoneSurrogateError, SplitPatternError, UnknownRecipeError, and what ``on_progress`` and ``train``
    raise.
    """
    counted: dict[SplitPattern, tuple[Corpus, npt.NDArray[np.int64]]] = {}
    made = []
    for place, recipe in enumerate(map(get_recipe, recipes)):
        pattern = get_split_pattern(recipe.split if split is None else split)
        source, pre_tokens = counted.get(pattern, (text, None))

        def tell(now: TrainingProgress, recipe: Recipe = recipe, place: int = place) -> None:
            on_progress(RecipeProgress(recipe, place, now))

        trained = train(TextTraining(source, recipe, pattern, num_merges, recipe.min_frequency), tell)
        if pre_tokens is None:
            pre_tokens = trained.pre_tokens
            counted[pattern] = trained.learned.corpus, pre_tokens
        made.append(_trained_recipe(text, recipe, trained, pre_tokens))
    return made


def _trained_recipe(
    text: str, recipe: Recipe, trained: TrainedText, pre_tokens: npt.NDArray[np.int64]
) -> TrainedRecipe:
    learned = trained.learned
    return TrainedRecipe(
        text, recipe, trained.steps, trained.stop_reason, learned.tokenizer(), learned.history(), pre_tokens
    )
