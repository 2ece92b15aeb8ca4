"""Rules: a trainer as a value, which may be wrong in many ways; and how far its merges are those of another.

texts = Texts(corpus, recipe)
walk(texts.tally(rules), theirs, ["first-seen"])  ->  {"first-seen": 210}
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

import numpy as np

from bpeviz.cached import cached_property
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

__all__ = ["Halves", "Rules", "Texts", "made_by", "walk"]

Halves = tuple[bytes, bytes]
#: What the symbols are before the first merge. "gpt2-text" is a text in GPT-2's characters, in bytes again;
#: "gpt2-spaces" one with Ġ for each space.
Symbols = Literal["recipe", "bytes", "characters", "gpt2-text", "gpt2-spaces"]
#: What a trainer does to a text before it is cut.
Before = Literal["nothing", "no special tokens", "lower case", "Ġ for spaces"]


@dataclass(frozen=True)
class Rules:
    """How a trainer works: a ``recipe``, and what may differ from it.

    - ``split``: what cuts the text; ``special_tokens`` are cut out if the pattern cuts at them;
    - ``before``: what is done to the text before that; ``whole``: special tokens at which the pattern cuts
      are merged as other pre-tokens are;
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
    before: Before = "nothing"
    whole: bool = False


class Texts:
    """A corpus, counted and spelled once for rules that need the same. A corpus that a pattern has cut
    already can't be cut by another: ``cut`` says so."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self.cut = not isinstance(corpus, UncutCorpus)
        self._counted: dict[object, Corpus] = {}
        self._spelled: dict[object, Spelled] = {}

    @property
    def split(self) -> SplitPattern:
        """The pattern that has cut the corpus."""
        return self._corpus.split

    @property
    def texts(self) -> Iterable[str] | None:
        """The texts, if they are at hand."""
        return self._corpus.texts if isinstance(self._corpus, UncutCorpus) else None

    @cached_property
    def characters(self) -> int:
        """How many characters the texts have; of a corpus that is cut, the distinct pre-tokens."""
        return sum(map(len, self._corpus.pre_tokens if self.texts is None else self.texts))

    def holds_any(self, tokens: Sequence[str]) -> bool:
        """Return whether a text holds any of the tokens."""
        return any(token in text for text in self.texts or () for token in tokens)

    def counted(self, rules: Rules) -> Corpus:
        """Return the pre-tokens as the rules count them. Raises CorpusError, SplitPatternError."""
        key = (rules.split, rules.before, rules.special_tokens)
        corpus = _kept(self._counted, key, lambda: self._cut(rules))
        special = frozenset(() if rules.whole else rules.split.special_tokens)
        counts = {
            pre_token: 1 if rules.once else count
            for pre_token, count in corpus.counts.items()
            if pre_token not in special and count >= rules.rare and (rules.spaces or not pre_token.isspace())
        }
        if rules.symbols in ("gpt2-text", "gpt2-spaces"):
            spelled: Counter[str] = Counter()
            for pre_token, count in counts.items():
                spelled[_in_gpt2(pre_token, rules.symbols)] += count
            counts = dict(spelled)
        return Corpus(counts, corpus.split)

    def _cut(self, rules: Rules) -> Corpus:
        if self.texts is None:
            return self._corpus.cut_by(rules.split)
        texts: Iterable[str] = self.texts
        match rules.before:
            case "lower case":
                texts = [text.lower() for text in texts]
            case "Ġ for spaces":
                texts = [text.replace(" ", "Ġ") for text in texts]
            case "no special tokens":
                for token in rules.special_tokens:
                    texts = [text.replace(token, "") for text in texts]
        return Corpus.from_texts(texts, rules.split)

    def spelled(self, rules: Rules) -> Spelled:
        """Return the text in base symbols."""
        recipe = rules.recipe
        key = (
            *(recipe.base, recipe.special_tokens_at, recipe.cuts_at_special_tokens, rules.special_tokens),
            *(rules.split, rules.before, rules.whole, rules.rare, rules.symbols, rules.once, rules.spaces),
        )
        return _kept(self._spelled, key, lambda: _spell(self.counted(rules), rules))

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
            merges_alike=recipe.merges_alike,
            apart=apart,
        )


Value = TypeVar("Value")


def _kept(made: dict[object, Value], key: object, make: Callable[[], Value]) -> Value:
    """Return what was made for a key. Only the first one, which is the rule's own, and the last one stay:
    each is large, and mistakes that need the same come one after the other."""
    if key not in made:
        for other in list(made)[1:]:
            del made[other]
        made[key] = make()
    return made[key]


def _spell(corpus: Corpus, rules: Rules) -> Spelled:
    base, tokens = _base(corpus, rules)
    weights = np.fromiter(corpus.counts.values(), np.int64, len(corpus.counts))
    spelling = base.spell(corpus.pre_tokens)
    counts, positions = TokenChain(spelling, weights).pairs()
    return Spelled(spelling, weights, tuple(tokens), counts, positions)


def _in_gpt2(pre_token: str, symbols: Symbols) -> str:
    if symbols == "gpt2-spaces":
        return pre_token.replace(" ", "Ġ")
    return "".join(map(GPT2_BYTE_CHARACTERS.__getitem__, pre_token.encode()))


def _base(corpus: Corpus, rules: Rules) -> tuple[BaseVocabulary, Sequence[bytes]]:
    match rules.symbols:
        case "recipe":
            base = rules.recipe.base_vocabulary(corpus, rules.special_tokens)
            return base, rules.recipe.first_tokens(base, rules.special_tokens)
        case "characters":
            characters = sorted({character for pre_token in corpus.counts for character in pre_token})
            base = CharacterVocabulary({character: i for i, character in enumerate(characters)})
            return base, base.symbols
        case "bytes" | "gpt2-text" | "gpt2-spaces":
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


def made_by(texts: Texts, rules: Rules, tie: str, merges: int) -> list[Halves]:
    """Return the first merges of a trainer."""
    tally, leader = texts.tally(rules), Leader(TIES[tie])
    made: list[Halves] = []
    while len(made) < merges and tally.leaders:
        pair = leader.of(tally)
        made.append(tally.halves(pair))
        tally.merge(pair)
    return made
