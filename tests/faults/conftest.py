"""One server at a time, with the settings of a hosted and of a local one."""

import asyncio
import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.faults.client import attacker
from tests.faults.inputs import Input, discover
from tests.faults.measure import Stage, on_stage

# The local one first: its page has every input that the hosted one has, and more.
CONFIGURATIONS = {"local": {"BPEVIZ_HOSTED": "0"}, "hosted": {"BPEVIZ_HOSTED": "1"}}


class Stages:
    """The stage of one configuration, and a new one when that is spoilt."""

    def __init__(self, folder: Path, configuration: str) -> None:
        self.folder, self.configuration = folder, configuration
        self._open = ExitStack()
        self._stage: Stage | None = None

    def get(self) -> Stage:
        if self._stage is None or self._stage.spoilt:
            self.close()
            folder = self.folder / os.urandom(4).hex()
            self._stage = self._open.enter_context(on_stage(folder, CONFIGURATIONS[self.configuration]))
        return self._stage

    def close(self) -> None:
        self._open.close()
        self._stage = None


@pytest.fixture(scope="session", params=list(CONFIGURATIONS))
def stages(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stages]:
    stages = Stages(tmp_path_factory.mktemp("faults"), request.param)
    yield stages
    stages.close()


@pytest.fixture
def stage(stages: Stages) -> Stage:
    return stages.get()


@pytest.fixture(scope="session")
def found() -> dict[str, Input]:
    """The inputs that ``inputs`` finds once for both configurations."""
    return {}


@pytest.fixture
def inputs(stage: Stage, found: dict[str, Input]) -> dict[str, Input]:
    """Every input of the page, by name."""
    if not found:
        found |= asyncio.run(_discover(stage.server.url))
    return found


async def _discover(url: str) -> dict[str, Input]:
    async with attacker(url) as visitor:
        return await discover(visitor)
