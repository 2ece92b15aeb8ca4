"""A Hub that lies, and downloads that are cancelled, while a second visitor works."""

import asyncio
import json
from collections.abc import Iterator, Mapping
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from bpeviz.workers.pool import MOST_DOWNLOADS
from tests.faults.client import Attacker, value_for
from tests.faults.conftest import CONFIGURATIONS
from tests.faults.measure import KEPT_SECONDS, Stage, Target, on_stage
from tests.support.hub_server import COMMIT, HubServer, hub_server
from tests.support.tokenizer_files import as_file, tiny

(TINY,) = as_file(tiny()).values()
MUCH = b" " * 50_000_000
ASK, CANCEL, MODEL = "get_from_hub", "hub_cancel", "hub_model"
#: What the page says about each model. One of them is read all the same: only its ETag and commit are lies.
LIES = {
    "org/commit": "what answers isn't the Hub",
    "org/etag": "",
    "org/more": "the Hub sends more than 208 bytes",
    "org/info": "the Hub sends more than 5,000,000 bytes",
    "org/elsewhere": "the Hub leads to another place",
    "org/file": "the Hub leads to another place",
}
AT_ONCE, ADDRESS = 12, "203.0.113.1"
#: How soon all that may start have started, and how long cancelled ones hold their places at most.
STARTED_SECONDS, CANCELLED_SECONDS = 3.0, KEPT_SECONDS + 10.0


def _info(sha: str = COMMIT, size: int = len(TINY)) -> tuple[int, dict[str, str], bytes]:
    siblings = [{"rfilename": "tokenizer.json", "size": size}]
    return 200, {}, json.dumps({"sha": sha, "siblings": siblings}).encode()


def _replies(elsewhere: str) -> Mapping[str, tuple[int, dict[str, str], bytes]]:
    """The lies, by path; ``elsewhere`` is a place that only this machine reaches."""
    files = {model: f"/{model}/resolve/{COMMIT}/tokenizer.json" for model in LIES}
    return {
        "/api/models/org/commit": _info(sha="../" * 9 + "tmp/written"),
        "/api/models/org/etag": _info(),
        files["org/etag"]: (200, {"ETag": '"../../../etag"', "X-Repo-Commit": "../../../commit"}, TINY),
        "/api/models/org/more": _info(size=208),
        files["org/more"]: (200, {}, MUCH),
        "/api/models/org/info": (200, {}, MUCH),
        "/api/models/org/elsewhere": (302, {"Location": f"{elsewhere}/api/models/org/tiny"}, b""),
        "/api/models/org/file": _info(),
        files["org/file"]: (307, {"Location": f"{elsewhere}{files['org/etag']}"}, b""),
    }


@pytest.fixture
def hub() -> Iterator[HubServer]:
    models = {f"org/{number}": {"tokenizer.json": TINY + b" " * number} for number in range(AT_ONCE + 1)}
    with hub_server(models) as hub:
        yield hub


@pytest.fixture(params=list(CONFIGURATIONS))
def asking(hub: HubServer, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Stage]:
    """A server that asks this Hub."""
    asks = {"BPEVIZ_HUB": "1", "HF_ENDPOINT": hub.url, "HF_HUB_CACHE": str(tmp_path / "cache")}
    with on_stage(tmp_path / "data", {**CONFIGURATIONS[request.param], **asks}) as stage:
        yield stage


def test_a_hub_that_lies_writes_nothing_and_holds_up_nobody(
    asking: Stage, hub: HubServer, tmp_path: Path
) -> None:
    said: dict[str, str] = {}

    async def attack(target: Target) -> None:
        for model in LIES:
            target.says(f"gets {model}")
            async with target.attacker() as visitor:
                await visitor.go("compare")
                await visitor.press(ASK, **{MODEL: model})
                said[model] = " ".join(visitor.errors).replace("\\", "")

    with hub_server({}) as elsewhere:
        hub.replies |= _replies(elsewhere.url)
        asking.expect_no_harm(attack)
        assert elsewhere.paths == []
    assert {model: words for model, words in LIES.items() if words not in said[model]} == {}, said
    assert "the Hub" not in said["org/etag"], "its file is read as it is"
    kept = f"cache/models--org--etag/snapshots/{COMMIT}/tokenizer.json"
    assert _written(tmp_path) == ([] if asking.limits.hosted else [kept])


def _written(folder: Path) -> list[str]:
    """The files beside the saved sessions."""
    files = (str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
    return sorted(name for name in files if not name.startswith("data/"))


def test_cancelled_downloads_give_their_places_back(asking: Stage, hub: HubServer, tmp_path: Path) -> None:
    at_once: list[int] = []

    async def attack(target: Target) -> None:
        hub.wait.clear()
        target.says(f"{AT_ONCE} downloads at once")
        async with AsyncExitStack() as stack:
            visitors = [
                await stack.enter_async_context(target.attacker(address=ADDRESS)) for _ in range(AT_ONCE)
            ]
            await asyncio.gather(*(_ask(visitor, number) for number, visitor in enumerate(visitors)))
            await asyncio.sleep(STARTED_SECONDS)
            at_once.append(_downloads(hub))
            for visitor in visitors[::2]:  # the others only leave
                await visitor.tell(value_for(visitor.widgets[CANCEL], True))
            await asyncio.sleep(1)
            for visitor in visitors:  # at once: closing would wait for all that the server has sent
                visitor.socket.transport.abort()
        target.says("another download")
        async with target.attacker(address=ADDRESS) as visitor:
            await _ask(visitor, AT_ONCE)
            async with asyncio.timeout(CANCELLED_SECONDS):
                while f"/org/{AT_ONCE}/resolve/{COMMIT}/tokenizer.json" not in hub.paths:
                    await asyncio.sleep(0.1)
            hub.wait.set()
            await visitor.read_until(f"uploaded_name-file-1-org/{AT_ONCE}")

    asking.expect_no_harm(attack)
    most = MOST_DOWNLOADS + (not asking.limits.hosted)  # there each session has the turns of a visitor
    assert 0 < at_once[0] <= most
    kept = f"cache/models--org--{AT_ONCE}/snapshots/{COMMIT}/tokenizer.json"
    assert _written(tmp_path) == ([] if asking.limits.hosted else [kept]), "a cancelled download went on"


async def _ask(visitor: Attacker, number: int) -> None:
    """Ask for a model, and go on when the page offers to cancel that."""
    await visitor.go("compare")
    await visitor.tell(
        value_for(visitor.widgets[MODEL], f"org/{number}"), value_for(visitor.widgets[ASK], True)
    )
    await visitor.read_until(CANCEL)


def _downloads(hub: HubServer) -> int:
    """How many downloads the Hub has seen."""
    return sum("/resolve/" in path for path in hub.paths)
