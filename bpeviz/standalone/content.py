"""What a player's page shows of a run, of two runs on the same text, or of two tokenizers."""

from collections.abc import Sequence
from dataclasses import replace
from html import escape

from bpeviz.browser.comparison_pack import Rival, pack_comparison
from bpeviz.browser.run_pack import PlayedRun, pack_pairs_of, pack_run
from bpeviz.core.gap_ranks import GapRanks
from bpeviz.errors import PlayerError
from bpeviz.limits import limits
from bpeviz.runs.run import Run
from bpeviz.standalone.page import Content
from bpeviz.standalone.readable import heading, merges_table, tokens_of
from bpeviz.words import counted

__all__ = ["check_size", "comparison_content", "run_content"]


def check_size(text: str) -> None:
    """Raise PlayerError for a text that is empty, or too long for a page."""
    size, most = len(text.encode("utf-8", "surrogatepass")), limits().max_text_bytes
    if not size:
        raise PlayerError("There is no text to show. Give the player a text.")
    if size > most:
        raise PlayerError(
            f"This text has {size:,} bytes; a page shows up to {most:,}. Give the player a part of it."
        )


def run_content(
    run: Run,
    step: int,
    *,
    gap_ranks: GapRanks | None = None,
    beside: Run | None = None,
    replayed: bool = False,
    autoplay: float = 0,
    text_bytes: int | None = None,
    chooser: str = "you",
    pairs: bool = True,
) -> Content:
    """Return the page of a run at a step: the player, the pairs, and the same for people without JavaScript.

    It numbers its runs itself: the same run gives the same page in every process.
    """
    run, beside = replace(run, number=1), beside and replace(beside, number=2)
    ranks = run.gap_ranks if gap_ranks is None else gap_ranks
    played = PlayedRun(
        run=run,
        title=run.name if beside else "Text",
        start=step,
        gap_ranks=ranks,
        replayed=replayed,
        beside=PlayedRun(run=beside, title=beside.name, start=step) if beside else None,
        autoplay=autoplay,
        chooser=chooser,
        text_bytes=text_bytes,
    )
    packs = {"player": pack_run(played)}
    if pairs and not replayed:
        packs["pairs"] = pack_pairs_of(run)
    title = _title(run, beside, replayed=replayed)
    return Content("run", title, _readable(title, run, ranks, step, beside), packs)


def _title(run: Run, beside: Run | None, *, replayed: bool) -> str:
    how = f"{run.name}'s merges" if replayed else f"recipe {run.recipe.name}"
    if beside:
        return f"{run.corpus.trained_name}: {run.name} and {beside.name}, {how}"
    return f"{run.corpus.trained_name}: {how}, {counted(len(run.steps), 'merge')}"


def _readable(title: str, run: Run, gap_ranks: GapRanks, step: int, beside: Run | None) -> str:
    """Return the text at a step, and the merges as a table; of two runs both."""
    about = (
        "Byte-pair encoding merges the most frequent pair of neighbouring tokens, again and again.",
        f"Split pattern {run.split.name}. With JavaScript this page plays the merges.",
    )
    text = run.corpus.text.encode("utf-8")
    parts = [heading(title, about), f'<p id="after">The text after {counted(step, "merge")}:</p>']
    if beside:
        parts.append(f"<p>{escape(run.name)}:</p>")
    parts.append(tokens_of(text, gap_ranks, step))
    if beside:
        second = tokens_of(text, beside.gap_ranks, step, name="tokens-beside")
        parts += [f"<p>{escape(beside.name)}:</p>", second]
    parts += ["<h2>Merges</h2>", merges_table(run)]
    if beside:
        parts += [f"<h2>Merges of {escape(beside.name)}</h2>", merges_table(beside)]
    return "\n".join(parts)


def comparison_content(
    text: str, rivals: tuple[Rival, Rival], others: Sequence[Rival] = (), *, locked: bool
) -> Content:
    """Return the page of two tokenizers on one text, and of others at their numbers of merges."""
    every = (*rivals, *others)
    *names, last = (rival.name for rival in every)
    title = f"{', '.join(names)} and {last} on one text"
    data = text.encode("utf-8")
    parts = [heading(title, [_summary(data, every)])]
    for rival in every:
        parts.append(f"<h2>{escape(rival.name)}, {counted(rival.num_merges, 'merge')}</h2>")
        parts.append(tokens_of(data, rival.encoded.gap_ranks, rival.num_merges, name=""))
    packs = {"comparer": pack_comparison(text, rivals, others, locked=locked, serial=1)}
    return Content("comparison", title, "\n".join(parts), packs)


def _summary(text: bytes, rivals: Sequence[Rival]) -> str:
    needs = (f"{r.name} {counted(r.encoded.token_total(r.num_merges), 'token')}" for r in rivals)
    return f"A text of {counted(len(text), 'byte')}: {', '.join(needs)}."
