"""Runs on large corpora: counts, merges and curves are those of all files, the text is a part of them."""

import gc
from dataclasses import replace
from pathlib import Path

import pytest

from bpeviz import Corpus, Trainer
from bpeviz.core.gap_ranks import token_total
from bpeviz.corpus.corpus_files import CorpusFiles, Place
from bpeviz.errors import CorpusError
from bpeviz.limits import limits
from bpeviz.runs import large_corpus, run_training
from bpeviz.runs.large_corpus import (
    LargeCorpus,
    ShownPart,
    distinct_pre_tokens,
    remembered_counts,
    remembered_result,
    shown_text,
)
from bpeviz.runs.run import NamedText, Run
from bpeviz.runs.run_training import RunRequest, fork_run, run_request, train_run
from bpeviz.training.choice import Choice
from bpeviz.training.settings import CUSTOM_SPLIT, TrainingSettings
from tests.support.trained import run_of

CAT = "the cat in the hat and the cat on the mat. " * 30
DOG = "a dog and a log and a fog\n" * 30
SETTINGS = TrainingSettings(num_merges=20)


@pytest.fixture
def files(tmp_path: Path) -> CorpusFiles:
    paths = [tmp_path / "cat.txt", tmp_path / "dog.txt"]
    for path, text in zip(paths, (CAT, DOG), strict=True):
        path.write_text(text)
    return CorpusFiles.of(paths)


def trained(files: CorpusFiles, settings: TrainingSettings = SETTINGS) -> Run:
    return run_of(NamedText.of_files(files), settings)


