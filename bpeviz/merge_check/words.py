"""The result of a check in sentences. Plain text: who shows it escapes it."""

from typing import TYPE_CHECKING

from bpeviz.merge_check.ties import TIES
from bpeviz.parity.difference import shown
from bpeviz.words import counted, how_often

if TYPE_CHECKING:
    from bpeviz.merge_check.check import MergeCheck, PairCount

__all__ = ["NO_CAUSE", "cause_sentences", "sentence"]

NO_CAUSE = "None of the mistakes that bpeviz knows explains your merges on this text."
#: How many tie rules are named.
MOST_TIES = 2


def sentence(check: "MergeCheck") -> str:
    """Return how far the merges are the rule's, and what both take at the first that differs."""
    if check.status == "unchecked":
        return check.reason
    if check.equal:
        return f"Equal to {check.recipe}: {_all_merges(check.merges)} the same."
    at = check.same + 1
    begin = (
        f"Equal to {check.recipe} up to merge {at:,}. There"
        if check.same
        else f"Different from {check.recipe} from the first merge on. There"
    )
    theirs = f"you merged {_pair(check.theirs)}" if check.theirs else "yours stops"
    rule = f"the rule takes {_pair(check.rule)}" if check.rule else "the rule stops"
    return f"{begin} {theirs}; {rule}{_tie(check)}.{_impossible(check)}"


def cause_sentences(check: "MergeCheck") -> str:
    """Return the causes, one after the other; empty if the merges are equal."""
    if check.status != "different":
        return ""
    if not check.causes:
        return NO_CAUSE
    first, *others = check.causes
    if not first.complete:
        how_far = f"This explains the first {first.merges:,} of your {counted(check.merges, 'merge')}."
        begin = f"No mistake explains all your merges. {how_far}"
    elif others:
        begin = "Each of these explains all your merges; this text can't tell them apart."
    else:
        begin = "This explains all your merges."
    return " ".join([begin, *(cause.sentence for cause in check.causes)])


def _all_merges(merges: int) -> str:
    return "the one merge is" if merges == 1 else f"all {merges:,} merges are"


def _pair(pair: "PairCount") -> str:
    return f"{shown(pair.halves)} ({how_often(pair.count)})"


def _tie(check: "MergeCheck") -> str:
    if not check.is_tie:
        return ""
    which = [TIES[name].which for name in check.ties[:MOST_TIES]]
    if not which:
        return ": a tie, and no tie rule that bpeviz knows takes yours"
    return f": a tie, and yours takes the one {' or the one '.join(which)}"


def _impossible(check: "MergeCheck") -> str:
    at = f"before merge {check.same + 1:,}"
    match check.impossible:
        case "no token":
            return f" Yours can't be made: one of its halves is no token {at}."
        case "nowhere":
            return f" Yours can't be made: the pair occurs nowhere {at}."
    return ""
