"""The bytes for the player, read back by the rules of pack.js."""

import json
import struct
from dataclasses import replace
from typing import Any

import numpy as np

from bpeviz.browser.pack import pack, short_gap_ranks
from bpeviz.browser.run_pack import PlayedRun, pack_pairs, pack_run
from bpeviz.core.gap_ranks import INSIDE, NEVER, SKIPPED, WALL
from bpeviz.core.token_chain import Pair
from bpeviz.runs.run import NamedText, Run
from bpeviz.training.choice import Choice
from bpeviz.training.settings import TrainingSettings
from bpeviz.ui.kit.pairs import ForkedPair, PickedPair, read_forked, read_picked
from bpeviz.ui.kit.player import read_guess, read_page_request, read_report, read_word
from tests.support.trained import run_of

CATS = "the cat in the hat, 灯台 and the cat's mat"
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


def run_on_cats() -> Run:
    return run_of(NamedText("text", CATS), TrainingSettings(num_merges=9))


def test_a_run_arrives_whole() -> None:
    trained = run_on_cats()
    pair = trained.steps[2].pair
    choices = (Choice(1, (0, 1), "veto"), Choice(2, pair))
    run = replace(trained, settings=replace(trained.settings, choices=choices))
    header, arrays = unpack(pack_run(PlayedRun(run=run, title="Text", start=3)))
    assert (header["start"], header["number"]) == (3, run.number)
    assert (header["title"], header["chosen"]) == ("Text", [2])
    assert header["forks"] == [
        {"rank": 1, "pair": [0, 1], "action": "veto"},
        {"rank": 2, "pair": [*pair], "action": "merge"},
    ]
    assert arrays["beside"].size == 0
    assert header["text_bytes"] == len(CATS.encode())
    assert arrays["text"].tobytes().decode() == CATS
    assert arrays["gaps"].tolist() == run.gap_ranks.tolist()
    assert list(zip(arrays["lefts"], arrays["rights"], strict=True)) == [s.pair for s in run.steps]
    assert arrays["ids"].tolist() == [s.token_id for s in run.steps]
    assert arrays["tied"].tolist() == [s.tied for s in run.steps]
    assert arrays["counts"].tolist() == [s.count for s in run.steps]
    assert arrays["totals"].tolist()[1:] == [s.token_total for s in run.steps]
    assert arrays["vocab_sizes"].tolist() == [256 + k for k in range(len(run.steps) + 1)]
    assert header["base_ids"]["20"] == run.tokenizer.encode(" ")[0]
    assert header["labels"][str(run.steps[0].token_id)] == run.label(run.steps[0].token_id)


def test_merges_that_a_notebook_chose_are_no_forks() -> None:
    trained = run_on_cats()
    run = replace(trained, settings=replace(trained.settings, choices=(Choice(2, trained.steps[2].pair),)))
    header, _ = unpack(pack_run(PlayedRun(run=run, title="Text", start=3, chooser="the notebook")))
    assert (header["chooser"], header["chosen"], header["forks"]) == ("the notebook", [2], [])


def test_a_guess_gives_nothing_away_of_later_merges() -> None:
    run = run_on_cats()
    until = replace(run, result=replace(run.result.after(4), pre_tokens=run.pre_tokens))
    header, arrays = unpack(
        pack_run(
            PlayedRun(run=until, title="Text", start=4, gap_ranks=run.gap_ranks, guess=True, autoplay=2.5)
        )
    )
    assert (header["guess"], header["autoplay"], header["tie"]) == (True, 2.5, "smallest-ids")
    assert header["num_merges"] == 4
    assert max(map(int, header["labels"])) == max(arrays["ids"])
    assert any(4 <= rank < NEVER for rank in run.gap_ranks.tolist())
    assert arrays["gaps"].tolist() == [
        rank if rank < 4 or rank > NEVER else NEVER for rank in run.gap_ranks.tolist()
    ]


def test_gap_ranks_are_sent_in_two_bytes_each_where_they_fit() -> None:
    ranks = np.array([INSIDE, 0, 0xFFFB, NEVER, SKIPPED, WALL], np.int32)
    data = pack({}, gaps=short_gap_ranks(ranks))
    assert unpack(data)[1]["gaps"].tolist() == ranks.tolist()
    assert short_gap_ranks(ranks).dtype == np.uint16
    too_high = np.array([0xFFFC, WALL], np.int32)
    assert short_gap_ranks(too_high) is too_high


