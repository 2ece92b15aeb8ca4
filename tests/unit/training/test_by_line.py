"""Training line by line, as tokenizers' train([file]) reads a file."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer as Library
from tokenizers import models, pre_tokenizers, trainers

from bpeviz.cli import main
from bpeviz.corpus.corpus import Corpus
from bpeviz.corpus.counting import count_blocks
from bpeviz.parity.check import check_parity
from bpeviz.runs.run import NamedText
from bpeviz.runs.run_training import run_request, train_run
from bpeviz.sessions.document import SavedSettings
from bpeviz.text.split_patterns import SPLIT_PATTERNS, custom_split_pattern, get_split_pattern
from bpeviz.training.in_worker import train_in_worker
from bpeviz.training.settings import TrainingSettings
from bpeviz.training.text_training import UncountedText, train_text
from bpeviz.training.trainer import Trainer

CODE = "def f():\n\n\n    return 1\n\n\ndef g():\r\n\r\n    return 2 \n \n" * 3
TEXTS = st.text("a b\n\r\x0b\x85\u2028'1é", max_size=60)
LINES = SPLIT_PATTERNS["gpt2"].line_by_line()


def of_library(path) -> list[tuple[str, str]]:
    """The merges of the library's own call on a file."""
    library = Library(models.BPE())
    library.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    trainer = trainers.BpeTrainer(vocab_size=256 + 40, initial_alphabet=alphabet, show_progress=False)
    library.train([str(path)], trainer)
    return [tuple(merge) for merge in json.loads(library.to_str())["model"]["merges"]]


def merges_of_file(path) -> list[tuple[str, str]]:
    return [tuple(merge) for merge in json.loads(path.read_text("utf-8"))["model"]["merges"]]


@pytest.mark.parametrize(
    "text",
    [
        CODE,
        "a b\r\n\r\nc d\r\n" * 5,
        "x\n \n  y\n\n" * 4,
        "no line end " * 5,
        "\n" * 9,
        "a\x0b\n\u2028\n" * 5,
    ],
)
def test_it_gives_the_merges_of_train_on_a_file(text, tmp_path, capsys):
    path, out = tmp_path / "a.txt", tmp_path / "a.json"
    path.write_bytes(text.encode())
    assert main(["train", str(path), "--by-line", "--merges", "40", "--out", str(out)]) == 0
    assert merges_of_file(out) == of_library(path)
    assert "by line          yes" in capsys.readouterr().out
    assert main(["parity", str(path), "--by-line", "--merges", "40"]) == 0
    assert "Identical" in capsys.readouterr().out


@given(text=TEXTS)
def test_lines_are_split_alone_and_keep_their_ends(text):
    lines = [line + "\n" for line in text.split("\n")]
    lines[-1] = lines[-1][:-1]
    for pattern in (get_split_pattern("gpt2"), get_split_pattern("none"), custom_split_pattern(r"\w+|\W+")):
        expected = [p for line in lines for p in pattern.split(line)]
        assert pattern.line_by_line().split(text) == expected
    apart = LINES.cut_at(["a b"])
    assert apart.split(text) == LINES.between_special_tokens.cut_at(["a b"]).split(text)
    assert "".join(apart.split(text)) == text


@given(blocks=st.lists(TEXTS, min_size=1))
def test_blocks_of_a_long_text_count_as_the_text(blocks):
    text = "".join(blocks)
    expected = Corpus.from_text(text, LINES)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("bpeviz.corpus.blocks.BLOCK_CHARACTERS", 3)
        assert Corpus.from_text(text, LINES, processes=1) == expected
    assert count_blocks([text], LINES, processes=1) == expected.counts


def test_the_tokenizer_encodes_whole_texts_as_the_library_does():
    trainer = Trainer(Corpus.from_text(CODE, LINES), num_merges=30)
    list(trainer.steps())
    assert trainer.tokenizer().split == SPLIT_PATTERNS["gpt2"]
    assert trainer.result().split == LINES


def test_settings_say_it_to_training_here_in_a_worker_and_to_runs():
    settings = TrainingSettings(num_merges=20, by_line=True)
    assert not settings.same_rules(TrainingSettings(num_merges=20))
    text = UncountedText(CODE, settings.split_pattern())
    expected = [step.token for step in train_text(text, settings, lambda _: None).steps]
    assert expected != [step.token for step in Trainer(Corpus.from_text(CODE), num_merges=20).steps()]
    assert [step.token for step in train_in_worker(text, settings, lambda _: None).steps] == expected
    run = train_run(run_request(NamedText("a", CODE), settings), lambda *_: None)
    assert [step.token for step in run.steps] == expected
    assert len(run.gap_ranks) == len(CODE.encode())


def test_it_is_saved_and_an_older_document_has_whole_texts():
    settings = TrainingSettings(by_line=True)
    assert SavedSettings.of(settings).chosen() == settings
    assert SavedSettings().chosen().by_line is False


def test_the_check_against_the_library_takes_what_was_chosen():
    for pattern in (SPLIT_PATTERNS["gpt2"], LINES):
        trainer = Trainer(Corpus.from_text(CODE, pattern), num_merges=20)
        list(trainer.steps())
        assert check_parity(CODE, "huggingface", trainer.merges, num_merges=20, split=pattern).identical
        other = LINES if pattern is not LINES else SPLIT_PATTERNS["gpt2"]
        assert not check_parity(CODE, "huggingface", trainer.merges, num_merges=20, split=other).identical


def test_count_and_train_on_counts_line_by_line(tmp_path):
    path, counts = tmp_path / "a.txt", tmp_path / "a.csv"
    path.write_bytes(CODE.encode())
    assert main(["count", str(path), "--by-line", "--out", str(counts)]) == 0
    out = tmp_path / "a.json"
    assert (
        main(
            [
                "train",
                "--counts",
                str(counts),
                "--split",
                "gpt2",
                "--by-line",
                "--merges",
                "40",
                "--out",
                str(out),
            ]
        )
        == 0
    )
    assert merges_of_file(out) == of_library(path)
