"""Wrong hooks: how people count and merge where the reference trainer does it rightly."""

from collections.abc import Iterable, Iterator

from bpeviz.merge_check.reference import Change, ReferenceTrainer, Update, Word, beside, every_pair
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
        if pair == last and pair[0] == pair[1]:
            last = None
            continue
        yield pair
        last = pair


def each_pair_once(word: Word) -> Iterable[Pair]:
    """Return the set of pairs, in the order of the word."""
    return dict.fromkeys(every_pair(word))


def all_but_the_last(word: Word) -> Iterable[Pair]:
    """Return the pairs as a loop over ``range(len(word) - 2)`` sees them."""
    return every_pair(word[:-1])


# --- merge -----------------------------------------------------------------------------------------------


def merge_first_place(_: ReferenceTrainer, word: Word, pair: Pair, token: str) -> Word:
    """Replace only the first place of the pair in a word."""
    return word.replace(pair, token, 1)


def merge_all_but_the_last(_: ReferenceTrainer, word: Word, pair: Pair, token: str) -> Word:
    """Replace the pair as a loop while ``i < len(word) - 2`` does, which never sees the last pair."""
    return word[:-1].replace(pair, token) + word[-1:]


#: Between joined symbols; no text in UTF-8 holds this byte.
_BETWEEN = b"\xff"


def merge_joined(trainer: ReferenceTrainer, word: Word, pair: Pair, _: str) -> Word:
    """Replace as ``" ".join(word).replace("a b", "ab")`` does: it finds the end of ``xa`` too."""
    left, right = trainer.halves(pair)
    joined = _BETWEEN.join(trainer.tokens[ord(symbol)] for symbol in word)
    replaced = joined.replace(left + _BETWEEN + right, left + right)
    if replaced == joined:
        return word
    return "".join(map(trainer.token_of, replaced.split(_BETWEEN)))


# --- keep counts, and change only those beside a merge ---------------------------------------------------


def _in_old_word(*, overlaps: bool, losses: int = 1) -> Update:
    """Return the update with the neighbours that were there before the merge; with ``overlaps``, those of the
    second place of ``aaa`` too, which no merge replaces. With 0 for ``losses``, counts only grow."""

    def update(_: ReferenceTrainer, old: Word, __: Word, pair: Pair, token: str) -> Iterator[Change]:
        place = old.find(pair)
        while place >= 0:
            if place:
                yield old[place - 1] + pair[0], -losses
                yield old[place - 1] + token, 1
            if place + 2 < len(old):
                yield pair[1] + old[place + 2], -losses
                yield token + old[place + 2], 1
            place = old.find(pair, place + (1 if overlaps else 2))

    return update


def _only(gains: str, losses: str) -> Update:
    """Return the update that notes new and lost pairs on these sides only. A pair with the new token that is
    lost in the same merge was never there."""

    def update(_: ReferenceTrainer, old: Word, __: Word, pair: Pair, token: str) -> Iterator[Change]:
        for side, changed, by in beside(old, pair, token):
            if (by < 0 and token in changed) or side in (gains if by > 0 else losses):
                yield changed, by

    return update


def _only_add(_: ReferenceTrainer, old: Word, __: Word, pair: Pair, token: str) -> Iterator[Change]:
    for ___, changed, by in beside(old, pair, token):
        yield changed, max(0, by)


def _add_words(trainer: ReferenceTrainer, _: Word, new: Word, __: Pair, ___: str) -> Iterator[Change]:
    for pair in trainer.rules.count(new):
        yield pair, 1


_BOTH = "left right"
_GROW = "yours adds the new pairs beside each place of a merge, and never lowers a count"
_TWICE = "yours takes places of “aaa” twice when it updates counts, once for each overlapping a + a"
_OLD = "in “abab”, yours updates the counts of neighbours that the same merge has replaced"
#: Each update by its name, with what it does in words.
UPDATES: dict[str, tuple[Update, str]] = {
    "losses": (_only(_BOTH, ""), "a merge takes other pairs away, and yours doesn't lower their counts"),
    "losses-left": (_only(_BOTH, "right"), "yours doesn't lower the count of the pair left of a merge"),
    "losses-right": (_only(_BOTH, "left"), "yours doesn't lower the count of the pair right of a merge"),
    "gains-left": (_only("right", _BOTH), "yours doesn't count the new pair left of a merge"),
    "gains-right": (_only("left", _BOTH), "yours doesn't count the new pair right of a merge"),
    "only-adds": (_only_add, _GROW),
    "only-adds-old": (_in_old_word(overlaps=True, losses=0), _GROW),
    "adds-words": (_add_words, "yours adds all pairs of a changed word, and doesn't take the old ones away"),
    "places-twice": (_in_old_word(overlaps=True), _TWICE),
    "old-neighbours": (_in_old_word(overlaps=False), _OLD),
}
