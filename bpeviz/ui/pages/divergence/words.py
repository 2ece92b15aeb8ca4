"""Why two recipes diverge, in words: markdown, with everything that comes from a text escaped."""

import sys
import unicodedata
from collections.abc import Mapping, Sequence

import pandas as pd

from bpeviz.analysis.divergence import Candidate, Cut, Divergence
from bpeviz.analysis.pair_places import Halves, end_of_word
from bpeviz.core.base_vocabulary import ByteVocabulary
from bpeviz.core.ties import TieRule
from bpeviz.text.token_text import shorten, visible
from bpeviz.training.recipes import BaseRule
from bpeviz.training.result import TrainingResult
from bpeviz.ui.widgets.markdown import escape

__all__ = ["REASON_WORDS", "cut_lines", "how_far_apart", "pair_text", "rules", "same_words", "sentence"]

TOKEN_CHARACTERS = 24

#: Short, for a cell of the chart and for the key of its colours.
REASON_WORDS: Mapping[str, str] = {
    "tie": "a tie",
    "split": "other pre-tokens",
    "base": "other base symbols",
    "same-bytes": "tokens spelled alike",
    "length": "too long a token for one",
    "stop": "one stops",
    "same": "the same to the end",
}
_BASES: Mapping[BaseRule, str] = {
    "bytes-by-value": "256 bytes, numbered by their value",
    "bytes-by-gpt2-character": "256 bytes, numbered by their GPT-2 character: the space comes after ~",
    "occurring-bytes": "the bytes that occur, numbered by their GPT-2 character",
    "latin1-characters": "characters, U+0000 to U+00FF first; a leading space is dropped",
    "word-characters": "characters, </w> fused to a word’s last; space between words is dropped",
    "occurring-characters": "the characters that occur, ▁ for a space; line ends are dropped",
}
_TIES: Mapping[TieRule, str] = {
    "first-seen": "the pair seen first in the text",
    "smallest-ids": "the pair with the smallest ids",
    "greatest-tokens": "the pair that comes last in the alphabet",
    "shortest-token": "the pair that makes the shortest token, of these the first in the alphabet",
}


def same_words(same: int) -> str:
    """How many first merges two share."""
    match same:
        case 0:
            return "They part at the first merge."
        case 1:
            return "Both make the same first merge."
    return f"Both make the same {same:,} merges."


def sentence(divergence: Divergence | None, a: TrainingResult, b: TrainingResult) -> str:
    """What both do at the first merge that differs, and why."""
    if divergence is None:
        if not a.steps:
            return "Neither finds a pair to merge in this text."
        return f"{same_words(len(a.steps))} On this text the two recipes come to the same."
    begins = same_words(divergence.rank)
    if divergence.a is None or divergence.b is None:
        return f"{begins} {_stop(divergence, a, b)}"
    of_a, of_b = divergence.a, divergence.b
    takes = (
        f"As merge {divergence.rank + 1:,}, {_name(a)} takes {_pair(of_a.halves)} and {_name(b)} takes "
        f"{_pair(of_b.halves)}: "
    )
    if divergence.reason == "tie":
        return f"{begins} {takes}{_tie(divergence, of_a, of_b, a, b)}"
    in_b = f"them {_times(of_a.b.count)} and {_times(of_b.b.count)}"
    if of_a.b.count == of_b.b.count:
        in_b = f"both {_times(of_a.b.count)}"
    counts = (
        f"{_name(a)} counts {_pair(of_a.halves)} {_times(of_a.a.count)} and {_pair(of_b.halves)} "
        f"{_times(of_b.a.count)}, {_name(b)} {in_b}."
    )
    return f"{begins} {takes}{counts} {_difference(divergence, a, b)}"


def _tie(
    divergence: Divergence, of_a: Candidate, of_b: Candidate, a: TrainingResult, b: TrainingResult
) -> str:
    if of_a.a.count == of_a.b.count:
        tied = f"both occur {_times(of_a.a.count)}"
    else:
        tied = f"both occur {_times(of_a.a.count)} in {_name(a)} and {_times(of_a.b.count)} in {_name(b)}"
    if divergence.behind == "rules":
        return f"{tied}; {_name(a)} takes {a.recipe.tie_sentence}, {_name(b)} {b.recipe.tie_sentence}."
    rule = f"{tied}, and either takes {a.recipe.tie_sentence}"
    if divergence.behind == "ids":
        return (
            f"{rule}, but their base vocabularies are numbered otherwise: in {_name(a)} {_pair(of_a.halves)} "
            f"is {_ids(of_a.a.ids)} and {_pair(of_b.halves)} {_ids(of_b.a.ids)}, in {_name(b)} "
            f"{_ids(of_a.b.ids)} and {_ids(of_b.b.ids)}."
        )
    return f"{rule}, but they do not meet them in the same order. {_difference(divergence, a, b)}"


def _stop(divergence: Divergence, a: TrainingResult, b: TrainingResult) -> str:
    stops, goes_on = (a, b) if divergence.a is None else (b, a)
    more = divergence.a or divergence.b
    if more is None:
        return ""
    here, there = (more.b, more.a) if divergence.a is None else (more.a, more.b)
    left = f"{_name(goes_on)} goes on with {_pair(more.halves)}, which occurs {_times(here.count)}"
    why = f"{_name(stops)} stops there: {escape(stops.stop_reason)} {left}"
    if divergence.behind == "frequency":
        return f"{why} in both."
    return f"{why}; {_name(stops)} counts it {_times(there.count)}. {_difference(divergence, a, b)}"


