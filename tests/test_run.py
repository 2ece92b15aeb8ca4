"""A run is what the pages show: its numbers are held against the trainer and against brute force."""

import pytest

from bpeviz.corpus import Corpus
from bpeviz.errors import BpevizError, CorpusError, SplitPatternError
from bpeviz.gap_ranks import token_total
from bpeviz.trainer import Trainer
from bpeviz.ui.limits import limits
from bpeviz.ui.run import CUSTOM_SPLIT, NamedText, Run, Settings, train_run

CAT = NamedText("cat", "the cat in the hat and the cat on the mat. " * 3)


def train(text: str | NamedText, **settings: object) -> Run:
    named = text if isinstance(text, NamedText) else NamedText("text", text)
    return train_run(named, Settings(**settings), lambda *_: None)  # type: ignore[arg-type]


def test_a_run_makes_the_merges_of_its_recipe() -> None:
    run = train(CAT, recipe="minbpe", num_merges=9, min_frequency=1)
    trainer = Trainer(Corpus.from_text(CAT.text, "cl100k"), "minbpe", num_merges=9)
    assert list(run.steps) == list(trainer.steps())
    assert run.stop_reason == "All 9 merges asked for are made."


def test_the_gap_ranks_of_the_text_give_the_trainers_token_totals() -> None:
    run = train(CAT, num_merges=50)
    for step in run.steps:
        assert token_total(run.gap_ranks, step.rank + 1) == step.token_total


def test_vocabulary_sizes_count_special_tokens_and_each_token_once() -> None:
    run = train(CAT, recipe="course", num_merges=5)
    base = len(set(CAT.text.encode()))
    assert run.tokenizer.vocab_sizes.tolist() == [base + 1 + k for k in range(6)]


def test_progress_goes_up_and_names_its_phases() -> None:
    told: list[tuple[float, str]] = []
    train_run(CAT, Settings(), lambda share, phase: told.append((share, phase)))
    assert [share for share, _ in told] == sorted(share for share, _ in told)
    assert [phase for _, phase in told][::2] == ["Splitting the text into pre-tokens", "Laying out the text"]


def test_progress_that_raises_cancels() -> None:
    class CancelledError(Exception):
        pass

    def cancel(_share: float, _phase: str) -> None:
        raise CancelledError

    with pytest.raises(CancelledError):
        train_run(CAT, Settings(), cancel)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "There is no text yet"),
        ("a", "one character"),
        ("abcdef", "Nothing can be merged in this text. The most frequent pair occurs once"),
        ("x" * (limits().max_text_bytes + 1), "takes up to 8 MB"),
        ("\ud800", "half of a surrogate pair"),
    ],
)
def test_a_text_that_cannot_be_trained_on_says_why(text: str, says: str) -> None:
    with pytest.raises(CorpusError, match=says):
        train(text)


def test_a_bad_custom_pattern_says_why() -> None:
    with pytest.raises(SplitPatternError, match="does not compile"):
        train(CAT, split=CUSTOM_SPLIT, custom_pattern="(")
    with pytest.raises(BpevizError, match="uncovered"):
        train(CAT, split=CUSTOM_SPLIT, custom_pattern="[a-z]+")


def test_the_table_has_a_row_for_each_merge() -> None:
    run = train(CAT, num_merges=5)
    table = run.merges_table
    assert table["merge"].tolist() == [1, 2, 3, 4, 5]
    assert table["token id"].tolist() == [s.token_id for s in run.steps]
    assert table["count"].tolist() == [s.count for s in run.steps]
    assert (table["left"] + table["right"]).tolist() == table["token"].tolist()
