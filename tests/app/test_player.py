"""The bytes for the player, read back by the rules of pack.js."""

import json
import struct
from dataclasses import replace
from typing import Any

import numpy as np

from bpeviz.core.gap_ranks import INSIDE, NEVER, SKIPPED, WALL
from bpeviz.runs.run import NamedText
from bpeviz.training.settings import TrainingSettings
from bpeviz.ui.components.pack import pack, short_gap_ranks
from bpeviz.ui.components.player.pairs import PickedPair, pack_pairs, read_picked
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
            number=run.number,
            title="Text",
            tie_sentence="the one with the smallest ids",
            chosen=[2],
            stop_reason=run.stop_reason,
            corpus_bytes=run.corpus.trained_bytes,
            start=3,
        )
    )
    assert (header["start"], header["number"]) == (3, run.number)
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


def test_the_pairs_of_all_steps_arrive_whole() -> None:
    run = run_of(NamedText("text", "the cat in the hat, 灯台 and the cat's mat"), TrainingSettings())
    top = run.top_pairs
    header, arrays = unpack(pack_pairs(top, number=7, tie_reason="its ids are smallest", vetoed={(1, 2): 3}))
    assert header == {"number": 7, "most": 20, "tie_reason": "its ids are smallest", "vetoed": [[1, 2, 3]]}
    for name, array in arrays.items():
        assert array.tolist() == getattr(top, name).tolist()
    assert arrays["num_added"].size == len(run.steps) + 1


def test_counts_that_four_bytes_cannot_hold_arrive_too() -> None:
    top = run_of(NamedText("text", "aa aa ab"), TrainingSettings()).top_pairs
    large = replace(top, counts=top.counts * 2**33)
    _, arrays = unpack(pack_pairs(large, number=1, tie_reason="", vetoed={}))
    assert arrays["counts"].tolist() == large.counts.tolist()


def test_a_picked_pair_is_two_ids_and_a_step_or_nothing() -> None:
    def read(left: object, right: object, step: object) -> PickedPair | None:
        return read_picked({"picked": {"left": left, "right": right, "step": step}}, 9)

    assert read(1, 2, 9) == PickedPair((1, 2), 9)
    for odd in (None, -1, "1", 2**31, True, [1]):
        assert read(odd, 2, 3) is read(1, odd, 3) is read(1, 2, odd) is None
    assert read(1, 2, 10) is None
    assert read_picked({"picked": None}, 9) is read_picked(None, 9) is None