def test_the_pairs_of_all_steps_arrive_whole() -> None:
    run = run_of(NamedText("text", CATS), TrainingSettings())
    top = run.top_pairs
    header, arrays = unpack(pack_pairs(top, number=7, vetoed={(1, 2): 3}))
    assert header == {"number": 7, "most": 20, "vetoed": [[1, 2, 3]]}
    for name, array in arrays.items():
        assert array.tolist() == getattr(top, name).tolist()
    assert arrays["num_added"].size == len(run.steps) + 1


def test_counts_that_four_bytes_cannot_hold_arrive_too() -> None:
    top = run_of(NamedText("text", "aa aa ab"), TrainingSettings()).top_pairs
    large = replace(top, counts=top.counts * 2**33)
    _, arrays = unpack(pack_pairs(large, number=1, vetoed={}))
    assert arrays["counts"].tolist() == large.counts.tolist()


def test_a_picked_pair_is_two_ids_and_a_step_or_nothing() -> None:
    def read(left: object, right: object, step: object) -> PickedPair | None:
        return read_picked({"picked": {"left": left, "right": right, "step": step}}, 9)

    assert read(1, 2, 9) == PickedPair((1, 2), 9)
    for odd in (None, -1, "1", 2**31, True, [1]):
        assert read(odd, 2, 3) is read(1, odd, 3) is read(1, 2, odd) is None
    assert read(1, 2, 10) is None
    assert read_picked({"picked": None}, 9) is read_picked(None, 9) is None


def test_a_report_counts_only_if_it_is_about_the_run_on_the_page() -> None:
    run = run_of(NamedText("text", "the cat the hat"), TrainingSettings(num_merges=4))

    def step(at: Any, number: Any = run.number) -> int | None:
        return read_report({"at": {"step": at, "number": number}}, run)

    def word(start: Any, end: Any, number: Any = run.number) -> str | None:
        return read_word({"word": {"start": start, "end": end, "number": number}}, run)

    last = len(run.steps)
    assert step(last) == last
    assert step(last + 1) is step("1") is step(1, run.number + 1) is step(1, None) is None
    assert word(4, 5) == " cat"
    assert word(14, 15) == " hat"
    assert word(5, 5) is word(5, 4) is word(0, 16) is word(-1, 2) is word("0", 2) is None
    assert word(0, 2, run.number + 1) is word(0, 2, None) is read_word(None, run) is None


def test_a_page_is_made_only_of_a_step_of_the_run_on_the_page() -> None:
    run = run_of(NamedText("text", "the cat the hat"), TrainingSettings(num_merges=4))

    def request(step: Any, asked: Any, number: Any = run.number) -> tuple[int, int] | None:
        return read_page_request({"page": {"step": step, "asked": asked, "number": number}}, run)

    last = len(run.steps)
    assert request(last, 1_790_000_000_000) == (last, 1_790_000_000_000)
    assert request(0, 1.0) == (0, 1)
    for odd in (None, -1, "1", 2**54, True, [1], 1.5):
        assert request(odd, 1) is request(1, odd) is None
    assert request(last + 1, 1) is request(1, 1, run.number + 1) is request(1, 1, None) is None
    assert read_page_request(None, run) is read_page_request({"page": None}, run) is None


def test_a_guess_in_the_text_is_a_pair_that_occurs_there_or_nothing() -> None:
    run = run_of(NamedText("text", "the cat the hat"), TrainingSettings(num_merges=4))

    def guess(left: object, right: object, number: object = run.number) -> Pair | None:
        return read_guess({"guessed": {"left": left, "right": right, "number": number}}, run, 0)

    c, a, e, space = (run.tokenizer.token_to_id(letter) for letter in (b"c", b"a", b"e", b" "))
    assert guess(c, a) == (c, a)
    assert guess(e, space) is None  # a wall is between them
    assert guess(a, c) is guess(2**31, a) is guess(None, a) is guess("1", a) is guess([c], a) is None
    assert guess(c, a, run.number + 1) is guess(c, a, None) is read_guess(None, run, 0) is None


def test_a_fork_by_keyboard_is_read_only_if_it_is_before_the_last_merge_and_merges_or_vetoes() -> None:
    def read(step: Any, action: Any, left: Any = 1) -> ForkedPair | None:
        return read_forked({"forked": {"left": left, "right": 2, "step": step, "action": action}}, 9)

    assert read(0, "merge") == ForkedPair((1, 2), 0, "merge")
    assert read(8, "veto") == ForkedPair((1, 2), 8, "veto")
    assert read(9, "merge") is None
    assert read(3, "drop") is read(3, None) is read(3, ["merge"]) is read(3, "merge", "x") is None
    assert read_forked({"forked": None}, 9) is read_forked(None, 9) is None
