"""Hostile files in every upload field, on every page, and uploads that no field asked for."""

import asyncio

import pytest

from bpeviz.ui.kit.tokenizer_sources import YOUR_FILE
from tests.faults.client import Attacker
from tests.faults.hostile_content import FILES
from tests.faults.inputs import UPLOAD_KINDS, Input, open_input
from tests.faults.measure import Stage, Target
from tests.faults.plan import LARGE, rotated, sizes_and_names

#: The field for tokenizer files, and the files for it that some reader may accept.
BROUGHT = "brought"
TOKENIZERS = tuple(FILES)[list(FILES).index("deep JSON") : list(FILES).index("saved session")]
#: Special tokens and almost special ones, as many as the page encodes.
SPECIAL_TEXTS = ("<" * 4_900, "<5> <77777 " * 440)
#: More than any session needs, and less than the server has.
UNASKED, UNASKED_BYTES = 25, 16_000_000


def test_hostile_files_hold_up_nobody(stage: Stage, inputs: dict[str, Input]) -> None:
    async def attack(target: Target) -> None:
        for number, field in enumerate(inputs.values()):
            if field.kind in UPLOAD_KINDS and field.name != BROUGHT:
                await _fill(target, field, number)

    stage.expect_no_harm(attack)


async def _fill(target: Target, field: Input, number: int) -> None:
    async with target.attacker() as visitor:
        widget = await open_input(visitor, field)
        if widget is None:
            return
        largest = visitor.widgets[widget].message.max_upload_size_mb * 2**20 - 1_000
        for size, name in sizes_and_names(list(FILES), number, largest):
            target.says(f"{field.name}: {name}, {size:,} bytes")
            # in a thread: the visitor must answer the server while 200 MB are made
            await visitor.upload(widget, await asyncio.to_thread(FILES[name], size))
            if widget not in visitor.widgets:
                widget = await open_input(visitor, field) or widget


@pytest.mark.parametrize("size", [3_000, LARGE, 60_000_000], ids="{} bytes".format)
def test_a_hostile_tokenizer_on_every_page_holds_up_nobody(
    stage: Stage, inputs: dict[str, Input], size: int
) -> None:
    """All of the small ones, and some of the large ones."""
    names = TOKENIZERS if size == 3_000 else rotated(TOKENIZERS, size // LARGE)
    always = () if size == 3_000 else ("many added tokens", "many merges", "longer tokens", "one long token")

    async def attack(target: Target) -> None:
        for name in dict.fromkeys((*always, *names)):
            target.says(f"{BROUGHT}: {name}, {size:,} bytes")
            async with target.attacker() as visitor:
                if widget := await open_input(visitor, inputs[BROUGHT]):
                    files = FILES[name](size)
                    await visitor.upload(widget, files)
                    await _look_at(visitor, " + ".join(files))

    stage.expect_no_harm(attack)


async def _look_at(visitor: Attacker, tokenizer: str) -> None:
    """Choose a tokenizer on the pages that show one, and draw them again as other clicks do."""
    for page in ("vocabulary", "encode"):
        await visitor.go(page)
        for name, widget in visitor.widgets.items():
            if name.startswith("side-") and f"{tokenizer}{YOUR_FILE}" in widget.message.options:
                await visitor.set(name, f"{tokenizer}{YOUR_FILE}")
                break
        await visitor.send()
    if "encode_special" in visitor.widgets:
        await visitor.set("encode_special", True)
        for text in SPECIAL_TEXTS:
            await visitor.set("encode_text", text)


def test_uploads_that_no_field_asked_for_are_limited(stage: Stage) -> None:
    statuses: list[int] = []

    async def attack(target: Target) -> None:
        data = bytes(UNASKED_BYTES)
        async with target.attacker() as visitor:
            for number in range(UNASKED):
                target.says(f"upload {number + 1} that no field asked for")
                statuses.append(await visitor.put_unasked(data))

    stage.expect_no_harm(attack)
    assert [status for status in statuses if status >= 400], "all of them are kept"
