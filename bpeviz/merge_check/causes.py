"""Cause: a mistake that explains a trainer's merges, and those that this text can't tell apart from it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bpeviz.merge_check.changes import Change, Kind
from bpeviz.merge_check.ties import TIES

__all__ = ["Cause", "Fit", "causes_of"]


@dataclass(frozen=True)
class Cause:
    """A mistake, or two or three together, that explains their merges.

    - ``kinds``: the kind of each mistake: "tie", "overlaps", "stale", "walls", "special-tokens",
      "characters", "ids", "gpt2-text", "minimum-frequency", "order", …;
    - ``names``: for each mistake those that fit, such as ("first-seen", "smallest-ids");
    - ``sentence``: what their trainer does;
    - ``merges``: how many of their merges it explains; ``complete``: all of them.
    """

    kinds: tuple[Kind, ...]
    names: tuple[tuple[str, ...], ...]
    sentence: str
    merges: int
    complete: bool

    @property
    def kind(self) -> Kind:
        """The kind of the first mistake."""
        return self.kinds[0]


@dataclass(frozen=True)
class Fit:
    """Changes of the rule that explain so many merges."""

    changes: tuple[Change, ...]
    merges: int


def causes_of(fits: Sequence[Fit], merges: int, stale_words: str) -> Iterator[Cause]:
    """Yield a cause for the fits that differ only in the name of one mistake. ``merges`` is how many there
    are; ``stale_words`` follow a mistake that makes counts stale."""
    groups: dict[tuple[object, ...], list[Fit]] = {}
    for fit in sorted(fits, key=lambda fit: (len(fit.changes), _place(fit))):
        varied = _varied(fit)
        same = tuple((c.kind, c.lead, c is varied or c.name) for c in fit.changes)
        groups.setdefault(same, []).append(fit)
    for group in groups.values():
        stale = any(change.kind == "stale" for change in group[0].changes)
        yield _cause(group, merges, stale_words if stale else "")


def _varied(fit: Fit) -> Change | None:
    """Return the mistake of which others of its kind may fit too: not the tie rule, if there is another."""
    varied = [change for change in fit.changes if change.rest]
    return next((change for change in varied if change.kind != "tie"), next(iter(varied), None))


def _place(fit: Fit) -> tuple[object, ...]:
    """Return a sort key: tie rules alone first, those of recipes before others."""
    ties = list(TIES)
    places = [ties.index(change.name) for change in fit.changes if change.kind == "tie"]
    return fit.changes[0].kind != "tie", [change.kind for change in fit.changes], places


def _cause(group: Sequence[Fit], merges: int, stale_words: str) -> Cause:
    changes, varied = group[0].changes, _varied(group[0])
    names, sentences = [], []
    for place, change in enumerate(changes):
        alternatives = [fit.changes[place] for fit in group] if change is varied else [change]
        names.append(tuple(alternative.name for alternative in alternatives))
        sentences.append(f"{change.lead}{_either([alternative.rest for alternative in alternatives])}.")
    return Cause(
        kinds=tuple(change.kind for change in changes),
        names=tuple(names),
        sentence=" ".join(sentences) + stale_words,
        merges=group[0].merges,
        complete=group[0].merges == merges,
    )


def _either(words: Sequence[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} or {last}" if first else last
