"""Hostile text in every field of every page, up to the largest that the server accepts."""

import pytest
from websockets.exceptions import ConnectionClosed

from tests.faults.hostile_content import TEXTS
from tests.faults.inputs import TEXT_KINDS, Input, open_input
from tests.faults.measure import Stage, Target
from tests.faults.plan import sizes_and_names

PAGES = ("", "compare", "recipes", "encode", "vocabulary")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page or "merges")
def test_hostile_text_in_a_field_holds_up_nobody(stage: Stage, inputs: dict[str, Input], page: str) -> None:
    fields = [(i, each) for i, each in enumerate(inputs.values()) if each.kind in TEXT_KINDS]
    on_this_page = [(i, each) for i, each in fields if each.page == page]
    assert on_this_page
    largest = stage.limits.max_state_bytes - 1_000

    async def attack(target: Target) -> None:
        for number, field in on_this_page:
            await fill(target, field, number, largest)

    stage.expect_no_harm(attack)


async def fill(target: Target, field: Input, number: int, largest: int) -> None:
    """Give a field one content after another; if the server closes the connection, open a new one."""
    plan = list(sizes_and_names(list(TEXTS), number, largest))
    while plan:
        async with target.attacker() as visitor:
            widget = await open_input(visitor, field)
            while widget and plan:
                size, name = plan.pop(0)
                target.says(f"{field.name}: {name}, {size:,} bytes")
                try:
                    await visitor.set(widget, TEXTS[name](size))
                except ConnectionClosed:
                    break
                if widget not in visitor.widgets:
                    widget = await open_input(visitor, field)
            if not widget:
                return
