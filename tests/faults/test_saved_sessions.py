"""Files of saved sessions that somebody has changed."""

import copy
import hashlib
import json
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from typing import Any

from tests.faults.client import Attacker
from tests.faults.inputs import prepare
from tests.faults.measure import Stage, Target

MENU, FILE, OPEN, DOWNLOAD = "session_menu", "session_file", "open_file", "download_session"
IN_A_NEW_TAB = "Open in a new tab"
CLICKS, SAVED_BYTES = 10, 5_000_000


async def _saved(visitor: Attacker) -> dict[str, Any]:
    """The file that the page makes of a session with two runs."""
    await prepare(visitor)
    await visitor.set(MENU, True)
    saved: dict[str, Any] = json.loads(await visitor.download(DOWNLOAD))
    return saved


async def _bring(visitor: Attacker, document: Mapping[str, Any]) -> str:
    """Open a file in the menu; returns the address of the new session, empty if the page refuses."""
    visitor.links.clear()
    await visitor.set(MENU, True)
    await visitor.upload(FILE, {"session.json": json.dumps(document).encode()})
    if OPEN in visitor.widgets:
        await visitor.press(OPEN)
    return visitor.links.get(IN_A_NEW_TAB, "")


def _changed(saved: Mapping[str, Any], **changes: Any) -> dict[str, Any]:
    changed = copy.deepcopy(dict(saved))
    for path, value in changes.items():
        *way, last = path.split("__")
        place = changed["document"]
        for key in way:
            place = place[int(key) if key.isdecimal() else key]
        place[last] = value
    return changed


def _nested(depth: int) -> dict[str, Any]:
    return {"x": _nested(depth - 1)} if depth else {}


CHANGES: Mapping[str, Mapping[str, Any]] = {
    "step": {"step": 2**53},
    "merges of the encode page": {"pages__encode": {"fields": {"num_merges": {"1": 2**53, "7": 10**9}}}},
    "text of the encode page": {"pages__encode": {"fields": {"text": "0" * 64, "part": "x" * 10**6}}},
    "fields without end": {"pages__encode": {"fields": _nested(900)}},
    "a side with many digits": {"sides": {"left": "run-" + "9" * 5_000, "encode": "run-" + "1" * 5_000}},
    "merges of the compare page": {
        "pages__compare": {
            "fields": {"merges": [["left", "run-" + "9" * 190, 2**53], ["right", "gpt2", 2**53]]}
        }
    },
    "an unknown side": {"sides": {"left": "x" * 100_000, "right": "run--1"}},
    "recipes": {"pages__recipes": {"fields": {"num_merges": 2**53, "pair": ["x", "y"], "recipes": ["x"]}}},
    "a recipe that is not there": {"pages__recipes": {"fields": {"pair": ["x", "y"], "recipes": ["x"]}}},
    "pair": {"pages__watch": {"fields": {"pair": [2**31 - 1, 0]}}},
    "number of a run": {"runs__0__number": 10**9},
    "run with the same number": {"runs__0__number": 7, "runs__1__number": 7},
    "a long name": {"runs__0__name": "<b>" * 1_000_000},
    "a hostile pattern": {
        "runs__0__settings__split": "custom",
        "runs__0__settings__custom_pattern": "(" * 20 + "a" + ")+" * 20,
    },
    "many choices": {"runs__0__choices": [{"rank": 0, "pair": [1, 2], "action": "veto"}] * 10_000},
    "no choice": {"runs__0__choices": [{"rank": 10**9, "pair": [-1, 2], "action": "merge"}]},
    "race": {"pages__watch": {"fields": {"race_length": 2**53}}},
    "megabytes": {"library_megabytes": 2**53},
}


def test_changed_sessions_crash_no_page_and_hold_up_nobody(stage: Stage) -> None:
    crashes: list[str] = []

    async def attack(target: Target) -> None:
        async with target.attacker() as visitor:
            saved = await _saved(visitor)
            for name, changes in CHANGES.items():
                target.says(f"opens a session with another {name}")
                link = await _bring(visitor, _changed(saved, **changes))
                crashes.extend(f"{name}, opening: {crash}" for crash in visitor.crashes)
                visitor.crashes.clear()
                if link:
                    await _visit(target, link, name, crashes)

    stage.expect_no_harm(attack)
    assert crashes == []


async def _visit(target: Target, link: str, name: str, crashes: list[str]) -> None:
    async with target.attacker(link) as visitor:
        for page in list(visitor.pages):
            await visitor.go(page)
            crashes.extend(f"{name}, page {page or 'merges'}: {crash}" for crash in visitor.crashes)
            visitor.crashes.clear()


def test_a_session_brings_no_more_runs_than_the_page_takes(stage: Stage) -> None:
    most = stage.limits.kept_runs
    runs: list[int] = []
    made: list[int] = []

    async def attack(target: Target) -> None:
        target.says("opens a session of 60 runs")
        async with target.attacker() as visitor:
            saved = await _saved(visitor)
            made.append(len(saved["document"]["runs"]))
            runs.append(await _runs(target, await _bring(visitor, saved)))
            runs_of_it = saved["document"]["runs"] * 30
            many = _changed(saved, runs=[run | {"number": n + 1} for n, run in enumerate(runs_of_it)])
            if link := await _bring(visitor, many):
                runs.append(await _runs(target, link))

    stage.expect_no_harm(attack)
    assert runs[0] == made[0] >= 2, "of a file that nobody changed"
    assert all(number <= most for number in runs), runs


async def _runs(target: Target, link: str) -> int:
    """How many runs a saved session has after it is opened."""
    async with target.attacker(link) as opened:
        await opened.set(MENU, True)
        return len(json.loads(await opened.download(DOWNLOAD))["document"]["runs"])


def test_a_file_is_saved_once_however_often_the_page_is_drawn(stage: Stage) -> None:
    grown: list[int] = []

    async def attack(target: Target) -> None:
        async with target.attacker() as visitor:
            saved = await _saved(visitor)
            text = "x" * SAVED_BYTES
            saved["texts"] |= {_digest(text): text}
            await _bring(visitor, _changed(saved, pasted=_digest(text)))
            before = _sessions(target)
            for click in range(CLICKS):
                target.says(f"click {click + 1} while the file is open")
                await visitor.send()
            grown.append(_sessions(target) - before)

    stage.expect_no_harm(attack)
    assert grown == [0]


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _sessions(target: Target) -> int:
    """How many sessions are saved."""
    path = next(target.folder.rglob("*.sqlite3"))
    with closing(sqlite3.connect(path)) as database:
        return int(database.execute("SELECT count(*) FROM sessions").fetchone()[0])
