"""Each recipe compared with the real trainer, merge for merge; and the results if that is not possible.

The libraries train in real workers, because they may crash. Recipes without a library are compared with the
trainer in brute_force.py, on the same corpora; test_trainer.py does that for every recipe.
"""

import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace as changed

from bpeviz import RECIPES, Corpus, Trainer, train_tokenizer
from bpeviz.errors import TrainingSettingsError
from bpeviz.parity import LIBRARIES, Parity, ParityCheck, check_all, check_parity, library_training
from bpeviz.parity.check import DEFAULT_TIMEOUT_SECONDS
from bpeviz.parity.library_training import LibraryTrainings, Trained, TrainedAll
from bpeviz.runs.samples import read_sample
from bpeviz.workers.pool import Pool
from bpeviz.workers.task import Ending
from tests.support.inline_workers import InlineWorkers, work_with
from tests.support.parity_corpora import (
    ALPHABETS,
    EVERY_BYTE,
    RANDOM_CORPORA,
    SAMPLE_TITLES,
    SEED,
    equals_brute_force,
    library_sources,
    random_trainings,
    sample_trainings,
    trained,
)
from tests.support.paths import ROOT
from tests.support.texts import has_inner_space
from tests.support.worker_tasks import FailingWorkers

#: The workers of all tests here.
POOL = Pool()
WITH_LIBRARY = pytest.mark.parametrize("name", LIBRARIES)
WITHOUT_LIBRARY = pytest.mark.parametrize("name", [name for name in RECIPES if name not in LIBRARIES])
CAT = "the cat in the hat " * 3


@pytest.fixture(autouse=True)
def _real_workers() -> Iterator[None]:
    with work_with(POOL):
        yield


def unequal(trainings: list[ParityCheck]) -> list[tuple[str, str]]:
    """The trainings of which the library makes other merges, with the difference."""
    results = zip(check_all(trainings), trainings, strict=True)
    return [(training.texts, parity.sentence) for parity, training in results if not parity.identical]


def checked(training: ParityCheck, timeout: float = DEFAULT_TIMEOUT_SECONDS) -> Parity:
    (parity,) = check_all([training], timeout=timeout)
    return parity


# --- the same merges, in the same order, the same vocabulary -------------------------------------------


@pytest.mark.gate
@WITH_LIBRARY
def test_a_sample_text_is_trained_the_same(name):
    assert unequal([next(sample_trainings(name))]) == []


@WITH_LIBRARY
def test_every_sample_text_is_trained_the_same(name):
    trainings = list(sample_trainings(name))
    results = check_all(trainings)
    assert [(p.status, p.sentence) for p in results if not p.identical] == []
    assert [p.merges for p in results] == [len(t.merges) for t in trainings]
    assert len(results) == len(SAMPLE_TITLES)


@WITH_LIBRARY
def test_the_sources_of_the_standard_library_are_trained_the_same(name):
    training = library_sources(name)
    parity = checked(training, timeout=300)
    assert parity.sentence == (
        f"Identical for all {training.settings.num_merges:,} merges: {LIBRARIES[name].name} {parity.version}"
    )


@WITH_LIBRARY
def test_random_corpora_are_trained_the_same(name):
    print(f"seeds {SEED} to {SEED + RANDOM_CORPORA - 1}")
    trainings = list(random_trainings(name))
    assert len(trainings) == RANDOM_CORPORA
    if name == "subword-nmt":  # the others are the next test's
        trainings = [t for t in trainings if not has_inner_space(t.texts)]
        assert len(trainings) > 0.7 * RANDOM_CORPORA
    assert unequal(trainings) == []


