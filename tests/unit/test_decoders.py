"""Decoders that several threads ask for at once."""

import subprocess
import sys

import pytest

#: msgspec alone ends this program with a segmentation fault within the first types.
MANY_AT_ONCE = """
import sys, threading, msgspec
from bpeviz.decoders import json_decoder, msgpack_decoder, read_toml

def decode(kind, start):
    start.wait()
    assert json_decoder(kind).decode(b'{"inner": [{"number": 3}]}').inner[0].number == 3
    assert read_toml("[[inner]]\\nnumber = 3", kind).inner[0].number == 3
    assert msgpack_decoder(kind).decode(msgspec.msgpack.encode({"inner": []})).inner == []

sys.setswitchinterval(1e-6)
for _ in range(300):
    inner = msgspec.defstruct("Inner", [("number", int), *((f"field{i}", str, "") for i in range(20))])
    kind = msgspec.defstruct("Outer", [("inner", list[inner])])
    start = threading.Barrier(8)
    threads = [threading.Thread(target=decode, args=(kind, start)) for _ in range(8)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
print("done")
"""


@pytest.mark.full
def test_threads_that_ask_for_a_decoder_at_once_all_get_it() -> None:
    run = subprocess.run([sys.executable, "-c", MANY_AT_ONCE], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout, run.stderr) == (0, "done\n", "")
