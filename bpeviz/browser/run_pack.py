"""Pack a trained run, and the most frequent pairs of all its steps, into bytes for the player."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from bpeviz.browser.pack import pack, short_gap_ranks
from bpeviz.core.base_vocabulary import ByteVocabulary
from bpeviz.core.gap_ranks import NEVER, GapRanks
from bpeviz.core.spelled_vocabulary import SpelledVocabulary
from bpeviz.core.token_chain import Pair
from bpeviz.core.top_pairs import TopPairs
from bpeviz.runs.run import Run
from bpeviz.text.token_text import visible

__all__ = ["PlayedRun", "Reports", "pack_pairs", "pack_pairs_of", "pack_run"]

#: When the player tells Python its step. Each report reruns the page, so a page that needs none gets none.
Reports = Literal["never", "at rest", "at rest and once painted"]
#: The fields of PlayedRun that the browser gets as they are.
_AS_THEY_ARE = (
    "title",
    "start",
    "autoplay",
    "until",
    "plays",
    "guess",
    "grows",
    "reports",
    "saves",
    "spotlight",
)


@dataclass(frozen=True, kw_only=True, eq=False)
class PlayedRun:
    """A run as the player shows it. ``Run`` in shared/types.d.ts is what arrives."""

    run: Run
    title: str
    #: The step at which the player begins.
    start: int
    #: Those of the text, if not the run's: line ends between texts may belong to no token.
    gap_ranks: GapRanks | None = None
    #: Another run on the same text, drawn beside this one at the same step.
    beside: "PlayedRun | None" = None
    #: So many merges a second, until the person presses a button or key.
    autoplay: float = 0
    #: The step at which that stops, or None for the last one. People who want less motion see it at once.
    until: int | None = None
    #: How often the person asked for that: the same bytes would reach the browser only once.
    plays: int = 0
    #: Ask after the run's last merge which pair is next.
    guess: bool = False
    #: Offer to show how the word of a picked token grows.
    grows: bool = False
    #: Tell Python the step whenever the player is at rest, or also once it has painted the text.
    reports: Reports = "never"
    #: Offer the run as a page, which the server makes.
    saves: bool = False
    #: What a lesson points at: see bpeviz.lessons.lesson.Spotlight.
    spotlight: str = ""
    #: Who chose the merges that the recipe didn't: "you", or "the notebook" of a lesson. Only a person's
    #: choices are marked as forks.
    chooser: str = "you"
    #: The bytes of what was trained on, if the run doesn't know them.
    text_bytes: int | None = None


def pack_run(played: PlayedRun) -> bytes:
    """Pack a run's text with the whole history of its merges."""
    run = played.run
    header = {
        **_of_run(run),
        "text_bytes": run.corpus.trained_bytes if played.text_bytes is None else played.text_bytes,
        **_of_choices(run, played.chooser),
        **_of_ties(run),
        **{name: getattr(played, name) for name in _AS_THEY_ARE},
    }
    ranks = run.gap_ranks if played.gap_ranks is None else played.gap_ranks
    return pack(
        header,
        text=np.frombuffer(run.text.encode("utf-8"), np.uint8),
        gaps=short_gap_ranks(_until(ranks, len(run.steps)) if played.guess else ranks),
        **_of_steps(run),
        # a lesson shows no bars to compare the ranks with, and says other words
        **(_of_ranks(run) if played.grows else {}),
        beside=np.frombuffer(pack_run(played.beside) if played.beside else b"", np.uint8),
    )


def _of_run(run: Run) -> dict[str, object]:
    """Return what identifies the run, and the tokens by id. The size is that of the whole corpus."""
    base = run.result.base
    return {
        "number": run.number,
        "stop_reason": run.end,
        "num_merges": len(run.steps),
        "base_ids": {symbol.hex(): i for i, symbol in zip(base.symbol_ids, base.symbols, strict=True)},
        "special_ids": {token.encode("utf-8").hex(): i for token, i in _cut_out(run).items()},
        "labels": {token_id: visible(token) for token_id, token in _shown_tokens(run)},
    }


def _shown_tokens(run: Run) -> Iterable[tuple[int, bytes]]:
    """Return the tokens that the run may show, with their ids. Most of a start's occur in no merge of it."""
    if run.result.start is None:
        return run.tokenizer.vocabulary.items()
    base, tokens = run.result.base, run.result.tokens
    made = (i for step in run.steps for i in (*step.pair, step.token_id))
    shown = {*base.symbol_ids, *_cut_out(run).values(), *made}
    return ((i, tokens[i]) for i in sorted(shown))


