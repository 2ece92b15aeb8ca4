"""Which merge makes each token, against merging the symbols of each token by rank."""

from itertools import pairwise
from unittest.mock import patch

import numpy as np
import numpy.typing as npt
from hypothesis import given
from hypothesis import strategies as st

from bpeviz.formats.acting_merges import acting_merges

#: Tokens by their text, some merges of each, in any order.
TEXTS = st.lists(st.text("abc", min_size=2, max_size=7), min_size=1, max_size=14, unique=True)


def last_merge(token: str, ranks: dict[tuple[str, str], int]) -> int | None:
    """The rank of the merge that makes a token of its letters, by recounting after every merge."""
    symbols, rank = list(token), None
    while found := [(ranks[pair], place) for place, pair in enumerate(pairwise(symbols)) if pair in ranks]:
        rank, place = min(found)
        symbols[place : place + 2] = [symbols[place] + symbols[place + 1]]
    return rank if symbols == [token] else None


def in_rows(merges: list[tuple[tuple[int, int], int]]) -> npt.NDArray[np.int64]:
    return np.array([(*pair, token_id) for pair, token_id in merges], np.int64).reshape(-1, 3)


def test_of_two_merges_of_a_token_the_one_that_acts_stays() -> None:
    """Ġ + t, h + e, Ġt + he, Ġth + e: Ġth is never there."""
    ids = {text: i for i, text in enumerate(("Ġ", "t", "h", "e", "Ġt", "he", "Ġth", "Ġthe"))}
    pairs = [("Ġ", "t"), ("h", "e"), ("Ġt", "h"), ("Ġth", "e"), ("Ġt", "he")]
    merges = [((ids[left], ids[right]), ids[left + right]) for left, right in pairs]
    kept, unmade = acting_merges([0, 1, 2, 3], in_rows(merges), all_tokens=False)
    assert kept == [merges[0], merges[1], merges[2], merges[4]]
    assert unmade == set()


@given(texts=TEXTS, most_levels=st.sampled_from([1, 100]), data=st.data())
def test_the_merge_that_acts_is_the_last_of_those_that_merging_makes(
    texts: list[str], most_levels: int, data: st.DataObject
) -> None:
    ids = {text: i for i, text in enumerate(data.draw(st.permutations(sorted({*"abc", *texts}))))}
    pairs = [
        (text[:cut], text[cut:])
        for text in texts
        for cut in range(1, len(text))
        if text[:cut] in ids and text[cut:] in ids and data.draw(st.booleans())
    ]
    pairs = data.draw(st.permutations(pairs))
    merges = [((ids[left], ids[right]), ids[left + right]) for left, right in pairs]
    with patch(
        "bpeviz.formats.acting_merges.MOST_LEVELS", most_levels
    ):  # 1: the order is found in another way
        kept, unmade = acting_merges([ids[letter] for letter in "abc"], in_rows(merges), all_tokens=True)
    acting = {text: last_merge(text, {pair: rank for rank, pair in enumerate(pairs)}) for text in texts}
    for pair, token_id in kept:
        text = next(each for each in texts if ids[each] == token_id)
        if token_id in unmade:
            assert acting[text] is None
        else:
            assert merges[acting[text]] == (pair, token_id)
    assert {ids[text] for text, rank in acting.items() if rank is not None} <= {token for _, token in kept}
