"""Words that a vocabulary has in several spellings: with and without a space, in small and capital letters.

the  ␣the  The  ␣THE  cat        one family of four tokens; "cat" stands alone
"""

from collections.abc import Iterable, Mapping

__all__ = ["word_families"]

#: Single letters are in every vocabulary, and a longer token is no word.
LEAST_LETTERS, LONGEST_WORD = 2, 100


def word_families(texts: Mapping[int, str], end_of_word: str = "") -> dict[str, list[int]]:
    """Return the families of two tokens or more, those with most tokens first: their ids by the word in small
    letters. ``texts`` has the tokens that are whole characters, by id; ``end_of_word`` is the mark, such as
    ``</w>``, which is no part of a word.

    >>> word_families({0: "the", 1: " the", 2: "The", 3: "cat", 4: "a", 5: " a"})
    {'the': [0, 1, 2]}
    """
    families: dict[str, list[int]] = {}
    for token_id, text in texts.items():
        word = (text.removesuffix(end_of_word) or text).removeprefix(" ")
        if len(word) <= LONGEST_WORD and _letters(word) >= LEAST_LETTERS:
            families.setdefault(word.casefold(), []).append(token_id)
    several = {word: ids for word, ids in families.items() if len(ids) > 1}
    return dict(sorted(several.items(), key=lambda family: -len(family[1])))


def _letters(word: Iterable[str]) -> int:
    return sum(map(str.isalpha, word))
