"""Words that a vocabulary has in several spellings: with and without a space, in small and capital letters.

the  ␣the  The  ␣THE  cat        one family of four tokens; "cat" stands alone
"""

from collections.abc import Mapping

__all__ = ["LONGEST_WORD", "word_families", "words_among"]

#: Single letters are in every vocabulary, and a token of more bytes is no word.
LEAST_LETTERS, LONGEST_WORD = 2, 100


def words_among(texts: Mapping[int, str], end_of_word: str = "") -> dict[int, str]:
    """Return the tokens that are words, by id: of two letters or more, with the space before them if they
    have one. ``texts`` has the tokens that are whole characters; ``end_of_word`` is the mark, such as
    ``</w>``, which is left out.

    >>> words_among({0: " the", 1: "a", 2: "low</w>"}, "</w>")
    {0: ' the', 2: 'low'}
    """
    # "e</w>" has one letter, not two
    bare = {i: text.removesuffix(end_of_word) or text for i, text in texts.items()}
    return {
        i: word
        for i, word in bare.items()
        if len(word.encode("utf-8")) <= LONGEST_WORD and sum(map(str.isalpha, word)) >= LEAST_LETTERS
    }


def word_families(words: Mapping[int, str]) -> list[list[int]]:
    """Return the ids of the words that are the same but for spaces and capital letters, two or more in each
    family.

    >>> word_families({0: "the", 1: " the", 2: "The", 3: "cat"})
    [[0, 1, 2]]
    """
    families: dict[str, list[int]] = {}
    for token_id, word in words.items():
        families.setdefault(word.removeprefix(" ").lower(), []).append(token_id)
    return [family for family in families.values() if len(family) > 1]
