"""Pipelines in workers: the same symbols, each loaded once, and answers that stay small."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given

from bpeviz import Tokenizer
from bpeviz.errors import PipelineError
from bpeviz.formats.reading import read_tokenizer
from bpeviz.pipelines import running
from bpeviz.pipelines.pipeline import PipelineHere
from bpeviz.pipelines.running import decode, spell
from bpeviz.workers.task import Limit, Task
from tests.support.inline_workers import InlineWorkers, work_with
from tests.support.texts import ANY_TEXT
from tests.support.tokenizer_files import as_file, tiny
from tests.support.worker_tasks import FailingWorkers

LOWER = {"type": "Lowercase"}


def tokenizer(normalizer: dict[str, object] = LOWER) -> Tokenizer:
    return read_tokenizer(as_file(tiny({("normalizer",): normalizer, ("added_tokens",): []})))


def in_worker(tokenizer: Tokenizer) -> Any:
    assert tokenizer.pipeline is not None
    return replace(tokenizer.pipeline, isolated=True)


def replacing(found: str, by: str) -> dict[str, object]:
    return {"type": "Replace", "pattern": {"String": found}, "content": by}


@given(ANY_TEXT)
def test_a_text_has_the_same_symbols_as_here(text: str) -> None:
    ours = tokenizer()
    assert ours.pipeline is not None
    here, there = spell(ours.pipeline, text), spell(in_worker(ours), text)
    for name in ("ids", "widths", "lengths", "skipped"):
        found = getattr(there.spelling, name).tolist()
        assert found == getattr(here.spelling, name).tolist()
    assert there.wholes.tolist() == here.wholes.tolist()


def test_a_worker_loads_each_pipeline_once(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded = []

    class Counting(PipelineHere):
        def __init__(self, pipeline: Any) -> None:
            loaded.append(pipeline.key)
            super().__init__(pipeline)

    pipelines = [in_worker(tokenizer(replacing("x", str(n)))) for n in range(running.KEPT + 1)]
    monkeypatch.setattr(running, "PipelineHere", Counting)
    for pipeline in [*pipelines[:2] * 3, *pipelines[1:], *pipelines[1:]]:
        assert spell(pipeline, "ab").spelling.ids.tolist() == [1, 2]
    assert loaded == [pipeline.key for pipeline in pipelines]
    spell(pipelines[0], "ab")
    assert loaded[-1] == pipelines[0].key


def test_a_text_that_becomes_too_many_symbols_is_refused() -> None:
    pipeline = in_worker(tokenizer(replacing("a", "b" * 1_000)))
    assert len(spell(pipeline, "a" * 100).spelling.ids) == 100_000
    with pytest.raises(PipelineError, match="more than 100,000 symbols"):
        spell(pipeline, "a" * 101)


def test_ids_that_become_too_much_text_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "MOST_CHARACTERS", 10)
    pipeline = replace(in_worker(tokenizer()), token_texts={1: "a"})
    assert decode(pipeline, [1] * 10) == "a" * 10
    with pytest.raises(PipelineError, match="more than 10 characters"):
        decode(pipeline, [1] * 11)


def test_a_worker_without_an_answer_says_why() -> None:
    says = "tokenizer file says took too long. Try a shorter text"
    with work_with(FailingWorkers("time")), pytest.raises(PipelineError, match=says):
        spell(in_worker(tokenizer()), "ab")


def test_longer_texts_get_more_time() -> None:
    asked: list[Limit] = []

    class Listening(InlineWorkers):
        def run(self, task: Task[Any, Any], request: Any, limit: Limit, on_wait: Any = None) -> Any:
            asked.append(limit)
            return super().run(task, request, limit)

    with work_with(Listening()):
        spell(in_worker(tokenizer()), "ab" * 500_000)
    assert {limit.seconds for limit in asked} == {10.0}
