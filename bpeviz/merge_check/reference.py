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

from bpeviz.merge_check.ties import TIES, Pair, Tie
from bpeviz.text.split_patterns import SplitPattern
from bpeviz.training.recipes import Recipe

__all__ = [
    "Change",
    "Halves",
    "ReferenceTrainer",
    "Rules",
    "Token",
    "Update",
    "Word",
    "beside",
    "every_pair",
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


def beside(
    old: Word, pair: Pair, token: Token, *, overlaps: bool = False, knows: bool = True
) -> Iterator[tuple[str, Pair, int]]:
    """Yield the pairs beside each place that is merged, left to right: the side, the pair, and whether it
    goes (-1) or comes (1). In ``abab`` the second place has the new token on its left.

    Wrong trainers take both places of ``aaa`` (``overlaps``), or don't know that the neighbour is replaced
    too (``knows``)."""
    end, place = -1, old.find(pair)
    while place >= 0:
        if place:
            left = token if knows and place == end else old[place - 1]
            yield "left", left + pair[0], -1
            yield "left", left + token, 1
        end = place + 2
        if end < len(old):
            yield "right", pair[1] + old[end], -1
            yield "right", token + old[end], 1
        place = old.find(pair, place + 1 if overlaps else end)


def neighbours(_: "ReferenceTrainer", old: Word, __: Word, pair: Pair, token: Token) -> Iterator["Change"]:
    """Yield how counts change beside the places of a merge; the merged pair itself is deleted."""
    for _side, changed, by in beside(old, pair, token):
        yield changed, by


def recount(trainer: "ReferenceTrainer", old: Word, new: Word, _: Pair, __: Token) -> Iterator["Change"]:
    """Yield the same, slowly, for any hooks: all old pairs of a word go, all new ones come."""
    for lost in trainer.rules.count(old):
        yield lost, -1
    for gained in trainer.rules.count(new):
        yield gained, 1


#: A pair whose count changes, and by how much for each occurrence of the word.
Change = tuple[Pair, int]
Update = Callable[["ReferenceTrainer", Word, Word, Pair, Token], Iterable[Change]]


@dataclass(frozen=True)
class Rules:
    """How a trainer works: a ``recipe``, and what may differ from it.

    - cut: ``read`` changes the texts, ``split`` cuts them, ``keep`` changes the pre-tokens with their counts;
      ``merges_special``: special tokens are merged like words; ``characters``: words begin with these;
    - count: ``count`` gives the pairs of a word; ``update`` how the counts change with it,
      as ``recount`` does for any hooks;
    - choose: no pair below ``minimum``; ``tie`` decides among equal counts, None for the recipe's rule;
      ``round``: how many merges it makes before it counts again;
    - merge: ``merge`` replaces a pair in a word;
    - write: ``write`` a merge into the list, whose order ``order`` may change at the end.
    """

    recipe: Recipe
    split: SplitPattern
    special_tokens: tuple[str, ...] = ()
    minimum: int = 1
    read: Callable[[Sequence[str]], Iterable[str]] | None = None
    keep: Callable[[Mapping[str, int]], Mapping[str, int]] | None = None
    merges_special: bool = False
    characters: bool = False
    count: Callable[[Word], Iterable[Pair]] = every_pair
    update: Update = neighbours
    tie: Tie | None = None
    round: int = 1
    merge: Callable[["ReferenceTrainer", Word, Pair, Token], Word] = merge_everywhere
    write: Callable[["ReferenceTrainer", Pair], Halves] | None = None
    order: Callable[[list[Halves]], list[Halves]] | None = None


class ReferenceTrainer:
    """Trains one merge at a time by its ``rules``: the ``words`` of a text, how often each occurs
    (``times``), and the first ``tokens`` by id."""

    def __init__(
        self, rules: Rules, words: Sequence[Word], times: Sequence[int], tokens: Sequence[bytes]
    ) -> None:
        self.rules = rules
        self.words, self.times, self.tokens = list(words), times, list(tokens)
        self.num_first = len(self.tokens)
        self.counts: dict[Pair, int] = {}
        #: No word before this one holds the pair.
        self._first: dict[Pair, int] = {}
        #: The words that may hold a pair; with wrong hooks, which note less, any word may.
        self._where: dict[Pair, set[int]] = {}
        right = (every_pair, neighbours, merge_everywhere)
        self._is_indexed = (rules.count, rules.update, rules.merge) == right
        self._tie = rules.tie or TIES[rules.recipe.tie]
        self._ids = rules.recipe.ids_made_again(self.tokens, rules.special_tokens)
        counts: dict[Pair, int] = {}
        for number, word in enumerate(self.words):
            for pair in rules.count(word):
                counts[pair] = counts.get(pair, 0) + times[number]
                self._first.setdefault(pair, number)
                self._where.setdefault(pair, set()).add(number)
        self._add(counts)

    def merges(self) -> Iterator[Halves]:
        """Yield each merge as it is written, and make it."""
        write = self.rules.write or ReferenceTrainer.halves
        while chosen := self.choose():
            for pair in chosen:
                yield write(self, pair)
                self.merge(pair)

    def choose(self) -> list[Pair]:
        """Return the pairs to merge next: one, or those of a round; none if no pair is frequent enough."""
        pairs = self.leaders()
        if self.rules.round > 1:
            pairs = [pair for pair, count in self.counts.items() if count >= self.rules.minimum]
        ranked = sorted(self._tie.sorted(self, pairs), key=lambda pair: -self.counts[pair])
        return ranked[: self.rules.round]

    def leaders(self) -> list[Pair]:
        """Return the pairs with the highest count; none if it is below the minimum."""
        highest = max(self.counts.values(), default=0)
        if highest < self.rules.minimum:
            return []
        return [pair for pair, count in self.counts.items() if count == highest]

    def merge(self, pair: Pair) -> None:
        """Make a merge, and bring the counts up to date."""
        token, rules = self.token_of(b"".join(self.halves(pair))), self.rules
        noted = sorted(self._where.pop(pair, ()))
        changes: dict[Pair, int] = {}
        for number in noted if self._is_indexed else range(len(self.words)):
            old = self.words[number]
            new = self.words[number] = rules.merge(self, old, pair, token)
            if new == old:
                continue
            for changed, by in rules.update(self, old, new, pair, token):
                changes[changed] = changes.get(changed, 0) + by * self.times[number]
                if by > 0:
                    self._first[changed] = min(number, self._first.get(changed, number))
                    self._where.setdefault(changed, set()).add(number)
        self._add(changes)
        if rules.update is not recount:
            self.counts.pop(pair, None)

    def _add(self, changes: Mapping[Pair, int]) -> None:
        """Add to the counts. A pair that gets a count comes last in them; one with none is not there."""
        limit = self.rules.recipe.length_limit
        for pair, by in changes.items():
            count = self.counts.get(pair, 0) + by
            if not count:
                self.counts.pop(pair, None)
            elif limit is None or limit.allows(b"".join(self.halves(pair))):
                self.counts[pair] = count

    def first_position(self, pair: Pair) -> tuple[int, int]:
        """Return where the pair is first: the number of the word, and the place in it. A pair that is nowhere
        comes after all others."""
        number = self._first.get(pair, 0)
        while number < len(self.words) and (place := self._place(self.words[number], pair)) < 0:
            number += 1
        self._first[pair] = number
        return number, place if number < len(self.words) else 0

    def _place(self, word: Word, pair: Pair) -> int:
        """Return where the pair is first among those that are counted in a word, or -1."""
        if self.rules.count is every_pair:
            return word.find(pair)
        return next((i for i, found in enumerate(self.rules.count(word)) if found == pair), -1)

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
