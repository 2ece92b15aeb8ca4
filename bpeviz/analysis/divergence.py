r"""The first merge in which two recipes differ on one text, and why, by the pair counts at that step.

    the cat in the hat      huggingface   a+t 2   h+e 2   t+h 2    takes a+t: its ids are smallest
                            minbpe        t+h 2   h+e 2   a+t 2    takes t+h: it was seen first

Before it both make the same merges, compared by the bytes of both halves. So either they settle a tie
differently, or they count a pair differently; then a place in the text where only one of them has that pair
shows what made the difference. The names of the recipes do not matter: two rules with the same effect are not
a reason.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from bpeviz.analysis.compare import compare_merges
from bpeviz.analysis.pair_places import Halves, end_of_word, places
from bpeviz.core.gap_ranks import INSIDE, SKIPPED
from bpeviz.core.token_chain import Pair
from bpeviz.training.result import TrainingResult

__all__ = ["Candidate", "Cut", "Divergence", "Standing", "aligned_merges", "find_divergence", "same_merges"]

Difference = Literal["split", "base", "same-bytes", "length"]
Reason = Literal["tie", "stop", "split", "base", "same-bytes", "length"]
Behind = Literal["rules", "ids", "frequency", "split", "base", "same-bytes", "length"]
Spelled = Literal["special-token", "characters", "dropped", "end-of-word"]
Span = tuple[int, int]

#: How many of the leading pairs to list, for each of the two.
LEADING = 5
MOST_TIED = 12
#: How many bytes of text to show on each side of a place.
AROUND = 18


@dataclass(frozen=True)
class Standing:
    """A pair in one run at one step: its ``count``, its ``place`` in the order in which the recipe would
    choose (from 0), and the ids of its halves; 0 and None if it does not occur."""

    count: int = 0
    place: int | None = None
    ids: Pair | None = None


@dataclass(frozen=True)
class Candidate:
    """A pair in both runs at the step of the first difference."""

    halves: Halves
    a: Standing
    b: Standing


@dataclass(frozen=True)
class Cut:
    """The bytes of the text from ``start`` to ``end`` in each of the two, cut into pre-tokens or spelled in
    base symbols. ``open_a`` and ``open_b`` say whether the first piece begins before ``start``, and whether
    the last one continues after ``end``."""

    start: int
    end: int
    a: tuple[bytes, ...]
    b: tuple[bytes, ...]
    open_a: tuple[bool, bool] = (False, False)
    open_b: tuple[bool, bool] = (False, False)


@dataclass(frozen=True)
class Divergence:
    """The first merge in which two trainings differ: ``rank``. Both make the same merges before it.

    - ``a``, ``b``: the pair that each takes there; None if it stops;
    - ``candidates``: both of these, then the leading pairs of each;
    - ``reason``: "tie": in each run both pairs occur equally often; "stop": one of the two makes no more
      merges; otherwise what makes them count differently: "split", their pre-tokens; "base", the symbols of
      the pre-tokens; "same-bytes", whether tokens with the same bytes are one; "length", how long a token may
      be;
    - ``behind``: for a tie, "rules" if the rules differ, "ids" if the rule is the same but the ids are not,
      or what makes them see the pairs in another order; for a stop, "frequency", or what leaves the other one
      a pair;
    - ``spelled``: for "base", how the symbols differ; ``cut``: an example from the text.
    """

    rank: int
    a: Candidate | None
    b: Candidate | None
    candidates: tuple[Candidate, ...]
    reason: Reason
    behind: Behind | None = None
    spelled: Spelled | None = None
    cut: Cut | None = None

    @property
    def difference(self) -> Difference | None:
        """What differs in the text before the merges, if that is the reason or behind it."""
        for cause in (self.behind, self.reason):
            if cause in ("split", "base", "same-bytes", "length"):
                return cause
        return None


def same_merges(a: TrainingResult, b: TrainingResult) -> int:
    """How many merges both make before the first difference."""
    pairs = enumerate(zip(a.merged_bytes, b.merged_bytes, strict=False))
    shorter = min(len(a.merged_bytes), len(b.merged_bytes))
    return next((rank for rank, (mine, other) in pairs if mine != other), shorter)


def find_divergence(a: TrainingResult, b: TrainingResult) -> Divergence | None:
    """Return the first merge in which two trainings of one text differ, and why; None if all merges are the
    same."""
    rank = same_merges(a, b)
    if rank == len(a.merged_bytes) == len(b.merged_bytes):
        return None
    sides = _Run(a, rank), _Run(b, rank)
    taken = [run.merged_bytes[rank] if rank < len(run.merged_bytes) else None for run in (a, b)]
    listed = dict.fromkeys([*filter(None, taken), *sides[0].leading(), *sides[1].leading()])
    candidates = {h: Candidate(h, sides[0].standing(h), sides[1].standing(h)) for h in listed}
    of_a, of_b = (candidates[halves] if halves else None for halves in taken)
    reason, behind, spelled, cut = _reason(a, b, rank, of_a, of_b)
    return Divergence(rank, of_a, of_b, tuple(candidates.values()), reason, behind, spelled, cut)


def aligned_merges(a: TrainingResult, b: TrainingResult) -> pd.DataFrame:
    """Return the merges of both side by side, a row for each rank. Columns: ``a`` and ``b``, the halves, None
    after the last; ``count_a``, ``count_b``; ``a_in_b``, ``b_in_a``, the rank at which the other one makes
    the same merge. The last four are Int64, <NA> if there is none."""
    rows = max(len(a.merged_bytes), len(b.merged_bytes))
    merges = compare_merges(a.tokenizer, b.tokenizer)
    table: dict[str, object] = {}
    for side, run in (("a", a), ("b", b)):
        halves = [*run.merged_bytes, *[None] * (rows - len(run.merged_bytes))]
        table[side] = pd.Series(halves, dtype=object)
        counts = [step.count for step in run.steps]
        table[f"count_{side}"] = pd.array([*counts, *[None] * (rows - len(counts))], "Int64")
    for side, other in (("a", "b"), ("b", "a")):
        made = merges.dropna(subset=[f"rank_{side}"]).set_index(f"rank_{side}")
        table[f"{side}_in_{other}"] = made[f"rank_{other}"].reindex(range(rows)).astype("Int64").array
    return pd.DataFrame(table)


class _Run:
    """One training after ``rank`` merges: its pairs in the order in which the recipe would choose them."""

    def __init__(self, trained: TrainingResult, rank: int) -> None:
        self._trained = trained
        pairs = trained.history.pair_counts(rank)
        self._left, self._right = pairs["left"].to_numpy(), pairs["right"].to_numpy()
        self._counts = pairs["count"].to_numpy()
        self._ids: dict[bytes, list[int]] = {}
        for token_id, token in trained.tokenizer.vocabulary.items():
            self._ids.setdefault(token, []).append(token_id)

    def standing(self, halves: Halves) -> Standing:
        """Return the standing of the pair with these bytes; if there are several, of the one that comes
        first."""
        left, right = (self._ids.get(half, []) for half in halves)
        places = np.flatnonzero(np.isin(self._left, left) & np.isin(self._right, right))
        if not len(places):
            return Standing()
        place = int(places[0])
        ids = int(self._left[place]), int(self._right[place])
        return Standing(int(self._counts[place]), place, ids)

    def leading(self) -> list[Halves]:
        """Return the pairs that share the highest count, and more up to the number to list."""
        tied = int((self._counts == self._counts[:1]).sum())
        shown = max(LEADING, min(tied, MOST_TIED))
        token = self._trained.tokenizer.token_bytes
        return [
            (token(int(left)), token(int(right)))
            for left, right in zip(self._left[:shown], self._right[:shown], strict=True)
        ]


def _reason(
    a: TrainingResult, b: TrainingResult, rank: int, of_a: Candidate | None, of_b: Candidate | None
) -> tuple[Reason, Behind | None, Spelled | None, Cut | None]:
    """Return the reason and what is behind it, from what both count."""
    if of_a is None or of_b is None:
        more = next(candidate for candidate in (of_a, of_b) if candidate)
        if more.a.count == more.b.count:
            return "stop", "frequency", None, None
        return "stop", *_difference(a, b, rank, more.halves)
    if of_a.a.count == of_b.a.count and of_a.b.count == of_b.b.count:
        if a.recipe.tie != b.recipe.tie:
            return "tie", "rules", None, None
        if a.recipe.tie == "smallest-ids":
            return "tie", "ids", None, None
        # the same rule sees the pairs in another order, so the texts differ before the first merge
        return "tie", *(_within(a, b, (0, len(a.text_bytes))) or _SAME_BYTES)
    counted_otherwise = of_a if of_a.a.count != of_a.b.count else of_b
    difference, spelled, cut = _difference(a, b, rank, counted_otherwise.halves)
    return difference, None, spelled, cut


Found = tuple[Difference, Spelled | None, Cut | None]
_SAME_BYTES: Found = ("same-bytes", None, None)


def _difference(a: TrainingResult, b: TrainingResult, rank: int, halves: Halves) -> Found:
    """Why a pair's counts differ. Looks at the first place where only one of the two has it: first inside the
    pair, then in the pre-tokens around it. If it is too long for only one of them, that is the reason."""
    if _is_too_long(a, halves) != _is_too_long(b, halves):
        return ("length", None, None)
    only_one = np.setxor1d(places(a, halves, rank), places(b, halves, rank))
    if not len(only_one):
        # the same places, but not of the same ids
        return _SAME_BYTES
    start = int(only_one[0])
    pair = start, _end(a.text_bytes, start, halves, end_of_word(a) or end_of_word(b))
    around = min(_pre_tokens(r, pair)[0] for r in (a, b)), max(_pre_tokens(r, pair)[1] for r in (a, b))
    return _within(a, b, pair) or _within(a, b, around) or _SAME_BYTES


def _is_too_long(run: TrainingResult, halves: Halves) -> bool:
    limit = run.recipe.length_limit
    return limit is not None and not limit.allows(b"".join(halves))


def _end(data: bytes, start: int, halves: Halves, end_of_word: bytes) -> int:
    """Where a pair ends in the text; the text does not hold the end-of-word mark."""
    spelled = b"".join(halves)
    if not data.startswith(spelled, start):
        spelled = spelled.removesuffix(end_of_word)
    return start + len(spelled)


def _pre_tokens(run: TrainingResult, span: Span) -> Span:
    """Return the span widened to whole pre-tokens."""
    before = np.flatnonzero(run.walls[: span[0]])
    after = np.flatnonzero(run.walls[span[1] - 1 :])
    return (int(before[-1]) + 1 if len(before) else 0), span[1] + int(after[0])


def _within(a: TrainingResult, b: TrainingResult, span: Span) -> Found | None:
    """Return what differs within a span of the text before the first merge; the pre-tokens come first."""
    start, end = span
    walls = np.flatnonzero(a.walls[start : end - 1] != b.walls[start : end - 1])
    if len(walls):
        return ("split", None, _pre_token_cut(a, b, start + int(walls[0])))
    spelled: dict[Spelled, npt.NDArray[np.bool_]] = {
        "special-token": (_in_special_tokens(a) != _in_special_tokens(b))[start:end],
        "characters": _differ(a, b, span, INSIDE),
        "dropped": _differ(a, b, span, SKIPPED),
    }
    if end_of_word(a) != end_of_word(b):
        spelled["end-of-word"] = (a if end_of_word(a) else b).walls[start:end]
    first = {how: int(np.argmax(differs)) for how, differs in spelled.items() if differs.any()}
    if first:
        how = min(first, key=first.__getitem__)
        place = start + first[how]
        if how == "special-token":
            low, high = _pre_tokens(a if _in_special_tokens(a)[place] else b, (place, place + 1))
            return ("base", how, Cut(low, high, _symbols(a, low, high), _symbols(b, low, high)))
        return ("base", how, _symbol_cut(a, b, place))
    # only one of the two may mark the end of a word there
    if end_of_word(a) and a.walls[end - 1] != b.walls[end - 1]:
        return ("split", None, _pre_token_cut(a, b, end - 1))
    return None


def _in_special_tokens(run: TrainingResult) -> npt.NDArray[np.bool_]:
    """Return whether each byte of the text is in a special token at which the training cut."""
    special = np.array([p in run.split.special_tokens for p in run.corpus.pre_tokens], np.bool_)
    sizes = np.array([len(p.encode("utf-8")) for p in run.corpus.pre_tokens], np.int64)
    return np.repeat(special[run.pre_tokens], sizes[run.pre_tokens])


def _differ(a: TrainingResult, b: TrainingResult, span: Span, kind: int) -> npt.NDArray[np.bool_]:
    here = slice(*span)
    differs: npt.NDArray[np.bool_] = (a.gap_ranks[here] == kind) != (b.gap_ranks[here] == kind)
    return differs


def _pre_token_cut(a: TrainingResult, b: TrainingResult, wall: int) -> Cut:
    """Return the text on both sides of a wall that only one of the two has after byte ``wall``."""
    finer = a if a.walls[wall] else b
    low, high = _pre_tokens(finer, (wall, min(wall + 2, len(finer.text_bytes))))
    start, end = _whole_characters(a.text_bytes, max(low, wall + 1 - AROUND), min(high, wall + 1 + AROUND))
    open_a, open_b = ((bool(start > 0 and not r.walls[start - 1]), not r.walls[end - 1]) for r in (a, b))
    return Cut(start, end, _pieces(a, start, end), _pieces(b, start, end), open_a, open_b)


def _symbol_cut(a: TrainingResult, b: TrainingResult, place: int) -> Cut:
    """Return the base symbols of the character that holds a byte, and of its neighbours."""
    start, end = _whole_characters(a.text_bytes, max(0, place - 2), min(len(a.text_bytes), place + 3))
    return Cut(start, end, _symbols(a, start, end), _symbols(b, start, end))


def _symbols(run: TrainingResult, start: int, end: int) -> tuple[bytes, ...]:
    """Return the symbols of some bytes; dropped bytes are in none."""
    skipped = run.gap_ranks == SKIPPED
    symbols: list[bytes] = []
    first = start
    for place in range(start, end):
        if skipped[place]:
            first = place + 1
        elif run.gap_ranks[place] != INSIDE:
            mark = end_of_word(run) if run.walls[place] else b""
            symbols.append(run.text_bytes[first : place + 1] + mark)
            first = place + 1
    return tuple(symbols)


def _pieces(run: TrainingResult, start: int, end: int) -> tuple[bytes, ...]:
    cuts = [start, *(start + 1 + np.flatnonzero(run.walls[start : end - 1])).tolist(), end]
    return tuple(run.text_bytes[left:right] for left, right in pairwise(cuts))


def _whole_characters(data: bytes, start: int, end: int) -> Span:
    """Return a span widened so that it begins and ends between characters."""
    while start > 0 and data[start] & 0xC0 == 0x80:
        start -= 1
    while end < len(data) and data[end] & 0xC0 == 0x80:
        end += 1
    return start, end