def test_random_corpora_with_white_space_in_words_are_trained_the_same_except_for_a_bug_of_subword_nmt(
    monkeypatch,
):
    r"""It looks for a pair with (?<!\S) and (?!\S), which find it inside a token that holds a tab as well."""
    print(f"seeds {SEED} to {SEED + RANDOM_CORPORA - 1}")
    trainings = [t for t in random_trainings("subword-nmt") if has_inner_space(t.texts)]
    assert len(trainings) > 100
    assert unequal(trainings) != []

    def meant(pattern: str) -> "re.Pattern[str]":
        return re.compile(pattern.replace(r"(?<!\S)", "(?<![^ ])").replace(r"(?!\S)", "(?![^ ])"))

    library = LIBRARIES["subword-nmt"]
    monkeypatch.setattr("subword_nmt.learn_bpe.re", SimpleNamespace(compile=meant, escape=re.escape))
    for training in trainings:
        merges = library_training._with_subword_nmt(training.training(library)).merges
        tokens = Trainer(training.corpus, training.recipe).base.symbols
        tokens = dict(enumerate(tokens))
        for (left, right), token_id in training.merges:
            tokens[token_id] = tokens[left] + tokens[right]
        assert merges == [(tokens[left], tokens[right]) for (left, right), _ in training.merges]


@pytest.mark.parametrize("name", [name for name in LIBRARIES if name != "subword-nmt"])
def test_every_byte_that_utf8_has_is_trained_the_same(name):
    values = set(EVERY_BYTE.encode())
    assert len(values) == 256 - len({0xC0, 0xC1, *range(0xF5, 0x100)})
    assert EVERY_BYTE in ALPHABETS
    assert unequal([trained(name, text, 100) for text in (EVERY_BYTE, EVERY_BYTE[::-1])]) == []


@pytest.mark.parametrize("special_tokens", [[], ["<|endoftext|>"], ["<s>", "the", "</s>", " cat"]])
def test_special_tokens_are_numbered_the_same(special_tokens):
    texts = [CAT, CAT + "<|endoftext|>" + CAT, "<s>the cat</s>" * 5]
    assert unequal([trained("huggingface", text, 40, 1, special_tokens) for text in texts]) == []


@pytest.mark.gate
@pytest.mark.parametrize("name", [name for name, each in LIBRARIES.items() if each.takes_max_token_length])
@pytest.mark.parametrize("longest", [1, 2, 3, 5])
def test_the_longest_token_is_as_long(name, longest):
    trainer = Trainer(Corpus.from_text(CAT, RECIPES[name].split), name, max_token_length=longest)
    assert [*trainer.steps()] or longest == 1
    parity = check_parity(CAT, trainer.recipe, trainer.merges)
    assert (parity.status, parity.merges) == ("identical", len(trainer.merges))


def test_several_texts_and_a_corpus_are_trained_the_same():
    texts = ["the cat", " in the hat", "the cat", "hat"]
    for name in ("huggingface", "rustbpe", "subword-nmt"):
        corpus = Corpus.from_texts(texts, RECIPES[name].split)
        trainer = Trainer(corpus, name, num_merges=50)
        list(trainer.steps())
        for given in (texts, corpus):
            assert check_parity(given, name, trainer.merges, num_merges=50).identical


# --- recipes without a library, against brute force ----------------------------------------------------


@pytest.mark.gate
@WITHOUT_LIBRARY
def test_a_sample_text_equals_brute_force(name):
    assert equals_brute_force(next(sample_trainings(name)))


@WITHOUT_LIBRARY
def test_sample_texts_and_sources_equal_brute_force(name):
    every_byte = trained(name, EVERY_BYTE, 20)
    for training in (*sample_trainings(name), library_sources(name), every_byte):
        assert equals_brute_force(training)


@WITHOUT_LIBRARY
def test_random_corpora_equal_brute_force(name):
    print(f"seeds {SEED} to {SEED + RANDOM_CORPORA - 1}")
    assert [t.texts for t in random_trainings(name) if not equals_brute_force(t)] == []


# --- differences that are known, each the smallest example of its kind ---------------------------------


def test_a_special_token_that_is_a_character_of_gpt2_is_another_base_vocabulary_in_tokenizers():
    for special in ("a", "é"):
        parity = checked(trained("huggingface", "abab", 3, 1, [special]))
        assert (parity.status, parity.difference.kind) == ("different", "base vocabulary")
    parity = checked(trained("huggingface", " a a", 3, 1, ["Ġa"]))  # GPT-2's spelling of a space and an a
    assert (parity.status, parity.difference.kind) == ("different", "vocabulary")


