"""MergeCheck: the result of a check, and its sentences. They are plain text: who shows them escapes them."""

from dataclasses import dataclass
from typing import Literal

from bpeviz.merge_check.reference import Halves
from bpeviz.merge_check.variation import Kind
from bpeviz.parity.difference import shown
from bpeviz.words import counted, how_often

__all__ = ["NO_CAUSE", "Cause", "Impossible", "MergeCheck", "PairCount", "Status"]

Status = Literal["equal", "different", "unchecked"]
#: Why a merge can't be made: a half is no token yet, or the pair is nowhere in the text.
Impossible = Literal["", "no token", "nowhere"]

NO_CAUSE = "No single known mistake explains it."


@dataclass(frozen=True)
class Cause:
    """A mistake that gives all of their merges.

    - ``kinds``: its kind: "tie", "overlaps", "set", "loop", "stale", "walls", "text", "special-tokens", …;
    - ``names``: those of the kind that fit, such as ("first-seen", "smallest-ids"): this text can't tell
      them apart. The name "unknown" is for a tie rule that bpeviz doesn't know;
    - ``sentence``: what their trainer does;
    - ``merges``: how many of their merges it gives, which is all; ``complete`` is always true.
    """

    kinds: tuple[Kind, ...]
    names: tuple[tuple[str, ...], ...]
    sentence: str
    merges: int
    complete: bool

    @property
    def kind(self) -> Kind:
        """The kind of the mistake."""
        return self.kinds[0]


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
    - ``tied``: how many pairs have the rule's count there; ``ties``: the tie rules that give all their
      merges, if only ties differ;
    - ``impossible``: why their merge can't be made in this text: "no token" if a half is no token yet,
      "nowhere" if the pair doesn't occur; else empty;
    - ``causes``: the mistakes that give all of their merges;
    - ``asked``: how many merges were asked for, if known;
    - ``untried``: what there was no time to try.
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
    asked: int | None = None
    untried: tuple[str, ...] = ()

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
        """The cause and how far it explains the merges; or a heading and each of several causes. Last, what
        there was no time for."""
        return _causes(self)


def _sentence(check: MergeCheck) -> str:
    """Return how far the merges are the rule's, and what both take at the first that differs."""
    if check.status == "unchecked":
        return check.reason
    if check.equal:
        return f"Equal to {check.recipe}: {_all_merges(check.merges)} the same."
    theirs = f"you merged {_pair(check.theirs)}" if check.theirs else "yours stops"
    rule = f"the rule takes {_pair(check.rule)}" if check.rule else "the rule stops"
    tie = ": a tie" if check.is_tie else ""
    more = ""
    if check.asked is not None and check.merges > check.asked:
        more = f" You gave {counted(check.merges, 'merge')}, and asked for {check.asked:,}."
    return (
        f"{_begin(check.same)} At merge {check.same + 1:,} {theirs}; {rule}{tie}.{_impossible(check)}{more}"
    )


def _begin(same: int) -> str:
    match same:
        case 0:
            return "The merges differ from the start."
        case 1:
            return "The first merge is equal."
    return f"The first {same:,} merges are equal."


def _causes(check: MergeCheck) -> tuple[str, ...]:
    if check.status != "different":
        return ()
    no_time: tuple[str, ...] = ()
    if check.untried:
        no_time = (
            f"There was no time to try: {', '.join(check.untried)}. Give fewer merges or a shorter text.",
        )
    if not check.causes:
        return (NO_CAUSE if not no_time else "No mistake that was tried explains it.", *no_time)
    first, *others = check.causes
    if not others:
        return first.sentence, "This explains all your merges.", *no_time
    head = "Each of these explains all your merges. This text can't tell them apart:"
    return head, *(cause.sentence for cause in check.causes), *no_time


def _all_merges(merges: int) -> str:
    return "the one merge is" if merges == 1 else f"all {merges:,} merges are"


def _pair(pair: PairCount) -> str:
    return f"{shown(pair.halves)} ({how_often(pair.count)})"


def _impossible(check: MergeCheck) -> str:
    at = f"before merge {check.same + 1:,}"
    match check.impossible:
        case "no token":
            return f" Yours can't be made: one of its halves is no token {at}."
        case "nowhere":
            return f" Yours can't be made: the pair occurs nowhere {at}."
    return ""
