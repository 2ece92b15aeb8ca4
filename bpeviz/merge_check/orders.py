"""Orders: the right merges, but not as they are made."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from bpeviz.merge_check.changes import Change, tie_change
from bpeviz.merge_check.rules import Halves, Rules, Texts, made_by
from bpeviz.merge_check.ties import TIES

__all__ = ["other_order", "sorted_order"]

_LEAD = "Your merges are the right ones in another order than they are made"


@dataclass(frozen=True)
class _Order:
    """An order that has a name: its ``words``, and what puts merges in it."""

    words: str
    put: Callable[[list[Halves]], list[Halves]]


_ORDERS: Mapping[str, _Order] = {
    "alphabet": _Order("sorted by the alphabet", sorted),
    "alphabet-reversed": _Order(
        "sorted by the alphabet, last first", lambda merges: sorted(merges, reverse=True)
    ),
    "token": _Order("sorted by the token that they make", lambda merges: sorted(merges, key=b"".join)),
    "length": _Order(
        "sorted by the length of their token", lambda merges: sorted(merges, key=lambda m: len(b"".join(m)))
    ),
    "length-reversed": _Order(
        "sorted by the length of their token, longest first",
        lambda merges: sorted(merges, key=lambda m: -len(b"".join(m))),
    ),
}


def sorted_order(texts: Texts, rules: Rules, theirs: Sequence[Halves]) -> tuple[Change, ...]:
    """Return the mistake if they are the first merges of the rule, or of another tie rule, in an order that
    has a name; else nothing."""
    given = list(theirs)
    named = [(name, order) for name, order in _ORDERS.items() if given == order.put(given)]
    if len(given) < 2 or not named:
        return ()
    name, order = named[0]
    for tie in dict.fromkeys((rules.recipe.tie, *TIES)):
        if Counter(made_by(texts, rules, tie, len(given))) == Counter(given):
            other = () if tie == rules.recipe.tie else (tie_change(tie),)
            return Change("order", name, f"{_LEAD}: {order.words}"), *other
    return ()


def other_order(texts: Texts, rules: Rules, theirs: Sequence[Halves]) -> tuple[Change, ...]:
    """Return the mistake if they are the first merges of the rule in any other order; else nothing."""
    made = made_by(texts, rules, rules.recipe.tie, len(theirs))
    if made[::-1] == list(theirs):
        return (Change("order", "reversed", f"{_LEAD}: the last one comes first"),)
    if Counter(made) == Counter(theirs):
        return (Change("order", "other", _LEAD),)
    return ()
