"""Wrong hooks: how people count and merge where the reference trainer does it rightly."""

from collections.abc import Iterable, Iterator

from bpeviz.merge_check.reference import Change, ReferenceTrainer, Token, Update, Word, beside, every_pair
from bpeviz.merge_check.ties import Pair

__all__ = [
    "UPDATES",
    "all_but_the_last",
    "each_pair_once",
    "merge_all_but_the_last",
    "merge_first_place",
    "merge_joined",
    "without_overlaps",
]

# --- count -----------------------------------------------------------------------------------------------


def without_overlaps(word: Word) -> Iterator[Pair]:
    """Yield pairs as a merge replaces them: ``aaa`` has one."""
    last = None
    for pair in every_pair(word):
        last = None if pair == last and pair[0] == pair[1] else pair
        if last:
            yield pair


def each_pair_once(word: Word) -> Iterable[Pair]:
    """Return the set of pairs, in the order of the word."""
    return dict.fromkeys(every_pair(word))


def all_but_the_last(word: Word) -> Iterable[Pair]:
    """Return the pairs as a loop over ``range(len(word) - 2)`` sees them."""
    return every_pair(word[:-1])


# --- merge -----------------------------------------------------------------------------------------------


def merge_first_place(_: ReferenceTrainer, word: Word, pair: Pair, token: Token) -> Word:
    """Replace only the first place of the pair in a word."""
    return word.replace(pair, token, 1)


def merge_all_but_the_last(_: ReferenceTrainer, word: Word, pair: Pair, token: Token) -> Word:
    """Replace the pair as a loop while ``i < len(word) - 2`` does, which never sees the last pair."""
    return word[:-1].replace(pair, token) + word[-1:]


#: Between joined symbols; no text in UTF-8 holds this byte.
_BETWEEN = b"\xff"


def merge_joined(trainer: ReferenceTrainer, word: Word, pair: Pair, _: Token) -> Word:
    """Replace as ``" ".join(word).replace("a b", "ab")`` does: it finds the end of ``xa`` too."""
    left, right = trainer.halves(pair)
    joined = _BETWEEN.join(trainer.tokens[ord(symbol)] for symbol in word)
    replaced = joined.replace(left + _BETWEEN + right, left + right)
    if replaced == joined:
        return word
    return "".join(map(trainer.token_of, replaced.split(_BETWEEN)))


# --- keep counts, and change only those beside a merge ---------------------------------------------------


def _missing(*missed: str, overlaps: bool = False, knows: bool = True) -> Update:
    """Return the update that misses some changes beside a merge: a side with + for a new pair or - for a lost
    one. A lost pair with the new token was never there before this merge; who misses it misses "token-"."""

    def update(_: ReferenceTrainer, old: Word, __: Word, pair: Pair, token: Token) -> Iterator[Change]:
        for side, changed, by in beside(old, pair, token, overlaps=overlaps, knows=knows):
            was_new = by < 0 and token in changed and "token-" not in missed
            if was_new or side + ("+" if by > 0 else "-") not in missed:
                yield changed, by

    return update


def _add_words(trainer: ReferenceTrainer, _: Word, new: Word, __: Pair, ___: Token) -> Iterator[Change]:
    for pair in trainer.rules.count(new):
        yield pair, 1


_LOSSES = ("left-", "right-")
_GROW = "yours adds the new pairs beside each place of a merge, and never lowers a count"
#: Each update by its name, with what it does in words.
UPDATES: dict[str, tuple[Update, str]] = {
    "losses": (_missing(*_LOSSES), "a merge takes pairs away, and yours doesn't lower their counts"),
    "losses-left": (_missing("left-"), "yours doesn't lower the count of the pair left of a merge"),
    "losses-right": (_missing("right-"), "yours doesn't lower the count of the pair right of a merge"),
    "gains-left": (_missing("left+"), "yours doesn't count the new pair left of a merge"),
    "gains-right": (_missing("right+"), "yours doesn't count the new pair right of a merge"),
    "only-adds": (_missing(*_LOSSES, "token-"), _GROW),
    "only-adds-old": (_missing(*_LOSSES, "token-", overlaps=True, knows=False), _GROW),
    "adds-words": (_add_words, "yours adds all pairs of a changed word, and doesn't take the old ones away"),
    "places-twice": (
        _missing(overlaps=True, knows=False),
        "yours takes places of “aaa” twice when it updates counts, once for each overlapping a + a",
    ),
    "old-neighbours": (
        _missing(knows=False),
        "in “abab”, yours updates the counts of neighbours that the same merge has replaced",
    ),
}
