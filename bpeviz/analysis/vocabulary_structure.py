"""What the tokens of a vocabulary are like: their lengths, scripts, leading spaces and capital letters.

the  ␣the  The  ␣cat      4 tokens, 2 with a space before them
the: with and without a space; the, The: one word in two cases
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from bpeviz.analysis.text_statistics import per_script
from bpeviz.analysis.word_families import LONGEST_WORD, word_families, words_among

__all__ = ["VocabularyStructure", "vocabulary_structure"]


@dataclass(frozen=True)
class VocabularyStructure:
    """The tokens of a vocabulary, counted.

    - ``lengths``: how many tokens have each length in bytes, shortest first;
    - ``scripts``: how many tokens begin with a letter of each script, most first; Common has no letters;
    - ``spaced`` and ``unspaced``: words with and without a space before them; ``both``: words of both kinds;
    - ``cases``: words that occur in several cases, such as the, The and THE, each as its spellings without
      the space; those with most spellings are first, among these in the order of the rows.

    A word is a token with two letters or more, of whole characters and at most 100 bytes. Special tokens
    count only for the lengths. The mark of the end of a word, such as ``</w>``, has no letters.
    """

    lengths: Mapping[int, int]
    scripts: Mapping[str, int]
    spaced: int
    unspaced: int
    both: int
    cases: Sequence[tuple[str, ...]]


def vocabulary_structure(table: pd.DataFrame) -> VocabularyStructure:
    """Count the tokens in some rows of a vocabulary_table().

    >>> import pandas as pd
    >>> rows = {"token": [b"the", b" the", b"The"], "length": [3, 4, 3], "kind": "merged", "valid_utf8": True}
    >>> structure = vocabulary_structure(pd.DataFrame(rows))
    >>> structure.spaced, structure.both, structure.cases
    (1, 1, [('the', 'The')])
    """
    lengths, counts = np.unique(table["length"].to_numpy(), return_counts=True)
    readable = table["valid_utf8"] & (table["kind"] != "special") & table["length"].between(1, LONGEST_WORD)
    texts = dict(enumerate(token.decode("utf-8") for token in table["token"][readable]))
    mark = table.attrs.get("end_of_word", "")
    words = words_among(texts, mark)
    spaced = {word[1:] for word in words.values() if word.startswith(" ")}
    unspaced = {word for word in words.values() if not word.startswith(" ")}
    return VocabularyStructure(
        dict(zip(lengths.tolist(), counts.tolist(), strict=True)),
        _scripts([text.removesuffix(mark) or text for text in texts.values()]),
        len(spaced),
        len(unspaced),
        len(spaced & unspaced),
        _cases(words),
    )


def _scripts(texts: Sequence[str]) -> dict[str, int]:
    """How many texts belong to each script."""
    lengths = np.array([len(text.encode("utf-8")) for text in texts], np.int64)
    ends = np.zeros(int(lengths.sum()), np.int64)
    ends[np.cumsum(lengths) - 1] = 1
    table = per_script("".join(texts), ends)
    table = table[table["tokens"] > 0].sort_values("tokens", ascending=False, kind="stable")
    return dict(zip(table["script"], table["tokens"].tolist(), strict=True))


def _cases(words: Mapping[int, str]) -> list[tuple[str, ...]]:
    families = (dict.fromkeys(words[i].removeprefix(" ") for i in family) for family in word_families(words))
    return sorted((tuple(family) for family in families if len(family) > 1), key=lambda family: -len(family))
