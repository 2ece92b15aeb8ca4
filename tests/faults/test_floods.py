"""Many messages on one connection, and many uploads that send nothing."""

import asyncio
import uuid
from urllib.parse import urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg

from tests.faults.client import Attacker
from tests.faults.measure import Stage, Target

RERUNS = 8_000
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
