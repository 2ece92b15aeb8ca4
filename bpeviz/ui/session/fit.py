"""What of a saved session this server takes: the limits hold for a restored session as for a new one.

A saved session may come from a file, from a server with other limits, or from somebody who wrote it by hand.
"""

from collections.abc import Mapping
from dataclasses import replace

import msgspec

from bpeviz.limits import limits
from bpeviz.sessions.document import SavedSession, SavedTokenizer
from bpeviz.ui.session.describe import room_for_files
from bpeviz.ui.session.saving_state import SessionToOpen
from bpeviz.ui.session.tokenizers import MOST_UPLOADED

__all__ = ["fit"]


def fit(to_open: SessionToOpen) -> tuple[SessionToOpen, str]:
    """Return a saved session within the limits of this server, and what was left out, in words.

    The words are empty if nothing was left out.
    """
    document = to_open.document
    sizes = {digest: len(text.encode("utf-8", "surrogatepass")) for digest, text in to_open.texts.items()}
    texts = {d: text for d, text in to_open.texts.items() if sizes[d] <= limits().max_text_bytes}
    words = []
    runs = document.without_training().runs
    skipped = set(range(len(runs))).difference(_kept_runs(document, sizes))
    if skipped:
        words.append(
            f"{len(skipped)} of {len(runs)} runs are left out. This server opens up to {limits().kept_runs}, "
            f"with {limits().kept_bytes // 1_000_000} MB of text together. "
            f"Each text may have {limits().max_text_megabytes} MB."
        )
        if any(runs[place].counts is not None for place in skipped):
            words.append(
                f"Up to {limits().kept_large_runs} of them may be on large corpora, with "
                f"{limits().max_counts_bytes // 1_000_000} MB of pre-token counts each."
            )
    if document.training is not None and document.runs[-1].text.digest not in texts:
        document = document.without_training()
        words.append("An interrupted training is left out: its text is too long.")
    if not texts.keys() >= msgspec.structs.replace(document, runs=()).digests():
        words.append(f"A text over {limits().max_text_megabytes} MB is left out.")
    document, dropped = _fit_tokenizers(document, to_open.files, room_for_files(sum(sizes.values())))
    if dropped:
        words.append(
            f"Uploaded tokenizers left out: {', '.join(dropped)}. This server opens up to {MOST_UPLOADED}, "
            f"with files of up to {limits().max_upload_bytes // 2**20} MB."
        )
    to_open = replace(to_open, document=document, texts=texts, skipped_runs=frozenset(skipped))
    return to_open, " ".join(words)


def _fit_tokenizers(
    document: SavedSession, files: Mapping[str, bytes], room: int
) -> tuple[SavedSession, list[str]]:
    """Return a document with the uploaded tokenizers that fit, and the names of the others.

    ``room``: how many bytes their packed files may have together.
    """
    kept: dict[str, SavedTokenizer] = {}
    dropped: list[str] = []
    for key, each in document.tokenizers.items():
        packed = sum(len(files[file.digest]) for file in each.files)
        small = all(file.byte_total <= limits().max_upload_bytes for file in each.files)
        if small and packed <= room and len(kept) < MOST_UPLOADED:
            kept[key] = each
            room -= packed
        else:
            dropped.append(each.name)
    return msgspec.structs.replace(document, tokenizers=kept), dropped


def _kept_runs(document: SavedSession, sizes: dict[str, int]) -> set[int]:
    """Return the places of the runs to keep: the shown one, the one beside it, then the latest.

    ``sizes``: of the texts, in bytes, by digest.
    """
    runs = document.without_training().runs
    shown = [document.run(number) for number in (document.shown, document.beside)]
    first = [runs.index(run) for run in shown if run in runs]
    kept: set[int] = set()
    total = large = 0
    for place in dict.fromkeys((*first, *reversed(range(len(runs))))):
        size = sizes[runs[place].text.digest]
        fits = size <= limits().max_text_bytes and total + size <= limits().kept_bytes
        if (counts := runs[place].counts) is not None:
            large += 1
            fits &= counts.byte_total <= limits().max_counts_bytes and large <= limits().kept_large_runs
        if fits and len(kept) < limits().kept_runs:
            kept.add(place)
            total += size
    return kept
