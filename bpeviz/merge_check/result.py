"""MergeCheck: the result of a check, and its sentences. They are plain text: who shows them escapes them."""

from dataclasses import dataclass
from typing import Literal

from bpeviz.merge_check.reference import Halves
from bpeviz.parity.difference import shown
from bpeviz.words import counted, how_often

__all__ = ["NO_CAUSE", "Cause", "Impossible", "MergeCheck", "PairCount", "Status"]

Status = Literal["equal", "different", "unchecked"]
#: Why a merge can't be made: a half is no token yet, or the pair is nowhere in the text.
Impossible = Literal["", "no token", "nowhere"]

_IMPOSSIBLE = {"no token": "one of its halves is no token", "nowhere": "the pair occurs nowhere"}
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

    kinds: tuple[str, ...]
    names: tuple[tuple[str, ...], ...]
    sentence: str
    merges: int
    complete: bool = True

    @property
    def kind(self) -> str:
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
        """The result in a few sentences, without the causes: how far the merges are the rule's, and what both
        take at the first that differs."""
        if self.status == "unchecked":
            return self.reason
        if self.equal:
            what = "the one merge is" if self.merges == 1 else f"all {self.merges:,} merges are"
            return f"Equal to {self.recipe}: {what} the same."
        at = f"merge {self.same + 1:,}"
        theirs = f"you merged {_pair(self.theirs)}" if self.theirs else "yours stops"
        rule = f"the rule takes {_pair(self.rule)}" if self.rule else "the rule stops"
        said = f"{_begin(self.same)} At {at} {theirs}; {rule}{': a tie' if self.is_tie else ''}."
        if self.impossible:
            said += f" Yours can't be made: {_IMPOSSIBLE[self.impossible]} before {at}."
        if self.asked is not None and self.merges > self.asked:
            said += f" You gave {counted(self.merges, 'merge')}, and asked for {self.asked:,}."
        return said

    @property
    def cause(self) -> str:
        """The causes in sentences; empty if the merges are equal."""
        return " ".join(self.cause_lines)

    @property
    def cause_lines(self) -> tuple[str, ...]:
        """The cause and that it explains the merges; or a heading and each of several causes. Last, what
        there was no time for."""
        if self.status != "different":
            return ()
        causes = [cause.sentence for cause in self.causes]
        if not causes:
            lines = ["No mistake that was tried explains it." if self.untried else NO_CAUSE]
        elif len(causes) == 1:
            lines = [*causes, "This explains all your merges."]
        else:
            head = "Each of these explains all your merges. This text can't tell them apart:"
            lines = [head, *causes]
        if self.untried:
            untried = ", ".join(self.untried)
            lines.append(f"There was no time to try: {untried}. Give fewer merges or a shorter text.")
        return tuple(lines)


def _begin(same: int) -> str:
    match same:
        case 0:
            return "The merges differ from the start."
        case 1:
            return "The first merge is equal."
    return f"The first {same:,} merges are equal."


def _pair(pair: PairCount) -> str:
    return f"{shown(pair.halves)} ({how_often(pair.count)})"
