"""A reference trainer: byte-pair encoding in a few lines, with a hook for each thing that people do wrong.

    text    --cut-->     words: the distinct pre-tokens, and how often each occurs
    words   --count-->   how often each pair of neighbours occurs
    counts  --choose-->  the pair with the highest count; a tie rule takes one of several
    words   --merge-->   in each word, the pair becomes one token; then the counts of its neighbours change

A word is a string with one character for each of its tokens: chr(id). So a pair is a string of two, and a
merge is ``word.replace(pair, token)``.

The hooks of Rules are these four, and ``write``: how a merge is written into a list. By default each is
right. The trainer for long texts is in bpeviz.training; this one is there to be read and to be varied.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import add
from typing import Literal

from bpeviz.merge_check.ties import NOWHERE, TIES, Pair, Tie
from bpeviz.text.split_patterns import SplitPattern
from bpeviz.training.recipes import Recipe

__all__ = [
    "Change",
    "Halves",
    "Order",
    "Read",
    "ReferenceTrainer",
    "Rules",
    "Start",
    "Update",
    "Word",
    "Write",
    "beside",
    "every_pair",
    "in_bytes",
    "recount",
]

Halves = tuple[bytes, bytes]
Word = str
#: One character: a token.
Token = str


def every_pair(word: Word) -> Iterable[Pair]:
    """Return all pairs of neighbours; ``aaa`` has two."""
    return map(add, word, word[1:])


def merge_everywhere(_: "ReferenceTrainer", word: Word, pair: Pair, token: Token) -> Word:
    """Return the word with each pair replaced by the token, left to right; ``aaa`` becomes ``Xa``."""
    return word.replace(pair, token)


def beside(old: Word, pair: Pair, token: Token) -> Iterator[tuple[str, Pair, int]]:
    """Yield the pairs beside each place that is merged, left to right: the side, the pair, and whether it
    goes (-1) or comes (1). In ``abab`` the second place has the new token on its left."""
    end, place = -1, old.find(pair)
    while place >= 0:
        if place:
            left = token if place == end else old[place - 1]
            yield "left", left + pair[0], -1
            yield "left", left + token, 1
        end = place + 2
        if end < len(old):
            yield "right", pair[1] + old[end], -1
            yield "right", token + old[end], 1
        place = old.find(pair, end)


def neighbours(_: "ReferenceTrainer", old: Word, _new: Word, pair: Pair, token: Token) -> Iterator["Change"]:
    """Yield how counts change beside the places of a merge; the merged pair itself is deleted."""
    for _side, changed, by in beside(old, pair, token):
        yield changed, by


def recount(
    trainer: "ReferenceTrainer", old: Word, new: Word, _pair: Pair, _token: Token
) -> Iterator["Change"]:
    """Yield the same, slowly, for any hooks: all old pairs of a word go, all new ones come."""
    for lost in trainer.rules.count(old):
        yield lost, -1
    for gained in trainer.rules.count(new):
        yield gained, 1


def in_bytes(trainer: "ReferenceTrainer", pair: Pair) -> Halves:
    return trainer.halves(pair)


#: A pair whose count changes, and by how much for each occurrence of the word.
Change = tuple[Pair, int]
Read = Callable[[Sequence[str]], Iterable[str]]
Keep = Callable[[Mapping[str, int]], Mapping[str, int]]
Count = Callable[[Word], Iterable[Pair]]
Update = Callable[["ReferenceTrainer", Word, Word, Pair, Token], Iterable[Change]]
Merge = Callable[["ReferenceTrainer", Word, Pair, Token], Word]
Write = Callable[["ReferenceTrainer", Pair], Halves]
Order = Callable[[list[Halves]], list[Halves]]


@dataclass(frozen=True)
class Rules:
    """How a trainer works: a ``recipe``, and what may differ from it.

    - cut: ``read`` changes the texts, ``split`` cuts them, ``keep`` changes the pre-tokens with their counts;
      ``merges_special``: special tokens are merged like words; ``symbols``: what each word begins with;
    - count: ``count`` gives the pairs of a word; ``update`` how the counts change with it,
      as ``recount`` does for any hooks;
    - choose: no pair below ``minimum``; ``tie`` decides among equal counts, None for the recipe's rule;
      ``round``: how many merges it makes before it counts again;
    - merge: ``merge`` replaces a pair in a word, in every word if it is ``blind``;
    - write: ``write`` a merge into the list, whose order ``order`` may change at the end.
    """

    recipe: Recipe
    split: SplitPattern
    special_tokens: tuple[str, ...] = ()
    minimum: int = 1
    read: Read | None = None
    keep: Keep | None = None
    merges_special: bool = False
    symbols: Literal["recipe", "bytes", "characters"] = "recipe"
    count: Count = every_pair
    update: Update = neighbours
    tie: Tie | None = None
    round: int = 1
    merge: Merge = merge_everywhere
    blind: bool = False
    write: Write = in_bytes
    order: Order | None = None


@dataclass(frozen=True, eq=False)
class Start:
    """A text before the first merge: its words, how often each occurs, the tokens by id, and for each pair
    the words that hold it. Trainers share it and change copies."""

    words: list[Word]
    times: list[int]
    tokens: list[bytes]
    where: dict[Pair, list[int]]
    counts: dict[Pair, int]


class ReferenceTrainer:
    """Trains one merge at a time by its ``rules``."""

    def __init__(self, start: Start, rules: Rules) -> None:
        self.rules = rules
        self.words, self.times = list(start.words), start.times
        self.tokens = list(start.tokens)
        self.num_first = len(self.tokens)
        self.counts: dict[Pair, int] = {}
        #: The words that hold a pair, in the order of the text; some may not hold it any more.
        self._where = dict(start.where)
        self._first: dict[Pair, int] = {}
        self._tie = rules.tie or TIES[rules.recipe.tie]
        self._limit = rules.recipe.length_limit
        self._ids = self._first_ids()
        if rules.count is every_pair:
            self._add(start.counts.items())
        else:
            for word, times in zip(self.words, self.times, strict=True):
                self._add((pair, times) for pair in rules.count(word))

    def merges(self) -> Iterator[Halves]:
        """Yield each merge as it is written, and make it."""
        while chosen := self.choose():
            for pair in chosen:
                yield self.rules.write(self, pair)
                self.merge(pair)

    def choose(self) -> list[Pair]:
        """Return the pairs to merge next: one, or those of a round; none if no pair is frequent enough."""
        if self.rules.round == 1:
            return [self._tie.first_of(self, leaders)] if (leaders := self.leaders()) else []
        frequent = [pair for pair, count in self.counts.items() if count >= max(1, self.rules.minimum)]
        ranked = sorted(self._tie.sorted(self, frequent), key=lambda pair: -self.counts[pair])
        return ranked[: self.rules.round]

    def leaders(self) -> list[Pair]:
        """Return the pairs with the highest count; none if it is below the minimum."""
        highest = max(self.counts.values(), default=0)
        if highest < max(1, self.rules.minimum):
            return []
        return [pair for pair, count in self.counts.items() if count == highest]

    def merge(self, pair: Pair) -> None:
        """Make a merge, and bring the counts up to date."""
        token, rules = self.token_of(b"".join(self.halves(pair))), self.rules
        changes: dict[Pair, int] = {}
        born: dict[Pair, set[int]] = {}
        for number in range(len(self.words)) if rules.blind else self._where.get(pair, ()):
            old = self.words[number]
            new = rules.merge(self, old, pair, token)
            if new == old:
                continue
            self.words[number] = new
            for changed, by in rules.update(self, old, new, pair, token):
                changes[changed] = changes.get(changed, 0) + by * self.times[number]
            for fresh in self._fresh(old, new, pair, token):
                born.setdefault(fresh, set()).add(number)
        for fresh, numbers in born.items():
            self._where[fresh] = sorted(numbers.union(self._where.get(fresh, ())))
            self._first.pop(fresh, None)
        self._add(changes.items())
        if rules.update is not recount:
            self.counts.pop(pair, None)

    def _fresh(self, old: Word, new: Word, pair: Pair, token: Token) -> Iterable[Pair]:
        """Return the pairs that a word has got by a merge."""
        if self.rules.merge is merge_everywhere:
            return (changed for _, changed, by in beside(old, pair, token) if by > 0)
        return set(every_pair(new)).difference(every_pair(old))

    def _add(self, changes: Iterable[Change]) -> None:
        """Add to the counts. A pair that gets a count comes last in them; one with none is not there."""
        for pair, by in changes:
            count = self.counts.get(pair, 0) + by
            if not count:
                self.counts.pop(pair, None)
            elif self._limit is None or self._limit.allows(b"".join(self.halves(pair))):
                self.counts[pair] = count

    def first_position(self, pair: Pair) -> tuple[int, int]:
        """Return where the pair is first: the number of the word, and the place in it."""
        numbers = self._where.get(pair, ())
        for index in range(self._first.get(pair, 0), len(numbers)):
            if (place := self._place(self.words[numbers[index]], pair)) >= 0:
                self._first[pair] = index  # the words before it have lost the pair
                return numbers[index], place
        return NOWHERE

    def _place(self, word: Word, pair: Pair) -> int:
        """Return where the pair is first among those that are counted in a word, or -1."""
        if self.rules.count is every_pair:
            return word.find(pair)
        return next((i for i, found in enumerate(self.rules.count(word)) if found == pair), -1)

    def _first_ids(self) -> dict[bytes, int]:
        """Return the ids of tokens that a merge may make again. A special token is one of them if it is
        printable ASCII: see bpeviz.training.trainer."""
        if not self.rules.recipe.merges_alike:
            return {}
        special = self.rules.special_tokens
        apart = {token.encode() for token in special if not all("!" <= c <= "~" for c in token)}
        return {token: number for number, token in enumerate(self.tokens) if token not in apart}

    def token_of(self, token: bytes) -> Token:
        """Return a new token, or the one with the same bytes if the recipe makes that one again."""
        if (known := self._ids.get(token)) is None:
            known = len(self.tokens)
            self.tokens.append(token)
            if self.rules.recipe.merges_alike:
                self._ids[token] = known
        return chr(known)

    def halves(self, pair: Pair) -> Halves:
        """Return the bytes of both tokens."""
        return self.tokens[ord(pair[0])], self.tokens[ord(pair[1])]
