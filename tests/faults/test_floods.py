"""Many messages on one connection, and many uploads that send nothing."""

import asyncio
import uuid
from contextlib import suppress
from urllib.parse import urlsplit

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from websockets.exceptions import ConnectionClosed

from bpeviz.ui.server.message_reports import SELECTION
from tests.faults.client import Attacker
from tests.faults.measure import Stage, Target
from tests.faults.test_tokenizers import file
from tests.support.widget_values import VALUE_FIELDS, full

RERUNS = 8_000
#: A message has less than MOST_PARSED_BYTES.
FIELDS, FIELD_BYTES, FLOOD_SECONDS = 8, 230_000, 2.0
REQUESTS = 30
SILENT_UPLOADS = 40


def test_many_reruns_on_one_connection_hold_up_nobody(stage: Stage) -> None:
    rerun, heartbeat = BackMsg(), BackMsg(app_heartbeat=True)
    rerun.rerun_script.SetInParent()

    async def attack(target: Target) -> None:
        for message in (rerun, heartbeat, BackMsg(clear_cache=True)):
            async with target.attacker() as visitor:
                target.says(f"{RERUNS} messages: {message.WhichOneof('type')}")
                data = message.SerializeToString()
                for _ in range(RERUNS):
                    await visitor.socket.send(data)
                await asyncio.sleep(3)

    stage.expect_no_harm(attack)


@pytest.mark.parametrize("part", range(3))
def test_a_flood_of_values_of_each_type_holds_up_nobody(stage: Stage, part: int) -> None:
    """Each message has as many parts as fit, in several fields."""

    async def attack(target: Target) -> None:
        for field in VALUE_FIELDS[part::3]:
            message = BackMsg()
            states = message.rerun_script.widget_states.widgets
            for number in range(FIELDS):
                states.append(full(field, FIELD_BYTES))
                states[-1].id = f"x{number}{SELECTION}"
            target.says(f"floods with {field.name}")
            async with target.attacker() as visitor:
                with suppress(ConnectionClosed):
                    await visitor.flood(message.SerializeToString(), FLOOD_SECONDS)

    stage.expect_no_harm(attack)


def test_requests_for_large_files_hold_up_nobody(stage: Stage) -> None:
    """Two files in turn, so that none is the same as the last one, on three connections."""
    words = {f"t{number:x}": number for number in range(100_000)}
    data = file({"type": "WordLevel", "vocab": {"<unk>": 100_000, **words}, "unk_token": "<unk>"})

    async def ask(target: Target) -> None:
        async with target.attacker() as visitor:
            await visitor.go("vocabulary")
            await visitor.upload(visitor.named("dropped_on_vocabulary"), {"tokenizer.json": data})
            for _ in range(REQUESTS):
                for name in ("vocabulary_CSV", "vocabulary_JSON"):
                    await visitor.socket.send(visitor.file_request(name).SerializeToString())
            await asyncio.sleep(FLOOD_SECONDS)

    async def attack(target: Target) -> None:
        target.says(f"asks {REQUESTS} times for two files on three connections")
        await asyncio.gather(*(ask(target) for _ in range(3)))

    stage.expect_no_harm(attack)


def test_uploads_that_send_nothing_refuse_nobody(stage: Stage) -> None:
    statuses: list[int] = []

    async def attack(target: Target) -> None:
        async with target.attacker() as visitor:
            writers = [
                await _announce(visitor, stage.limits.largest_upload_bytes) for _ in range(SILENT_UPLOADS)
            ]
            target.says(f"{SILENT_UPLOADS} uploads that send nothing")
            async with target.attacker() as other:
                statuses.append(await other.put_unasked(b"x" * 1_000))
        async with target.attacker() as other:
            target.says("the session of the uploads has left")
            statuses.append(await other.put_unasked(b"x" * 1_000))
            for writer in writers:
                writer.close()

    stage.expect_no_harm(attack)
    assert statuses == [204, 204]


async def _announce(visitor: Attacker, size: int) -> asyncio.StreamWriter:
    """Begin an upload of ``size`` bytes without sending any of them."""
    address = urlsplit(visitor.url)
    _, writer = await asyncio.open_connection(address.hostname, address.port)
    head = {
        "Host": address.netloc,
        "Origin": visitor.url,
        "Content-Type": "multipart/form-data; boundary=x",
        "Content-Length": str(size),
    }
    lines = [f"PUT /_stcore/upload_file/{visitor.session_id}/{uuid.uuid4()} HTTP/1.1"]
    lines += [f"{name}: {value}" for name, value in head.items()]
    writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
    await writer.drain()
    return writer
