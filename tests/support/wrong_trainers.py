"""Trainers with one mistake each, as students write them: a loop that counts everything again.

They share no code with bpeviz.merge_check: words are lists of bytes.

    train(words, merges)                            the rule of minbpe: the first seen of the most frequent
    train(words, merges, count=replaced_pairs)      the same, but aaa has one a + a
"""

from collections import Counter
from collections.abc import Callable, Iterable
from itertools import pairwise

__all__ = [
    "Best",
    "Halves",
    "first_of",
    "greatest_ids",
    "greatest_of",
    "ids",
    "in_rounds",
    "kept_counts",
    "last_of",
    "merge_first",
    "merged",
    "replaced_pairs",
    "train",
]

Halves = tuple[bytes, bytes]
Word = list[bytes]
Best = Callable[[Counter[Halves]], Halves]


def first_of(counts: Counter[Halves]) -> Halves:
    return max(counts, key=counts.__getitem__)


def last_of(counts: Counter[Halves]) -> Halves:
    """Take the last of equals, as a loop with >= does."""
    return max(reversed(counts), key=counts.__getitem__)


def greatest_of(counts: Counter[Halves]) -> Halves:
    return max(counts, key=lambda pair: (counts[pair], pair))


def greatest_ids() -> Best:
    """Compare ids where the rule of CS336 compares bytes."""
    ids = {bytes([value]): value for value in range(256)}

    def best(counts: Counter[Halves]) -> Halves:
        pair = max(counts, key=lambda p: (counts[p], ids[p[0]], ids[p[1]]))
        ids.setdefault(pair[0] + pair[1], len(ids))
        return pair

    return best


def in_rounds(best: Best, size: int) -> Best:
    """Count once for several merges."""
    kept: list[Counter[Halves]] = []
    made: list[Halves] = []

    def then(counts: Counter[Halves]) -> Halves:
        if len(made) % size == 0:
            kept.append(Counter(counts))
        made.append(best(kept[-1]))
        del kept[-1][made[-1]]
        return made[-1]

    return then


def merged(word: Word, pair: Halves) -> Word:
    """Replace a pair, left to right."""
    new: Word = []
    last = None
    for token in word:
        if last is not None and (last, token) == pair:
            new[-1], last = last + token, None
        else:
            new.append(token)
            last = token
    return new


def train(
    pre_tokens: Iterable[str],
    merges: int,
    best: Best = first_of,
    *,
    count: Callable[[Word], Iterable[Halves]] = pairwise,
    merge: Callable[[Word, Halves], Word] = merged,
    least: int = 1,
) -> list[Halves]:
    """Return the merges of a trainer that counts, chooses and merges as it is told."""
    words = [([bytes([b]) for b in p.encode()], n) for p, n in Counter(pre_tokens).items()]
    made: list[Halves] = []
    while len(made) < merges:
        counts: Counter[Halves] = Counter()
        for word, times in words:
            for pair in count(word):
                counts[pair] += times
        if not counts or max(counts.values()) < least:
            break
        made.append(best(counts))
        words = [(merge(word, made[-1]), times) for word, times in words]
    return made


def ids(merges: Iterable[Halves]) -> list[tuple[int, int]]:
    """Return merges as pairs of ids, as minbpe keeps them."""
    numbers = {bytes([value]): value for value in range(256)}
    made = []
    for left, right_half in merges:
        made.append((numbers[left], numbers[right_half]))
        numbers[left + right_half] = 255 + len(made)
    return made


def replaced_pairs(word: Word) -> Iterable[Halves]:
    """Count aaa as one a + a."""
    last = None
    for pair in pairwise(word):
        if pair == last and pair[0] == pair[1]:
            last = None
            continue
        yield pair
        last = pair


def kept_counts(pre_tokens: Iterable[str], merges: int, best: Best, *, losses: bool = True) -> list[Halves]:
    """Keep counts, and update the neighbours of each place in the old word, overlaps too. Without ``losses``
    only add."""
    words = [([bytes([b]) for b in p.encode()], n) for p, n in Counter(pre_tokens).items()]
    counts: Counter[Halves] = Counter()
    for word, times in words:
        for pair in pairwise(word):
            counts[pair] += times
    made: list[Halves] = []
    while len(made) < merges and any(n > 0 for n in counts.values()):
        a, b = pair = best(counts)
        made.append(pair)
        for number, (word, times) in enumerate(words):
            for i in range(len(word) - 1):
                if (word[i], word[i + 1]) != pair:
                    continue
                if i > 0:
                    counts[word[i - 1], a] -= times * losses
                    counts[word[i - 1], a + b] += times
                if i + 2 < len(word):
                    counts[b, word[i + 2]] -= times * losses
                    counts[a + b, word[i + 2]] += times
            words[number] = merged(word, pair), times
        del counts[pair]
    return made


def merge_first(word: Word, pair: Halves) -> Word:
    """Merge only the first place."""
    for i in range(len(word) - 1):
        if (word[i], word[i + 1]) == pair:
            return [*word[:i], pair[0] + pair[1], *word[i + 2 :]]
    return word
