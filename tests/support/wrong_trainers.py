"""Trainers with one mistake each, as students write them: a loop that counts everything again.

right(words, merges)                  the rule of minbpe: the first seen of the most frequent pairs
replaced_overlaps(words, merges)      the same, but aaa holds a + a once
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

from bpeviz.core.base_vocabulary import GPT2_BYTE_CHARACTERS

__all__ = [
    "adds_words",
    "characters",
    "deaf_once",
    "deaf_to_losses",
    "frozen",
    "greatest_ids",
    "ids",
    "in_gpt2_characters",
    "last_seen",
    "replaced_overlaps",
    "right",
    "sorted_merges",
    "stops_early",
    "train",
    "words_once",
]

Halves = tuple[bytes, bytes]
Word = tuple[bytes, ...]
Best = Callable[[Counter[Halves]], Halves]


def train(
    words: dict[Word, int],
    merges: int,
    count: Callable[[dict[Word, int]], Counter[Halves]],
    best: Callable[[Counter[Halves]], Halves],
    least: int = 1,
) -> list[Halves]:
    """Return the merges of a trainer that counts and chooses as it is told."""
    made: list[Halves] = []
    while len(made) < merges:
        counts = count(words)
        if not counts or max(counts.values()) < least:
            break
        made.append(best(counts))
        words = merged(words, made[-1])
    return made


def merged(words: dict[Word, int], pair: Halves) -> dict[Word, int]:
    """Return the words with a pair replaced, left to right."""
    new: dict[Word, int] = {}
    for word, times in words.items():
        tokens: list[bytes] = []
        last = None
        for token in word:
            if last is not None and (last, token) == pair:
                tokens[-1], last = last + token, None
            else:
                tokens.append(token)
                last = token
        new[tuple(tokens)] = new.get(tuple(tokens), 0) + times
    return new


def in_bytes(pre_tokens: Iterable[str]) -> dict[Word, int]:
    """Return pre-tokens as tuples of single bytes, with their counts."""
    counts = Counter(pre_tokens)
    return {tuple(bytes([value]) for value in p.encode()): times for p, times in counts.items()}


def all_pairs(words: dict[Word, int]) -> Counter[Halves]:
    """Count every pair, overlaps included."""
    counts: Counter[Halves] = Counter()
    for word, times in words.items():
        for pair in pairwise(word):
            counts[pair] += times
    return counts


def first_of(counts: Counter[Halves]) -> Halves:
    return max(counts, key=counts.__getitem__)


def greatest_of(counts: Counter[Halves]) -> Halves:
    return max(counts, key=lambda pair: (counts[pair], pair))


def right(pre_tokens: Sequence[str], merges: int, best: Best = first_of) -> list[Halves]:
    """Makes no mistake, if ``best`` is the recipe's rule."""
    return train(in_bytes(pre_tokens), merges, all_pairs, best)


def last_seen(pre_tokens: Sequence[str], merges: int) -> list[Halves]:
    def last_of(counts: Counter[Halves]) -> Halves:
        best = next(iter(counts))
        for pair, times in counts.items():
            if times >= counts[best]:
                best = pair
        return best

    return train(in_bytes(pre_tokens), merges, all_pairs, last_of)


def greatest_ids(pre_tokens: Sequence[str], merges: int) -> list[Halves]:
    """Compares ids where the rule of CS336 compares bytes."""
    ids = {bytes([value]): value for value in range(256)}

    def best(counts: Counter[Halves]) -> Halves:
        pair = max(counts, key=lambda p: (counts[p], ids[p[0]], ids[p[1]]))
        ids.setdefault(pair[0] + pair[1], len(ids))
        return pair

    return train(in_bytes(pre_tokens), merges, all_pairs, best)


def replaced_overlaps(pre_tokens: Sequence[str], merges: int, best: Best = first_of) -> list[Halves]:
    def count(words: dict[Word, int]) -> Counter[Halves]:
        counts: Counter[Halves] = Counter()
        for word, times in words.items():
            last = None
            for pair in pairwise(word):
                if pair == last and pair[0] == pair[1]:
                    last = None  # the second half of it is taken
                    continue
                counts[pair] += times
                last = pair
        return counts

    return train(in_bytes(pre_tokens), merges, count, best)


def words_once(pre_tokens: Sequence[str], merges: int, best: Best = first_of) -> list[Halves]:
    return train(dict.fromkeys(in_bytes(pre_tokens), 1), merges, all_pairs, best)


