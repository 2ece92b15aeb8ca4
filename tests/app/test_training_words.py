"""The words in the training bar."""

from bpeviz.runs.training_words import LAID_OUT_FROM, TrainingWords
from bpeviz.training.text_training import Phase, TrainingProgress


def said(*told: tuple[float, Phase, int]) -> list[tuple[float, str]]:
    now, heard = [0.0], []
    words = TrainingWords(lambda share, phase: heard.append((share, phase)), lambda: now[0])
    for now[0], phase, made in told:
        words.tell(TrainingProgress(phase, made, 1000))
    return heard


def test_each_phase_is_named_and_the_share_only_grows() -> None:
    heard = said(
        (0, "waiting", 0), (1, "starting", 0), (2, "splitting", 0), (3, "counting", 0), (4, "merging", 500)
    )
    assert [words for _, words in heard] == [
        "Waiting for other trainings",
        "Starting",
        "Splitting the text into pre-tokens",
        "Counting pairs",
        "Merge 500 of 1,000",
    ]
    shares = [share for share, _ in heard]
    assert shares == sorted(shares)
    assert shares[-1] < LAID_OUT_FROM


def test_a_phase_that_takes_long_says_how_long_it_has_taken() -> None:
    heard = said((10, "splitting", 0), (10.9, "splitting", 0), (13.2, "splitting", 0), (13.3, "counting", 0))
    assert [words for _, words in heard] == [
        "Splitting the text into pre-tokens",
        "Splitting the text into pre-tokens",
        "Splitting the text into pre-tokens, 3 s so far",
        "Counting pairs",
    ]


def test_the_time_left_is_said_once_it_is_known() -> None:
    heard = said((5, "merging", 10), (5.5, "merging", 15), (7, "merging", 110))
    assert [words for _, words in heard] == [
        "Merge 10 of 1,000",
        "Merge 15 of 1,000",
        "Merge 110 of 1,000, about 18 s left",
    ]


def test_a_fork_that_makes_more_merges_than_asked_for_is_no_more_than_done() -> None:
    ((share, _),) = said((0, "merging", 1001))
    assert share == LAID_OUT_FROM


def test_reading_files_counts_megabytes_and_takes_most_of_the_bar() -> None:
    now, heard = [0.0], []
    words = TrainingWords(lambda share, phase: heard.append((share, phase)), lambda: now[0])
    for now[0], read in ((0, 0), (2, 100_000_000), (4, 300_000_000)):
        words.tell(TrainingProgress("reading", read, 300_000_000))
    words.tell(TrainingProgress("counting", 0, 10))
    assert [phase for _, phase in heard] == [
        "Reading 0 of 300 MB",
        "Reading 100 of 300 MB, about 4 s left",
        "Reading 300 of 300 MB, about 0 s left",
        "Counting pairs",
    ]
    shares = [share for share, _ in heard]
    assert shares == sorted(shares)
    assert shares[2] > 0.5
