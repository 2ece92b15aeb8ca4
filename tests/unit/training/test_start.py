"""A training that begins with a finished tokenizer: its merges by rank, then new ones."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpeviz import Corpus, Tokenizer, Trainer, load_pretrained
from bpeviz.core.base_vocabulary import ByteVocabulary
from bpeviz.errors import TrainingSettingsError
from bpeviz.text.split_patterns import SPLIT_PATTERNS
from bpeviz.training.choice import Choice
from bpeviz.training.fork import steps_with
from bpeviz.training.in_worker import train_in_worker
from bpeviz.training.result import TrainingResult
from bpeviz.training.settings import TrainingSettings
from bpeviz.training.start import Start
from bpeviz.training.text_training import UncountedText
from tests.support.final_tokens import tokens_in

BASE = ByteVocabulary(bytes(range(256)))
A, B, C = b"abc"
Merged = tuple[tuple[int, int], int]
TEXT = "zorblat krimfex zorblatting krimfexes unzorblat qwopsy qwopsies 灯台守の灯台 zorblat-krimfex. " * 4


def of_merges(*pairs: tuple[int, int], split: str = "gpt2") -> Tokenizer:
    """A tokenizer of bytes whose merges make the tokens 256, 257, …"""
    return Tokenizer(BASE, [(pair, 256 + i) for i, pair in enumerate(pairs)], split=SPLIT_PATTERNS[split])


def trained(start: Tokenizer, text: str, *, recipe: str = "minbpe", num_merges: int = 0) -> TrainingResult:
    trainer = Trainer(Corpus.from_text(text), recipe, start=start, num_merges=num_merges)
    for _ in trainer.steps():
        pass
    return trainer.result()


# --- the merges of the start ---------------------------------------------------------------------------


def test_a_worked_example() -> None:
    result = trained(of_merges((A, B), (256, C), (C, C)), "abc ab cc")
    assert [(s.pair, s.token_id, s.count, s.tied) for s in result.steps] == [
        ((A, B), 256, 2, 1),
        ((256, C), 257, 1, 1),
        ((C, C), 258, 1, 1),
    ]
    assert result.stop_reason == "The tokenizer has no further merge for this text."


def test_merges_that_never_occur_are_no_steps() -> None:
    result = trained(of_merges((C, C), (A, B)), "ab")
    assert [s.token_id for s in result.steps] == [257]


@given(
    st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=12, unique=True),
    st.text("abcd ", min_size=1, max_size=60),
)
def test_the_text_ends_as_the_tokenizer_encodes_it(drawn: list[tuple[int, int]], text: str) -> None:
    # 0 to 3 are letters; 4 is the token of the first merge, and so on: a merge may use a later one
    ids = [A, B, C, b"d"[0], *(256 + i for i in range(8))]
    pairs = [(ids[left], ids[right]) for left, right in drawn]
    pairs = [p for i, p in enumerate(pairs) if max(p) < 256 + i]  # each half was made before
    tokenizer = of_merges(*pairs)
    result = trained(tokenizer, text)
    assert tokens_in(result, len(result.steps)) == Counter(tokenizer.encode(text))
    assert result.tokenizer is tokenizer


@pytest.mark.parametrize("name", ["gpt2", "cl100k_base", "o200k_base"])
@given(st.text(max_size=80))
def test_any_text_ends_as_a_built_in_tokenizer_encodes_it(name: str, text: str) -> None:
    tokenizer = load_pretrained(name)
    result = trained(tokenizer, text)
    assert tokens_in(result, len(result.steps)) == Counter(tokenizer.encode(text))


# --- new merges ----------------------------------------------------------------------------------------


def continued_by_brute_force(start: Tokenizer, text: str, num_merges: int) -> list[Merged]:
    """Encode, then merge the most frequent pair again and again; of equal ones that seen first."""
    known = start.merge_of_pair
    words = [start.encode(p) for p in start.split.split(text)]
    new: list[Merged] = []
    while len(new) < num_merges:
        counts = Counter(pair for word in words for pair in pairwise(word))
        if not counts:
            break
        best = max(counts, key=lambda pair: counts[pair])  # the first of the greatest
        assert best not in known
        new.append((best, start.n_vocab + len(new)))
        words = [merged(word, *new[-1]) for word in words]
    return new


def merged(word: Sequence[int], pair: tuple[int, int], token_id: int) -> list[int]:
    out: list[int] = []
    for each in word:
        if out and (out[-1], each) == pair:
            out[-1] = token_id
        else:
            out.append(each)
    return out


@given(st.text("abc ", min_size=1, max_size=50), st.integers(0, 6))
def test_new_merges_are_those_of_brute_force(text: str, num_merges: int) -> None:
    start = of_merges((A, B), (C, C), (256, 257))
    result = trained(start, text, num_merges=num_merges)
    new = [(step.pair, step.token_id) for step in result.new_steps]
    assert new == continued_by_brute_force(start, text, num_merges)


@pytest.mark.parametrize("name", ["gpt2", "cl100k_base"])
def test_a_built_in_tokenizer_goes_on_as_brute_force_does(name: str) -> None:
    start = load_pretrained(name)
    result = trained(start, TEXT, num_merges=12)
    assert [(s.pair, s.token_id) for s in result.new_steps] == continued_by_brute_force(start, TEXT, 12)
    assert [s.token_id for s in result.new_steps] == list(range(start.n_vocab, start.n_vocab + 12))


def test_old_tokens_and_ids_stay_and_the_tokenizer_encodes_as_the_training_ended() -> None:
    start = load_pretrained("gpt2")
    result = trained(start, TEXT, num_merges=12)
    tokenizer = result.tokenizer
    assert tokenizer.special_tokens == start.special_tokens == {"<|endoftext|>": 50256}
    assert {i: tokenizer.token_bytes(i) for i in start.vocabulary} == start.vocabulary
    assert tokens_in(result, len(result.steps)) == Counter(tokenizer.encode(TEXT))
    assert tokenizer.decode(tokenizer.encode(TEXT)) == TEXT
    assert len(tokenizer.encode(TEXT)) < len(start.encode(TEXT))


def test_made_and_start_together_go_on_where_the_training_stopped() -> None:
    start = load_pretrained("gpt2")
    trainer = Trainer(Corpus.from_text(TEXT), "minbpe", start=start, num_merges=5)
    list(trainer.steps())
    further = Trainer(trainer.corpus, "minbpe", start=start, made=trainer.result(), num_merges=12)
    list(further.steps())
    assert further.merges == list(trained(start, TEXT, num_merges=12).merges)
    assert further.num_new == 12


def test_a_worker_trains_the_same() -> None:
    start = load_pretrained("gpt2")
    settings = TrainingSettings("minbpe", num_merges=7, min_frequency=1, start=Start("gpt2", "GPT-2", start))
    result = train_in_worker(UncountedText(TEXT, start.split), settings, lambda _: None)
    here = trained(start, TEXT, num_merges=7)
    assert (result.steps, result.tokens, result.start) == (here.steps, here.tokens, start)
    assert result.symbol_gap_ranks.tolist() == here.symbol_gap_ranks.tolist()


# --- forks ---------------------------------------------------------------------------------------------


def test_a_fork_forces_a_pair_and_then_the_ranks_decide() -> None:
    start = of_merges((A, B), (256, C))
    trainer = Trainer(Corpus.from_text("abc abc"), start=start, num_merges=0)
    list(steps_with(trainer, [Choice(0, (B, C))]))
    result = trainer.result()
    assert [(s.pair, s.token_id) for s in result.steps] == [((B, C), 258)]  # a + b occurs no more
    assert result.tokenizer.encode("abc") == [A, 258]
    assert result.tokenizer.encode("ab") == [256]


def test_a_vetoed_merge_of_the_start_is_never_made() -> None:
    start = of_merges((A, B), (256, C), (B, C))
    trainer = Trainer(Corpus.from_text("abc"), start=start, num_merges=0)
    list(steps_with(trainer, [Choice(0, (A, B), "veto")]))
    assert [s.token_id for s in trainer.result().steps] == [258]
    assert trainer.tokenizer().encode("abc ab") == [A, 258, ord(" "), A, B]
    assert trainer.tokenizer().token_bytes(256) == b"ab"


@given(st.text("abc ", min_size=2, max_size=40), st.integers(0, 5), st.integers(0, 20))
def test_the_tokenizer_of_a_fork_encodes_as_the_fork_ended(text: str, rank: int, which: int) -> None:
    start = of_merges((A, B), (C, C), (256, 257))
    trainer = Trainer(Corpus.from_text(text), "minbpe", start=start, num_merges=3)
    for _ in range(rank):
        trainer.step()
    pairs = trainer.top_pairs(20)
    if not pairs:
        return
    pair = pairs[which % len(pairs)][0]
    again = Trainer(Corpus.from_text(text), "minbpe", start=start, num_merges=3)
    list(steps_with(again, [Choice(len(trainer.merges), pair)]))
    result = again.result()
    assert tokens_in(result, len(result.steps)) == Counter(result.tokenizer.encode(text))


# --- what can't be done --------------------------------------------------------------------------------


def test_a_corpus_that_another_pattern_split_is_refused() -> None:
    with pytest.raises(TrainingSettingsError, match="was split by the pattern cl100k"):
        Trainer(Corpus.from_text("a", "cl100k"), start=of_merges((A, B)))


def test_a_name_is_no_start() -> None:
    with pytest.raises(TrainingSettingsError, match="start is a str"):
        Trainer(Corpus.from_text("a"), start="gpt2")  # type: ignore[arg-type]


def test_the_special_tokens_are_those_of_the_start() -> None:
    with pytest.raises(TrainingSettingsError, match="Leave special_tokens out"):
        Trainer(Corpus.from_text("a"), start=of_merges((A, B)), special_tokens=["<s>"])
