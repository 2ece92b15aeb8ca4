"""The bytes for the player, read back by the rules of pack.js."""

import json
import struct
from typing import Any

import numpy as np

from bpeviz.core.gap_ranks import INSIDE, NEVER, SKIPPED, WALL
from bpeviz.runs.run import NamedText
from bpeviz.training.settings import TrainingSettings
from bpeviz.ui.components.pack import pack, short_gap_ranks
from bpeviz.ui.components.player.player import pack_run
from tests.support.trained import run_of

TYPES = {"u1": np.uint8, "u2": np.uint16, "i4": np.int32, "f8": np.float64}


def long_rank(sent: int) -> int:
    return {0xFFFC: INSIDE, 0xFFFD: NEVER, 0xFFFE: SKIPPED, 0xFFFF: WALL}.get(int(sent), int(sent))


def unpack(data: bytes) -> tuple[dict[str, Any], dict[str, Any]]:
    (length,) = struct.unpack_from("<I", data)
    header = json.loads(data[4 : 4 + length])
    offset = 4 + length
    arrays = {}
    for item in header.pop("arrays"):
        array = np.frombuffer(data, TYPES[item["type"]], item["length"], offset).copy()
        offset += array.nbytes
        arrays[item["name"]] = np.array([long_rank(v) for v in array]) if item["type"] == "u2" else array
    assert offset == len(data)
    return header, arrays


def test_a_run_arrives_whole() -> None:
    text = "the cat in the hat, 灯台 and the cat's mat"
    run = run_of(NamedText("text", text), TrainingSettings(num_merges=9))
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


def test_gap_ranks_are_sent_in_two_bytes_each_where_they_fit() -> None:
    ranks = np.array([INSIDE, 0, 0xFFFB, NEVER, SKIPPED, WALL], np.int32)
    data = pack({}, gaps=short_gap_ranks(ranks))
    assert unpack(data)[1]["gaps"].tolist() == ranks.tolist()
    assert short_gap_ranks(ranks).dtype == np.uint16
    too_high = np.array([0xFFFC, WALL], np.int32)
    assert short_gap_ranks(too_high) is too_high
