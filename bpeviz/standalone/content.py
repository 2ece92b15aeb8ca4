"""What a player's page shows of a run, of two runs on the same text, or of two tokenizers; and what it shows
without JavaScript, and on paper: the text in tokens, and the merges as a table."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from html import escape

import numpy as np

from bpeviz.browser.comparison_pack import Rival, pack_comparison
from bpeviz.browser.run_pack import PlayedRun, pack_pairs_of, pack_run
from bpeviz.core.gap_ranks import SKIPPED, GapRanks
from bpeviz.errors import PlayerError
from bpeviz.limits import limits
from bpeviz.runs.run import Run
from bpeviz.standalone.page import Content
from bpeviz.text.token_text import hex_bytes
from bpeviz.text.utf8 import text_of
from bpeviz.words import counted

__all__ = [
    "MOST_READABLE_BYTES",
    "check_size",
    "comparison_content",
    "heading",
    "merges_table",
    "run_content",
    "tokens_of",
]


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
        beside=PlayedRun(run=beside, title=beside.name, start=step) if beside else None,
        autoplay=autoplay,
        chooser=chooser,
        text_bytes=text_bytes,
        grows=pairs,
    )
    packs = {"player": pack_run(played)}
    if pairs:
        packs["pairs"] = pack_pairs_of(run)
    title = _title(run, beside)
    return Content("run", title, _readable(title, run, ranks, step, beside), packs)


def _title(run: Run, beside: Run | None) -> str:
    how = f"{run.start.name}'s merges" if run.start else f"recipe {run.recipe.name}"
    if beside:
        return f"{run.corpus.trained_name}: {run.name} and {beside.name}, {how}"
    return f"{run.corpus.trained_name}: {how}, {counted(len(run.steps), 'merge')}"


def _readable(title: str, run: Run, gap_ranks: GapRanks, step: int, beside: Run | None) -> str:
    """Return the text at a step, and the merges as a table; of two runs both."""
    about = (
        "Byte-pair encoding merges the most frequent pair of neighbouring tokens, again and again.",
        f"Split pattern {run.split.name}. With JavaScript this page plays the merges.",
    )
    text = run.text.encode("utf-8")
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


#: Of a longer text only the beginning is there: with every token marked, a megabyte takes several.
MOST_READABLE_BYTES = 100_000


def heading(title: str, about: Iterable[str]) -> str:
    """Return the title, and sentences below it."""
    return f"<h1>{_plain(title)}</h1>\n" + "".join(f"<p>{_plain(each)}</p>\n" for each in about)


def tokens_of(text: bytes, gap_ranks: GapRanks, step: int, *, name: str = "tokens") -> str:
    """Return the text after ``step`` merges: every second token is marked. paper.js finds it by its
    ``name``."""
    ends = np.flatnonzero(gap_ranks[:MOST_READABLE_BYTES] >= step) + 1
    parts: list[str] = []
    start = 0
    for number, end in enumerate(ends.tolist()):
        shown = _token(text[start:end])
        parts.append(f"<b>{shown}</b>" if number % 2 and gap_ranks[end - 1] != SKIPPED else shown)
        start = end
    rest = f"\n<p>These are the first {start:,} of {len(text):,} bytes.</p>" if start < len(text) else ""
    # HTML drops the first line end in a <pre>
    named = f' id="{name}"' if name else ""
    return f'<pre{named} dir="auto">\n{"".join(parts)}</pre>{rest}'


def merges_table(run: Run) -> str:
    """Return a row for every merge, as text that people can read."""
    head = "<tr><th>merge<th>left<th>right<th>makes<th>count<th>tokens after"
    rows = (
        f"<tr><td>{s.rank + 1}<td>{_label(run, s.pair[0])}<td>{_label(run, s.pair[1])}"
        f"<td>{_label(run, s.token_id)}<td>{s.count}<td>{s.token_total}"
        for s in run.steps
    )
    return f"<table>\n{head}\n{chr(10).join(rows)}\n</table>"


def _label(run: Run, token_id: int) -> str:
    return escape(run.label(token_id))


def _token(token: bytes) -> str:
    """Return a token as HTML text; bytes that are not whole characters in hexadecimal digits."""
    text = text_of(token)
    return f"<i>{hex_bytes(token, 16)}</i>" if text is None else _plain(text)


def _plain(text: str) -> str:
    """Text for HTML; control characters, which HTML doesn't allow, become their code."""
    return "".join(
        character if character.isprintable() or character in "\n\t " else _unprintable(character)
        for character in escape(text)
    )


def _unprintable(character: str) -> str:
    """Return a line end stays one; an invisible mark of a script stays; a control character becomes a
    sign."""
    if character == "\r":
        return "&#13;"
    code = ord(character)
    return "\ufffd" if code < 32 or 127 <= code < 160 else character