def test_letters_newer_than_the_unicode_of_a_library_are_split_otherwise():
    for name in ("huggingface", "rustbpe"):
        parity = checked(trained(name, "x\U000323b0", 4, 1))
        assert (parity.status, parity.difference.rank) == ("different", 0)
        assert parity.difference.ours == (b"x", b"\xf0")


def test_subword_nmt_merges_inside_a_token_that_holds_a_tab():
    parity = checked(trained("subword-nmt", "\ta\taa\taa", 5, 1))
    assert (parity.status, parity.merges, parity.difference.rank) == ("different", 3, 3)


def test_sentencepiece_leaves_out_a_line_with_its_reserved_character():
    parity = checked(trained("sentencepiece", "ab▅ab\ncd", 1, 1))
    assert (parity.status, parity.difference.rank, parity.difference.kind) == ("different", 0, "count")
    assert (parity.difference.ours, parity.difference.theirs) == ((b"a", b"b"), (b"c", b"d"))


def test_sentencepiece_cuts_at_its_special_tokens_where_it_has_them(monkeypatch):
    training = trained("sentencepiece", "a<s>b", 2, 1)
    job = training.training(LIBRARIES["sentencepiece"])
    assert library_training._with_sentencepiece(job).merges == [(b"<", b"s"), (b">", b"b")]
    with_its_own = {"unk_piece": "<unk>", "bos_id": 1, "eos_id": 2}
    settings = {**library_training._SENTENCEPIECE_SETTINGS, **with_its_own}
    monkeypatch.setattr(library_training, "_SENTENCEPIECE_SETTINGS", settings)
    assert library_training._with_sentencepiece(job).merges == []


def test_sentencepiece_goes_on_with_pieces_that_occur_nowhere():
    training = trained("sentencepiece", "aaaa", 9, 1)
    assert [pair for pair, _ in training.merges] == [(3, 3), (4, 4)]
    job = changed(training.training(LIBRARIES["sentencepiece"]), num_merges=9)
    assert library_training._with_sentencepiece(job).merges == [(b"a", b"a"), (b"aa", b"aa"), (b"aa", b"a")]


def test_sentencepiece_encodes_text_outside_the_corpus_in_another_way():
    """As docs/recipes.md says: by pieces that the corpus lacks."""
    tokenizer = train_tokenizer("aaaa", "sentencepiece")
    library = library_training._sentencepiece_of("aaaa", 9)
    assert library.encode("aaa", out_type=str) == ["aaa"]
    assert [tokenizer.token_bytes(i) for i in tokenizer.encode("aaa")] == [b"aa", b"a"]
    assert library.encode("zy") == [library.unk_id()]
    assert tokenizer.encode("zy") == [tokenizer.special_tokens["<unk>"]]


@pytest.mark.parametrize("title", [title for title in SAMPLE_TITLES if len(read_sample(title)) > 1_000])
def test_text_is_encoded_as_by_sentencepiece(title):
    """It joins any two neighbours that spell a piece, not only those of training; here they are the same."""
    text = read_sample(title)
    library = library_training._sentencepiece_of(text, 500)
    num_merges = sum(len(library.id_to_piece(i)) > 1 for i in range(len(library)))
    tokenizer = train_tokenizer(text, "sentencepiece", num_merges=num_merges)
    assert len(tokenizer.merges) == num_merges >= 500
    other_text = read_sample("Many languages") + text[::-1]
    known = set(text)
    for line in [*text.split("\n"), *("".join(filter(known.__contains__, other_text)).split("\n"))]:
        ours = [tokenizer.token_bytes(i).decode().replace(" ", "▁") for i in tokenizer.encode(line)]
        assert ours == library.encode(line, out_type=str)


# --- the reason for a difference ------------------------------------------------------------------------


class ChangedWorkers:
    """Workers whose first result is another one."""

    def __init__(self, change: Callable[[Trained], Trained]) -> None:
        self._change = change

    def keep_ready(self) -> None:
        """Nothing to prepare."""

    def run(self, *asked: Any) -> TrainedAll:
        answer = POOL.run(*asked)
        first, *others = answer.results
        return changed(answer, results=[self._change(first), *others])


