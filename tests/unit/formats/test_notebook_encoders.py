"""The encoders that the notebook of "LLMs from scratch" has had, against each rule in its simplest form."""

import json
import re
import warnings
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpeviz import Tokenizer, train_tokenizer
from bpeviz.errors import TokenizerError, TokenizerFileWarning
from bpeviz.formats.isolated import read_in_worker
from bpeviz.formats.llms_from_scratch import NOTEBOOK_PATTERNS
from bpeviz.formats.reading import read_tokenizer, says_no_split, split_choices
from bpeviz.formats.writing import write_tokenizer

TRAINED_ON = "the cat in the hat\nthe cat  sat on the mat\n\nand the hat"
END = "<|endoftext|>"


def words(text: str) -> list[str]:
    """Until 21 January 2025: a line end is white space like any other."""
    return ["Ġ" * (i > 0) + word for i, word in enumerate(text.split())]


def words_and_line_ends(text: str) -> list[str]:
    """Until 8 October 2025: all words have a Ġ but those at the start of the first line."""
    tokens: list[str] = []
    for i, line in enumerate(text.split("\n")):
        tokens += ["\n"] * (i > 0)
        tokens += ["Ġ" * (i > 0 or j > 0) + word for j, word in enumerate(line.split())]
    return tokens


def lines(text: str, *, spaces_after_words: bool = False) -> list[str]:
    """Since 8 October 2025: each space is a Ġ, one of those before a word is part of it. The others came
    after the word until 10 January 2026."""
    tokens: list[str] = []
    for part in re.split(r"(\r|\n)", text):
        spaces = 0
        for run in [part] if part in ("\r", "\n") else re.findall(r" +|\S+", part):
            if run.strip(" "):
                others, word = ["Ġ"] * (spaces - 1), ["Ġ" * (spaces > 0) + run]
                tokens += word + others if spaces_after_words else others + word
                spaces = 0
            else:
                spaces += len(run)
        tokens += ["Ġ"] * spaces
    return tokens


ENCODERS: dict[str, Callable[[str], list[str]]] = {
    "words": words,
    "words-and-line-ends": words_and_line_ends,
    "lines": lines,
}
PIECES = [
    "the",
    "cat",
    "a",
    "th",
    " ",
    "  ",
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    "\t",
    " \n",
    "\n ",
    "é",
    "\x1c",
    "\u3000",
]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=20).map("".join)
EVERY_ENCODER = pytest.mark.parametrize("name", ENCODERS)


def pair_of_an_older_notebook() -> dict[str, bytes]:
    """Files whose merges cross spaces and line ends, without bpeviz's mark."""
    tokenizer = train_tokenizer(TRAINED_ON, "llms-from-scratch-simple", num_merges=40)
    files = write_tokenizer(tokenizer, "llms-from-scratch")
    merges = json.loads(files["bpe_merges.txt"])
    assert merges[0].pop("pre_tokens") == "words"
    return files | {"bpe_merges.txt": json.dumps(merges).encode()}


FILES = pair_of_an_older_notebook()


def read(name: str) -> Tokenizer:
    return read_tokenizer(FILES, split=name)


def by_the_notebook(tokens: list[str]) -> list[int]:
    """A token of the vocabulary is taken whole; any other is merged from left to right, again and again."""
    id_of = {token: int(i) for i, token in json.loads(FILES["vocab.json"]).items()}
    new_id = {tuple(m["pair"]): m["new_id"] for m in json.loads(FILES["bpe_merges.txt"])}
    found: list[int] = []
    for token in tokens:
        ids = [id_of[token]] if token in id_of else [id_of[character] for character in token]
        merging = token not in id_of
        while merging:
            merged: list[int] = []
            i = 0
            while i < len(ids):
                made = new_id.get(tuple(ids[i : i + 2]))
                merged.append(ids[i] if made is None else made)
                i += 1 if made is None else 2
            merging, ids = len(merged) < len(ids), merged
        found += ids
    return found


