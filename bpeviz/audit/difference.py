"""What differs between two vocabularies, token by token: ids that moved, tokens that came and went.

    before   0 a   1 b   2 ab   3 <s>       after   0 a   1 b   2 ba   3 ab   4 <s>
    moved    ab from 2 to 3, <s> from 3 to 4          added   ba

Tokens are the same if their bytes are, and if both are special tokens or neither is. A model that was trained
with the one vocabulary can't be used with moved ids.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import zip_longest

import numpy as np
import numpy.typing as npt

from bpeviz.analysis.word_changes import WordChanges
from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = ["VocabularyDifference", "vocabulary_difference"]

Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class VocabularyDifference:
    """What changes from one vocabulary to another.

    - ``moved``: a row for each token that both have under different ids: the id before and the id after;
    - ``added``: the ids of tokens that only the later one has; ``removed``: of those that only the earlier
      one has;
    - ``common``: how many tokens both have, at the same id or not;
    - ``words``: the words of a text whose numbers of tokens change; None without a text.
    """

    moved: Numbers
    added: Numbers
    removed: Numbers
    common: int
    words: WordChanges | None = None

    @property
    def shares(self) -> tuple[float, float]:
        """Which part of the tokens of the earlier and of the later vocabulary the other one has too, 0 to
        1."""
        before, after = self.common + len(self.removed), self.common + len(self.added)
        return (self.common / before if before else 0.0, self.common / after if after else 0.0)


def vocabulary_difference(
    before: Tokenizer, after: Tokenizer, words: WordChanges | None = None
) -> VocabularyDifference:
    """Return what changes from ``before`` to ``after``. Of several tokens with the same bytes those at the
    lowest ids belong together.

    >>> from bpeviz import load_pretrained
    >>> gpt2 = load_pretrained("gpt2")
    >>> found = vocabulary_difference(gpt2, gpt2.without([" the"]))
    >>> len(found.moved), len(found.added), len(found.removed)
    (49945, 0, 50)
    """
    old, new = _by_token(before), _by_token(after)
    moved: list[tuple[int, int]] = []
    added: list[int] = []
    removed: list[int] = []
    common = 0
    for token in old.keys() | new.keys():
        for old_id, new_id in zip_longest(old.get(token, ()), new.get(token, ())):
            if new_id is None:
                removed.append(old_id)
            elif old_id is None:
                added.append(new_id)
            else:
                common += 1
                if old_id != new_id:
                    moved.append((old_id, new_id))
    rows = np.array(sorted(moved), np.int64).reshape(-1, 2)
    return VocabularyDifference(rows, _ascending(added), _ascending(removed), common, words)


def _by_token(tokenizer: Tokenizer) -> dict[tuple[bytes, bool], list[int]]:
    """Return the ids of each token, ascending, by its bytes and by whether it is special."""
    special = set(tokenizer.special_tokens.values())
    ids: dict[tuple[bytes, bool], list[int]] = {}
    for token_id, token in tokenizer.vocabulary.items():
        ids.setdefault((token, token_id in special), []).append(token_id)
    return ids


def _ascending(ids: Iterable[int]) -> Numbers:
    return np.array(sorted(ids), np.int64)
