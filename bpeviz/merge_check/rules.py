"""Rules: a trainer as a value, which may be wrong in many ways; and how far its merges are somebody's.

texts = Texts(corpus, recipe)
walk(texts.tally(rules), theirs, ["first-seen"])  ->  {"first-seen": 210}
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from bpeviz.core.base_vocabulary import (
    GPT2_BYTE_CHARACTERS,
    BaseVocabulary,
    ByteVocabulary,
    CharacterVocabulary,
)
from bpeviz.core.token_chain import TokenChain
from bpeviz.corpus.corpus import Corpus, UncutCorpus
from bpeviz.merge_check.tally import RIGHT, Counting, Leader, Spelled, Tally
from bpeviz.merge_check.ties import TIES
from bpeviz.text.split_patterns import SplitPattern
from bpeviz.training.recipes import Recipe

__all__ = ["Halves", "Rules", "Texts", "walk"]

Halves = tuple[bytes, bytes]
#: What the symbols are before the first merge. "gpt2-text" is a text in GPT-2's characters, in bytes again.
Symbols = Literal["recipe", "bytes", "characters", "gpt2-text"]


@dataclass(frozen=True)
class Rules:
    """How a trainer works: a ``recipe``, and what may differ from it.

    - ``split``: what cuts the text; ``special_tokens`` are cut out if the pattern cuts at them;
    - ``joined``: special tokens are taken out, and what is beside them becomes neighbours;
    - ``minimum``: the fewest times that a pair occurs; ``rare``: the same for a pre-token;
    - ``symbols``, ``counting``: what is merged, and how it is counted;
    - ``once``: every distinct pre-token counts once; ``spaces``: whether white space is kept.
    """

    recipe: Recipe
    split: SplitPattern
    special_tokens: tuple[str, ...] = ()
    minimum: int = 1
    rare: int = 1
    symbols: Symbols = "recipe"
    counting: Counting = RIGHT
    once: bool = False
    spaces: bool = True
    joined: bool = False


class Texts:
    """A corpus, counted and spelled once for all rules that need the same. A corpus that a pattern has cut
    already can't be cut by another: ``cut`` says so."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self.cut = not isinstance(corpus, UncutCorpus)
        self._joined: dict[tuple[str, ...], Corpus] = {}
        self._spelled: dict[tuple[object, ...], Spelled] = {}

    @property
    def split(self) -> SplitPattern:
        """The pattern that has cut the corpus."""
        return self._corpus.split

    @property
    def texts(self) -> Iterable[str] | None:
        """The texts, if they are at hand."""
        return self._corpus.texts if isinstance(self._corpus, UncutCorpus) else None

    def holds_any(self, tokens: Sequence[str]) -> bool:
        """Return whether a text holds any of the tokens."""
        return any(token in text for text in self.texts or () for token in tokens)

    def counted(self, rules: Rules) -> Corpus:
        """Return the pre-tokens as the rules count them. Raises CorpusError, SplitPatternError."""
        corpus = self._corpus
        if rules.joined:
            corpus = self._without(rules.special_tokens)
        corpus = corpus.cut_by(rules.split)
        special = frozenset(rules.split.special_tokens)
        counts = {
            pre_token: 1 if rules.once else count
            for pre_token, count in corpus.counts.items()
            if pre_token not in special and count >= rules.rare and (rules.spaces or not pre_token.isspace())
        }
        if rules.symbols == "gpt2-text":
            spelled: Counter[str] = Counter()
            for pre_token, count in counts.items():
                spelled["".join(map(GPT2_BYTE_CHARACTERS.__getitem__, pre_token.encode()))] += count
            counts = dict(spelled)
        return Corpus(counts, corpus.split)

    def _without(self, tokens: tuple[str, ...]) -> Corpus:
        if tokens not in self._joined:
            texts = list(self.texts or ())
            for token in tokens:
                texts = [text.replace(token, "") for text in texts]
            self._joined[tokens] = Corpus.from_texts(texts)
        return self._joined[tokens]

    def spelled(self, rules: Rules) -> Spelled:
        """Return the text in base symbols."""
        key = (
            *(rules.recipe.base, rules.split, rules.special_tokens, rules.rare, rules.symbols),
            *(rules.once, rules.spaces, rules.joined),
        )
        if key not in self._spelled:
            self._spelled.clear()  # one is large, and rules that need the same come one after the other
            self._spelled[key] = _spell(self.counted(rules), rules)
        return self._spelled[key]

    def tally(self, rules: Rules) -> Tally:
        """Return the counts before the first merge, by these rules."""
        recipe = rules.recipe
        apart = frozenset(
            token.encode()
            for token in rules.special_tokens
            if not all("!" <= character <= "~" for character in token)
        )
        return Tally(
            self.spelled(rules),
            rules.counting,
            minimum=max(1, rules.minimum),
            limit=recipe.length_limit,
            alike=recipe.merges_alike,
            apart=apart,
        )


def _spell(corpus: Corpus, rules: Rules) -> Spelled:
    base, tokens = _base(corpus, rules)
    weights = np.fromiter(corpus.counts.values(), np.int64, len(corpus.counts))
    spelling = base.spell(corpus.pre_tokens)
    counts, positions = TokenChain(spelling, weights).pairs()
    return Spelled(spelling, weights, tuple(tokens), counts, positions)


def _base(corpus: Corpus, rules: Rules) -> tuple[BaseVocabulary, Sequence[bytes]]:
    match rules.symbols:
        case "recipe":
            base = rules.recipe.base_vocabulary(corpus, rules.special_tokens)
            return base, rules.recipe.first_tokens(base, rules.special_tokens)
        case "characters":
            characters = sorted({character for pre_token in corpus.counts for character in pre_token})
            base = CharacterVocabulary({character: i for i, character in enumerate(characters)})
            return base, base.symbols
        case "bytes" | "gpt2-text":
            base = ByteVocabulary(bytes(range(256)))
            return base, base.symbols


def walk(
    tally: Tally,
    theirs: Sequence[Halves],
    ties: Iterable[str],
    on_merge: Callable[[int], object] = lambda _: None,
) -> Mapping[str, int]:
    """Make their merges as long as a trainer with these counts would, and return for each tie rule how many
    of them are its own. After it, the tally is at the first merge that no rule makes."""
    left = {name: Leader(TIES[name]) for name in ties}
    explained = dict.fromkeys(left, 0)
    for rank, halves in enumerate(theirs):
        on_merge(rank)
        leaders = tally.leaders
        pair = next((pair for pair in tally.pairs_of(halves) if pair in leaders), None)
        if pair is None:
            break
        if len(leaders) > 1:
            left = {name: leader for name, leader in left.items() if leader.of(tally) == pair}
        if not left:
            break
        tally.merge(pair)
        explained |= dict.fromkeys(left, rank + 1)
    return explained
