"""The recipe cs336 against its rule in the simplest form: bytes, counted again before every merge."""

import re
from collections import Counter
from itertools import pairwise

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from bpeviz import RECIPES, Corpus, Trainer, custom_split_pattern, train, train_tokenizer
from bpeviz.core.gap_ranks import INSIDE, NEVER, WALL
from bpeviz.errors import TrainingSettingsError
from bpeviz.runs.run import NamedText
from bpeviz.runs.run_training import run_request, train_run
from bpeviz.training.settings import TrainingSettings
from tests.support.texts import ANY_TEXT, TIGHT_TEXT

CS336 = RECIPES["cs336"]
END = "<|endoftext|>"
GPT2 = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
#: The worked example of the handout.
LOW = """low low low low low
lower lower widest widest widest
newest newest newest newest newest newest"""


def by_the_rule(text: str, special_tokens: list[str], num_merges: int) -> list[tuple[bytes, bytes]]:
    """Cut at special tokens, split the rest, and merge the most frequent pair, of these the greatest."""
    longest_first = sorted(special_tokens, key=len, reverse=True)
    parts = re.split("|".join(map(re.escape, longest_first)), text) if special_tokens else [text]
    split = Counter(p for part in parts for p in regex.findall(GPT2, part))
    words = {tuple(bytes([byte]) for byte in p.encode()): count for p, count in split.items()}
    merges: list[tuple[bytes, bytes]] = []
    while len(merges) < num_merges:
        counts = Counter[tuple[bytes, bytes]]()
        for word, count in words.items():
            for pair in pairwise(word):
                counts[pair] += count
        if not counts:
            break
        merges.append(max(counts, key=lambda pair: (counts[pair], pair)))
        merged = Counter[tuple[bytes, ...]]()
        for word, count in words.items():
            merged[with_pair_merged(word, merges[-1])] += count
        words = merged
    return merges


def with_pair_merged(word: tuple[bytes, ...], pair: tuple[bytes, bytes]) -> tuple[bytes, ...]:
    merged, i = [], 0
    while i < len(word):
        found = word[i : i + 2] == pair
        merged.append(word[i] + word[i + 1] if found else word[i])
        i += 2 if found else 1
    return tuple(merged)


def merges_of(text: str, special_tokens: list[str], num_merges: int) -> list[tuple[bytes, bytes]]:
    corpus = Corpus.from_text(text, CS336.split_pattern(special_tokens=special_tokens))
    trainer = Trainer(corpus, "cs336", num_merges=num_merges, special_tokens=special_tokens)
    list(trainer.steps())
    return list(trainer.result().merged_bytes)


def test_the_worked_example_of_the_handout():
    words = Corpus.from_counts({"low": 5, "lower": 2, "widest": 3, "newest": 6}, custom_split_pattern(r"\S+"))
    trainer = Trainer(words, "cs336", num_merges=12)
    steps = list(trainer.steps())
    assert [b" ".join(pair).decode() for pair in trainer.result().merged_bytes] == [
        *(
            "s t",
            "e st",
            "o w",
            "l ow",
            "w est",
            "n e",
            "ne west",
            "w i",
            "wi d",
            "wid est",
            "low e",
            "lowe r",
        )
    ]
    assert (steps[0].count, steps[0].tied) == (9, 2), "e s and s t"


def test_the_worked_example_split_at_white_space():
    steps = train(LOW, "cs336", split=custom_split_pattern(r"\S+|\s"), num_merges=6)
    assert [step.token for step in steps] == [b"st", b"est", b"ow", b"low", b"west", b"ne"]


def test_the_greatest_pair_of_bytes_wins_a_tie_not_the_longest_token():
    # both B ZZ and BA A would be next: BA is greater than B
    assert max([("A", "B"), ("A", "C"), ("B", "ZZ"), ("BA", "A")]) == ("BA", "A")
    assert merges_of("ab ac b", [], 2) == by_the_rule("ab ac b", [], 2) == [(b"a", b"c"), (b"a", b"b")]


SPECIAL = st.lists(st.sampled_from(["<s>", "<s", "s>a", END, " a", "a\n", "aa", "é!", "ab ab"]), unique=True)
PIECES = st.sampled_from(
    ["a", "b", " ", "ab", "aab", " aa", "\n", "<", "s>", "<s>", "<s", END, "é", "é!", "12"]
)