def against(
    change: Callable[[Trained], Trained], text: str = CAT, name: str = "huggingface", **settings: Any
) -> Parity:
    """The result of a check if the library had given another answer."""
    with work_with(ChangedWorkers(change)):
        return checked(trained(name, text, 5, **settings))


def with_merge(rank: int, halves: tuple[bytes, bytes]) -> Callable[[Trained], Trained]:
    def change(answer: Trained) -> Trained:
        merges = [*answer.merges]
        merges[rank] = halves
        return changed(answer, merges=merges)

    return change


def test_a_tie_settled_otherwise_names_the_rule_here():
    parity = against(with_merge(0, (b"t", b"h")))
    assert (parity.status, parity.merges, parity.difference.kind) == ("different", 0, "tie")
    assert parity.difference.ours == (b"a", b"t")
    says = (
        "Both pairs occur 6 times, a tie that goes to the one with the smallest ids, left before right here"
    )
    assert says in parity.sentence


def test_a_pair_counted_otherwise_names_both_counts():
    parity = against(with_merge(1, (b"c", b"at")))
    assert (parity.merges, parity.difference.kind) == (1, "count")
    assert "Merge 2 is the first that differs: bpeviz joins h + e" in parity.sentence
    assert "By bpeviz's count, h + e occurs 6 times and c + at occurs 3 times." in parity.sentence


def test_a_pair_that_does_not_occur():
    parity = against(with_merge(0, (b"z", b"z")))
    assert "z + z occurs nowhere" in parity.sentence


def test_a_library_that_stops_sooner():
    parity = against(lambda answer: changed(answer, merges=answer.merges[:2]))
    assert (parity.difference.kind, parity.difference.rank, parity.difference.theirs) == ("stop", 2, None)
    assert "tokenizers 0.23.3 stops. The library stops before merge 3; bpeviz makes" in parity.sentence


def test_a_library_that_goes_on():
    training = trained("rustbpe", CAT, 50)
    fewer = ParityCheck(CAT, training.merges[:2], replace(training.settings, num_merges=50))
    parity = checked(fewer)
    assert (parity.difference.kind, parity.difference.ours) == ("stop", None)


def test_another_order_of_ids_is_a_base_vocabulary_or_a_vocabulary() -> None:
    def swapped(i: int) -> Callable[[Trained], Trained]:
        def swap(answer: Trained) -> Trained:
            assert answer.tokens is not None
            tokens = [*answer.tokens]
            tokens[i], tokens[i + 1] = tokens[i + 1], tokens[i]
            return changed(answer, tokens=tokens)

        return swap

    early = against(swapped(3), name="rustbpe")
    late = against(swapped(257), name="rustbpe")
    assert early.difference is not None
    assert late.difference is not None
    assert (early.difference.kind, late.difference.kind) == ("base vocabulary", "vocabulary")
    assert early.sentence.startswith("The base vocabulary differs in rustbpe 0.1.0. The id 3 is ")


def test_fewer_merges_than_were_made_can_be_checked():
    training = trained("huggingface", CAT, 9)
    parity = check_parity(CAT, "huggingface", training.merges[:4])
    assert parity.sentence == "Identical for all 4 merges: tokenizers 0.23.3"
    assert check_parity(CAT, "rustbpe", trained("rustbpe", CAT, 1).merges).sentence == (
        "Identical for the one merge: rustbpe 0.1.0"
    )


# --- what can go wrong ---------------------------------------------------------------------------------


@WITHOUT_LIBRARY
def test_a_recipe_without_a_library_says_what_proves_it(name):
    parity = check_parity(CAT, name, [])
    assert (parity.status, parity.library) == ("unchecked", None)
    assert f"no library on PyPI for the recipe {name}" in parity.sentence


def test_what_a_library_cannot_do():
    split = check_parity(Corpus.from_text(CAT, "none"), "huggingface", [])
    assert (split.status, split.library) == ("unchecked", "tokenizers")
    assert "this was trained with the pattern none" in split.sentence
    assert check_parity(CAT, "huggingface", [], split="cl100k").status == "unchecked"
    several = check_parity([CAT, CAT], "tiktoken-educational", [])
    assert "takes a single text" in several.sentence


