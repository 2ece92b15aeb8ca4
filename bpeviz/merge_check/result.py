"""MergeCheck: the result of a check, and its sentences. They are plain text: who shows them escapes them."""

from dataclasses import dataclass
from typing import Literal

from bpeviz.merge_check.causes import Cause
from bpeviz.merge_check.rules import Halves
from bpeviz.merge_check.ties import TIES
from bpeviz.parity.difference import shown
from bpeviz.words import counted, how_often

__all__ = ["NO_CAUSE", "Impossible", "MergeCheck", "PairCount"]

Status = Literal["equal", "different", "unchecked"]
#: Why a merge can't be made: a half is no token yet, or the pair is nowhere in the text.
Impossible = Literal["", "no token", "nowhere"]

NO_CAUSE = "None of the mistakes that bpeviz knows explains your merges on this text."
#: How many tie rules are named.
MOST_TIES = 2


@dataclass(frozen=True)
class PairCount:
    """The bytes of both halves of a pair, and how often it occurs."""

    halves: Halves
    count: int


@dataclass(frozen=True)
class MergeCheck:
    """The result of a check.

    - ``status``: "equal", "different", or "unchecked" if there was nothing to compare; then ``reason`` says
      why;
    - ``recipe``: whose rule; ``merges``: how many merges were given; ``same``: how many are the rule's before
      the first that differs, or in all;
    - ``theirs``, ``rule``: what each takes there, with its right count; None if one of them stops there;
    - ``tied``: how many pairs have the rule's count there; ``ties``: the tie rules that their merges follow
      furthest, if both pairs have the same count;
    - ``impossible``: why their merge can't be made in this text: "no token" if a half is no token yet,
      "nowhere" if the pair doesn't occur; else empty;
    - ``causes``: the mistakes that explain all of their merges, or clearly more than the rule.
    """

    status: Status
    recipe: str
    merges: int
    same: int
    theirs: PairCount | None = None
    rule: PairCount | None = None
    tied: int = 0
    ties: tuple[str, ...] = ()
    impossible: Impossible = ""
    causes: tuple[Cause, ...] = ()
    reason: str = ""

    @property
    def equal(self) -> bool:
        return self.status == "equal"

    @property
    def is_tie(self) -> bool:
        """Whether both take a pair of the same count where they differ."""
        return self.theirs is not None and self.rule is not None and self.theirs.count == self.rule.count

    @property
    def sentence(self) -> str:
        """The result in a few sentences, without the causes."""
        return _sentence(self)

    @property
    def cause(self) -> str:
        """The causes in sentences; empty if the merges are equal."""
        return " ".join(self.cause_lines)

    @property
    def cause_lines(self) -> tuple[str, ...]:
        """The cause and how far it explains the merges; or a heading and each of several causes."""
        return _causes(self)


def _sentence(check: MergeCheck) -> str:
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


def _causes(check: MergeCheck) -> tuple[str, ...]:
    if check.status != "different":
        return ()
    if not check.causes:
        return (NO_CAUSE,)
    first, *others = check.causes
    explains = "all your merges" if first.complete else _most_of(first.merges, check.merges)
    if not others:
        return first.sentence, f"This explains {explains}."
    head = f"Each of these explains {explains}. This text can't tell them apart:"
    return head, *(cause.sentence for cause in check.causes)


def _most_of(explained: int, merges: int) -> str:
    return f"the first {explained:,} of your {counted(merges, 'merge')}, and no mistake explains all"


def _all_merges(merges: int) -> str:
    return "the one merge is" if merges == 1 else f"all {merges:,} merges are"


def _pair(pair: PairCount) -> str:
    return f"{shown(pair.halves)} ({how_often(pair.count)})"


def _tie(check: MergeCheck) -> str:
    if not check.is_tie:
        return ""
    which = [TIES[name].which for name in check.ties[:MOST_TIES]]
    if not which:
        return ": a tie, and no tie rule that bpeviz knows takes yours"
    return f": a tie, and yours takes the one {' or the one '.join(which)}"


def _impossible(check: MergeCheck) -> str:
    at = f"before merge {check.same + 1:,}"
    match check.impossible:
        case "no token":
            return f" Yours can't be made: one of its halves is no token {at}."
        case "nowhere":
            return f" Yours can't be made: the pair occurs nowhere {at}."
    return ""
