"""The player of a lesson, and the chart of pairs beside it."""

from collections.abc import Callable
from threading import Lock
from weakref import WeakKeyDictionary

from bpeviz.browser.run_pack import PlayedRun, pack_pairs_of, pack_run
from bpeviz.core.token_chain import Pair
from bpeviz.lessons.lesson import speed_for
from bpeviz.lessons.prepared import Material
from bpeviz.runs.run import Run
from bpeviz.ui.kit.pairs import mount_pairs, send_pairs
from bpeviz.ui.kit.player import mount

__all__ = ["pack_material", "packed", "show_lesson_player", "show_pairs"]


#: What was packed of each run: Streamlit sends an object once, so it must always be the same. A pack is kept
#: as long as its run, or the run's history.
_packs: WeakKeyDictionary[object, dict[object, bytes]] = WeakKeyDictionary()
_one_at_a_time = Lock()


def packed(owner: object, key: object, pack: Callable[[], bytes]) -> bytes:
    """Return the bytes that ``pack`` makes of ``owner``, made once for each ``key``."""
    with _one_at_a_time:
        packs = _packs.setdefault(owner, {})
        if key not in packs:
            packs[key] = pack()
        return packs[key]


def pack_material(
    material: Material,
    title: str,
    step: int,
    *,
    asking: bool,
    chooser: str = "you",
    until: int | None = None,
    spotlight: str = "",
) -> bytes:
    """Pack a run at a step. While a person guesses the next merge, the pack ends at the step.

    ``chooser`` chose the merges that the recipe didn't. The player plays to the step ``until``,
    if there is one, and points at ``spotlight``.
    """
    shown = material.until(step) if asking else material
    played = PlayedRun(
        run=shown.run,
        title=title,
        start=step,
        gap_ranks=shown.gap_ranks,
        guess=asking,
        chooser=chooser,
        autoplay=0 if until is None else speed_for(until - step),
        until=until,
        spotlight=spotlight,
    )
    return pack_run(played)


def show_lesson_player(
    material: Material,
    step: int,
    *,
    key: str,
    chooser: str,
    until: int | None = None,
    spotlight: str = "",
    on_guess: Callable[[Pair], None] | None = None,
) -> None:
    """Show a run of a lesson at a step; with ``on_guess``, a person picks the next pair in its text.
    ``chooser`` chose its forced merges. The player plays to the step ``until``, if there is one, and
    points at ``spotlight``."""
    asking, title = on_guess is not None, material.run.corpus.name.replace("_", " ")
    data = packed(
        material,
        (step, asking, chooser, until, spotlight),
        lambda: pack_material(
            material, title, step, asking=asking, chooser=chooser, until=until, spotlight=spotlight
        ),
    )
    mount(data, key=f"{key}-{asking}", run=material.run, on_guess=on_guess, guess_at=step)


def show_pairs(run: Run, guessed: Pair | None = None) -> None:
    """Show the most frequent pairs of a run; the player says of which step. Mark the ``guessed`` one, in the
    text too."""
    mount_pairs(last=len(run.steps), marked=guessed)
    send_pairs(packed(run.history, ("pairs", run.number), lambda: pack_pairs_of(run)))
