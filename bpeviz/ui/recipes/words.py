"""Why two recipes diverge, in words: markdown, with everything that comes from a text escaped."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from bpeviz.analysis.divergence import Candidate, Cut, Divergence
from bpeviz.analysis.pair_places import Halves, end_of_word
from bpeviz.core.base_vocabulary import ByteVocabulary
from bpeviz.text.token_text import isolated, shorten, visible
from bpeviz.text.utf8 import text_of
from bpeviz.training.result import TrainingResult
from bpeviz.ui.kit.pick_side import named_side
from bpeviz.ui.kit.words import escape
from bpeviz.words import counted, how_often

__all__ = ["REASON_WORDS", "cut_lines", "how_far_apart", "pair_text", "rules", "same_words", "sentence"]

TOKEN_CHARACTERS = 24

#: Short, for a cell of the chart and for the key of its colours.
REASON_WORDS: Mapping[str, str] = {
    "tie": "a tie",
    "split": "different pre-tokens",
    "base": "different base symbols",
    "same-bytes": "tokens with the same bytes",
    "length": "one recipe forbids the longer token",
    "stop": "one recipe stops earlier",
    "same": "no difference",
}


@dataclass(frozen=True, eq=False)
class _Party:
    """One of two recipes, on its side: the left one is ``a`` of a divergence, the right one ``b``."""

    slot: str
    run: TrainingResult

    @property
    def name(self) -> str:
        return named_side(self.slot, self.run.recipe.name)


def same_words(same: int) -> str:
    """How many first merges two share."""
    match same:
        case 0:
            return "They differ from the start."
        case 1:
            return "Both make the same first merge."
    return f"Both make the same {same:,} merges."


def sentence(divergence: Divergence | None, a: TrainingResult, b: TrainingResult) -> str:
    """Return what both do at the first merge that differs, and why."""
    left, right = _Party("left", a), _Party("right", b)
    if divergence is None:
        if not a.steps:
            return "Neither recipe finds a pair to merge in this text. Use a longer text."
        return f"{same_words(len(a.steps))} On this text the two recipes give the same result."
    begins = same_words(divergence.rank)
    if divergence.a is None or divergence.b is None:
        return f"{begins} {_stop(divergence, left, right)}"
    of_a, of_b = divergence.a, divergence.b
    takes = (
        f"At merge {divergence.rank + 1:,}, {left.name} takes {_pair(of_a.halves)}, and {right.name} takes "
        f"{_pair(of_b.halves)}."
    )
    if divergence.reason == "tie":
        return f"{begins} {takes} {_tie(divergence, of_a, of_b, left, right)}"
    in_b = f"{_often(of_a.b.count)} and {_often(of_b.b.count)}"
    if of_a.b.count == of_b.b.count:
        in_b = f"both {_often(of_a.b.count)}"
    counts = (
        f"{left.name} counts {_pair(of_a.halves)} {_often(of_a.a.count)} and {_pair(of_b.halves)} "
        f"{_often(of_b.a.count)}. {right.name} counts them {in_b}."
    )
    return f"{begins} {takes} {counts} {_difference(divergence, left, right)}"


def _tie(divergence: Divergence, of_a: Candidate, of_b: Candidate, left: _Party, right: _Party) -> str:
    a, b = left.run, right.run
    if of_a.a.count == of_a.b.count:
        tied = f"It is a tie: both pairs occur {_often(of_a.a.count)}."
    else:
        tied = (
            f"It is a tie: both pairs occur {_often(of_a.a.count)} in {left.name}, "
            f"{_often(of_a.b.count)} in {right.name}."
        )
    if divergence.behind == "rules":
        return (
            f"{tied} {left.name} takes {a.recipe.tie_sentence}. {right.name} takes {b.recipe.tie_sentence}."
        )
    rule = f"{tied} Both recipes take {a.recipe.tie_sentence}."
    if divergence.behind == "ids":
        return (
            f"{rule} But their base vocabularies have different ids. In {left.name}, {_pair(of_a.halves)} "
            f"has ids {_ids(of_a.a.ids)} and {_pair(of_b.halves)} {_ids(of_b.a.ids)}. In {right.name}, they "
            f"have {_ids(of_a.b.ids)} and {_ids(of_b.b.ids)}."
        )
    return f"{rule} But the pairs come in a different order in each. {_difference(divergence, left, right)}"


def _stop(divergence: Divergence, left: _Party, right: _Party) -> str:
    stops, goes_on = (left, right) if divergence.a is None else (right, left)
    more = divergence.a or divergence.b
    if more is None:
        return ""
    here, there = (more.b, more.a) if divergence.a is None else (more.a, more.b)
    why = f"{stops.name} stops: {escape(_lowered(stops.run.stop_reason))}"
    if divergence.behind == "frequency":
        return f"{why} {goes_on.name} makes {_pair(more.halves)}, which occurs {_often(here.count)} in both."
    return (
        f"{why} {goes_on.name} makes {_pair(more.halves)}, which it counts {_often(here.count)}. "
        f"{stops.name} counts it {_often(there.count)}. {_difference(divergence, left, right)}"
    )


def _lowered(reason: str) -> str:
    """Return a sentence to follow a colon."""
    return reason[:1].lower() + reason[1:]


def _difference(divergence: Divergence, left: _Party, right: _Party) -> str:
    """How the two differ before they merge anything."""
    a, b = left.run, right.run
    match divergence.difference:
        case "split":
            return (
                f"They split the text into different pre-tokens: {left.name} {_cuts(a)}, {right.name} "
                f"{_cuts(b)}. No merge crosses from one pre-token into the next."
            )
        case "same-bytes":
            one, several = (left, right) if a.recipe.merges_alike else (right, left)
            return f"Tokens of the same bytes are one token in {one.name} and several in {several.name}."
        case "length":
            one, other = (left, right) if _stops_earlier(a, b) else (right, left)
            limit = (a if one is left else b).recipe.length_limit
            return f"{one.name} makes no token longer than {limit}; {other.name} does."
        case "base":
            return _symbols(divergence, left, right)
    return ""


def _stops_earlier(a: TrainingResult, b: TrainingResult) -> bool:
    """Return whether the tokens of the first run may be less long."""
    lengths = [limit.longest if (limit := run.recipe.length_limit) else sys.maxsize for run in (a, b)]
    return lengths[0] <= lengths[1]


def _cuts(run: TrainingResult) -> str:
    ways = [] if run.split.regex is None else [f"by the pattern {escape(run.split.name)}"]
    if run.split.special_tokens:
        ways.append("at special tokens")
    return " and ".join(ways) or "not at all"


def _symbols(divergence: Divergence, left: _Party, right: _Party) -> str:
    match divergence.spelled:
        case "special-token":
            one, other = (left, right) if left.run.split.special_tokens else (right, left)
            return f"{one.name} takes each special token whole, so it is in no pair; {other.name} doesn't."
        case "characters":
            bytewise = isinstance(left.run.base, ByteVocabulary)
            of_bytes, of_characters = (left, right) if bytewise else (right, left)
            return (
                f"Before any merge, {of_bytes.name} has bytes and {of_characters.name} has whole characters."
            )
        case "end-of-word":
            marks, other = (left, right) if end_of_word(left.run) else (right, left)
            mark = escape(end_of_word(marks.run).decode("utf-8"))
            return (
                f"{marks.name} adds {mark} to the last character of a word, so that it is another symbol "
                f"there. {other.name} doesn't."
            )
    cut = divergence.cut
    drops, keeps = (left, right) if cut and sum(map(len, cut.a)) < sum(map(len, cut.b)) else (right, left)
    return f"{drops.name} leaves white space out; {keeps.name} keeps it."


def how_far_apart(table: pd.DataFrame, a: TrainingResult, b: TrainingResult) -> str:
    """How many of the aligned merges both make, and how many of these at the same rank."""
    shared = table["a_in_b"].dropna()
    in_place = int((shared == shared.index).sum())
    only = [len(run.steps) - len(shared) for run in (a, b)]
    names = _Party("left", a).name, _Party("right", b).name
    return (
        f"Both make {counted(len(shared), 'merge')}, {in_place:,} of them at the same place. "
        f"Only {names[0]}: {counted(only[0], 'merge')}. Only {names[1]}: {counted(only[1], 'merge')}."
    )


def cut_lines(cut: Cut, a: TrainingResult, b: TrainingResult) -> str:
    """Return a line for each: the same stretch of text, cut by both. Plain text."""
    names = [shorten(run.recipe.name, TOKEN_CHARACTERS) for run in (a, b)]
    width = max(map(len, names))
    lines = []
    for name, pieces, (before, after) in zip(names, (cut.a, cut.b), (cut.open_a, cut.open_b), strict=True):
        shown = " │ ".join(visible(piece) for piece in pieces) or "(nothing)"
        lines.append(f"{name:{width}}  {'…' if before else ''}{shown}{'…' if after else ''}")
    return "\n".join(lines)


def rules(a: TrainingResult, b: TrainingResult) -> list[tuple[str, str, str]]:
    """Return the rules of both: name, rule of ``a``, rule of ``b``. Plain text."""
    return [(name, of_a, of_b) for (name, of_a), (_, of_b) in zip(_rules(a), _rules(b), strict=True)]


def _rules(run: TrainingResult) -> Sequence[tuple[str, str]]:
    recipe, longest = run.recipe, run.recipe.length_limit
    lowest = (
        "no pair is left" if recipe.min_frequency == 1 else f"no pair occurs {recipe.min_frequency} times"
    )
    return (
        ("Split pattern", run.split.name),
        ("Base vocabulary", recipe.base_words),
        ("If counts tie", f"the pair {recipe.tie_words.which}"),
        ("Tokens of the same bytes", "one token" if recipe.merges_alike else "several tokens"),
        ("Longest token", "no limit" if longest is None else str(longest)),
        ("Stops if", lowest),
    )


def pair_text(halves: Halves) -> str:
    """Return a pair as people can read it, with the text that parts of characters make. Plain text."""
    shown = " + ".join(isolated(visible(half, TOKEN_CHARACTERS)) for half in halves)
    whole = b"".join(halves)
    if text_of(whole) is not None and None in map(text_of, halves):
        return f"{shown} → {isolated(visible(whole, TOKEN_CHARACTERS))}"
    return shown


def _pair(halves: Halves) -> str:
    unbroken = escape(pair_text(halves)).replace(" ", "\u00a0")
    return f"**{unbroken}**"


def _ids(ids: tuple[int, int] | None) -> str:
    return "none" if ids is None else f"{ids[0]} + {ids[1]}"


def _often(count: int) -> str:
    return "twice" if count == 2 else how_often(count, zero="never")
