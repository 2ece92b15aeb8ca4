"""A base vocabulary that knows how some pre-tokens are spelled, because no rule of ours says it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from bpeviz.core.base_vocabulary import BaseVocabulary, Spelling

__all__ = ["SpelledVocabulary"]


@dataclass(frozen=True)
class SpelledVocabulary:
    """The symbols of ``base``, and the ids of the symbols of some pre-tokens: ``spelled``.

    A library spelled them, or the tokenizer takes them whole: "<unk>", or a word that no merges make, is then
    one symbol. ``tokens`` has the bytes of such tokens, which may be none of the base. All other pre-tokens
    are spelled as the base spells them.
    """

    base: BaseVocabulary
    spelled: Mapping[str, tuple[int, ...]] = field(hash=False, repr=False)
    tokens: Mapping[int, bytes] = field(default_factory=dict, hash=False, repr=False)

    @property
    def first_id(self) -> int:
        return self.base.first_id

    @property
    def symbol_ids(self) -> Sequence[int]:
        return self.base.symbol_ids

    @property
    def symbols(self) -> Sequence[bytes]:
        return self.base.symbols

    @property
    def end_of_word(self) -> str:
        return self.base.end_of_word

    @property
    def whole(self) -> dict[str, int]:
        """The ids of the tokens that are not base symbols, by their text."""
        return {token.decode("utf-8", "replace"): i for i, token in self.tokens.items()}

    def spell(self, pre_tokens: Sequence[str]) -> Spelling:
        others = [p for p in pre_tokens if p not in self.spelled]
        by_base = self.base.spell(others)
        sizes = {i: len(token) for i, token in zip(self.symbol_ids, self.symbols, strict=True)}
        sizes |= {i: len(token) for i, token in self.tokens.items()}
        rows = _rows(by_base)
        ids, widths, lengths, skipped = list[int](), list[int](), list[int](), list[int]()
        for pre_token in pre_tokens:
            known = self.spelled.get(pre_token)
            here, wide, dropped = next(rows) if known is None else ([*known], [sizes[i] for i in known], 0)
            ids += here
            widths += wide
            lengths.append(len(here))
            skipped.append(dropped)
        return Spelling(
            np.array(ids, np.int32),
            np.array(widths, np.int32),
            np.array(lengths, np.int32),
            np.array(skipped, np.int32),
        )


def _rows(spelling: Spelling) -> Iterator[tuple[list[int], list[int], int]]:
    """Yield the ids, the widths and the skipped bytes of each pre-token."""
    ids, widths = spelling.ids.tolist(), spelling.widths.tolist()
    start = 0
    for length, skipped in zip(spelling.lengths.tolist(), spelling.skipped.tolist(), strict=True):
        yield ids[start : start + length], widths[start : start + length], skipped
        start += length