@WITH_LIBRARY
@pytest.mark.parametrize("text", ["", "a", "a b"])
def test_where_nothing_is_merged_both_agree(name, text):
    assert checked(trained(name, text, 5, 2)).sentence.startswith("Identical for all 0 merges")


def test_a_recipe_that_does_not_exist_is_refused():
    with pytest.raises(TrainingSettingsError, match="no recipe named"):
        check_parity(CAT, "wordpiece", [])


@pytest.mark.parametrize(
    ("why", "says"),
    [
        (
            "memory",
            "its process was stopped, probably because it needed too much memory. Try a",
        ),
        ("crashed", "its process crashed. Try a shorter text"),
        ("not started", "its process couldn't start, probably because memory ran out. Try a shorter text"),
    ],
)
def test_a_worker_that_fails_is_a_result(why: Ending, says: str) -> None:
    with work_with(FailingWorkers(why)):
        parity = check_parity(CAT, "huggingface", trained("huggingface", CAT, 3).merges)
    assert parity.status == "failed"
    assert parity.sentence.startswith(f"tokenizers gave no merges to compare: {says}")


class Late(InlineWorkers):
    """Workers that let a caller wait: first for its turn, then for news, too long."""

    def run(self, task: Any, request: Any, limit: Any, on_wait: Any) -> Any:
        on_wait(True)
        for _ in range(3):
            on_wait(False)
        return super().run(task, request, limit)


def test_a_library_that_takes_too_long_is_a_result() -> None:
    with work_with(Late()):
        parity = check_parity(CAT, "huggingface", trained("huggingface", CAT, 3).merges, timeout=0.0)
    assert parity.status == "failed"
    assert "it took more than 0 seconds" in parity.sentence


def test_the_seconds_count_from_the_turn_on_and_what_is_raised_meanwhile_ends_the_check() -> None:
    told: list[float] = []

    def tell(seconds: float) -> None:
        told.append(seconds)
        if seconds:
            raise KeyboardInterrupt

    with work_with(Late()), pytest.raises(KeyboardInterrupt):
        check_parity(CAT, "huggingface", [], on_wait=tell)
    assert told[0] == 0.0
    assert all(seconds >= 0 for seconds in told)
    assert told[-1] > 0


def test_a_library_that_is_not_installed_is_named_with_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with work_with(InlineWorkers()):
        parity = check_parity(CAT, "huggingface", trained("huggingface", CAT, 3).merges)
    assert parity.status == "missing"
    assert parity.sentence == (
        'tokenizers is not installed where this runs. Install it: pip install "tokenizers<1"'
    )
    assert parity.version is None


def test_a_version_without_trainers_says_which_one_the_check_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    newer = ModuleType("tokenizers")
    newer.Tokenizer = object  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "tokenizers", newer)
    monkeypatch.setattr(library_training.importlib.metadata, "version", lambda name: "1.0.0")
    with work_with(InlineWorkers()):
        parity = check_parity(CAT, "huggingface", trained("huggingface", CAT, 3).merges)
    assert (parity.status, parity.version) == ("missing", "1.0.0")
    assert parity.sentence == (
        "tokenizers 1.0.0 has no BpeTrainer. The check needs a version below 1. "
        'Install it: pip install "tokenizers<1"'
    )


def test_an_error_in_one_job_does_not_spoil_the_next():
    good = trained("tiktoken-educational", CAT, 3).training(LIBRARIES["tiktoken-educational"])
    asked = LibraryTrainings("tiktoken", [changed(good, split="("), good])
    bad, fine = POOL.run(library_training.TRAIN, asked, None).results
    assert bad.words.startswith("error: missing )")
    assert len(fine.merges) == 3


def test_the_libraries_are_pinned_for_development():
    pinned = (ROOT / "requirements.txt").read_text() + (ROOT / "requirements-dev.txt").read_text()
    for library in LIBRARIES.values():
        assert f"\n{library.name}==" in f"\n{pinned}"
