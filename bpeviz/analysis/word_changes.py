"""The words that two tokenizers cut into different numbers of tokens: what a new tokenizer changes in texts.

    text         a            b
    hello hello  hel|lo| hello|  hello| hello|     hello, twice: 3 tokens and 2

A word is a run of letters and digits, or of other characters, with a space before it; longer white space is a
word, too. Some scripts have no spaces: there a word ends where the script changes, so 文字が is two words,
文字 and が. A token belongs to the word in which it ends: so the tokens of all words are those of the texts.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import regex

from bpeviz.analysis.compare import TextTokens, tokenize
from bpeviz.text.utf8 import check_text
from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = ["WordChange", "WordChanges", "changes_in", "word_changes"]

_UNSPACED = r"\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
_WORD = regex.compile(
    rf"\s+(?=\s)|\s?(?:\p{{Han}}+|\p{{Hiragana}}+|[\p{{Katakana}}ー]+|[{_UNSPACED}]+"
    rf"|(?:(?![\p{{Han}}\p{{Hiragana}}\p{{Katakana}}{_UNSPACED}])[\p{{L}}\p{{M}}\p{{N}}_])+"
    r"|[^\s\p{L}\p{M}\p{N}_]+)|\s+"
)


@dataclass(frozen=True)
class WordChange:
    """A ``word`` that occurs ``count`` times, with the tokens of all its occurrences together by ``a`` and by
    ``b``. ``cut_a`` and ``cut_b`` are its bytes, and the white space before it, as each cuts its first
    occurrence."""

    word: str
    count: int
    a: int
    b: int
    cut_a: tuple[bytes, ...]
    cut_b: tuple[bytes, ...]

    @property
    def change(self) -> int:
        """How many tokens more ``b`` has; negative if it has fewer."""
        return self.b - self.a


@dataclass(frozen=True)
class WordChanges:
    """The ``words`` whose tokens differ, those that change most first, and the tokens of all texts by ``a``
    and by ``b``, with the number of ``word_total`` words."""

    words: tuple[WordChange, ...]
    a: int
    b: int
    word_total: int


def word_changes(texts: Iterable[str], a: Tokenizer, b: Tokenizer) -> WordChanges:
    """Return what changes from ``a`` to ``b`` in the texts. Raises what Tokenizer.encode raises.

    >>> from bpeviz import Corpus, Trainer, load_pretrained
    >>> gpt2, o200k = load_pretrained("gpt2"), load_pretrained("o200k_base")
    >>> found = word_changes(["größer und größer"], gpt2, o200k)
    >>> found.a, found.b, [(each.word, each.count, each.change) for each in found.words]
    (9, 4, [('größer', 2, -5)])
    """
    return changes_in(_tokenized(texts, a, b))


def _tokenized(
    texts: Iterable[str], a: Tokenizer, b: Tokenizer
) -> Iterator[tuple[str, TextTokens, TextTokens]]:
    for text in texts:
        check_text(text)
        yield text, tokenize(text, a), tokenize(text, b)


def changes_in(texts: Iterable[tuple[str, TextTokens, TextTokens]]) -> WordChanges:
    """Return what changes in texts that both tokenizers have cut."""
    totals: dict[str, list[int]] = {}
    first: dict[str, tuple[tuple[bytes, ...], tuple[bytes, ...]]] = {}
    sums, word_total = [0, 0], 0
    for text, *sides in texts:
        pieces = _WORD.findall(text)
        ends = np.cumsum([len(piece.encode("utf-8")) for piece in pieces], dtype=np.intp)
        counts = [_tokens_ending(side.token_ends, ends) for side in sides]
        word_total += len(pieces)
        for side, of_words in enumerate(counts):
            sums[side] += int(of_words.sum())
        differs = counts[0] != counts[1]
        encoded = text.encode("utf-8")
        for place, (piece, a, b) in enumerate(zip(pieces, *(c.tolist() for c in counts), strict=True)):
            word = piece.strip() or piece
            total = totals.setdefault(word, [0, 0, 0])
            total[0] += 1
            total[1] += a
            total[2] += b
            if differs[place] and word not in first:
                end = int(ends[place])
                start = end - len(piece.encode("utf-8"))
                cuts = [_cut(encoded, side.token_ends, start, end) for side in sides]
                first[word] = cuts[0], cuts[1]
    words = [
        WordChange(word, count, a, b, *cuts)
        for word, cuts in first.items()
        for count, a, b in [totals[word]]
        if a != b
    ]
    words.sort(key=lambda each: (-abs(each.change), -each.count, each.word))
    return WordChanges(tuple(words), sums[0], sums[1], word_total)


def _tokens_ending(token_ends: npt.NDArray[np.intp], ends: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    """Return how many tokens end in each word, whose ends are excluded."""
    return np.diff(np.searchsorted(token_ends, ends), prepend=0)


def _cut(encoded: bytes, token_ends: npt.NDArray[np.intp], start: int, end: int) -> tuple[bytes, ...]:
    """Return the bytes from ``start`` to ``end`` (excluded), cut after each token that ends before."""
    first, last = np.searchsorted(token_ends, [start, end - 1])
    cuts = [start, *(int(each) + 1 for each in token_ends[first:last]), end]
    return tuple(encoded[left:right] for left, right in pairwise(cuts))
