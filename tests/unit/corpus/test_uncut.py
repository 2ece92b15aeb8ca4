"""A corpus without a split pattern: each trainer cuts its texts by its own."""

import copy
import os
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpeviz.corpus.corpus import Corpus, UncutCorpus
from bpeviz.errors import CorpusError
from bpeviz.parity.check import check_parity
from bpeviz.training.in_one_call import train
from bpeviz.training.in_worker import train_in_worker
from bpeviz.training.recipes import RECIPES
from bpeviz.training.settings import TrainingSettings
from bpeviz.training.text_training import train_text
from bpeviz.training.trainer import Trainer

#: Each recipe cuts some of it in another way: digits, white space, letters with marks, special tokens.
TEXT = "it's 20260 2026\tthe  the\r\n\r\nI'LL naïve<|endoftext|>the end 日本 " * 3


def merges(trainer):
    return [(step.token, step.count) for step in trainer.steps()]


def test_two_trainers_of_one_corpus_cut_it_by_their_recipes():
    corpus = Corpus.from_text("2026 2026 2026")
    assert [step.token for step in Trainer(corpus, "minbpe", num_merges=3).steps()][:2] == [b"20", b"202"]
    assert Trainer(corpus, "minbpe").corpus.counts == {"202": 3, "6": 3, " ": 2}
    assert corpus.counts == Trainer(corpus, "huggingface").corpus.counts == {"2026": 1, " 2026": 2}


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_trainer_makes_the_merges_of_train(recipe, tmp_path):
    (tmp_path / "a.txt").write_bytes(TEXT.encode())
    expected = [(step.token, step.count) for step in train(TEXT, recipe, num_merges=40)]
    for corpus in (
        Corpus.from_text(TEXT),
        Corpus.from_texts([TEXT]),
        Corpus.from_files([tmp_path / "a.txt"]),
    ):
        assert merges(Trainer(corpus, recipe, num_merges=40)) == expected


@given(text=st.text(" \n\r0123a's<|>é日", max_size=60), recipe=st.sampled_from([*RECIPES]))
def test_a_trainer_makes_the_merges_of_train_on_any_text(text, recipe):
    expected = [(step.token, step.count) for step in train(text, recipe, num_merges=9)]
    assert merges(Trainer(Corpus.from_text(text), recipe, num_merges=9)) == expected


def test_the_trainers_special_tokens_cut_it():
    corpus = Corpus.from_text("a<s>b a<s>b")
    assert "<s>" in Trainer(corpus, "cs336", special_tokens=["<s>"]).corpus.counts
    assert "<s>" not in Trainer(corpus, "cs336", special_tokens=[]).corpus.counts


def test_training_by_settings_and_checking_cut_it_too():
    corpus = Corpus.from_text("2026 2026 2026")
    for settings in (TrainingSettings("minbpe"), TrainingSettings("minbpe", split="whitespace")):
        expected = settings.split_pattern()
        for train_by in (train_text, train_in_worker):
            assert train_by(corpus, settings, lambda _: None).corpus == corpus.cut_by(expected)
    trainer = Trainer(corpus, "rustbpe", num_merges=4)
    list(trainer.steps())
    assert check_parity(corpus, "rustbpe", trainer.merges, num_merges=4).identical


def test_a_corpus_that_a_pattern_has_cut_stays_so():
    corpus = Corpus.from_text("2026", "gpt2")
    assert Trainer(corpus, "minbpe").corpus is corpus


def test_it_counts_once_for_each_pattern_and_only_when_somebody_asks():
    heard = []
    corpus = Corpus.from_text("the cat", on_counted=heard.append)
    assert (heard, repr(corpus)) == ([], "<Corpus: not cut yet>")
    for recipe in ("huggingface", "course", "minbpe", "minbpe"):
        Trainer(corpus, recipe)
    assert heard == [7, 7]
    assert repr(corpus) == "<Corpus: 2 distinct pre-tokens, 2 in all, split 'gpt2'>"


def test_training_goes_on_with_the_same_corpus():
    corpus = Corpus.from_text(TEXT)
    first = Trainer(corpus, "minbpe", num_merges=3)
    list(first.steps())
    assert len(list(Trainer(corpus, "minbpe", num_merges=5, made=first.result()).steps())) == 2


@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, lambda corpus: pickle.loads(pickle.dumps(corpus))]
)
def test_it_can_be_copied_and_compared(copied):
    corpus = copied(Corpus.from_text("2026 2026"))
    assert isinstance(corpus, UncutCorpus)
    assert corpus == Corpus.from_text("2026 2026", "gpt2") == corpus
    assert corpus != Corpus.from_text("2026 2026", "cl100k")
    assert "202" in Trainer(corpus, "minbpe").corpus.counts


def test_a_list_may_change_and_texts_that_can_be_read_again_are_not_copied():
    texts = ["ab"]
    corpus = Corpus.from_texts(texts)
    texts.append("cd")
    assert corpus.counts == {"ab": 1}
    assert Corpus.from_texts({"ab": 1, "cd": 2}.keys()).counts == {"ab": 1, "cd": 1}


def test_what_can_be_read_once_needs_a_pattern(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    path = tmp_path / "a.txt"
    path.write_bytes(b"2026")
    with path.open("rb") as file:
        for once in (lambda: Corpus.from_texts(iter(["2026"])), lambda: Corpus.from_files([file])):
            with pytest.raises(CorpusError, match=r"read only once.*split='gpt2'"):
                once()
        assert Corpus.from_files([file], "cl100k").counts == {"202": 1, "6": 1}
    with pytest.raises(CorpusError, match=r"read only once.*split='gpt2'"):
        Corpus.from_files([pipe])
    assert Corpus.from_texts(iter(["2026"]), "cl100k").counts == {"202": 1, "6": 1}


def test_a_file_that_changes_before_it_is_counted_is_refused(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"the cat")
    corpus = Corpus.from_files([path])
    path.write_bytes(b"the cat in the hat")
    with pytest.raises(CorpusError, match=r"a\.txt has changed"):
        Trainer(corpus, "minbpe")
