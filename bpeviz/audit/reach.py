"""Reach, shown by example: for each token a short text whose encoding has it.

    the       "the"
    ##os      "los": it only goes on with a word
    80        "񀀀", whose bytes are F1 80 80 80: no merge joins them, so 80 stays a token
    C0        no text holds it: it is no byte of UTF-8

If none is found, a longer text may still have the token. That no text has it at all is proved elsewhere: see
``unreachable`` in vocabulary_table.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import islice, product, zip_longest

from bpeviz.analysis.vocabulary import written_bytes_of
from bpeviz.cached import cached_property
from bpeviz.core.base_vocabulary import ByteVocabulary
from bpeviz.errors import BpevizError
from bpeviz.text.utf8 import text_of
from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = ["MOST_TEXTS", "Reach"]

#: Texts that are tried for a token, in rounds: most tokens need one or two.
ROUNDS = (1, 24, 200, 6_000)
#: Texts that are encoded at once: more take more memory, and fewer take longer.
MOST_AT_ONCE = 100_000
#: Texts for one token at most.
MOST_TEXTS = sum(ROUNDS)
#: After so many texts one of unassigned characters will do.
ENOUGH_TEXTS = 400
#: Ways to complete the characters of one token; and how many of them are tried between other characters.
MOST_COMPLETED, MOST_BETWEEN = 3_600, 64
#: What may stand before and after a token, so that the split pattern doesn't cut it, or cuts beside it.
_BEFORE = ("", " ", "a", "\n", "(", "0", "A", "'", "\r", "文", ".", "́")
_AFTER = ("", "a", " ", "\n", "0", ".", " a", "A", "\r", "文", "'", "́")
#: Texts of the vocabulary's own tokens that are put before and after a token: those whose characters are
#: next to its own, because they are likely of its script. A token that goes on with a word gets them all
#: before it, and some with something after it; any other token gets fewer.
NEAREST, ON_BOTH_SIDES, ON_ONE_SIDE = 200, 4, 12
#: The values of the bytes after the first one of a character; those of rare characters come first.
_CONTINUING = [*range(0xB0, 0xC0), *range(0x90, 0xB0), *range(0x80, 0x90)]
_CONTINUATION_BYTES = bytes(range(0x80, 0xC0))
#: The first bytes of characters by how many bytes follow.
_FIRST = {1: range(0xC2, 0xE0), 2: range(0xE0, 0xF0), 3: (0xF1, 0xF2, 0xF3, 0xF0, 0xF4)}


class Reach:
    """The texts that show which tokens of one tokenizer can be reached."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._written_bytes = written_bytes_of(tokenizer)

    def text_with(self, token_id: int, most: int = MOST_TEXTS) -> str | None:
        """Return a short text whose encoding has a token, if possible of characters that people use; None if
        none of the first ``most`` texts is one."""
        found: str | None = None
        for number, text in enumerate(islice(self._texts(token_id), most)):
            if found is not None and number > ENOUGH_TEXTS:
                break
            if (found is None or text.isprintable()) and token_id in self._ids(text):
                found = text
                if text.isprintable():
                    break
        return found

    def shown(self, token_ids: Iterable[int]) -> set[int]:
        """Return those of some tokens that a text is found for. Many texts are encoded at once."""
        waiting = {token_id: self._texts(token_id) for token_id in token_ids}
        found = set[int]()
        for count in ROUNDS:
            for some in _in_parts(waiting, MOST_AT_ONCE // count):
                tried = {i: list(islice(waiting[i], count)) for i in some}
                here = self._ids_together([text for texts in tried.values() for text in texts])
                found |= here & tried.keys()
            waiting = {i: texts for i, texts in waiting.items() if i not in found}
        return found

    def _ids_together(self, texts: Sequence[str]) -> set[int]:
        return self._ids("\n".join(texts)) or set().union(*map(self._ids, texts))

    def _ids(self, text: str) -> set[int]:
        """Return the tokens of a text; none if the vocabulary lacks a character of it."""
        try:
            return set(self._tokenizer.encode(text))
        except BpevizError:
            return set()

    def _texts(self, token_id: int) -> Iterator[str]:
        """Yield texts that may have a token, shortest first."""
        token = self._tokenizer.written(token_id)
        if token_id in self._written_bytes:
            yield self._written_bytes[token_id]
        if (whole := text_of(token)) is None:
            yield from _completed(token)
            return
        if self._tokenizer.continues_a_word(token_id):
            yield from (before + whole for before in self._own.near(whole[0]))
            nearest = islice(self._own.near(whole[0]), ON_BOTH_SIDES)
            yield from (before + whole + after for before, after in product(nearest, _AFTER))
            return
        yield from _in_contexts(whole)
        if whole and not isinstance(self._tokenizer.base, ByteVocabulary):  # it may lack the letters of these
            yield from (before + whole for before in islice(self._own.near(whole[0]), ON_ONE_SIDE))
            yield from (whole + after for after in islice(self._own.near(whole[-1]), ON_ONE_SIDE))

    @cached_property
    def _own(self) -> "_OwnTexts":
        special = set(self._tokenizer.special_tokens.values())
        tokenizer = self._tokenizer
        ids = [i for i in tokenizer.vocabulary if i not in special and not tokenizer.continues_a_word(i)]
        return _OwnTexts(text for i in ids if (text := text_of(tokenizer.written(i))))


class _OwnTexts:
    """Texts of a vocabulary's own tokens, to be found by their characters: single characters, and words for
    vocabularies that have few of them."""

    def __init__(self, texts: Iterable[str]) -> None:
        by_end = sorted((text[-1], len(text), text) for text in {*texts})
        self._characters = [each for each in by_end if each[1] == 1]
        self._words = [each for each in by_end if each[1] > 1]

    def near(self, character: str) -> Iterator[str]:
        """Yield the texts that end next to a character, NEAREST of each kind at most: characters first."""
        for listed in (self._characters, self._words):
            at = bisect_left(listed, (character,))
            around = listed[max(0, at - NEAREST) : at + NEAREST]
            around.sort(key=lambda each: (abs(ord(each[0]) - ord(character)), each))
            yield from (text for *_, text in around[:NEAREST])


def _in_parts(ids: Iterable[int], size: int) -> Iterator[list[int]]:
    left = iter(ids)
    while part := list(islice(left, max(1, size))):
        yield part


def _in_contexts(token: str) -> Iterator[str]:
    """Yield a token's text alone, without a space before it, and then between other characters."""
    bare = token.removeprefix(" ")
    seen = set[str]()
    for core, before, after in product(dict.fromkeys((token, bare)), _BEFORE, _AFTER):
        text = before + core + after
        if text and text not in seen:
            seen.add(text)
            yield text


def _completed(token: bytes) -> Iterator[str]:
    """Yield texts of whole characters around bytes that begin or end inside one; alone at first, then between
    other characters."""
    tail = len(token) - len(token.lstrip(_CONTINUATION_BYTES))
    starts, endings = _starts(tail), _endings(_missing(token[tail:]))
    texts = list[str]()
    for start, end in _diagonally(len(starts), len(endings)):
        if (text := text_of(starts[start] + token + endings[end])) is not None:
            texts.append(text)
            yield text
    for before, after in sorted(product(_BEFORE, _AFTER), key=lambda both: bool(both[0]) + bool(both[1])):
        if before or after:
            yield from (before + text + after for text in texts[:MOST_BETWEEN])


def _diagonally(rows: int, columns: int) -> Iterator[tuple[int, int]]:
    """Yield pairs of places, MOST_COMPLETED at most, so that both numbers grow: (0, 0), (0, 1), (1, 0)."""
    pairs = (
        (row, total - row)
        for total in range(rows + columns - 1)
        for row in range(max(0, total - columns + 1), min(total + 1, rows))
    )
    return islice(pairs, MOST_COMPLETED)


@cache
def _starts(count: int) -> tuple[bytes, ...]:
    """Return how a character may begin that ends in ``count`` bytes; characters of four bytes, of three and
    of two take turns."""
    if not 0 < count <= 3:
        return (b"",)
    ways = [_characters(following, count) for following in range(3, count - 1, -1)]
    in_turn = (way for row in zip_longest(*ways) for way in row if way is not None)
    return tuple(islice(in_turn, MOST_COMPLETED))


def _characters(following: int, count: int) -> Iterator[bytes]:
    """Yield how characters with so many bytes after the first begin, up to their last ``count`` bytes."""
    for between in _continuing(following - count):
        for first in _FIRST[following]:
            yield bytes([first]) + between


@cache
def _endings(missing: int) -> tuple[bytes, ...]:
    """Return how a character may go on that lacks so many bytes."""
    return tuple(islice(_continuing(missing), MOST_COMPLETED))


def _missing(rest: bytes) -> int:
    """Return how many bytes the character lacks that the last bytes begin; 0 if they begin none."""
    for length in range(1, min(3, len(rest)) + 1):
        following = next((n for n, firsts in _FIRST.items() if rest[-length] in firsts), 0)
        if following:
            return max(0, following - length + 1)
    return 0


def _continuing(count: int) -> Iterator[bytes]:
    """Yield rows of bytes that go on with a character. The first of them changes fastest, because some first
    bytes allow few of them."""
    for row in product(_CONTINUING, repeat=count):
        yield bytes(row[::-1])
