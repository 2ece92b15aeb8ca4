"""tokenizer.json with Metaspace, loaded by Hugging Face's library: the same ids, line ends included."""

import json

import pytest
import tokenizers
from hypothesis import given

from bpeviz import Tokenizer, train_tokenizer
from bpeviz.core.gap_ranks import INSIDE, NEVER, WALL
from bpeviz.errors import TokenizerError, TokenizerFileError
from bpeviz.formats.reading import read_tokenizer
from bpeviz.formats.writing import caution, refusal, write_tokenizer
from bpeviz.runs.samples import SAMPLES, read_sample
from tests.support.texts import every_assigned_character
from tests.support.tokenizers import of_characters, trained_on_hard_texts


def library(tokenizer: Tokenizer) -> tokenizers.Tokenizer:
    return tokenizers.Tokenizer.from_str(write_tokenizer(tokenizer)["tokenizer.json"].decode())


def assert_same(tokenizer: Tokenizer, theirs: tokenizers.Tokenizer, text: str) -> None:
    assert theirs.encode(text).ids == tokenizer.encode(text, allowed_special="all")


def test_a_tiny_tokenizer_json():
    tokenizer = train_tokenizer("ab ab", "sentencepiece", num_merges=2)
    whole = json.loads(write_tokenizer(tokenizer)["tokenizer.json"])
    assert whole["model"]["vocab"] == {
        **{"<unk>": 0, "<s>": 1, "</s>": 2},
        **{"a": 3, "b": 4, "▁": 5, "ab": 6, "▁ab": 7},
    }
    assert whole["model"]["merges"] == [["a", "b"], ["▁", "ab"]]
    assert [(t["id"], t["content"], t["special"]) for t in whole["added_tokens"]] == [
        (0, "<unk>", True),
        (1, "<s>", True),
        (2, "</s>", True),
    ]
    text = "ab ab\nab"
    assert library(tokenizer).encode(text).ids == tokenizer.encode(text) == [6, 7, 6]
    assert library(tokenizer).decode([6, 7, 5, 5]) == tokenizer.decode([6, 7, 5, 5]) == "ab ab  "


def test_samples_of_all_scripts():
    text = "\n".join(read_sample(title, 20_000) for title in SAMPLES)
    tokenizer = train_tokenizer(text, "sentencepiece", num_merges=1_500)
    theirs = library(tokenizer)
    other = read_sample("Many languages")[::-1].replace("a", " ▁ ").replace(" ", "\t \r\n\0\x1f▅▁")
    for hard in (text, "".join(filter({*text, "▁"}.__contains__, other))):
        assert_same(tokenizer, theirs, hard)
        ids = tokenizer.encode(hard)
        assert theirs.decode(ids) == tokenizer.decode(ids)


@pytest.mark.full  # takes long
def test_every_assigned_character():
    characters = every_assigned_character()
    text = f"{characters} {characters[::2]}"
    tokenizer = train_tokenizer(text, "sentencepiece", num_merges=20)
    assert_same(tokenizer, library(tokenizer), text)


@given(made=trained_on_hard_texts("sentencepiece"))
def test_any_trained_tokenizer_gives_the_ids_of_the_library_or_is_refused(made):
    tokenizer, texts = made
    if why := refusal(tokenizer, "huggingface"):
        assert "special token" in why
        return
    theirs = library(tokenizer)
    assert theirs.get_vocab_size() == len(tokenizer)
    for text in texts:
        assert_same(tokenizer, theirs, text)


def test_characters_not_learned_are_the_unknown_token():
    tokenizer = train_tokenizer("ab ab", "sentencepiece", num_merges=1, special_tokens=["<unk>"])
    assert library(tokenizer).encode("abxyab").ids == tokenizer.encode("abxyab") == [4, 0, 4]
    assert not caution(tokenizer, "huggingface", "")


def test_without_an_unknown_token_the_library_leaves_characters_out_and_saving_says_so():
    tokenizer = train_tokenizer("ab ab", "sentencepiece", num_merges=1, special_tokens=[])
    assert library(tokenizer).encode("abxyab").ids == [3, 3]
    with pytest.raises(TokenizerError, match="'x'"):
        tokenizer.encode("abxyab")
    assert "silently leaves out characters" in caution(tokenizer, "huggingface", "")
    read = read_tokenizer(write_tokenizer(tokenizer))
    assert read.encode("abxyab") == [3, 3]
    assert read.gap_ranks("abxyab").tolist() == [0, INSIDE, INSIDE, NEVER, 0, WALL]


def test_merges_that_never_happen_and_several_merges_of_one_token_are_kept():
    """A .model file can hold neither."""
    tokenizer = of_characters("abc", ((1, 2, 4), (2, 3, 5), (1, 5, 6), (4, 3, 6)))
    theirs = library(tokenizer)
    assert theirs.encode("abcbc").ids == tokenizer.encode("abcbc") == [6, 5]


@pytest.mark.parametrize(
    ("tokenizer", "why"),
    [
        (train_tokenizer("ab", "subword-nmt"), "it is made of characters, but does not write spaces as ▁"),
        (of_characters(split="gpt2"), "its split pattern is gpt2"),
        (train_tokenizer("<s><s>", "sentencepiece"), "its special token '<s>' has the text"),
        (of_characters("a", ((1, 1, 2), (2, 1, 3), (1, 2, 4))), "two of its tokens have the text 'aaa'"),
    ],
)
def test_what_the_file_cannot_hold_is_refused(tokenizer, why):
    with pytest.raises(TokenizerFileError, match="cannot hold this tokenizer") as caught:
        write_tokenizer(tokenizer)
    assert why in caught.value.why
