"""compare_merges: a trainer's merges against the rules of a recipe on a text.

compare_merges([(b"t", b"h"), (b"th", b"e")], "the cat in the hat", "minbpe").sentence
->  Equal to minbpe: all 2 merges are the same.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, overload

from bpeviz.analysis.compare import compare_merges as merges_of_both
from bpeviz.core.whole_numbers import as_whole_number
from bpeviz.corpus.corpus import Corpus
from bpeviz.errors import TrainingSettingsError
from bpeviz.merge_check.explain import Watch, explain
from bpeviz.merge_check.reference import Halves, Rules
from bpeviz.merge_check.result import Cause, Impossible, MergeCheck, PairCount
from bpeviz.merge_check.texts import Texts
from bpeviz.text.special_tokens import listed_special_tokens
from bpeviz.text.split_patterns import SplitPattern
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.training.recipes import Recipe, get_recipe
from bpeviz.training.trainer import Trainer
from bpeviz.words import in_short

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["check_merges", "compare_merges"]

#: How much processor time a check may take; what it had no time for, it says.
SECONDS = 600.0


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
    at ``num_merges`` too, if their trainer was asked for so many and made fewer or more. ``split``,
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
    seconds: float = SECONDS,
) -> MergeCheck:
    """Return how far merges are those of a recipe, and why not further: see compare_merges. It takes about
    ``seconds`` of processor time at most."""
    theirs = _checked(merges)
    whose = get_recipe(recipe)
    special = whose.special_tokens if special_tokens is None else listed_special_tokens(special_tokens)
    fewest = _whole(min_frequency, "min_frequency")
    asked = _whole(num_merges, "num_merges")
    minimum = max(1, whose.min_frequency if fewest is None else fewest)
    rules = Rules(whose, whose.split_pattern(split, special), special, minimum)
    if not theirs:
        reason = "There are no merges to check. Give at least one."
        return MergeCheck("unchecked", whose.name, 0, 0, reason=reason)
    watch = Watch(seconds, on_progress)
    texts = Texts(_corpus(corpus))
    if texts.cut and split is None:
        rules = _as_cut(rules, texts.corpus)
    check = replace(_first_difference(texts, rules, theirs, asked, watch), asked=asked)
    if check.status != "different" or check.theirs is None or check.causes:
        return check
    causes, untried = explain(texts, rules, theirs, watch)
    ties = tuple(name for cause in causes if cause.kind == "tie" for name in cause.names[0])
    return replace(check, causes=causes, ties=ties if ties != ("unknown",) else (), untried=untried)


def _as_cut(rules: Rules, corpus: Corpus) -> Rules:
    """Return the rules with the pattern that has cut the corpus, perhaps not at special tokens."""
    cuts = rules.recipe.cuts_at_special_tokens and bool(corpus.split.special_tokens)
    return replace(rules, split=corpus.split, recipe=replace(rules.recipe, cuts_at_special_tokens=cuts))


def _whole(given: object, setting: str) -> int | None:
    """Return a number of merges or occurrences, None if none is given. Raises TrainingSettingsError."""
    number = None if given is None else as_whole_number(given)
    if given is not None and (number is None or number < 0):
        raise TrainingSettingsError(f"{setting} must be a whole number, not {in_short(repr(given))}.")
    return number


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
    if isinstance(half, str):
        return half.encode("utf-8", "surrogatepass")
    if isinstance(half, int) and not isinstance(half, bool):
        return str(half).encode()
    return half if isinstance(half, bytes) else None


# --- beside the recipe's own trainer ---------------------------------------------------------------------


def _trainer(texts: Texts, rules: Rules) -> Trainer:
    return Trainer(
        texts.corpus.cut_by(rules.split),
        rules.recipe,
        min_frequency=rules.minimum,
        special_tokens=rules.special_tokens,
    )


def _halves_of(trainer: Trainer, pair: tuple[int, int]) -> Halves:
    return trainer.token_bytes(pair[0]), trainer.token_bytes(pair[1])


def _first_difference(
    texts: Texts, rules: Rules, theirs: Sequence[Halves], asked: int | None, watch: Watch
) -> MergeCheck:
    """Return how many of their first merges the rule makes, and what both take then."""
    trainer = _trainer(texts, rules)
    name, given, same, last = rules.recipe.name, len(theirs), 0, 0
    while (step := trainer.step()) and same < given and _halves_of(trainer, step.pair) == theirs[same]:
        if not same % 256:
            watch.share = 0.1 * same / given
            watch.tell()
        same, last = same + 1, step.count
    if step is None and not same and not trainer.top_pairs(1):
        reason = "The text has no pair to merge. Give a longer text."
        return MergeCheck("unchecked", name, given, 0, reason=reason)
    if same == given and asked is not None and asked < given:
        what = f"Yours makes {given:,} merges, and {asked:,} were asked for."
        cause = Cause(("number-of-merges",), (("more",),), what, given)
        mine, _ = _their_merge(texts, rules, theirs, asked)
        return MergeCheck("different", name, given, asked, mine, causes=(cause,))
    if same == given and (asked in (None, given) or step is None):
        return MergeCheck("equal", name, given, given)
    rule = PairCount(_halves_of(trainer, step.pair), step.count) if step else None
    tied = step.tied if step else 0
    if same < given:
        mine, impossible = _their_merge(texts, rules, theirs, same)
        return MergeCheck("different", name, given, same, mine, rule, tied, impossible=impossible)
    causes: tuple[Cause, ...] = ()
    if rule is not None and last > rule.count:
        what = f"Yours stops at pairs that occur fewer than {rule.count + 1:,} times, and the rule doesn't."
        causes = (Cause(("minimum-frequency",), ((f"{rule.count + 1}",),), what, given),)
    return MergeCheck("different", name, given, same, None, rule, tied, causes=causes)


def _their_merge(
    texts: Texts, rules: Rules, theirs: Sequence[Halves], same: int
) -> tuple[PairCount, Impossible]:
    """Return their merge after the first ``same`` of the rule, with its right count, and why it can't be
    made there."""
    trainer = _trainer(texts, rules)
    for _ in range(same):
        trainer.step()
    halves = theirs[same]
    for pair, count in trainer.top_pairs(2**40):
        if _halves_of(trainer, pair) == halves:
            return PairCount(halves, count), ""
    no_token = not set(trainer.result().tokens).issuperset(halves)
    return PairCount(halves, 0), "no token" if no_token else "nowhere"