def characters(pre_tokens: Sequence[str], merges: int, best: Best = first_of) -> list[Halves]:
    counts = Counter(pre_tokens)
    words = {tuple(c.encode() for c in p): times for p, times in counts.items()}
    return train(words, merges, all_pairs, best)


def stops_early(
    pre_tokens: Sequence[str], merges: int, least: int = 3, best: Best = first_of
) -> list[Halves]:
    return train(in_bytes(pre_tokens), merges, all_pairs, best, least)


def frozen(pre_tokens: Sequence[str], merges: int, since: int, best: Best = first_of) -> list[Halves]:
    """Forgets to count again after so many merges."""
    kept: list[Counter[Halves]] = []

    def count(words: dict[Word, int]) -> Counter[Halves]:
        kept.append(all_pairs(words))
        return kept[min(len(kept) - 1, since)]

    def then(counts: Counter[Halves]) -> Halves:
        pair = best(counts)
        if len(kept) > since:
            del counts[pair]
        return pair

    return train(in_bytes(pre_tokens), merges, count, then)


def deaf_to_losses(pre_tokens: Sequence[str], merges: int, best: Best = first_of) -> list[Halves]:
    """Adds the new pairs of a merge to the counts, and takes none away but the merged one."""
    counts: Counter[Halves] = Counter()
    known: set[Halves] = set()

    def count(words: dict[Word, int]) -> Counter[Halves]:
        for pair, times in all_pairs(words).items():
            if pair not in known:
                known.add(pair)
                counts[pair] = times
        return counts

    def then(counts: Counter[Halves]) -> Halves:
        pair = best(counts)
        del counts[pair]
        return pair

    return train(in_bytes(pre_tokens), merges, count, then)


def deaf_once(pre_tokens: Sequence[str], merges: int, at: int, best: Best = first_of) -> list[Halves]:
    """Keeps counts from merge to merge, and forgets what one merge took away from other pairs."""
    counts: Counter[Halves] = Counter()
    before: list[Counter[Halves]] = [Counter()]
    made: list[Halves] = []

    def count(words: dict[Word, int]) -> Counter[Halves]:
        now, last = all_pairs(words), before[-1]
        for pair in now | last:
            if pair in made:
                continue
            if len(made) != at or now[pair] > last[pair]:
                counts[pair] += now[pair] - last[pair]
        before.append(now)
        return +counts

    def then(known: Counter[Halves]) -> Halves:
        made.append(best(known))
        del counts[made[-1]]
        return made[-1]

    return train(in_bytes(pre_tokens), merges, count, then)


def adds_words(pre_tokens: Sequence[str], merges: int, best: Best = first_of) -> list[Halves]:
    """Adds all pairs of each word that a merge changes, and forgets to take the old ones away."""
    counts: Counter[Halves] = Counter()
    known: dict[Word, int] = {}

    def count(words: dict[Word, int]) -> Counter[Halves]:
        for word, times in words.items():
            if word not in known:
                known[word] = times
                for pair in pairwise(word):
                    counts[pair] += times
        return counts

    def then(counts: Counter[Halves]) -> Halves:
        pair = best(counts)
        del counts[pair]
        return pair

    return train(in_bytes(pre_tokens), merges, count, then)


def sorted_merges(pre_tokens: Sequence[str], merges: int, best: Best = first_of) -> list[Halves]:
    return sorted(right(pre_tokens, merges, best))


def ids(pre_tokens: Sequence[str], merges: int, best: Best = first_of) -> list[tuple[int, int]]:
    """Returns pairs of ids, as minbpe keeps them."""
    numbers = {bytes([value]): value for value in range(256)}
    made = []
    for left, right_half in right(pre_tokens, merges, best):
        made.append((numbers[left], numbers[right_half]))
        numbers[left + right_half] = 255 + len(made)
    return made


def in_gpt2_characters(
    pre_tokens: Sequence[str], merges: int, best: Best = first_of
) -> list[tuple[str, str]]:
    """Returns texts in GPT-2's characters, and not bytes."""
    spelled = GPT2_BYTE_CHARACTERS.__getitem__
    return [
        ("".join(map(spelled, left)), "".join(map(spelled, right_half)))
        for left, right_half in right(pre_tokens, merges, best)
    ]
