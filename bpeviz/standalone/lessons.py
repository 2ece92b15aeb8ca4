"""The lessons of the playground: what they say and do as JSON, and the runs that the browser can't train.

    lesson_packs()["lessons"]     {"groups": …, "lessons": [{"slug": "tour", "stops": […], …}, …]}
    lesson_packs()["tour/word"]   a run whose merges are replayed, packed for the player

A text with a recipe trains in the browser when its lesson opens. Python computes the figures of the captions.
"""

import json
from dataclasses import replace
from functools import cache
from typing import Any

from bpeviz.browser.lesson_words import stop_words, words
from bpeviz.browser.run_pack import PlayedRun, pack_pairs_of, pack_run
from bpeviz.lessons.computing import fill
from bpeviz.lessons.guessing import LESS_FREQUENT, VERDICTS
from bpeviz.lessons.lesson import GROUPS, PairGuess, RunSpec, Stop, speed_for
from bpeviz.lessons.prepared import Material, Prepared, prepared
from bpeviz.lessons.reading import lesson_files
from bpeviz.training.settings import RECIPE_SPLIT

__all__ = ["lesson_packs", "training_order"]


@cache
def lesson_packs() -> dict[str, bytes]:
    """Return the packs of the page by name. Raises BpevizError if a lesson can't be prepared."""
    packs: dict[str, bytes] = {}
    given = {
        "groups": GROUPS,
        "verdicts": VERDICTS,
        "less_frequent": LESS_FREQUENT,
        "lessons": [_lesson(slug, prepared(slug), packs) for slug in lesson_files()],
    }
    return {"lessons": json.dumps(given, ensure_ascii=False).encode("utf-8"), **packs}


def training_order(spec: RunSpec) -> dict[str, Any] | None:
    """Return the text and the rules of a run that the browser trains; None for one that is packed.

    It replays no merges, takes no merge by hand, and has neither several texts nor a pattern of Python.
    """
    merges_are_given = spec.tokenizer or spec.merges_of or spec.replayed or spec.forced
    if merges_are_given or spec.texts or spec.language or spec.pattern:
        return None
    split = "" if spec.split == RECIPE_SPLIT else spec.split
    rules = {"recipe": spec.recipe, "split": split, "num_merges": spec.merges}
    return {"text": spec.text, "sample": spec.sample, **rules, "min_frequency": spec.min_frequency}


def _lesson(slug: str, lesson: Prepared, packs: dict[str, bytes]) -> dict[str, Any]:
    """Return a lesson, and put its runs that are packed into ``packs``."""
    content = lesson.lesson
    orders = {name: training_order(spec) for name, spec in content.runs.items()}
    for name in [name for name, order in orders.items() if order is None]:
        material = lesson.material(name)
        packs[f"{slug}/{name}"] = _packed(material, content.chooser)
        if not material.replayed:
            packs[f"{slug}/{name}/pairs"] = pack_pairs_of(replace(material.run, number=1))
    for place, stop in enumerate(content.stops):
        name = content.run_of(stop)
        if isinstance(stop.guess, PairGuess) and orders[name] is None:
            material, step = lesson.material_at(place)
            packs[f"{slug}/{name}/{step}"] = _packed(material.until(step), content.chooser)
    try_it = content.try_it
    return {
        "slug": slug,
        "kind": content.kind,
        "title": words(fill(lesson, content.title)),
        "about": words(fill(lesson, content.about)),
        "chooser": content.chooser,
        "runs": orders,
        "stops": [_stop(lesson, place, stop) for place, stop in enumerate(content.stops)],
        "try_it": {
            **{name: getattr(try_it, name) for name in ("sample", "recipe", "split", "merges", "step")},
            "rules": try_it.rules,
        },
    }


def _packed(material: Material, chooser: str) -> bytes:
    """Pack a run; the page says how a stop shows it."""
    played = PlayedRun(
        run=replace(material.run, number=1),
        title="",
        start=0,
        gap_ranks=material.gap_ranks,
        chooser=chooser,
    )
    return pack_run(played)


def _stop(lesson: Prepared, place: int, stop: Stop) -> dict[str, Any]:
    step = lesson.material_at(place)[1]
    until = stop.action.step if stop.action else None
    return {
        "run": lesson.lesson.run_of(stop),
        "step": step,
        "spotlight": stop.spotlight,
        "until": until,
        "speed": 0 if until is None else speed_for(until - step),
        **stop_words(lesson, place),
    }
