"""Merging by tiktoken: whatever it takes, it merges as the tokenizer itself would."""

import sysconfig
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpeviz import RECIPES, Corpus, Tokenizer, Trainer, load_pretrained, tokenizer
from bpeviz.base_vocabulary import ByteVocabulary
from bpeviz.gap_ranks import NEVER, WALL
from bpeviz.rust_merger import RustMerger
from bpeviz.split_patterns import SPLIT_PATTERNS
from tests.texts import ANY_TEXT, TIGHT_TEXTS

SAMPLE_TEXTS = sorted((Path(__file__).parents[1] / "sample_texts").glob("*.txt"))
Merged = tuple[list[list[int]], list[int]]
ALL_BYTES = pytest.mark.parametrize("name", ["minbpe-basic", "minbpe", "huggingface", "rustbpe"])


def trained(name: str, texts: list[str], num_merges: int = 30) -> Tokenizer:
    trainer = Trainer(Corpus.from_texts(texts, RECIPES[name].split), name, num_merges=num_merges)
    list(trainer.steps())
    return trainer.tokenizer()


def merger_of(made: Tokenizer) -> RustMerger | None:
    return RustMerger.of(made.base, list(zip(made.merges, made.merge_token_ids, strict=True)))


def both(made: Tokenizer, pre_tokens: list[str]) -> tuple[Merged, Merged]:
    """Ids and gap ranks of pre-tokens: by tiktoken, and by the tokenizer."""
    merger = made._rust_merger
    assert merger is not None
    return merger.merge(pre_tokens), made._merge_all(made.base.spell(pre_tokens))


@cache
def gpt2() -> Tokenizer:
    return load_pretrained("gpt2")


def test_the_cat_in_the_hat_by_hand():
    made = trained("minbpe", ["the cat in the hat"], 3)
    merger = merger_of(made)
    assert merger is not None
    # t+h, th+e, a+t
    assert merger.merge(["the", " cat"]) == (
        [[257], [32, 99, 258]],
        [0, 1, WALL, NEVER, NEVER, 2, WALL],
    )


def test_an_empty_pre_token_has_no_tokens():
    merger = merger_of(gpt2())
    assert merger is not None
    assert merger.merge(["", "a"]) == ([[], [64]], [WALL])


@ALL_BYTES
@given(texts=TIGHT_TEXTS, other=ANY_TEXT)
def test_trained_tokenizers_merge_alike(name, texts, other):
    made = trained(name, texts)
    ours, theirs = both(made, [*texts, other])
    assert ours == theirs


@given(text=ANY_TEXT)
def test_gpt2_merges_alike(text):
    ours, theirs = both(gpt2(), gpt2().split.split(text))
    assert ours == theirs


@given(
    choices=st.lists(st.tuples(st.integers(0, 100), st.integers(0, 100)), max_size=12),
    text=st.text("ab", min_size=1, max_size=30),
)
def test_any_merges_that_are_taken_merge_alike(choices, text):
    known = [*b"ab", *range(256, 256 + len(choices))]
    merges = [((known[a % (i + 2)], known[b % (i + 2)]), 256 + i) for i, (a, b) in enumerate(choices)]
    made = Tokenizer(ByteVocabulary(bytes(range(256))), merges, split=SPLIT_PATTERNS["none"])
    if merger := merger_of(made):
        assert merger.merge([text]) == made._merge_all(made.base.spell([text]))


@pytest.mark.parametrize(
    ("why", "base", "pairs"),
    [
        ("bytes are missing", ByteVocabulary(bytes(range(255))), []),
        (
            "two merges spell one token",
            ByteVocabulary(bytes(range(256))),
            [(1, 2), (2, 3), (256, 3), (1, 257)],
        ),
        ("a merge is out of reach", ByteVocabulary(bytes(range(256))), [(2, 3), (1, 2), (257, 3)]),
    ],
)
def test_tokenizers_that_tiktoken_would_merge_otherwise_are_not_taken(why, base, pairs):
    assert RustMerger.of(base, [(pair, 256 + i) for i, pair in enumerate(pairs)]) is None, why


def test_a_tokenizer_of_characters_is_not_taken():
    assert merger_of(trained("llms-from-scratch-simple", ["the cat"], 2)) is None


def test_a_token_of_thousands_of_merges_one_in_the_other_is_opened():
    depth = 3000
    merges = [((97, 98), 256), *(((255 + i, 99), 256 + i) for i in range(1, depth))]
    made = Tokenizer(ByteVocabulary(bytes(range(256))), merges, split=SPLIT_PATTERNS["none"])
    ours, theirs = both(made, ["ab" + "c" * (depth - 1), "abcab"])
    assert ours == theirs
    assert len(ours[0][0]) == 1


@pytest.mark.parametrize("path", SAMPLE_TEXTS, ids=lambda path: path.name)
def test_samples_merge_alike(path):
    text = path.read_text("utf-8")
    for made in (gpt2(), trained("huggingface", [text], 1000), trained("minbpe-basic", [text], 200)):
        ours, theirs = both(made, list(dict.fromkeys(made.split.split(text))))
        assert ours == theirs


def test_every_line_of_the_standard_library_merges_alike():
    """An encoding merges pre-token by pre-token, so each different one of all lines is merged once."""
    root = Path(sysconfig.get_path("stdlib"))
    paths = [path for path in root.rglob("*.py") if "site-packages" not in path.parts]
    lines = {line for path in paths for line in path.read_text("utf-8", "replace").splitlines(keepends=True)}
    assert len(lines) > 100_000
    pre_tokens = list(dict.fromkeys(p for line in lines for p in gpt2().split.split(line)))
    made = trained("huggingface", ["".join(sorted(lines)[::20])], 2000)
    for each in (gpt2(), made):
        ours, theirs = both(each, pre_tokens)
        assert ours == theirs


def test_a_long_text_is_encoded_in_bulk_to_the_same_ids_and_gap_ranks(monkeypatch):
    text = "The lighthouse keeper's words: weather, café, 灯台, 🚢.\n" * 20
    by_ours = gpt2().encode_with_gap_ranks(text)
    monkeypatch.setattr(tokenizer, "BULK_CHARACTERS", 1)
    merged: list[list[str]] = []
    merge = RustMerger.merge
    monkeypatch.setattr(RustMerger, "merge", lambda self, p: (merged.append(list(p)), merge(self, p))[1])
    in_bulk = gpt2().encode_with_gap_ranks(text)
    assert merged
    assert in_bulk[0] == by_ours[0]
    np.testing.assert_array_equal(in_bulk[1], by_ours[1])