def small_text(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    """Let the page show ``most`` bytes."""
    few = replace(limits(), max_text_bytes=most)
    monkeypatch.setattr(run_training, "limits", lambda: few)


def test_the_merges_are_those_of_all_files(files: CorpusFiles, monkeypatch: pytest.MonkeyPatch) -> None:
    small_text(monkeypatch, 500)
    run = trained(files)
    trainer = Trainer(Corpus.from_texts([CAT, DOG]), num_merges=20, min_frequency=2)
    assert list(run.steps) == list(trainer.steps())
    assert run.history.token_totals.tolist() == trainer.history().token_totals.tolist()
    assert run.corpus.trained_bytes == len(CAT + DOG)
    assert (run.name, run.about) == ("2 files", "2 files, huggingface")


def test_files_are_counted_in_another_process(files: CorpusFiles, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_training, "OWN_PROCESS_BYTES", 10)
    told: list[str] = []
    run = run_of(NamedText.of_files(files), SETTINGS, lambda share, words: told.append(words))
    assert run.result.corpus == Corpus.from_texts([CAT, DOG])
    assert any(words.startswith("Reading") for words in told)


def test_the_text_is_a_part_with_the_gap_ranks_of_the_whole(
    files: CorpusFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_text(monkeypatch, 500)
    run = trained(files)
    assert run.corpus.text == CAT[: len(run.corpus.text)]
    assert 400 < run.corpus.byte_total <= 500
    of_all = run.history.gap_ranks(CAT)
    assert run.gap_ranks.tolist() == of_all[: run.corpus.byte_total].tolist()
    assert token_total(run.gap_ranks, 20) < run.history.token_total(20)


def test_another_part_keeps_the_history(files: CorpusFiles, monkeypatch: pytest.MonkeyPatch) -> None:
    small_text(monkeypatch, 500)
    run = trained(files)
    assert run.corpus.part
    other = run.showing(shown_text(run.result, run.corpus.part.whole, Place(1, 100), 200))
    assert other.history is run.history
    assert other.corpus.text in DOG
    assert other.corpus.part
    assert other.corpus.part.file_name == "dog.txt"
    assert other.gap_ranks.tolist() == other.history.gap_ranks(other.corpus.text).tolist()
    assert other.corpus != run.corpus


def test_a_fork_shows_the_same_part(files: CorpusFiles) -> None:
    run = trained(files)
    fork = fork_run(run, Choice(3, run.steps[3].pair, "veto"), lambda *_: None)
    assert fork.corpus is run.corpus
    assert fork.result.corpus is run.result.corpus
    assert fork.steps[:3] == run.steps[:3]
    assert fork.steps[3] != run.steps[3]


def test_another_recipe_with_the_same_pattern_counts_nothing_again(files: CorpusFiles) -> None:
    run = trained(files)
    Path(files.files[0].path).unlink()
    again = train_run(run_request(run.corpus, replace(SETTINGS, recipe="minbpe", split="gpt2"), run), _quiet)
    assert again.result.corpus is run.result.corpus
    assert again.corpus == run.corpus


def test_another_pattern_reads_the_files_again_and_shows_the_same_part(files: CorpusFiles) -> None:
    run = trained(files)
    again = train_run(run_request(run.corpus, replace(SETTINGS, split="whitespace"), run), _quiet)
    assert again.split.name == "whitespace"
    assert again.corpus == run.corpus
    assert again.result.corpus == Corpus.from_texts([CAT, DOG], "whitespace")


def test_counts_without_files_show_their_pre_tokens(files: CorpusFiles) -> None:
    run = trained(files)
    assert run.corpus.part
    alone = replace(run.corpus.part.whole, files=None)
    corpus = NamedText.of_shown(distinct_pre_tokens(run.result.corpus, alone, 100))
    counted = train_run(RunRequest("counts", corpus, SETTINGS, counted=run.result.corpus), _quiet)
    assert counted.steps == run.steps
    assert counted.corpus.text.startswith("the cat in the hat and on mat.")
    assert counted.gap_ranks.size == counted.corpus.byte_total


def test_counts_without_files_have_one_split_pattern(files: CorpusFiles) -> None:
    run = trained(files)
    assert run.corpus.part
    alone = NamedText.of_shown(
        distinct_pre_tokens(run.result.corpus, replace(run.corpus.part.whole, files=None), 9)
    )
    wanted = RunRequest("counts", alone, replace(SETTINGS, split="o200k"), counted=run.result.corpus)
    with pytest.raises(CorpusError, match=r"for the split pattern gpt2\. Choose it, or"):
        train_run(wanted, _quiet)
    with pytest.raises(CorpusError, match=r"for other special tokens\. Choose a recipe with these"):
        train_run(replace(wanted, settings=replace(SETTINGS, recipe="cs336")), _quiet)
    assert alone.part
    with pytest.raises(CorpusError, match="files of this corpus aren't here"):
        shown_text(run.result, alone.part.whole, Place(0, 0), 9)


def test_a_pattern_without_stretches_takes_short_files_only(
    files: CorpusFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = replace(SETTINGS, split=CUSTOM_SPLIT, custom_pattern=r"\w+|\W+")
    run = trained(files, settings)
    assert run.corpus.text == CAT
    assert run.corpus.part
    assert shown_text(run.result, run.corpus.part.whole, Place(1, 100), 8_000_000).text == DOG
    small_text(monkeypatch, 1000)
    with pytest.raises(CorpusError, match=r"needs each file in one piece.* cat\.txt has 0\.00129 MB"):
        trained(files, settings)


def test_empty_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.txt").touch()
    with pytest.raises(CorpusError, match="The files are empty"):
        trained(CorpusFiles.of([tmp_path / "empty.txt"]))


def test_files_that_cannot_be_cut_show_their_pre_tokens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "dna.txt").write_text("ACGT" * 300 + " ACGT" * 20)
    small_text(monkeypatch, 1000)
    run = trained(CorpusFiles.of([tmp_path / "dna.txt"]))
    assert run.corpus.part
    assert run.corpus.part.place is None


def test_a_training_that_a_session_holds_is_not_made_again(files: CorpusFiles) -> None:
    run = trained(files)
    assert remembered_counts(run.result.corpus.packed.digest, run.split) is run.result.corpus
    assert remembered_counts("0" * 64, run.split) is None
    again = train_run(RunRequest("again", run.corpus, SETTINGS, counted=run.result.corpus), _quiet)
    assert again.history is run.history
    assert again.number != run.number
    other = replace(SETTINGS, num_merges=5)
    assert len(train_run(RunRequest("less", run.corpus, other, counted=run.result.corpus), _quiet).steps) == 5
    assert run.corpus.part
    moved = run.showing(shown_text(run.result, run.corpus.part.whole, Place(1, 0), 200))
    counted = run.result.corpus
    del run, again
    gc.collect()
    assert remembered_result(counted, SETTINGS) is moved.result
    del moved
    gc.collect()
    assert remembered_result(counted, SETTINGS) is None


def _quiet(share: float, words: str) -> None:
    """Report no progress."""


def test_a_part_that_a_custom_pattern_cannot_split_alone_is_not_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lines with their ends: a part that ends within a line is not covered."""
    path = tmp_path / "lines.txt"
    path.write_text("the cat sat on the mat\n" * 100)
    pattern = TrainingSettings(split=CUSTOM_SPLIT, custom_pattern="[^\n]*\n", num_merges=5)
    run = trained(CorpusFiles.of([path]), pattern)
    assert run.corpus.part is not None
    assert run.corpus.text == path.read_text()
    whole = run.corpus.part.whole
    shown = shown_text(trained(CorpusFiles.of([path])).result, whole, Place(0, 100), 50)
    with pytest.raises(CorpusError, match="This part can't be split alone"):
        run.showing(shown)
    few = replace(limits(), max_text_bytes=1_000)
    monkeypatch.setattr(large_corpus, "limits", lambda: few)
    with pytest.raises(CorpusError, match=r"needs each file in one piece, so a file may have 0\.001 MB"):
        shown_text(run.result, whole, Place(0, 0), 500)


def test_a_file_that_must_stay_in_one_piece_is_shown_whole(files: CorpusFiles) -> None:
    run = trained(files, TrainingSettings("minbpe-basic", num_merges=20))
    assert run.corpus.part is not None
    shown = shown_text(run.result, run.corpus.part.whole, Place(1, 300), 100, around=True)
    assert (shown.text, shown.part.place, shown.part.byte_total) == (DOG, Place(1, 0), len(DOG))


def test_a_pre_token_that_is_missing_is_named_in_short(files: CorpusFiles) -> None:
    history = trained(files).history
    with pytest.raises(CorpusError) as caught:
        history.pre_token_indices("x" * 100_000)
    assert len(str(caught.value)) < 300


def test_the_first_file_that_is_not_empty_is_shown(tmp_path: Path) -> None:
    for name, text in (("0.txt", ""), ("1.txt", CAT)):
        (tmp_path / name).write_text(text)
    run = trained(CorpusFiles.of([tmp_path / "0.txt", tmp_path / "1.txt"]))
    assert run.corpus.part is not None
    assert (run.corpus.text, run.corpus.part.file_name) == (CAT, "1.txt")


def test_many_counts_are_trained_in_another_process_whatever_size_a_session_says(
    files: CorpusFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = trained(files).result.corpus
    monkeypatch.setattr(run_training, "OWN_PROCESS_BYTES", 10)
    asked: list[object] = []
    monkeypatch.setattr(
        run_training, "train_in_worker", lambda *each: asked.append(each) or run_training.train_here(*each)
    )
    claimed = NamedText("small", "", ShownPart(LargeCorpus("small", 1)))
    train_run(RunRequest("small", claimed, replace(SETTINGS, num_merges=7), counted=counted), lambda *_: None)
    assert len(asked) == 1


def test_a_file_that_is_no_utf8_is_named(tmp_path: Path) -> None:
    (tmp_path / "good.txt").write_text(CAT)
    (tmp_path / "bad.txt").write_bytes(b"caf\xe9 ")
    with pytest.raises(CorpusError, match=r"^bad\.txt is not UTF-8: the byte at offset 3"):
        trained(CorpusFiles.of([tmp_path / "good.txt", tmp_path / "bad.txt"]))