@given(pieces=st.lists(PIECES, max_size=40), special=SPECIAL)
def test_merges_are_those_of_the_rule_on_texts_full_of_special_tokens(pieces, special):
    text = "".join(pieces)
    assert merges_of(text, special, 15) == by_the_rule(text, special, 15)


@given(
    text=ANY_TEXT | TIGHT_TEXT, special=st.lists(st.text(max_size=3).filter(bool), max_size=3, unique=True)
)
def test_merges_are_those_of_the_rule_on_any_text(text, special):
    assert merges_of(text, special, 10) == by_the_rule(text, special, 10)


def test_a_vocab_size_counts_bytes_special_tokens_and_merges():
    text = f"the cat{END}the hat " * 3
    tokenizer = train_tokenizer(text, "cs336", vocab_size=260)
    assert len(tokenizer.merges) == 3
    assert tokenizer.special_tokens == {END: 256}
    assert sorted(tokenizer.vocabulary) == list(range(260))


def test_a_special_token_is_one_token_that_no_merge_enters():
    text = f"aa{END}aa"
    trainer = Trainer(Corpus.from_text(text, CS336.split_pattern()), "cs336")
    assert trainer.token_total == 5
    assert [(step.token, step.token_total) for step in trainer.steps()] == [(b"aa", 3)]
    ranks = trainer.history().gap_ranks(text).tolist()
    assert ranks == [0, WALL, *[INSIDE] * (len(END) - 1), WALL, 0, WALL]
    assert trainer.top_pairs(9) == []
    assert trainer.history().token_totals.tolist() == [5, 3]


def test_encoding_has_the_usual_rules_for_special_tokens():
    tokenizer = train_tokenizer(f"aa{END}aa", "cs336")
    assert tokenizer.split.name == "gpt2"
    assert tokenizer.encode(f"aa{END}", allowed_special="all") == [257, 256]
    assert tokenizer.encode(f"aa{END}") == [257, *END.encode()]
    assert tokenizer.gap_ranks(END, allowed_special="all").tolist() == [*[INSIDE] * (len(END) - 1), WALL]


@pytest.mark.parametrize(
    "text", [f"a{END}b", f"{END}", "x<|endoftext|> y", "a <|endoftext|>"], ids=["between", "alone", "x", "a"]
)
def test_a_corpus_that_was_not_cut_is_refused(text):
    with pytest.raises(
        TrainingSettingsError,
        match=r"without a cut\. Split the texts by recipe\.split_pattern",
    ):
        Trainer(Corpus.from_text(text, "gpt2"), "cs336")


@given(pieces=st.lists(PIECES, max_size=12), special=SPECIAL.filter(bool))
def test_every_corpus_that_misses_a_cut_is_refused(pieces, special):
    text = "".join(pieces)
    corpus = Corpus.from_text(text, "gpt2")
    try:
        trainer = Trainer(corpus, "cs336", special_tokens=special, num_merges=9)
    except TrainingSettingsError:
        return
    list(trainer.steps())
    assert list(trainer.result().merged_bytes) == by_the_rule(text, special, 9)


def test_a_corpus_that_holds_no_special_token_needs_no_cut():
    corpus = Corpus.from_text("the cat <s> in the hat", "gpt2")
    assert list(Trainer(corpus, "cs336", num_merges=5).steps())
    with_cut = Corpus.from_counts({END: 2, "ab": 1}, "gpt2")
    assert Trainer(with_cut, "cs336").token_total == 4


def test_a_run_shows_the_whole_text_with_its_special_tokens():
    text = f"the cat {END}\nthe hat"
    settings = TrainingSettings("cs336", num_merges=3, min_frequency=1)
    run = train_run(run_request(NamedText("cat", text), settings), lambda *_: None)
    assert run.result.text_bytes == text.encode()
    place = text.index(END)
    assert run.gap_ranks[place - 1] == WALL
    assert run.gap_ranks[place : place + len(END)].tolist() == [*[INSIDE] * (len(END) - 1), WALL]
    assert NEVER in run.gap_ranks
