"""The second run of tests in Chromium that failed: what the gate passes, and what it calls unstable."""

import json
import runpy
from pathlib import Path

import pytest

from tests.support.paths import ROOT

SECOND_RUN = runpy.run_path(str(ROOT / ".ci" / "second_run.py"))


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "test-results").mkdir()
    (tmp_path / "test-results" / "test_a.zip").write_bytes(b"trace")


@pytest.mark.parametrize(
    ("failed", "pass_now", "code", "unstable"),
    [
        (["a"], ["a"], 0, ["a"]),
        (["a", "b"], ["a", "b"], 0, ["a", "b"]),
        (["a", "b"], ["b"], 1, ["b"]),
        (["a"], [], 1, []),
    ],
)
def test_one_or_two_that_pass_the_second_time_are_unstable(failed, pass_now, code, unstable):
    assert SECOND_RUN["run_again"](failed, pass_now.__contains__) == code
    assert json.loads(Path("test-results/unstable.json").read_text("utf-8")) == unstable
    assert Path("test-results/first-run/test_a.zip").read_bytes() == b"trace"


def test_unstable_tests_are_printed_by_name(capsys):
    assert SECOND_RUN["run_again"](["a", "b"], lambda test: True) == 0
    SECOND_RUN["report"]()
    assert capsys.readouterr().out.splitlines() == ["unstable: a", "unstable: b"]


@pytest.mark.parametrize("failed", [[], ["a", "b", "c"]])
def test_none_and_more_than_two_get_no_second_run(failed, capsys):
    assert SECOND_RUN["run_again"](failed, pytest.fail) == 1
    SECOND_RUN["report"]()
    assert "unstable" not in capsys.readouterr().out
