"""Messages that no browser sends: values of wrong types, odd states of components, unknown ids."""

from collections.abc import Iterator, Sequence

from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.exceptions import ConnectionClosed

from tests.faults.client import Attacker
from tests.faults.hostile_content import COMPONENT_STATES, RUN, VALUES
from tests.faults.inputs import FORGED_KINDS, Input, follow, on_page, prepare
from tests.faults.measure import Stage, Target
from tests.faults.plan import rotated

#: Buttons that train or check. Other tests press them.
NOT_PRESSED = ("parity",)
#: Components whose page uses what they report.
TELLING = ("bpeviz_player", "bpeviz_comparer")
COMPONENTS = (
    *TELLING,
    *("bpeviz_boundary_rows", "bpeviz_chart_export", "bpeviz_encoder", "bpeviz_orders", "bpeviz_remote"),
)
RAW = (
    b"",
    b"\x00",
    b"\xff" * 1_000,
    b"\x5a" * 100_000,
    b"\x0a\xff\xff\xff\xff\x0f",
    b"\xda\x3e\x03\xff\xfe\xfd",
)


def test_values_of_other_types_hold_up_nobody(stage: Stage, inputs: dict[str, Input]) -> None:
    """All widgets of a page get values in one message, each a different one."""
    forged = [each for each in inputs.values() if each.kind in FORGED_KINDS and each.name not in NOT_PRESSED]
    ways = list(dict.fromkeys((each.page, each.path) for each in forged))

    async def attack(target: Target) -> None:
        async with target.attacker() as visitor:
            await prepare(visitor)
            for number, (page, path) in enumerate(ways):
                here = [each for each in forged if (each.page, each.path) == (page, path)]
                for name in rotated(list(VALUES), number):
                    target.says(f"{page or 'merges'} {path}: values from {name} on")
                    await follow(visitor, page, path)
                    await visitor.send(*_forged(visitor, here, list(VALUES).index(name)))

    stage.expect_no_harm(attack)


def _forged(visitor: Attacker, inputs: Sequence[Input], first: int) -> Iterator[WidgetState]:
    values = list(VALUES.values())
    for number, each in enumerate(inputs):
        if widget := on_page(visitor, each.name):
            value = values[(first + number) % len(values)]
            yield WidgetState(id=visitor.widgets[widget].id, **value)


def test_odd_states_of_components_crash_no_page(stage: Stage, inputs: dict[str, Input]) -> None:
    """The session can be opened again afterwards."""
    crashes: list[str] = []

    async def attack(target: Target) -> None:
        for component in COMPONENTS:
            found = next(each for each in inputs.values() if each.component == component)
            crashes.extend(await _crashes(target, found))

    stage.expect_no_harm(attack)
    assert crashes == []


async def _crashes(target: Target, component: Input) -> list[str]:
    """What goes wrong when a component reports odd states; only a few if no page uses its reports."""
    crashes: list[str] = []
    async with target.attacker() as visitor:
        await prepare(visitor)
        query = visitor.query
        for state in COMPONENT_STATES if component.component in TELLING else COMPONENT_STATES[:20]:
            if not on_page(visitor, component.name):
                await follow(visitor, component.page, component.path)
            if widget := on_page(visitor, component.name):
                target.says(f"{component.component} tells: {state[:60]}")
                await visitor.set(widget, state.replace(RUN, str(visitor.run_number)))
                crashes += [f"{component.component}, {state[:60]}: {crash}" for crash in visitor.crashes]
                visitor.crashes.clear()
    target.says("opens the session again")
    async with target.attacker(query) as again:
        crashes += [f"{component.component}, opened again: {crash}" for crash in again.crashes]
        if not again.player:
            crashes.append(f"{component.component}: the session cannot be opened again")
    return crashes


def test_unknown_ids_and_broken_messages_hold_up_nobody(stage: Stage) -> None:
    async def attack(target: Target) -> None:
        async with target.attacker() as visitor:
            target.says("unknown ids")
            for start in ("$$ID-0-", "", "$$WIDGET_ID-", "$$STREAMLIT_INTERNAL_KEY"):
                ids = (f"{start}{number}" for number in range(1_000))
                await visitor.send(*(WidgetState(id=each, string_value="x" * 1_000) for each in ids))
            target.says("a long id")
            await visitor.forge("x" * 1_000_000, {"bool_value": True})
            target.says("an unknown fragment and page")
            await visitor.tell(WidgetState(id="x", bool_value=True), fragment="x" * 1_000)
            await visitor.go("0" * 32)
        for data in RAW:
            target.says(f"bytes that are no message: {data[:10]!r}")
            async with target.attacker() as visitor:
                try:
                    await visitor.socket.send(data)
                    await visitor.send()
                except ConnectionClosed:
                    continue

    stage.expect_no_harm(attack)