@EVERY_ENCODER
@given(text=TEXTS)
def test_each_encoder_gives_the_ids_of_its_notebook(name, text):
    tokenizer = read(name)
    assert tokenizer.encode(text, order="left-to-right") == by_the_notebook(ENCODERS[name](text))
    spelled = b"".join(tokenizer.token_bytes(i) for i in tokenizer.encode(text)).decode()
    assert spelled == "".join(ENCODERS[name](text)).replace("Ġ", " ")
    assert len(tokenizer.gap_ranks(text)) == len(text.encode())


@given(text=TEXTS)
def test_until_january_2026_the_same_tokens_came_in_another_order(text):
    theirs = lines(text, spaces_after_words=True)
    ours = read("lines").encode(text, order="left-to-right")
    assert sorted(ours) == sorted(by_the_notebook(theirs))
    assert ours == by_the_notebook(theirs) or lines(text) != theirs


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("the cat", ["the", " cat"]),
        ("the\nthe", ["the", "\n", " the"]),
        (" the\n\n  the\t", ["the", "\n", "\n", " the"]),
        ("\nthe", ["\n", " the"]),
    ],
)
def test_line_ends_are_tokens_and_later_words_have_a_space(text, tokens):
    tokenizer = read("words-and-line-ends").after(0)
    characters = [tokenizer.token_bytes(i).decode() for i in tokenizer.encode(text)]
    assert characters == list("".join(tokens))


def test_a_special_token_begins_the_text_again():
    tokenizer = read("words-and-line-ends")
    ids = tokenizer.encode(f"the\ncat{END}cat", allowed_special="all")
    assert ids == [*tokenizer.encode("the\ncat"), tokenizer.special_tokens[END], *tokenizer.encode("cat")]


def test_characters_that_the_files_lack_are_named():
    with pytest.raises(TokenizerError, match="日"):
        read("words-and-line-ends").encode("the\n日")


def test_a_pair_of_an_older_notebook_is_asked_about_and_loses_no_line_end():
    assert says_no_split(FILES)
    assert split_choices(FILES) == list(NOTEBOOK_PATTERNS)
    with pytest.warns(TokenizerFileWarning, match="which notebook") as warned:
        tokenizer = read_tokenizer(FILES)
    assert all(f'split="{name}"' in str(warned[0].message) for name in NOTEBOOK_PATTERNS)
    assert tokenizer.decode(tokenizer.encode("the\n\ncat\n")) == "the\n\n cat\n"


def test_the_order_of_the_files_and_escapes_do_not_matter():
    vocabulary = json.dumps(json.loads(FILES["vocab.json"])).encode()
    assert b"\\u0120" in vocabulary
    assert says_no_split({"a": FILES["bpe_merges.txt"], "b": vocabulary})
    assert not says_no_split({"a": FILES["bpe_merges.txt"]})
    assert not says_no_split({"a": FILES["bpe_merges.txt"], "b": FILES["bpe_merges.txt"]})


@EVERY_ENCODER
def test_a_saved_pair_says_which_encoder_it_is_for(name):
    files = write_tokenizer(read(name), "llms-from-scratch")
    assert not says_no_split(files)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        again = read_tokenizer(files)
    assert (again.split, again.base) == (NOTEBOOK_PATTERNS[name], read(name).base)
    assert again.encode(TRAINED_ON) == read(name).encode(TRAINED_ON)


def test_a_pair_without_merges_across_spaces_says_its_encoder():
    vocabulary = json.dumps({"0": "a", "1": "b", "2": "Ġ", "3": "\n", "4": "ab"}).encode()
    files = {"vocab.json": vocabulary, "bpe_merges.txt": b'[{"pair": [0, 1], "new_id": 4}]'}
    assert not says_no_split(files)
    assert read_tokenizer(files).split == NOTEBOOK_PATTERNS["lines"]


@pytest.mark.gate
def test_a_worker_reads_the_pair_and_encodes_with_it():
    tokenizer = read_in_worker(FILES, split="words-and-line-ends", split_timeout=1.0)
    assert tokenizer.encode(TRAINED_ON) == read("words-and-line-ends").encode(TRAINED_ON)
    with pytest.raises(TokenizerError, match="日"):
        tokenizer.encode("日")
