"""The bytes sent to the player, read back by the rules that pack.js follows."""

import json
import struct
from typing import Any

import numpy as np

from bpeviz.ui.player.player import pack_run, pack_text
from bpeviz.ui.run import NamedText, Settings, train_run

TYPES = {"u1": np.uint8, "i4": np.int32, "f8": np.float64}


def unpack(data: bytes) -> tuple[dict[str, Any], dict[str, Any]]:
    (length,) = struct.unpack_from("<I", data)
    header = json.loads(data[4 : 4 + length])
    offset = 4 + length
    arrays = {}
    for item in header.pop("arrays"):
        arrays[item["name"]] = np.frombuffer(data, TYPES[item["type"]], item["length"], offset).copy()
        offset += arrays[item["name"]].nbytes
    assert offset == len(data)
    return header, arrays


def test_a_run_arrives_whole() -> None:
    text = "the cat in the hat, 灯台 and the cat's mat"
    run = train_run(NamedText("text", text), Settings(num_merges=9), lambda *_: None)
    header, arrays = unpack(
        pack_run(
            text,
            run.gap_ranks,
            run.steps,
            token_totals=run.history.token_totals,
            vocab_sizes=run.tokenizer.vocab_sizes,
            vocabulary=run.tokenizer.vocabulary,
            base=run.tokenizer.base,
            title="Text",
            tie_sentence="the one with the smallest ids",
            chosen=[2],
            stop_reason=run.stop_reason,
            start=3,
        )
    )
    assert header["transport"] is True
    assert header["start"] == 3
    assert (header["title"], header["chosen"]) == ("Text", [2])
    assert arrays["beside"].size == 0
    assert header["text_bytes"] == len(text.encode())
    assert arrays["text"].tobytes().decode() == text
    assert arrays["gaps"].tolist() == run.gap_ranks.tolist()
    assert list(zip(arrays["lefts"], arrays["rights"], strict=True)) == [s.pair for s in run.steps]
    assert arrays["ids"].tolist() == [s.token_id for s in run.steps]
    assert arrays["tied"].tolist() == [s.tied for s in run.steps]
    assert arrays["counts"].tolist() == [s.count for s in run.steps]
    assert arrays["totals"].tolist()[1:] == [s.token_total for s in run.steps]
    assert arrays["vocab_sizes"].tolist() == [256 + k for k in range(len(run.steps) + 1)]
    assert header["base_ids"]["20"] == run.tokenizer.encode(" ")[0]
    assert header["labels"][str(run.steps[0].token_id)] == run.label(run.steps[0].token_id)


def test_a_text_without_transport_stands_at_its_last_merge() -> None:
    header, arrays = unpack(pack_text("mine", "ab", np.array([0, 7], np.int32), 5))
    assert header == {"transport": False, "title": "mine", "start": 5, "num_merges": 5}
    assert arrays["gaps"].tolist() == [0, 7]