def _cut_out(run: Run) -> Mapping[str, int]:
    """Return the ids of the tokens that no merge makes, and that are one symbol each: special tokens that the
    training cut out of the text, and words that a start takes whole."""
    base = run.result.base
    return base.whole if isinstance(base, ByteVocabulary | SpelledVocabulary) else {}


def _of_choices(run: Run, chooser: str) -> dict[str, object]:
    """Return the merges that the recipe didn't choose, and who did."""
    forks = [{"rank": c.rank, "pair": c.pair, "action": c.action} for c in run.choices]
    return {
        "chooser": chooser,
        "chosen": [choice.rank for choice in run.choices if choice.action == "merge"],
        "forks": forks if chooser == "you" else [],
        "vetoed_from": min((choice.rank for choice in run.choices if choice.action == "veto"), default=None),
    }


def _of_ties(run: Run) -> dict[str, object]:
    """Why each merge is next: by count and the recipe's rule for ties, or by rank if it is a start's."""
    learns = run.start is None or bool(run.result.new_steps)
    return {
        "tie": run.recipe.tie if learns else None,
        "tie_sentence": run.recipe.tie_sentence,
        "order": f"{run.start.name} merges by rank, not by count." if run.start else "",
        "start_name": run.start.name if run.start else "",
    }


def _of_ranks(run: Run) -> dict[str, npt.NDArray[Any]]:
    """Return of each merge its rank in the start, the rank of its pair by count among all pairs then, and the
    count of the most frequent one; nothing without a start."""
    if run.start is None:
        return {}
    among = run.history.merged_ranks
    return {
        "start_ranks": run.start_ranks,
        "pair_ranks": among.ranks.astype(np.int32),
        "best_counts": among.best.astype(np.float64),
    }


def _of_steps(run: Run) -> dict[str, npt.NDArray[Any]]:
    """Return the merges by rank, and the totals of the corpus after each number of merges."""
    steps = run.steps
    return {
        "lefts": np.array([s.pair[0] for s in steps], np.int32),
        "rights": np.array([s.pair[1] for s in steps], np.int32),
        "ids": np.array([s.token_id for s in steps], np.int32),
        "tied": np.array([s.tied for s in steps], np.int32),
        "counts": np.array([s.count for s in steps], np.float64),
        "totals": run.history.token_totals.astype(np.float64),
        "vocab_sizes": _vocab_sizes(run),
    }


def _vocab_sizes(run: Run) -> npt.NDArray[np.int32]:
    """Return how many tokens there are after 0, 1, … all merges. All of a start's are there before."""
    start = run.result.start
    if start is None:
        return run.tokenizer.vocab_sizes.astype(np.int32)
    ids = np.array([step.token_id for step in run.steps], np.int32)
    sizes: npt.NDArray[np.int64] = len(start) + np.r_[0, np.cumsum(ids >= start.n_vocab)]
    return sizes.astype(np.int32)


def _until(gap_ranks: GapRanks, merges: int) -> GapRanks:
    """Return the gap ranks after so many merges: gaps that later ones close stay open."""
    return np.where((gap_ranks >= merges) & (gap_ranks < NEVER), NEVER, gap_ranks).astype(gap_ranks.dtype)


def pack_pairs_of(run: Run) -> bytes:
    """Pack the top pairs of a run, with those that its choices veto."""
    vetoed = {c.pair: c.rank for c in reversed(run.choices) if c.action == "veto"}
    return pack_pairs(run.top_pairs, number=run.number, vetoed=vetoed)


def pack_pairs(top: TopPairs, *, number: int, vetoed: Mapping[Pair, int]) -> bytes:
    """Pack the top pairs of the run ``number``; ``vetoed`` says from which step a pair is vetoed."""
    exact = np.int32 if top.counts.max(initial=0) < 2**31 else np.float64
    header = {
        "number": number,
        "most": _longest(top),
        "vetoed": [[*pair, step] for pair, step in vetoed.items()],
    }
    return pack(
        header,
        num_dropped=top.num_dropped,
        dropped=top.dropped,
        num_added=top.num_added,
        places=top.places,
        lefts=top.lefts,
        rights=top.rights,
        counts=top.counts.astype(exact),
    )


def _longest(top: TopPairs) -> int:
    """How many pairs the longest list has."""
    lengths = np.cumsum(top.num_added.astype(np.int64) - top.num_dropped)
    return int(lengths.max(initial=0))
