"""The runs of lessons, made once for everybody."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from msgspec.structs import replace

from bpeviz.lessons.lesson import RunSpec
from bpeviz.lessons.prepared import MOST_RUNS, Material, Prepared, prepared
from bpeviz.lessons.reading import lesson_files, lesson_named


def test_visitors_who_open_a_lesson_at_once_get_the_same_run() -> None:
    spec = RunSpec(sample="English prose", merges=201)
    like = prepared("which-pair-comes-next")
    lesson = Prepared(like.file, replace(like.lesson, runs={"at_once": spec}))
    visitors = 8
    together = Barrier(visitors)

    def opened(_: int) -> Material:
        together.wait()
        return lesson.material("at_once")

    with ThreadPoolExecutor(visitors) as threads:
        materials = list(threads.map(opened, range(visitors)))
    assert len({material.run.number for material in materials}) == 1


def test_the_runs_of_all_lessons_are_kept() -> None:
    runs = {run for slug in lesson_files() for run in lesson_named(slug).runs.items()}
    assert len(runs) <= MOST_RUNS
