"""The words that two tokenizers cut into different numbers of tokens: what a new tokenizer changes in texts.

    text         a            b
    hello hello  hel|lo| hello|  hello| hello|     hello, twice: 3 tokens and 2

A word is a run of letters and digits, or of other characters, with a space before it; longer white space is a
word, too. Some scripts have no spaces: there a word ends where the script changes, so 文字が is two words,
文字 and が. A token belongs to the word in which it ends: so the tokens of all words are those of the texts.
If a token reaches into the word, or out of it, all of it is shown:

    .↵           .|↵          .↵                   the full stop: 1 token and 0, because it ends with ↵
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import regex

from bpeviz.text.token_text import visible
from bpeviz.text.utf8 import check_text
from bpeviz.tokenizer.encoded_text import EncodedText
from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = ["CutText", "WordChange", "WordChanges", "changes_in", "cut_in_words", "word_changes"]

#: A text in tokens, and after how many merges.
CutText = tuple[EncodedText, int]

_UNSPACED = r"\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
_WORD = regex.compile(
    rf"\s+(?=\s)|\s?(?:\p{{Han}}+|\p{{Hiragana}}+|[\p{{Katakana}}ー]+|[{_UNSPACED}]+"
    rf"|(?:(?![\p{{Han}}\p{{Hiragana}}\p{{Katakana}}{_UNSPACED}])[\p{{L}}\p{{M}}\p{{N}}_])+"
    r"|[^\s\p{L}\p{M}\p{N}_]+)|\s+"
)


@dataclass(frozen=True)
class WordChange:
    """A ``word`` that occurs ``count`` times, with the tokens of all its occurrences together by ``a`` and by
    ``b``. ``cut_a`` and ``cut_b`` are the tokens that hold it where they first differ, as bytes of the text:
    the first and the last may reach beyond the word, and a token that stands for no byte is empty."""

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
    return changes_in(_encoded(texts, a, b))


def _encoded(texts: Iterable[str], a: Tokenizer, b: Tokenizer) -> Iterator[tuple[str, CutText, CutText]]:
    for text in texts:
        check_text(text)
        yield text, (a.encode_text(text), len(a.merges)), (b.encode_text(text), len(b.merges))


def changes_in(texts: Iterable[tuple[str, CutText, CutText]]) -> WordChanges:
    """Return what changes in texts that both tokenizers have cut."""
    totals: dict[str, list[int]] = {}
    first: dict[str, tuple[tuple[bytes, ...], tuple[bytes, ...]]] = {}
    sums, word_total = [0, 0], 0
    for text, *sides in texts:
        pieces = _WORD.findall(text)
        encoded = text.encode("utf-8")
        ends = np.cumsum([len(piece.encode("utf-8")) for piece in pieces], dtype=np.intp)
        tokens_a, tokens_b = (_Tokens(encoded, *side) for side in sides)
        counts = tokens_a.ending_in(ends), tokens_b.ending_in(ends)
        word_total += len(pieces)
        for side, of_words in enumerate(counts):
            sums[side] += int(of_words.sum())
        differs = counts[0] != counts[1]
        for place, (piece, a, b) in enumerate(zip(pieces, *(c.tolist() for c in counts), strict=True)):
            word = piece.strip() or piece
            total = totals.setdefault(word, [0, 0, 0])
            total[0] += 1
            total[1] += a
            total[2] += b
            if differs[place] and word not in first:
                end = int(ends[place])
                start = end - len(piece.encode("utf-8"))
                first[word] = tokens_a.holding(start, end), tokens_b.holding(start, end)
    words = [
        WordChange(word, count, a, b, *cuts)
        for word, cuts in first.items()
        for count, a, b in [totals[word]]
        if a != b
    ]
    words.sort(key=lambda each: (-abs(each.change), -each.count, each.word))
    return WordChanges(tuple(words), sums[0], sums[1], word_total)


class _Tokens:
    """The tokens of a text, by the bytes at which they end."""

    def __init__(self, text: bytes, encoded: EncodedText, num_merges: int) -> None:
        self._text = text
        counts = encoded.token_counts(num_merges)
        self._ends = np.flatnonzero(counts)
        self._counts = counts[self._ends]
        self._before = np.r_[0, np.cumsum(self._counts)]

    def ending_in(self, word_ends: npt.NDArray[np.intp]) -> npt.NDArray[np.int64]:
        """Return how many tokens end in each word, whose ends are excluded."""
        before = self._before[np.searchsorted(self._ends, word_ends)]
        counts: npt.NDArray[np.int64] = np.diff(before, prepend=0)
        return counts

    def holding(self, start: int, end: int) -> tuple[bytes, ...]:
        """Return the whole tokens that hold the bytes from ``start`` to ``end`` (excluded)."""
        first, last = np.searchsorted(self._ends, [start, end - 1]).tolist()
        held: list[bytes] = []
        for place in range(first, min(last + 1, len(self._ends))):
            begins = int(self._ends[place - 1]) + 1 if place else 0
            held += [b""] * (int(self._counts[place]) - 1)
            held.append(self._text[begins : int(self._ends[place]) + 1])
        return tuple(held)


def cut_in_words(cut: tuple[bytes, ...]) -> str:
    """Return the tokens that hold a word as one line of text.

    >>> cut_in_words((b" hel", b"lo")), cut_in_words((b"", "ﬁ".encode())), cut_in_words(())
    ('␣hel | lo', 'ﬁ (2 tokens)', 'no token')
    """
    shown, empty = list[str](), 0
    for token in cut:
        if not token:
            empty += 1
            continue
        shown.append(visible(token) + (f" ({empty + 1} tokens)" if empty else ""))
        empty = 0
    return " | ".join(shown) or "no token"
