"""Byte-pair encoding in its simplest form, to compare the package with.

The trainer counts every pair again before every merge; the encoder looks through all pairs again for each
merge. Only the rules of a recipe and its spelling of text in base symbols come from the package.
"""

from collections.abc import Sequence
from itertools import pairwise

from bpeviz import Corpus, MergeStep, Recipe

Pair = tuple[int, int]


class BruteForceTrainer:
    """The corpus as lists of token ids, one for each distinct pre-token."""

    def __init__(
        self,
        corpus: Corpus,
        recipe: Recipe,
        *,
        special_tokens: Sequence[str] | None = None,
        merges_alike: bool | None = None,
        min_frequency: int | None = None,
    ) -> None:
        self.tie = recipe.tie
        self.merges_alike = recipe.merges_alike if merges_alike is None else merges_alike
        self.recipe = recipe
        self.min_frequency = recipe.min_frequency if min_frequency is None else min_frequency
        names = recipe.special_tokens if special_tokens is None else special_tokens
        base = recipe.base_vocabulary(corpus, names)
        special = [name.encode() for name in names]
        place = recipe.special_tokens_at
        self.tokens = [
            *(special if place == "first" else []),
            *base.symbols,
            *(special if place == "after-base" else []),
        ]
        self.words = [base.spell([pre_token]).ids.tolist() for pre_token in corpus.counts]
        self.weights = list(corpus.counts.values())
        # merges can make a special token only if GPT-2's characters for its bytes are the bytes themselves
        apart = [name.encode() for name in names if not all("!" <= c <= "~" for c in name)]
        self.alike = {token: i for i, token in enumerate(self.tokens) if token not in apart}
        self.merges: list[tuple[Pair, int]] = []
        self.vetoed: set[Pair] = set()

    @property
    def token_total(self) -> int:
        return sum(len(word) * weight for word, weight in zip(self.words, self.weights, strict=True))

    def pairs(self) -> list[tuple[Pair, int]]:
        """Every pair with its count, in the order in which the recipe chooses them."""
        counts: dict[Pair, int] = {}
        for word, weight in zip(self.words, self.weights, strict=True):
            for pair in pairwise(word):
                counts[pair] = counts.get(pair, 0) + weight
        counts = {pair: count for pair, count in counts.items() if self._may_be_merged(pair)}
        ranked = list(counts.items())  # first seen first, which the stable sorts keep among equals
        if self.tie == "smallest-ids":
            ranked.sort()
        elif self.tie == "greatest-tokens":
            ranked.sort(key=lambda item: [self.tokens[token_id] for token_id in item[0]], reverse=True)
        elif self.tie == "shortest-token":
            ranked.sort(key=lambda item: (len(self._in_letters(item[0])), self._in_letters(item[0])))
        return sorted(ranked, key=lambda item: -item[1])

    def _in_letters(self, pair: Pair) -> str:
        """The text of a pair as SentencePiece writes it; a byte that is no character stays a byte."""
        spelled = b"".join(self.tokens[token_id] for token_id in pair)
        return spelled.decode("utf-8", "surrogateescape").replace(" ", "▁")

    def _may_be_merged(self, pair: Pair) -> bool:
        most = self.recipe.max_token_length
        if most is None:
            return True
        if self.recipe.length_unit == "characters":
            return len(self._in_letters(pair)) <= most
        sizes = [len(self.tokens[token_id]) for token_id in pair]
        return sum(sizes) < most or sizes == [1, 1]

    def step(self, pair: Pair | None = None) -> MergeStep | None:
        """Merge ``pair``, or the one that the recipe chooses; None if it chooses none."""
        ranked = self.pairs()
        choosable = [(other, count) for other, count in ranked if other not in self.vetoed]
        if pair is None:
            if not choosable or choosable[0][1] < self.min_frequency:
                return None
            pair = choosable[0][0]
        count = dict(ranked)[pair]
        token = self.tokens[pair[0]] + self.tokens[pair[1]]
        if self.merges_alike and token in self.alike:
            token_id = self.alike[token]
        else:
            token_id = len(self.tokens)
            self.tokens.append(token)
            self.alike.setdefault(token, token_id)
        self.words = [replace_pair(word, pair, token_id) for word in self.words]
        self.merges.append((pair, token_id))
        tied = sum(other == count for _, other in choosable)
        return MergeStep(len(self.merges) - 1, pair, token_id, token, count, tied, self.token_total)

    def steps(self, limit: int) -> list[MergeStep]:
        """At most ``limit`` merges."""
        made: list[MergeStep] = []
        while len(made) < limit and (step := self.step()) is not None:
            made.append(step)
        return made


def replace_pair(word: list[int], pair: Pair, token_id: int) -> list[int]:
    """[a, a, a], (a, a), X -> [X, a]"""
    replaced: list[int] = []
    i = 0
    while i < len(word):
        if tuple(word[i : i + 2]) == pair:
            replaced.append(token_id)
            i += 2
        else:
            replaced.append(word[i])
            i += 1
    return replaced


def encode_symbols(
    symbols: Sequence[int], merges: Sequence[tuple[Pair, int]]
) -> tuple[list[int], list[tuple[int, int]]]:
    """Merge the pair of lowest rank, the leftmost first, until none is known.

    Returns the ids and, for each merge, its rank and the index of the token it made.
    """
    ids = list(symbols)
    history: list[tuple[int, int]] = []
    pairs = [pair for pair, _ in merges]
    while True:
        known = [(pairs.index(p), i) for i, p in enumerate(pairwise(ids)) if p in pairs]
        if not known:
            return ids, history
        rank, i = min(known)
        ids[i : i + 2] = [merges[rank][1]]
        history.append((rank, i))
