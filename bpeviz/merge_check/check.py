"""compare_merges: a trainer's merges against the rules of a recipe on a text.

compare_merges([(b"t", b"h"), (b"th", b"e")], "the cat in the hat", "minbpe").sentence
->  Equal to minbpe: all 2 merges are the same.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, overload

from bpeviz.analysis.compare import compare_merges as merges_of_both
from bpeviz.corpus.corpus import Corpus
from bpeviz.errors import TrainingSettingsError
from bpeviz.merge_check.causes import Cause
from bpeviz.merge_check.result import Impossible, MergeCheck, PairCount
from bpeviz.merge_check.rules import Halves, Rules, Texts, walk
from bpeviz.merge_check.search import find_causes
from bpeviz.merge_check.tally import Leader, Tally
from bpeviz.merge_check.ties import TIES
from bpeviz.text.special_tokens import listed_special_tokens
from bpeviz.text.split_patterns import SplitPattern
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.training.recipes import Recipe, get_recipe
from bpeviz.words import in_short

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["check_merges", "compare_merges"]

#: The share of the progress that is the walk beside the rule.
FIRST_WALK = 0.2


@overload
def compare_merges(a: Tokenizer, b: Tokenizer) -> "pd.DataFrame": ...


@overload
def compare_merges(
    merges: Iterable[Any],
    corpus: Corpus | str | Sequence[str],
    recipe: str | Recipe = ...,
    *,
    split: str | SplitPattern | None = ...,
    num_merges: int | None = ...,
    min_frequency: int | None = ...,
    special_tokens: Sequence[str] | None = ...,
    on_progress: Callable[[float], object] = ...,
) -> MergeCheck: ...


def compare_merges(*given: Any, **named: Any) -> "MergeCheck | pd.DataFrame":
    """Compare the merges of a person's trainer with the rule of a recipe on a text, or those of two
    tokenizers.

        compare_merges(merges, text, "cs336")      ->  a MergeCheck
        compare_merges(tokenizer, other)           ->  a table of the merges of both

    ``merges`` are pairs of bytes, in the order in which they were made; ``corpus`` is a text, several, or a
    Corpus. Only a corpus that isn't cut yet can show mistakes of the split pattern. The first difference is
    at ``num_merges`` too, if their trainer was asked for so many and made fewer. ``split``,
    ``min_frequency`` and ``special_tokens`` replace the recipe's own. ``on_progress`` gets the share done, up
    to 1, and may raise to stop.

    Raises TrainingSettingsError, CorpusError and SplitPatternError; with tokenizers TokenizerError.
    """
    if named.keys() & {"a", "b"} or any(isinstance(value, Tokenizer) for value in given[:2]):
        return merges_of_both(*given, **named)
    return check_merges(*given, **named)


def check_merges(
    merges: Iterable[Any],
    corpus: Corpus | str | Sequence[str],
    recipe: str | Recipe = "huggingface",
    *,
    split: str | SplitPattern | None = None,
    num_merges: int | None = None,
    min_frequency: int | None = None,
    special_tokens: Sequence[str] | None = None,
    on_progress: Callable[[float], object] = lambda _: None,
) -> MergeCheck:
    """Return how far merges are those of a recipe, and why not further: see compare_merges."""
    theirs = _checked(merges)
    whose = get_recipe(recipe)
    special = whose.special_tokens if special_tokens is None else listed_special_tokens(special_tokens)
    rules = Rules(
        whose,
        whose.split_pattern(split, special),
        special,
        whose.min_frequency if min_frequency is None else min_frequency,
    )
    if not theirs:
        reason = "There are no merges to check. Give at least one."
        return MergeCheck("unchecked", whose.name, 0, 0, reason=reason)
    texts = Texts(_corpus(corpus))
    if texts.cut and split is None:
        rules = _as_cut(rules, texts)
    tally = texts.tally(rules)
    if not tally.counts:
        reason = "The text has no pair to merge. Give a longer text."
        return MergeCheck("unchecked", whose.name, len(theirs), 0, reason=reason)
    same = walk(tally, theirs, [whose.tie], _share(on_progress, len(theirs), 0, FIRST_WALK))[whose.tie]
    if same == len(theirs):
        return _equal_so_far(tally, rules, theirs, num_merges)
    causes = find_causes(
        texts, rules, theirs, same, lambda share: on_progress(FIRST_WALK + (1 - FIRST_WALK) * share)
    )
    ties = walk(texts.tally(rules), theirs, TIES)
    furthest = max(ties.values())
    return MergeCheck(
        "different",
        whose.name,
        len(theirs),
        same,
        *_both(tally, whose, theirs[same]),
        ties=tuple(name for name, merges in ties.items() if merges == furthest > same),
        impossible=_why_impossible(tally, theirs[same]),
        causes=causes,
    )


def _as_cut(rules: Rules, texts: Texts) -> Rules:
    """Return the rules with the pattern that has cut the corpus."""
    return replace(rules, split=texts.split)


def _share(
    on_progress: Callable[[float], object], merges: int, begin: float, end: float
) -> Callable[[int], object]:
    def tell(rank: int) -> None:
        if not rank % 256:
            on_progress(begin + (end - begin) * rank / merges)

    return tell


def _corpus(given: Corpus | str | Sequence[str]) -> Corpus:
    if isinstance(given, Corpus):
        return given
    return Corpus.from_text(given) if isinstance(given, str) else Corpus.from_texts(given)


def _checked(merges: Iterable[Any]) -> list[Halves]:
    """Return the merges as pairs of bytes; ids as their digits. Raises TrainingSettingsError."""
    if isinstance(merges, str | bytes) or not isinstance(merges, Iterable):
        raise TrainingSettingsError(
            f"merges takes pairs of bytes, such as [(b't', b'h'), …], not {type(merges).__name__}."
        )
    return [_halves(rank, merge) for rank, merge in enumerate(merges, 1)]


def _halves(rank: int, merge: object) -> Halves:
    if isinstance(merge, tuple | list) and len(merge) == 2:
        left, right = map(_half, merge)
        if left is not None and right is not None:
            return left, right
    raise TrainingSettingsError(
        f"Merge {rank:,} is {in_short(repr(merge))}, not a pair of bytes. Give pairs such as (b't', b'h')."
    )


def _half(half: object) -> bytes | None:
    match half:
        case bytes():
            return half
        case str():
            return half.encode("utf-8", "surrogatepass")
        case bool():
            return None
        case int():
            return str(half).encode()
    return None


def _equal_so_far(tally: Tally, rules: Rules, theirs: Sequence[Halves], num_merges: int | None) -> MergeCheck:
    """Return the result of merges that are all the rule's. If fewer were made than asked for, and the rule
    makes more, they stop too early."""
    name, merges = rules.recipe.name, len(theirs)
    if num_merges is None or merges >= num_merges or not tally.leaders:
        return MergeCheck("equal", name, merges, merges)
    _, rule, tied = _both(tally, rules.recipe, None)
    causes: tuple[Cause, ...] = ()
    if rule is not None and tally.last_count > rule.count:
        what = f"Yours stops at pairs that occur fewer than {rule.count + 1:,} times, and the rule doesn't."
        causes = (Cause(("minimum-frequency",), ((f"{rule.count + 1}",),), what, merges, complete=True),)
    return MergeCheck("different", name, merges, merges, None, rule, tied, causes=causes)


def _both(
    tally: Tally, recipe: Recipe, halves: Halves | None
) -> tuple[PairCount | None, PairCount | None, int]:
    """Return what they take, what the rule takes, and how many pairs have the count of that."""
    theirs = None
    if halves is not None:
        theirs = PairCount(halves, max((tally.counts.get(p, 0) for p in tally.pairs_of(halves)), default=0))
    if not (leaders := tally.leaders):
        return theirs, None, 0
    rule = PairCount(tally.halves(Leader(TIES[recipe.tie]).of(tally)), tally.height)
    return theirs, rule, len(leaders)


def _why_impossible(tally: Tally, halves: Halves) -> Impossible:
    if not all(map(tally.is_token, halves)):
        return "no token"
    return "" if any(pair in tally.counts for pair in tally.pairs_of(halves)) else "nowhere"