def _difference(divergence: Divergence, a: TrainingResult, b: TrainingResult) -> str:
    """How the two differ before they merge anything."""
    match divergence.difference:
        case "split":
            return (
                f"They cut the text into other pre-tokens: {_name(a)} {_cuts(a)}, {_name(b)} {_cuts(b)}. "
                "No merge crosses from one pre-token into the next."
            )
        case "same-bytes":
            one, two = (a, b) if a.recipe.merges_alike else (b, a)
            return f"Tokens of the same bytes are one token to {_name(one)} and several to {_name(two)}."
        case "length":
            longest = min(run.recipe.max_token_length or sys.maxsize for run in (a, b))
            one, other = (a, b) if a.recipe.max_token_length == longest else (b, a)
            return f"{_name(one)} makes no token of more than {longest} characters; {_name(other)} does."
        case "base":
            return _symbols(divergence, a, b)
    return ""


def _cuts(run: TrainingResult) -> str:
    return "not at all" if run.split.regex is None else f"by the pattern {escape(run.split.name)}"


def _symbols(divergence: Divergence, a: TrainingResult, b: TrainingResult) -> str:
    match divergence.spelled:
        case "characters":
            of_bytes, of_characters = (a, b) if isinstance(a.base, ByteVocabulary) else (b, a)
            return (
                f"Before any merge, {_name(of_bytes)} has bytes and {_name(of_characters)} whole characters."
            )
        case "end-of-word":
            marks, other = (a, b) if end_of_word(a) else (b, a)
            mark = escape(end_of_word(marks).decode("utf-8"))
            return (
                f"{_name(marks)} fuses {mark} to the last character of a word, so that it is another symbol "
                f"there; {_name(other)} does not."
            )
    cut = divergence.cut
    drops = a if cut and sum(map(len, cut.a)) < sum(map(len, cut.b)) else b
    return f"{_name(drops)} leaves white space out, the other does not."


def how_far_apart(table: pd.DataFrame, a: TrainingResult, b: TrainingResult) -> str:
    """How many of the aligned merges both make, and how many of these at the same rank."""
    shared = table["a_in_b"].dropna()
    in_place = int((shared == shared.index).sum())
    only = [len(run.steps) - len(shared) for run in (a, b)]
    return (
        f"Both make {len(shared):,} of the same merges, {in_place:,} of them at the same place; "
        f"{only[0]:,} only {_name(a)} makes, {only[1]:,} only {_name(b)}."
    )


def cut_lines(cut: Cut, a: TrainingResult, b: TrainingResult) -> str:
    """A line for each: the same stretch of text, cut by both. Plain text."""
    names = [shorten(run.recipe.name, TOKEN_CHARACTERS) for run in (a, b)]
    width = max(map(len, names))
    lines = []
    for name, pieces, (before, after) in zip(names, (cut.a, cut.b), (cut.open_a, cut.open_b), strict=True):
        shown = " │ ".join(visible(piece) for piece in pieces) or "(nothing)"
        lines.append(f"{name:{width}}  {'…' if before else ''}{shown}{'…' if after else ''}")
    return "\n".join(lines)


def rules(a: TrainingResult, b: TrainingResult) -> list[tuple[str, str, str]]:
    """The rules of both: name, rule of ``a``, rule of ``b``. Plain text."""
    return [(name, of_a, of_b) for (name, of_a), (_, of_b) in zip(_rules(a), _rules(b), strict=True)]


def _rules(run: TrainingResult) -> Sequence[tuple[str, str]]:
    recipe, longest = run.recipe, run.recipe.max_token_length
    lowest = (
        "no pair is left" if recipe.min_frequency == 1 else f"no pair occurs {recipe.min_frequency} times"
    )
    return (
        ("Split pattern", run.split.name),
        ("Base vocabulary", _BASES[recipe.base]),
        ("Among equal counts", _TIES[recipe.tie]),
        ("Tokens of the same bytes", "are one" if recipe.merges_alike else "are several"),
        ("Longest token", "of any length" if longest is None else f"{longest} characters"),
        ("Stops at the latest when", lowest),
    )


def pair_text(halves: Halves) -> str:
    """A pair as people can read it, with the text that parts of characters make. Plain text."""
    shown = " + ".join(_kept_apart(visible(half, TOKEN_CHARACTERS)) for half in halves)
    whole = b"".join(halves)
    if _is_text(whole) and not all(map(_is_text, halves)):
        return f"{shown} → {_kept_apart(visible(whole, TOKEN_CHARACTERS))}"
    return shown


def _is_text(token: bytes) -> bool:
    try:
        token.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _kept_apart(token: str) -> str:
    """Isolate a right-to-left token: otherwise the plus sign beside it changes sides."""
    leftwards = any(unicodedata.bidirectional(c) in ("R", "AL", "AN") for c in token)
    return f"\u2068{token}\u2069" if leftwards else token


def _pair(halves: Halves) -> str:
    unbroken = escape(pair_text(halves)).replace(" ", "\u00a0")
    return f"**{unbroken}**"


def _name(run: TrainingResult) -> str:
    return escape(run.recipe.name)


def _ids(ids: tuple[int, int] | None) -> str:
    return "nowhere" if ids is None else f"{ids[0]} + {ids[1]}"


def _times(count: int) -> str:
    return {0: "never", 1: "once", 2: "twice"}.get(count, f"{count:,} times")
